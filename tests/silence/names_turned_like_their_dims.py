import jax.numpy as jnp


def masks(agents_nodes, nodes_agents):
    agents_cross_nodes = jnp.expand_dims(agents_nodes, axis=1)  # (batch, 1, agents, nodes)
    nodes_cross_agents = jnp.expand_dims(nodes_agents, axis=1)  # (batch, 1, nodes, agents)
    return agents_cross_nodes, nodes_cross_agents

"""Jupyter: the cell magic `%%namecheck` of IPython, and the language server of JupyterLab.

    IPython -> `extension` -> `session_cells` (the cells so far) -> `running`, `report`
    jupyter-lsp -> `language_server` (which command it starts)

Nothing here imports IPython or Jupyter: they import us.
"""

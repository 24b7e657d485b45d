"""Clusters of points with features: both distances, samples of the points, soft centres."""

import torch

FILE = "kmeans_gpu-0.0.5/kmeans_gpu/kmeans.py"


def run(module):
    points, features = torch.randn(3, 37, 2), torch.randn(3, 11, 37)
    euclidean = module.KMeans(n_clusters=5, max_iter=13, max_neighbors=7)
    cosine = module.KMeans(5, max_iter=13, distance="cosine", differentiable=True)
    sampled = module.KMeans(5, max_iter=13, sub_sampling=29, max_neighbors=3)
    centroids = points[:, :5]
    return (
        euclidean(points, features),
        euclidean(points),
        cosine(points, features, centroids),
        sampled(points, features, centroids),
        module.KMeans.predict(points[0], centroids[0], distance="euclidean"),
    )

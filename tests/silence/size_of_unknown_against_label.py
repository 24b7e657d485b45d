# NC402: x.size(0) of an unknown x is taken to contradict the comment's n_batch; seen in video_category_pipeline.py
class Pool:
    def forward(self, x, activation, attention, masks):
        if masks is not None:
            attention = attention * masks[:, :, None]
        second = (activation.sum(dim=3).sum(dim=1) * self.centroids[None, :, :])
        first = (activation * x.view(x.size(0), x.size(1), 1, self.groups, self.dim)).sum(dim=3).sum(dim=1)
        # vlad shape (n_batch, n_cluster, dim / groups)
        vlad = first - second
        # flatten shape (n_batch, n_cluster * dim / groups)
        vlad = vlad.view(x.size(0), -1)  # flatten

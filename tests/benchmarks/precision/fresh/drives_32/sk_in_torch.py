"""Linear models that are fitted to data: by descent, with penalties, in closed form."""

import torch

FILE = "sk_in_torch-0.0.3/sk_in_torch/linear_model.py"


def run(module):
    x, y = torch.randn(37, 5).numpy(), torch.randn(37).numpy()
    labels = torch.randint(3, (37,)).numpy()
    binary = torch.randint(2, (37,)).numpy()
    more = torch.randn(11, 5).numpy()
    outputs = []
    for intercept in (True, False):
        plain = module.TorchLinearRegression(intercept, n_iter=3)
        elastic = module.TorchElasticNet(0.5, 0.3, n_iter=3, fit_intercept=intercept)
        exact = module.TorchMatrixBasedLinearRegression(intercept)
        classes = module.TorchSGDClassifier(n_iter=3, fit_intercept=intercept)
        for model in (plain, elastic):
            model.fit(x, y, batch_size=13)
        exact.fit(x, y)
        classes.fit(x, labels, batch_size=13)
        for model in (plain, elastic, exact, classes):
            outputs += [model.predict(more), model.coef_, model.intercept_]
    network = module.TorchLinearRegressionNN()
    network.fit(x, y, n_iter=3, batch_size=13)
    logistic = module.LogisticRegressionNN(5)
    logistic.fit(x, binary, n_iter=3, batch_size=13)
    outputs += [network.predict(more), network.coef_, network.intercept_]
    outputs += [logistic.predict(more), logistic.predict_proba(more), logistic.coef_]
    return outputs

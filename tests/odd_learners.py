"""Classifiers that misbehave, each in its way; one of them only on the first fold it meets."""

import os
import time

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class Odd(ClassifierMixin, BaseEstimator):
    def fit(self, x, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, x):
        return np.full(len(x), self.classes_[0])


class OneClass(Odd):
    """Always the first class."""


class Strange(Odd):
    """A label that nobody has seen."""

    def predict(self, x):
        return np.array(["martian"] * len(x))


class Raises(Odd):
    def fit(self, x, y):
        raise ValueError("I will not\x1b[31m")


class Leaves(Odd):
    def fit(self, x, y):
        raise SystemExit(3)


class Crashes(Odd):
    """Ends its process, as a fault in compiled code would."""

    def fit(self, x, y):
        os._exit(17)


class Hangs(Odd):
    def fit(self, x, y):
        time.sleep(600)


class Eats(Odd):
    """Takes 4 GB."""

    def fit(self, x, y):
        self.much = np.ones((1 << 29,))
        return super().fit(x, y)


class Short(Odd):
    """Fewer predictions than cases."""

    def predict(self, x):
        return super().predict(x)[1:]


class Gaps(Odd):
    def predict(self, x):
        return np.full(len(x), np.nan)


class Draws(Odd):
    """By lot, from the global generator."""

    def predict(self, x):
        return np.random.choice(self.classes_, len(x))

"""The folds that WEKA makes, from `java.util.Random` alone.

WEKA shuffles the cases, deals them out so that every fold has its share of each class, and
shuffles each training set once more. Which cases a fold holds, and in which order a learner sees
them, follows from the seed; so it can be said without Java.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, plural

_FACTOR, _ADDED, _STATE = 0x5DEECE66D, 0xB, (1 << 48) - 1


class JavaRandom:
    """The numbers of ``java.util.Random``, as its documentation defines them.

    >>> random = JavaRandom(1)
    >>> [random.below(100) for _ in range(5)]
    [85, 88, 47, 13, 54]
    """

    def __init__(self, seed: int) -> None:
        """Begin with this seed."""
        self._state = (seed ^ _FACTOR) & _STATE

    def bits(self, several: int) -> int:
        """The next few random bits, as a number from 0 up."""
        self._state = (self._state * _FACTOR + _ADDED) & _STATE
        return self._state >> (48 - several)

    def below(self, n: int) -> int:
        """A number from 0 to `n` - 1."""
        if n & -n == n:
            return (n * self.bits(31)) >> 31
        while True:
            drawn = self.bits(31)
            found = drawn % n
            if drawn - found + n - 1 < 1 << 31:  # else Java's 32 bits would overflow: draw again
                return found

    def shuffle(self, items: list[int]) -> None:
        """Put `items` into the order that WEKA's ``Instances.randomize`` gives them."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


def folds(classes: Sequence[int], k: int = 10, seed: int = 1) -> Iterator[tuple[Array, Array]]:
    """Training and test cases of each fold, in WEKA's order: run `seed` of its Experimenter.

    >>> for train, test in folds([0, 0, 0, 0, 1, 1], k=2):
    ...     print(train, test)
    [3 5 1] [4 0 2]
    [4 2 0] [5 1 3]
    """
    n = len(classes)
    if not 2 <= k <= n:
        what = f"{plural(k, 'fold')} of {plural(n, 'case')} cannot be made"
        raise InputError(Fault("CM754", what, fix="from 2 folds to as many as there are cases"))
    random = JavaRandom(seed)
    order = list(range(n))
    random.shuffle(order)
    order = _dealt(_grouped(order, classes), k)
    first = 0
    for fold in range(k):
        size = n // k + (fold < n % k)
        train = order[:first] + order[first + size :]
        random.shuffle(train)
        yield np.array(train), np.array(order[first : first + size])
        first += size


def _grouped(order: list[int], classes: Sequence[int]) -> list[int]:
    """Cases of one class after another, brought together by exchanges as WEKA makes them."""
    order, n, i = list(order), len(order), 1
    while i < n:
        mine = classes[order[i - 1]]
        for j in range(i, n):
            if classes[order[j]] == mine:
                order[i], order[j] = order[j], order[i]
                i += 1
        i += 1
    return order


def _dealt(order: list[int], k: int) -> list[int]:
    """Every k-th case, from the first on, then from the second on, and so forth."""
    return [case for start in range(k) for case in order[start::k]]

"""STUB until c3 lands."""


class Workspace:
    def __init__(self, indexes):
        self._i = indexes

    @property
    def indexes(self):
        return tuple(self._i.values())

    @property
    def names(self):
        return tuple(self._i)

    def search(self, query, *, scope=None, repo="", seen=(), budget=0, vector=(), **k):
        return self.indexes[0].search(query, **k)

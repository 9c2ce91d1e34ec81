import os

LIMIT = 3

def good(a, b):
    """Still found."""
    return a

class Half(
    def method(self):
        return 1

x = = 3

def after():
    return [

class Whole:
    def run(self) -> None:
        pass

"""Start Python child processes and limit their time and memory.

In: a module to run. Out: a process that ends with its parent.
It does not know what the child computes.
"""

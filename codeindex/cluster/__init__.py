"""Build bundles of many repositories, and search them, on the machines of a Ray cluster.

In: a list of repositories and a store. Out: bundles in the store; answers merged from all machines.
Ray schedules, retries and restarts; only `ray_runtime` imports it. MCP and click are not used here.
"""

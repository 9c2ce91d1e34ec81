"""Make the repository report: map, hotspots, health, change clusters, coverage, usage.

In: a catalog connection, the index state and search usage. Out: one report as text or HTML. The
package never reads the work tree and loads nothing from the network.
"""

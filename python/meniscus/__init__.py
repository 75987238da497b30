"""Small liquids: simulations in memory, whole runs, and what they leave on disk, as numpy arrays. SI units; y is up.

    import meniscus
    sim = meniscus.Simulation("drop.lua", {"cells": 64})
    sim.advance(0.01)
    sim.liquids[0].pressure.values.max()
"""
from ._library import Error, Progress, SceneError, Stopped, version
from ._plots import convergence, order, plot_convergence
from ._runs import Run, Table, read_layer, read_table
from ._simulation import Body, Field, Layer, Liquid, Simulation, run

__all__ = ["Body", "Error", "Field", "Layer", "Liquid", "Progress", "Run", "SceneError", "Simulation", "Stopped", "Table",
           "convergence", "order", "plot_convergence", "read_layer", "read_table", "run", "version"]

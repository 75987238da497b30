#!/usr/bin/python3
"""The Python module over the library: what comes back, how long it lives, what is told of mistakes."""
import gc
import math
import pathlib
import tempfile
import threading
import unittest

import numpy as np

import meniscus

DISC = """return scene { title = 'disc', domain = { size = { mm(8), mm(8) }, cells = 64 }, gravity = { 0, 0 },
  frames = { rate = 500, count = 3 }, numerics = { max_dt = 2e-4 },
  probes = { { name = 'middle', kind = 'pressure', at = { mm(4), mm(4) } }, { name = 'wind', kind = 'velocity', at = { mm(4), mm(4) } } },
  liquids = { sphere { name = 'drop', center = { mm(4), mm(4) }, radius = mm(2), velocity = { 0.02, 0 } } } }"""
BALL = """return scene { title = 'ball', domain = { size = { mm(8), mm(8), mm(8) }, cells = 16 },
  frames = { rate = 500, count = 1 }, liquids = { pool { depth = mm(3) } },
  bodies = { sphere { name = 'cork', center = { mm(4, 6, 4) }, radius = mm(1), density = 500 } } }"""


class Memory(unittest.TestCase):
    def test_no_copy(self):
        """An array is the simulation's own memory, and cannot be written."""
        sim = meniscus.Simulation(text=DISC)
        a, b = sim.liquids[0].distance, sim.liquids[0].distance
        self.assertEqual(a.values.ctypes.data, b.values.ctypes.data)
        self.assertFalse(a.values.flags.writeable or a.values.flags.owndata)
        with self.assertRaises(ValueError):
            a.values[0, 0] = 1

    def test_places(self):
        """Distance is hypot(x - c) - R where it is known."""
        field = meniscus.Simulation(text=DISC).liquids[0].distance
        x, y = field.places()
        exact = np.hypot(x[:, None] - 4e-3, y[None, :] - 4e-3) - 2e-3
        near = abs(exact) < 3*field.spacing
        self.assertGreater(near.sum(), 500)
        self.assertLess(abs(field.values - exact)[near].max(), 0.05*field.spacing)

    def test_outlives(self):
        """What was taken stays as it was, over steps and when the simulation is gone."""
        sim = meniscus.Simulation(text=DISC)
        sim.advance(1e-3)
        field, surface = sim.liquids[0].pressure.values, sim.surface
        copies = field.copy(), surface.points.copy(), surface.liquid.copy()
        for n in range(2, 6):
            sim.advance(n*1e-3)
            sim.surface, sim.liquids[0].pressure
        del sim
        gc.collect()
        rubbish = [np.random.rand(field.size) for _ in range(50)]
        np.testing.assert_array_equal(field, copies[0])
        np.testing.assert_array_equal(surface.points, copies[1])
        np.testing.assert_array_equal(surface.liquid, copies[2])
        del rubbish

    def test_looking_changes_nothing(self):
        watched, alone = meniscus.Simulation(text=DISC), meniscus.Simulation(text=DISC)
        kept = []
        for n in range(1, 6):
            watched.advance(n*5e-4), alone.advance(n*5e-4)
            kept += [watched.liquids[0].distance, watched.layers, watched.numbers]
        self.assertEqual(watched.hash, alone.hash)

    def test_threads(self):
        """Four simulations in four threads come to what one comes to alone."""
        def work(found):
            sim = meniscus.Simulation(text=DISC, threads=1)
            for n in range(1, 5):
                sim.advance(n*1e-3)
                sim.load(sim.save())
            found.append(sim.hash)
        found = []
        threads = [threading.Thread(target=work, args=(found,)) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        work(found)
        self.assertEqual(len(found), 5)
        self.assertEqual(len(set(found)), 1)


class Numbers(unittest.TestCase):
    def test_measures(self):
        sim = meniscus.Simulation(text=DISC)
        sim.advance(1e-3)
        self.assertAlmostEqual(sim.pressure([4e-3, 4e-3])[0]/(0.0728/2e-3), 1, delta=0.02)
        self.assertEqual(sim.probes["middle"], sim.pressure([[4e-3, 4e-3]])[0])
        self.assertAlmostEqual(sim.probes["wind"][0], 0.02, delta=1e-3)
        self.assertTrue(math.isnan(sim.velocity([7e-3, 7e-3])[0, 0]))
        self.assertAlmostEqual(sim.height([4e-3, 0, 0])[0], 6e-3, delta=2e-5)
        self.assertEqual(sim.numbers["t"], sim.time)
        self.assertEqual(sim.numbers["step"], sim.steps)
        np.testing.assert_allclose(sim.size, [8e-3, 8e-3, 0])
        with self.assertRaises(ValueError):
            sim.pressure([1, 2, 3, 4])

    def test_three_dimensions(self):
        """The volume in the surface of a pool, by the theorem of Gauss, is that of the pool less the cork's part in it."""
        sim = meniscus.Simulation(text=BALL)
        self.assertEqual(sim.dimensions, 3)
        corners = sim.surface.points.astype(float)[sim.surface.elements]
        volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum()/6
        self.assertAlmostEqual(volume/sim.liquids[0].volume, 1, delta=0.01)
        self.assertEqual(sim.liquids[0].velocity_fields[2].values.ndim, 3)
        self.assertIn("solid_cork", sim.layers)
        self.assertIsNone(sim.spray)

    def test_bodies(self):
        sim = meniscus.Simulation(text=BALL)
        sim.gravity = [0, 0, 0]
        cork = sim.bodies["cork"]
        cork.put(center=[3e-3, 6e-3, 5e-3], rotation=[0, 1, 0, 0], velocity=[0, 0, 0])
        cork.push([1e-8, 0, 0])
        sim.set(max_dt=1e-3, slip=True)
        sim.step(1e-4)
        moved = sim.bodies["cork"]
        self.assertAlmostEqual(moved.velocity[0]/(1e-8/moved.mass), 1, delta=1e-6)
        np.testing.assert_allclose(moved.rotation, [0, 1, 0, 0], atol=1e-6)


class Mistakes(unittest.TestCase):
    def test_words(self):
        with self.assertRaisesRegex(meniscus.SceneError, "scene:1"):
            meniscus.Simulation(text="return scene { domian = {} }")
        with self.assertRaises(meniscus.Error):
            meniscus.Simulation("/nowhere/none.lua")
        with self.assertRaises(meniscus.Error):
            meniscus.Simulation()
        sim = meniscus.Simulation(text=DISC)
        for wrong in (lambda: sim.step(-1), lambda: sim.set(cfl=9), lambda: sim.load(b"rubbish"), lambda: sim.advance(math.nan)):
            self.assertRaises(meniscus.Error, wrong)
        with self.assertRaises(ValueError):
            sim.gravity = [1]
        sim.close()
        self.assertRaises(ValueError, lambda: sim.time)

    def test_stopping(self):
        seen = []
        sim = meniscus.Simulation(text=DISC, progress=lambda p: seen.append(p.time) or len(seen) < 3)
        self.assertRaises(meniscus.Stopped, sim.advance, 0.01)
        self.assertEqual((len(seen), sim.steps), (3, 3))

        def trouble(_):
            raise KeyboardInterrupt
        sim = meniscus.Simulation(text=DISC, progress=trouble)
        self.assertRaises(KeyboardInterrupt, sim.advance, 0.01)
        sim = meniscus.Simulation(text=DISC)
        sim.cancel()
        self.assertRaises(meniscus.Stopped, sim.step, 1e-4)
        sim.step(1e-4)


class Runs(unittest.TestCase):
    def test_as_in_memory(self):
        """What a run leaves on disk is what the simulation in memory has at that time."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder/"ball.lua").write_text(BALL)
            said = []
            run = meniscus.run(folder/"ball.lua", folder/"run", tell=said.append)
            self.assertTrue(any(line.startswith("surface tension") for line in said))
            sim = meniscus.Simulation(folder/"ball.lua")
            sim.advance(run.time(1))
            self.assertEqual(run.frames, [0, 1])
            for name, layer in sim.layers.items():
                there = run.layer(name, 1)
                np.testing.assert_array_equal(there.points, layer.points)
                np.testing.assert_array_equal(there.elements, layer.elements)
                for a in layer.attributes:
                    np.testing.assert_array_equal(there.attributes[a], layer.attributes[a])
            table = run.table
            for name in ("volume", "kinetic_energy", "surface_energy", "iterations"):
                self.assertEqual(table[name][-1], sim.numbers[name])
            np.testing.assert_array_equal(run.bodies.where(name="cork", frame=1).cy, sim.bodies["cork"].center[1])
            self.assertEqual(len(run.liquids), 2)
            self.assertEqual(run.info["title"], "ball")
            self.assertRaises(AttributeError, lambda: table.nothing)

    def test_order(self):
        self.assertAlmostEqual(meniscus.order([1, 0.5, 0.25], [3, 0.75, 0.1875]), 2)
        self.assertRaises(ValueError, meniscus.order, [1, 2], [1, 0])


if __name__ == "__main__":
    unittest.main()

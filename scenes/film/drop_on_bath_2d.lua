-- 001-V5: a drop falls onto a bath of the same liquid and rests on the air between them. film.cells = 3, 5 or 7 must not matter.
local oil = material { rho = 1000, sigma = 1.66e-3, mu = 0.002 }
return scene {
  title   = "A drop on a bath (2D)",
  domain  = { size = { mm(1), mm(1) }, cells = 64 },
  gravity = { 0, -9.8 },
  liquids = {
    pool   { name = "bath", depth = mm(0.3), material = oil },
    sphere { name = "drop", center = { mm(0.5), mm(0.5) }, radius = mm(0.15), material = oil },
  },
  merge   = "hold",
  numerics = { tension_steps = 1 },
  film    = { cells = 5 },
  frames  = { rate = 1000, count = 100 },
}

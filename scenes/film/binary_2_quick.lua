-- 001-S2: two drops of tetradecane, R = 0.1676 mm, 0.496 m/s each, bounce.
local tetradecane = material { rho = 762, sigma = 26.56e-3, mu = 2.1e-3 }
local R, V = mm(0.1676), 0.496
return scene {
  title   = "Two drops bounce, case II (quick)",
  domain  = { size = { mm(2), mm(1), mm(1) }, cells = 80 },
  gravity = { 0, 0, 0 },
  liquids = {
    sphere { name = "left",  center = { mm(2/2) - 1.25*R, mm(1/2), mm(1/2) }, radius = R, velocity = {  V, 0, 0 }, material = tetradecane },
    sphere { name = "right", center = { mm(2/2) + 1.25*R, mm(1/2), mm(1/2) }, radius = R, velocity = { -V, 0, 0 }, material = tetradecane },
  },
  merge   = "hold",
  numerics = { tension_steps = 1 },
  frames  = { rate = 20000, count = 50 },
}

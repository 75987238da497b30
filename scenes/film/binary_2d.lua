-- 001-V6: two drops of tetradecane fly at each other and bounce, in two dimensions.
local tetradecane = material { rho = 762, sigma = 26.56e-3, mu = 2.1e-3 }
local R, V = mm(0.1706), 0.243
return scene {
  title   = "Two drops bounce (2D)",
  domain  = { size = { mm(1.25), mm(0.75) }, cells = 60 },
  gravity = { 0, 0 },
  liquids = {
    sphere { name = "left",  center = { mm(0.625) - 1.25*R, mm(0.375) }, radius = R, velocity = {  V, 0 }, material = tetradecane },
    sphere { name = "right", center = { mm(0.625) + 1.25*R, mm(0.375) }, radius = R, velocity = { -V, 0 }, material = tetradecane },
  },
  merge   = "hold",
  numerics = { tension_steps = 1 },
  frames  = { rate = 20000, count = 32 },
}

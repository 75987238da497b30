-- 001-S4: a drop of silicone oil bounces on a bath shaken at 50 Hz with 3.6 g, once every two periods. Places are in the
-- frame of the bath; frame_y of liquids.csv is where it stands in the laboratory (docs/film.md).
local oil = material { rho = 949, sigma = 20.6e-3, mu = 949*20e-6 }
local f, peak = 50, 35.28
return scene {
  title   = "A drop bounces on a shaken bath (quick)",
  domain  = { size = { mm(5), mm(5), mm(5) }, cells = 64, sides = { top = "open" } },
  gravity = { 0, -9.8, 0 },
  frame_position = function(t) return 0, -peak/(2*math.pi*f)^2*(1 - math.exp(-t*f/2))*math.sin(2*math.pi*f*t), 0 end,
  liquids = {
    pool   { name = "bath", depth = mm(2), material = oil },
    sphere { name = "drop", center = { mm(5/2), mm(2.69), mm(5/2) }, radius = mm(0.39), material = oil },
  },
  merge   = "hold",
  numerics = { tension_steps = 1 },
  frames  = { rate = 500, count = 200 },
}

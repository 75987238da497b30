-- The (2,1) bouncing of 001-S4 in two dimensions, for a quick look.
local oil = material { rho = 949, sigma = 20.6e-3, mu = 949*20e-6 }
local f, peak = 50, 35.28
return scene {
  title   = "A drop bounces on a shaken bath (2D)",
  domain  = { size = { mm(5), mm(5) }, cells = 96, sides = { top = "open" } },
  gravity = { 0, -9.8 },
  frame_position = function(t) return 0, -peak/(2*math.pi*f)^2*(1 - math.exp(-t*f/2))*math.sin(2*math.pi*f*t) end,
  liquids = {
    pool   { name = "bath", depth = mm(2), material = oil },
    sphere { name = "drop", center = { mm(2.5), mm(2.69) }, radius = mm(0.39), material = oil },
  },
  merge   = "hold",
  numerics = { tension_steps = 1 },
  frames  = { rate = 500, count = 200 },
}

-- 001-V8: a drop bounces on a bath that is shaken up and down, period 0.02 s, peak 9.8 m/s^2. Frame of the bath.
local oil = material { rho = 1000, sigma = 1.66e-3, mu = 0.002 }
local f, peak = 50, 9.8
return scene {
  title   = "A drop on a shaken bath (2D)",
  domain  = { size = { mm(1), mm(1) }, cells = 64 },
  gravity = { 0, -9.8 },
  frame_position = function(t) return 0, -peak/(2*math.pi*f)^2*(1 - math.exp(-t*f/2))*math.sin(2*math.pi*f*t) end,
  liquids = {
    pool   { name = "bath", depth = mm(0.3), material = oil },
    sphere { name = "drop", center = { mm(0.5), mm(0.5) }, radius = mm(0.15), material = oil },
  },
  merge   = "hold",
  numerics = { tension_steps = 1 },
  frames  = { rate = 500, count = 200 },
}

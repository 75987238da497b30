-- A tank is shaken from side to side at its first sloshing frequency, omega^2 = g k tanh(k h) with k = pi/width: the wave
-- grows until it breaks.
local width, depth, g = cm(10), cm(4), 9.81
local k = math.pi/width
local omega = math.sqrt(g*k*(1 - math.exp(-2*k*depth))/(1 + math.exp(-2*k*depth)))
return scene {
  title   = "A sloshing tank",
  domain  = { size = { width, cm(10), cm(5) }, cells = 64, sides = { top = "open" } },
  gravity = { 0, -g, 0 },
  frame_acceleration = function(t) return { 0.3*math.sin(omega*t), 0, 0 } end,
  liquids = { pool { depth = depth, material = water } },
  probes  = { { name = "left_wall", kind = "height", at = { 0, 0, cm(2.5) } } },
  frames  = { rate = 50, count = 100 },
}

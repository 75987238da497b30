-- The shaken tank in two dimensions.
local width, depth, g = cm(10), cm(4), 9.81
local k = math.pi/width
local omega = math.sqrt(g*k*(1 - math.exp(-2*k*depth))/(1 + math.exp(-2*k*depth)))
return scene {
  title   = "A sloshing tank (2D)",
  domain  = { size = { width, cm(10) }, cells = 128, sides = { top = "open" } },
  gravity = { 0, -g },
  frame_acceleration = function(t) return { 0.3*math.sin(omega*t), 0 } end,
  liquids = { pool { depth = depth, material = water } },
  probes  = { { name = "left_wall", kind = "height", at = { 0, 0 } } },
  frames  = { rate = 50, count = 100 },
}

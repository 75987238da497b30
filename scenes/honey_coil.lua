-- A thread of honey, 4 mm thick, falls 4 cm onto a plate and coils. It leaves the spout a little askew: a perfectly upright one would
-- have no side to bend to.
local r, speed, top, thick = mm(2), 0.06, mm(42), honey { mu = 30 }
return scene {
  title   = "A thread of honey coils",
  domain  = { size = { mm(28.8), mm(43.2), mm(28.8) }, cells = 48, sides = { left = "open", right = "open", front = "open", back = "open", top = "open" } },
  gravity = { 0, -9.81, 0 },
  liquids = { cylinder { from = { mm(14.3, 8, 14.5) }, to = { mm(14.3, 41, 14.5) }, radius = r, velocity = { mm(4), -speed, mm(2) }, material = thick } },
  sources = {
    cylinder { from = { mm(14.3, 40, 14.5) }, to = { mm(14.3, 43.2, 14.5) }, radius = r, velocity = { mm(4), -speed, mm(2) }, rate = math.pi*r*r*speed, material = thick },
  },
  frames  = { rate = 40, count = 60 },
}

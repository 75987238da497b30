-- A jet of honey, 5 mm thick, falls 4 cm onto a plate and coils.
local r, speed = mm(2.5), 0.08
return scene {
  title   = "A jet of honey coils",
  domain  = { size = { mm(30), mm(40), mm(30) }, cells = 36, sides = { left = "open", right = "open", front = "open", back = "open", top = "open" } },
  gravity = { 0, -9.81, 0 },
  sources = {
    cylinder { from = { mm(15, 37, 15) }, to = { mm(15, 40, 15) }, radius = r, velocity = { 0, -speed, 0 }, rate = math.pi*r*r*speed, material = honey },
  },
  frames  = { rate = 40, count = 80 },
}

-- A sheet of honey, 4 mm thick, runs down onto a plate and folds.
local half, speed = mm(2), 0.1
return scene {
  title   = "A sheet of honey folds (2D)",
  domain  = { size = { mm(50), mm(60) }, cells = 100, sides = { left = "open", right = "open", top = "open" } },
  gravity = { 0, -9.81 },
  sources = {
    box { low = { mm(25) - half, mm(56) }, high = { mm(25) + half, mm(60) }, velocity = { 0, -speed }, rate = 2*half*speed, material = honey },
  },
  frames  = { rate = 50, count = 100 },
}

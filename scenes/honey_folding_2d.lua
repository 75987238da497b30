-- A sheet of thick honey, 4 mm, runs down onto a plate, too slowly to spread as fast as it comes: it folds to and fro.
local half, speed, thick = mm(2), 0.12, honey { mu = 40 }
return scene {
  title   = "A sheet of honey folds (2D)",
  domain  = { size = { mm(60), mm(50) }, cells = 150, sides = { left = "open", right = "open", top = "open" } },
  gravity = { 0, -9.81 },
  liquids = { box { low = { mm(30) - half, mm(12) }, high = { mm(30) + half, mm(47) }, velocity = { 0, -speed }, material = thick } },
  sources = {
    box { low = { mm(30) - half, mm(46) }, high = { mm(30) + half, mm(50) }, velocity = { 0, -speed }, rate = 2*half*speed, material = thick },
  },
  frames  = { rate = 50, count = 80 },
}

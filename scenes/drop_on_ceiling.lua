-- Drops of water under a ceiling, which they meet at 90 degrees: the small one hangs, the large one is too heavy and falls.
return scene {
  title   = "Drops hang from a ceiling",
  domain  = { size = { mm(24), mm(20), mm(12) }, cells = 72, sides = { bottom = "wall" } },
  gravity = { 0, -9.81, 0 },
  liquids = {
    sphere { center = { mm(6, 20, 6) }, radius = mm(2.6), material = water },
    sphere { center = { mm(16, 20, 6) }, radius = mm(4.2), material = water },
  },
  frames  = { rate = 250, count = 60 },
}

-- Drops of water under a ceiling, which they meet at 90 degrees: the small one hangs, the large one is too heavy and falls.
return scene {
  title   = "Drops hang from a ceiling (2D)",
  domain  = { size = { mm(24), mm(20) }, cells = 144 },
  gravity = { 0, -9.81 },
  liquids = {
    sphere { center = { mm(6, 20) }, radius = mm(2.6), material = water },
    sphere { center = { mm(16, 20) }, radius = mm(4.6), material = water },
  },
  frames  = { rate = 250, count = 60 },
}

-- Drops of water under a ceiling, which they meet at 90 degrees: the small one hangs and swings, the large one is too heavy; it
-- necks, leaves a little behind and falls into the water below.
return scene {
  title   = "Drops hang from a ceiling",
  domain  = { size = { mm(24), mm(18), mm(16) }, cells = 60 },
  gravity = { 0, -9.81, 0 },
  liquids = {
    pool { depth = mm(3.1), material = water },
    sphere { center = { mm(6.5, 18, 8) }, radius = mm(2.6), material = water },
    sphere { center = { mm(16, 18, 8) }, radius = mm(4.2), material = water },
  },
  frames  = { rate = 250, count = 45 },
}

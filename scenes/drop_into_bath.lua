-- The default scene of `make demo`: a drop of water falls into a bath, throws up a crown and a jet.
return scene {
  title   = "A drop falls into a bath",
  domain  = { size = { mm(60), mm(50), mm(60) }, cells = 96, sides = { top = "open" } },      -- y is up
  gravity = { 0, -9.81, 0 },
  liquids = {
    pool   { depth = mm(18), material = water },
    sphere { center = { mm(30), mm(26), mm(30) }, radius = mm(4), velocity = { 0, -1.2, 0 }, material = water },
  },
  frames  = { rate = 300, count = 60 },
}

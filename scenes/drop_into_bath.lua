-- The default scene of `make demo`: a drop of water falls into a bath, throws up a crown and a jet.
return scene {
  title   = "A drop falls into a bath",
  domain  = { size = { mm(40), mm(40), mm(40) }, cells = 80 },      -- y is up
  gravity = { 0, -9.81, 0 },
  liquids = {
    pool   { depth = mm(14), material = water },
    sphere { center = { mm(20), mm(26), mm(20) }, radius = mm(4), velocity = { 0, -1.5, 0 }, material = water },
  },
  frames  = { rate = 400, count = 60 },
}

-- 001-S7: a drop of R = 10 mm merges with a bath; the column it leaves pinches off a small drop, which a film of air then keeps on the bath.
-- The numbers are the paper's: with sigma = 1333.3 mN/m it is a drop of silicone oil with R = 1.24 mm, eight times as large.
local liquid = material { rho = 949, sigma = 1.3333, mu = 0 }
return scene {
  title   = "Merging and pinching (quick)",
  domain  = { size = { mm(120), mm(60), mm(120) }, cells = 96, sides = { top = "open" } },
  gravity = { 0, -9.8, 0 },
  liquids = {
    pool   { name = "bath", depth = mm(20), material = liquid },
    sphere { name = "drop", center = { mm(60), mm(30.5), mm(60) }, radius = mm(10), material = liquid },
  },
  merge   = { rule = "hold", pairs = { { between = { "bath", "drop" }, rule = "touch" } } },
  numerics = { tension_steps = 1 },
  frames  = { rate = 200, count = 60 },
}

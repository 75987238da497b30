-- 001-S7: a drop of R = 10 mm merges with a bath; the column it leaves pinches off a small drop, which a film of air then keeps on the bath.
-- The numbers are the paper's: with sigma = 1333.3 mN/m it is a drop of silicone oil with R = 1.24 mm, eight times as large. Full size of
-- the paper: 256 x 128 x 256 cells. A drop in the middle stays symmetric about two planes, so a quarter of the box between mirrors is the
-- same problem.
local how = ... or { title = "Merging and pinching", cells = 256, quarter = false }
local cells   = option("cells", how.cells)      -- along x, of the whole box
local quarter = option("quarter", how.quarter)
local width   = mm(option("width", 120))        -- mm, of the whole box
local liquid = material { rho = 949, sigma = 1.3333, mu = 0 }
local middle = quarter and 0 or width/2
local plane  = quarter and "mirror" or "wall"
local box    = quarter and width/2 or width
return scene {
  title   = how.title,
  domain  = { size = { box, mm(60), box }, dx = width/cells, sides = { top = "open", left = plane, back = plane } },
  gravity = { 0, -9.8, 0 },
  liquids = {
    pool   { name = "bath", depth = mm(20), material = liquid },
    sphere { name = "drop", center = { middle, mm(30.5), middle }, radius = mm(10), material = liquid },
  },
  merge   = { rule = "hold", pairs = { { between = { "bath", "drop" }, rule = "touch" } } },
  frames  = { rate = 200, count = 60 },
}

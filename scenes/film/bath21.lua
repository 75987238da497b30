-- 001-S4: a drop of silicone oil bounces on a bath shaken at 50 Hz with 3.6 g, once every two periods. Places are in the
-- frame of the bath; frame_y of liquids.csv is where it stands in the laboratory (docs/film.md). Full size of the paper: 256 cells.
-- A drop in the middle stays symmetric about two planes, so a quarter of the box between mirrors is the same problem.
local how = ... or { title = "A drop bounces on a shaken bath", cells = 256, quarter = false }
local cells   = option("cells", how.cells)      -- along x, of the whole box
local quarter = option("quarter", how.quarter)
local release = option("release", 0.3)          -- mm between the bath and the drop
local oil = material { name = "silicone oil", rho = 949, sigma = 20.6e-3, mu = 949*20e-6 }
local f, peak, R = 50, 35.28, mm(0.39)
local width  = quarter and mm(2.5) or mm(5)
local middle = quarter and 0 or mm(2.5)
local plane  = quarter and "mirror" or "wall"
return scene {
  title   = how.title,
  domain  = { size = { width, mm(5), width }, dx = mm(5)/cells, sides = { top = "open", left = plane, back = plane } },
  gravity = { 0, -9.8, 0 },
  frame_position = function(t) return 0, -peak/(2*math.pi*f)^2*(1 - math.exp(-t*f/2))*math.sin(2*math.pi*f*t), 0 end,
  liquids = {
    pool   { name = "bath", depth = mm(2), material = oil },
    sphere { name = "drop", center = { middle, mm(2 + release) + R, middle }, radius = R, material = oil },
  },
  merge   = "hold",
  frames  = { rate = 500, count = 250 },
}

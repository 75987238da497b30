-- 001-S5 and S6: two drops float on a bath shaken at 80 Hz with 0.45 g and feel each other's waves. 4 mm apart in case I, 2.4 mm in case
-- II (`--set apart=2.4`). Full size of the paper: 256 x 170 x 256 cells. Each drop is the other's image, and both are symmetric about the
-- plane through their centres, so a quarter of the box between mirrors is the same problem.
local how = ... or { title = "A promenading pair", cells = 256, quarter = false }
local cells   = option("cells", how.cells)      -- along x, of the whole box
local quarter = option("quarter", how.quarter)
local apart   = mm(option("apart", how.apart or 4))
local oil = material { name = "silicone oil", rho = 949, sigma = 20.6e-3, mu = 949*20e-6 }
local f, peak, R, depth, dx = 80, 4.41, mm(0.8), mm(4.9), mm(15)/cells
local width  = quarter and mm(7.5) or mm(15)
local middle = quarter and 0 or mm(7.5)
local plane  = quarter and "mirror" or "wall"
local function drop(name, side)
  return sphere { name = name, center = { middle + side*apart/2, depth + R + mm(0.2), middle }, radius = R, material = oil }
end
local liquids = { pool { name = "bath", depth = depth, material = oil }, drop("right", 1) }
if not quarter then liquids[3] = drop("left", -1) end
return scene {
  title   = how.title,
  domain  = { size = { width, math.floor(mm(10)/dx + 1e-6)*dx, width }, dx = dx, sides = { top = "open", left = plane, back = plane } },
  gravity = { 0, -9.8, 0 },
  frame_position = function(t) return 0, -peak/(2*math.pi*f)^2*(1 - math.exp(-t*f/2))*math.sin(2*math.pi*f*t), 0 end,
  liquids = liquids,
  merge   = "hold",
  frames  = { rate = 400, count = 60 },
}

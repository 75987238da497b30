-- 001-S5 and S6: two drops float on a bath shaken at 80 Hz with 0.45 g and feel each other's waves. 4 mm apart in case I, 2.4 mm in case
-- II (`--set apart=2.4`). Full size of the paper: 256 x 170 x 256 cells. Both are symmetric about the plane through their centres, so half of
-- the box is the same problem. (Each is the other's image, too, but a drop that meets its image in a mirror is one with it: no film between.)
-- The paper's 0.45 g lets them float and rock; with `--set gamma=3.3` they bounce.
local how = ... or { title = "A promenading pair", cells = 256, half = false }
local cells   = option("cells", how.cells)      -- along x
local half    = option("half", how.half)
local apart   = mm(option("apart", how.apart or 4))
local oil = material { name = "silicone oil", rho = 949, sigma = 20.6e-3, mu = 949*20e-6 }
local gamma   = option("gamma", 0.45)           -- shaking, in g; above about 1 the drops leave the bath
local f, peak, R, depth, dx = 80, 9.8*gamma, mm(0.8), mm(4.9), mm(15)/cells
local function drop(name, side)
  return sphere { name = name, center = { mm(7.5) + side*apart/2, depth + R + mm(0.2), half and 0 or mm(7.5) }, radius = R, material = oil }
end
return scene {
  title   = how.title,
  domain  = { size = { mm(15), math.floor(mm(10)/dx + 1e-6)*dx, half and mm(7.5) or mm(15) }, dx = dx,
              sides = { top = "open", back = half and "mirror" or "wall" } },
  gravity = { 0, -9.8, 0 },
  frame_position = function(t) return 0, -peak/(2*math.pi*f)^2*(1 - math.exp(-t*f/2))*math.sin(2*math.pi*f*t), 0 end,
  liquids = { pool { name = "bath", depth = depth, material = oil }, drop("left", -1), drop("right", 1) },
  merge   = "hold",
  frames  = { rate = 400, count = 60 },
}

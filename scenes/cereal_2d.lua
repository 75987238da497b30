-- Puffed cereal on milk, seen from the side: 30 pieces that the milk wets gather in clumps. The full scene is cereal.lua;
-- cheerios_2d.lua has fewer pieces, more finely.
local cells = option("cells", 240)
local count = option("count", 30)
local mu    = option("mu", 0.01)   -- Pa s
local pieces = {}
for m = 1, count do
  local off = 1.2*math.sin(7.3*m)   -- mm; not quite evenly
  pieces[m] = sphere { center = { mm(240)*(m - 0.5)/count + mm(off), mm(16.6) }, radius = mm(2.6), density = 250, friction = 0.1,
                       contact_angle = degrees(45), name = "piece" .. m, look = m % 3 == 0 and "yellow" or "orange" }
end
return scene {
  title   = "Cereal clumps, 2D",
  domain  = { size = { mm(240, 25) }, cells = cells, sides = { top = "open" } },
  liquids = { pool { depth = mm(15), material = material { rho = 1020, sigma = 0.06, mu = mu }, look = "milk" } },
  bodies  = pieces,
  frames  = { rate = 20, count = 30 },
}

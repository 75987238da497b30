-- Puffed cereal on cream, seen from the side: each piece pulls the surface up around it, and slides up the slope that the next one
-- makes, until they lie in clumps.
local cells = option("cells", 200)
local count = option("count", 14)
local mu    = option("mu", 0.01)   -- Pa s
local pieces = {}
for i = 1, count do
  local off = 1.3*math.sin(7.3*i)   -- mm; not quite evenly
  pieces[i] = sphere { center = { mm(100)*(i - 0.5)/count + mm(off), mm(16.3) }, radius = mm(2.2), density = 200, friction = 0.1,
                       contact_angle = degrees(50), name = "piece" .. i, look = i%2 == 0 and "orange" or "yellow" }
end
return scene {
  title   = "Cereal clumps, 2D",
  domain  = { size = { mm(100, 25) }, cells = cells, sides = { top = "open" } },
  liquids = { pool { depth = mm(15), material = material { rho = 1020, sigma = 0.045, mu = mu }, look = "milk" } },
  bodies  = pieces,
  frames  = { rate = 20, count = 80 },
}

-- Rings of cereal on milk, seen from the side: what they do to the surface draws them together and to the walls. Sixteen discs of
-- half the weight of milk start apart from each other.
local cells = option("cells", 192)
local count = option("count", 16)
local radius, rings = mm(2.5), {}
for i = 1, count do
  local off = 0.8*math.sin(7.3*i)   -- not quite evenly
  rings[i] = sphere { center = { mm(120)*(i - 0.5)/count + mm(off), mm(20.5) }, radius = radius, density = 520,
                      contact_angle = degrees(75), name = "ring" .. i, look = i%2 == 0 and "orange" or "yellow" }
end
return scene {
  title   = "Cereal clumps, 2D",
  domain  = { size = { mm(120, 30) }, cells = cells, sides = { top = "open" } },
  liquids = { pool { depth = mm(20), material = milk } },
  bodies  = rings,
  frames  = { rate = 20, count = 100 },
}

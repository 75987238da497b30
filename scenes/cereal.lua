-- Puffed cereal on milk in a bowl-sized basin: 36 balls, no two alike, that the milk wets. Each draws the surface up around it and
-- climbs the slope that the next one makes (the Cheerios effect), so that they gather in clumps and at the rim.
local cells = option("cells", 64)
local count = option("count", 36)
local time  = option("time", 1.5)    -- s
local side, rows = 80, math.ceil(math.sqrt(count))
local pieces = {}
for m = 1, count do
  local i, k = (m - 1) % rows, (m - 1)//rows
  local off, aside = 1.6*math.sin(7.3*m), 1.6*math.cos(5.1*m)   -- mm; not quite evenly
  local pitch = side/rows
  pieces[m] = sphere { center = { mm(pitch*(i + 0.5) + off), mm(13.5 + 0.3*math.sin(3.7*m)), mm(pitch*(k + 0.5) + aside) },
                       radius = mm(4), density = 250 + 60*math.sin(2.9*m), friction = 0.1, contact_angle = degrees(40),
                       name = "piece" .. m, look = m % 3 == 0 and "yellow" or "orange" }
end
return scene {
  title   = "Cereal clumps",
  domain  = { size = { mm(side, 25, side) }, cells = cells, sides = { top = "open" } },
  liquids = { pool { depth = mm(12.5), material = material { rho = 1020, sigma = 0.06, mu = 0.005 }, look = "milk" } },
  bodies  = pieces,
  frames  = { rate = 20, count = math.floor(20*time + 0.5) },
}

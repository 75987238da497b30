-- Two cherries a tenth heavier than water fall into it. The surface of water slows them and holds them; that of milk
-- (--set liquid=milk) is weaker: they break through and sink to the bottom.
local cells  = option("cells", 160)
local liquid = option("liquid", "water")
local speed  = option("speed", 0.35)     -- m/s, at which they start
local angle  = option("angle", 100)      -- degrees: their skin is waxy
local fruit  = {}
for i, place in ipairs { { 11.2, 13.5 }, { 28.3, 14.2 } } do
  fruit[i] = sphere { center = { mm(place[1], place[2]) }, radius = mm(2), velocity = { 0, -speed }, density = 1100,
                      contact_angle = degrees(angle), name = "cherry" .. i, look = "red" }
end
return scene {
  title   = "Cherries fall into a bath, 2D",
  domain  = { size = { mm(40, 20) }, cells = cells, sides = { top = "open" } },
  liquids = { pool { depth = mm(10), material = liquid == "milk" and milk or water } },
  bodies  = fruit,
  frames  = { rate = 200, count = 80 },
}

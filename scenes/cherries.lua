-- Three cherries a tenth heavier than water fall into it. The surface of water slows them and holds them; that of milk
-- (--set liquid=milk) is weaker: they break through and sink to the bottom.
local cells  = option("cells", 48)       -- along 24 mm; 64 and more shows more
local liquid = option("liquid", "water")
local speed  = option("speed", 0.24)     -- m/s, at which they start
local angle  = option("angle", 100)      -- degrees: their skin is waxy
local fruit  = {}
for i, place in ipairs { { 7, 10.3, 8 }, { 16.5, 10.7, 10 }, { 11, 10.5, 17 } } do
  local x, y, z = mm(place[1], place[2], place[3])
  fruit[i] = union {
    sphere { center = { x, y, z }, radius = mm(2) },
    capsule { from = { x, y + mm(1.7), z }, to = { x + mm(0.4*i - 0.8), y + mm(3.6), z + mm(0.3) }, radius = mm(0.36) },
    velocity = { 0, -speed, 0 }, density = 1100, contact_angle = degrees(angle), name = "cherry" .. i, look = "red" }
end
return scene {
  title   = "Cherries fall into a bath",
  domain  = { size = { mm(24, 15, 24) }, cells = cells, sides = { top = "open" } },
  liquids = { pool { depth = mm(7.5), material = liquid == "milk" and milk or water } },
  bodies  = fruit,
  frames  = { rate = 200, count = 60 },
}

-- Four cubes of ice are dropped into a glass of water.
local cells = option("cells", 96)
local cubes = {}
for i, place in ipairs { { 2.4, 5.6, 10 }, { 4.6, 6.2, -25 }, { 2.8, 8.0, 40 }, { 4.9, 8.6, 5 } } do
  local middle = { cm(place[1], place[2]) }
  cubes[i] = rotate { box { center = middle, size = { cm(1.5, 1.5) } }, about = middle, angle = degrees(place[3]),
                      name = "ice" .. i, density = 917, contact_angle = degrees(30), look = "ice" }
end
return scene {
  title   = "Ice cubes in a glass, 2D",
  domain  = { size = { cm(7.2, 10.2) }, dx = cm(7.2)/cells, sides = { top = "open" } },
  liquids = { pool { depth = cm(4.5) } },
  solids  = {
    union { box { low = { cm(0, 0) }, high = { cm(0.6, 9) } }, box { low = { cm(6.6, 0) }, high = { cm(7.2, 9) } },
            name = "glass" },
  },
  bodies  = cubes,
  frames  = { rate = 100, count = 150 },
}

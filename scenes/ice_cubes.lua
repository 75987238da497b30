-- Three cubes of ice are dropped into a round glass of water.
local cells = option("cells", 40)   -- along 7.2 cm
local cubes = {}
for i, place in ipairs { { 2.5, 6.3, 3.2, 20 }, { 4.8, 6.5, 3.6, -30 }, { 3.5, 8.7, 4.0, 50 } } do
  local middle = { cm(place[1], place[2], place[3]) }
  cubes[i] = rotate { box { center = middle, size = { cm(1.6, 1.6, 1.6) } }, about = middle, angle = degrees(place[4]),
                      axis = { 0.3, 1, 0.4*i }, name = "ice" .. i, density = 917, contact_angle = degrees(30), look = "ice" }
end
local function can(low, high, radius)   -- cm
  return cylinder { from = { cm(3.6, low, 3.6) }, to = { cm(3.6, high, 3.6) }, radius = cm(radius) }
end
return scene {
  title   = "Ice cubes in a glass",
  domain  = { size = { cm(7.2, 10.8, 7.2) }, cells = cells, sides = { top = "open", left = "open", right = "open", front = "open",
                                                                    back = "open" } },
  liquids = { can(0.45, 4.8, 3.0) },
  solids  = { difference { can(-1, 8.4, 3.45), can(0.45, 10, 3.0), name = "glass" } },
  bodies  = cubes,
  frames  = { rate = 50, count = 50 },
}

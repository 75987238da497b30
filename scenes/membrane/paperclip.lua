-- A paperclip of steel floats on water that does not wet it: its weight is borne by tension along its whole wire, in a dent that reaches
-- a few millimetres around. With --set density=2000 (glass) it lies shallower. The wire is 1 mm thick, as a real one's.
local density = option("density", 7900)   -- kg/m^3
local dx      = option("dx", 0.8)         -- mm
local r       = mm(0.5)
local level   = mm(10)
local middle, height = { mm(22), mm(14) }, level + r + mm(0.1)
-- the wire, bent flat: straight parts and half circles, from the middle of the clip on, mm
local way = {}
local function to(x, z) way[#way + 1] = { middle[1] + mm(x), height, middle[2] + mm(z) } end
local function bend(x, z, radius, from, till)
  for k = 1, 6 do
    local a = math.rad(from + (till - from)*k/6)
    to(x + radius*math.cos(a), z + radius*math.sin(a))
  end
end
to(-9, -4)
to(12, -4)
bend(12, 0, 4, -90, 90)
to(-12, 4)
bend(-12, 0.8, 3.2, 90, 270)
to(9, -2.4)
bend(9, 0, 2.4, -90, 90)
to(-7, 2.4)
local parts = {}
for k = 1, #way - 1 do parts[k] = capsule { from = way[k], to = way[k + 1], radius = r } end
local clip = union(parts)
clip.name, clip.density, clip.contact_angle, clip.look = "clip", density, degrees(180), "steel"
return scene {
  title   = "A paperclip floats",
  domain  = { size = { mm(44), mm(16), mm(28) }, dx = mm(dx) },
  liquids = { pool { depth = level, surface = "membrane", membrane = { steps = 4, edge = mm(dx) } } },
  bodies  = { clip },
  frames  = { rate = 50, count = 40 },
}

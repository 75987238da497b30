-- Three wires as thick as a paperclip's float on water that does not wet them, seen from their ends: the denser the deeper. Each is
-- thinner than two cells. Their densities are those of glass, of tin ore and of steel.
local dx = option("dx", 0.6)             -- mm
local densities = { 2000, 5000, 7900 }
local radius = mm(option("radius", 0.5)) -- mm
local wires = {}
for i, density in ipairs(densities) do
  wires[i] = sphere { name = "wire " .. i, center = { mm(22*i - 11), mm(12.1) + radius }, radius = radius, density = density,
                      contact_angle = degrees(180), look = i == 3 and "steel" or i == 2 and "brown" or "glass" }
end
return scene {
  title   = "Wires afloat, 2D",
  domain  = { size = { mm(66), mm(18) }, dx = mm(dx) },
  liquids = { pool { depth = mm(12), surface = "membrane", membrane = { steps = 4 } } },
  bodies  = wires,
  frames  = { rate = 50, count = 50 },
}

-- Two cylinders that no liquid wets lie in dents of the surface. Each slides down the slope that the other makes: they draw near, ever
-- faster, and stay together. Lighter ones (density=300) do so, too: both lie on slopes of one kind.
local density = option("density", 1100)  -- kg/m^3
local gap     = option("gap", 7)         -- mm, from middle to middle
local cells   = option("cells", 80)      -- along 2 cm
local floats  = {}
for i, side in ipairs { -0.5, 0.5 } do
  floats[i] = sphere { name = "float " .. i, center = { mm(10 + side*gap), mm(13.6) }, radius = mm(1.5), density = density,
                       contact_angle = degrees(180), look = i == 1 and "orange" or "yellow" }
end
return scene {
  title   = "Two cylinders attract, 2D",
  domain  = { size = { mm(20), mm(20) }, cells = cells },
  liquids = { pool { depth = mm(12), surface = "membrane" } },
  bodies  = floats,
  frames  = { rate = 100, count = 60 },
}

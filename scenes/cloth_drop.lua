-- A drop falls on a cloth that is held at its four corners.
local high = mm(8.07)
local pins = {}
for _, x in ipairs { 3, 17 } do
  for _, z in ipairs { 3, 17 } do pins[#pins + 1] = sphere { center = { mm(x), high, mm(z) }, radius = mm(0.5) } end
end
return scene {
  title   = "A drop on a cloth",
  domain  = { size = { mm(20), mm(20), mm(20) }, cells = 40, contact_angle = degrees(120) },
  sheets  = {
    rectangle { corner = { mm(3), high, mm(3) }, along = { 0, 0, mm(14) }, across = { mm(14), 0, 0 }, name = "cloth", look = "red",
                elastic = { young = 0.2e6, poisson = 0.3, thickness = mm(0.1), density = 300, damping = 2, pins = pins } },
  },
  liquids = { sphere { center = { mm(10.1), mm(13), mm(10.2) }, radius = mm(3), material = water, velocity = { 0, -0.2, 0 } } },
  frames  = { rate = 250, count = 40 },
}

-- 001-S3: three drops of tetradecane, R = 0.1706 mm, 0.5 m/s, meet at 120 degrees. Full size of the paper: 128^3 cells.
local how = ... or { title = "Three drops bounce", cells = 128, thick = 2 }
local cells, thick = option("cells", how.cells), mm(how.thick)   -- thick: of the box along z
local R, V = mm(0.1706), 0.5
local reach = 2.5*R
local function drop(name, angle)
  local c, s = math.cos(angle), math.sin(angle)
  return sphere { name = name, center = { mm(1) + reach*c, mm(1) + reach*s, thick/2 }, radius = R, velocity = { -V*c, -V*s, 0 },
                  material = tetradecane { mu = 2.1e-3 } }
end
return scene {
  title   = how.title,
  domain  = { size = { mm(2), mm(2), thick }, cells = cells },
  gravity = { 0, 0, 0 },
  liquids = { drop("a", math.rad(90)), drop("b", math.rad(210)), drop("c", math.rad(330)) },
  merge   = "hold",
  numerics = { tension_steps = 1 },
  frames  = { rate = 20000, count = 50 },
}

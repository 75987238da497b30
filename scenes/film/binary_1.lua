-- 001-S1: two drops of tetradecane, R = 0.1706 mm, 0.243 m/s each, bounce. Full size of the paper: 256 x 128 x 128 cells.
local how = ... or { title = "Two drops bounce, case I", cells = 256 }
local cells, R, V = option("cells", how.cells), mm(how.radius or 0.1706), how.speed or 0.243
local function drop(name, side)
  return sphere { name = name, center = { mm(1) + side*1.25*R, mm(0.5), mm(0.5) }, radius = R, velocity = { -side*V, 0, 0 },
                  material = tetradecane { mu = 2.1e-3 } }
end
return scene {
  title   = how.title,
  domain  = { size = { mm(2), mm(1), mm(1) }, cells = cells },
  gravity = { 0, 0, 0 },
  liquids = { drop("left", -1), drop("right", 1) },
  merge   = "hold",
  numerics = { tension_steps = 1 },
  frames  = { rate = 20000, count = 50 },
}

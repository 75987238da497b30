-- A tank of water is pushed twice and left alone: the surface is a mesh, and keeps the finest waves that the grid has.
local how = ... or {}
return scene {
  title   = how.title or "A tank is pushed",
  domain  = { size = { mm(40), mm(30), mm(40) }, cells = option("cells", how.cells or 64) },
  liquids = { pool { depth = mm(14), material = water, surface = option("surface", "membrane") } },
  frame_acceleration = function(t) return t < 0.04 and { 2.5, 0, 1.5 } or t < 0.08 and { -1.5, 0, 2.5 } or { 0, 0, 0 } end,
  frames  = { rate = 100, count = option("frames", 60) },
}

-- A column of water collapses and runs along the floor, after Martin & Moyce (1952): width a = 5.715 cm, height 2a.
local a = cm(5.715)
return scene {
  title   = "Dam break",
  domain  = { size = { 4*a, 2.5*a, a }, cells = 96, sides = { top = "open" } },
  gravity = { 0, -9.81, 0 },
  -- the box reaches past the walls: what sticks out is cut off
  liquids = { box { low = { -a, -a, -a }, high = { a, 2*a, 2*a }, material = water } },
  probes  = { { name = "left_wall", kind = "height", at = { 0, 0, a/2 } } },
  frames  = { rate = 100, count = 80 },
}

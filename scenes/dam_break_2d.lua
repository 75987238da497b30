-- The dam break of Martin & Moyce (1952) in two dimensions.
local a = cm(5.715)
return scene {
  title   = "Dam break (2D)",
  domain  = { size = { 4*a, 2.5*a }, cells = 128, sides = { top = "open" } },
  gravity = { 0, -9.81 },
  -- the box reaches past the walls: what sticks out is cut off
  liquids = { box { low = { -a, -a }, high = { a, 2*a }, material = water } },
  frames  = { rate = 100, count = 100 },
}

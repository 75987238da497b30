-- A box is dragged through water, to and fro, half out of it.
return scene {
  title   = "A box dragged through water",
  domain  = { size = { cm(16), cm(8), cm(8) }, cells = 96, sides = { top = "open" } },
  gravity = { 0, -9.81, 0 },
  liquids = { pool { depth = cm(4), material = water } },
  solids  = {
    box { name = "box", center = { cm(4), cm(4), cm(4) }, size = { cm(2), cm(3), cm(3) }, rounding = mm(2),
          position = function(t) return { cm(4)*(1 - math.cos(2*math.pi*t)), 0, 0 } end },
  },
  frames  = { rate = 50, count = 75 },
}

-- A box is dragged through water, to and fro, half out of it; it nods as it goes.
return scene {
  title   = "A box dragged through water (2D)",
  domain  = { size = { cm(16), cm(8) }, cells = 160, sides = { top = "open" } },
  gravity = { 0, -9.81 },
  liquids = { pool { depth = cm(4), material = water } },
  solids  = {
    box { name = "box", center = { cm(4), cm(4) }, size = { cm(2), cm(3) }, rounding = mm(2), pivot = { cm(4), cm(4) },
          position = function(t) return { cm(4)*(1 - math.cos(2*math.pi*t)), 0 } end,
          rotation = function(t) return 0.3*math.sin(2*math.pi*t) end },
  },
  frames  = { rate = 50, count = 100 },
}

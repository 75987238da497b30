-- Water stands higher on one side of a plate of no thickness that hangs from the lid, and flows to and fro below it.
return scene {
  title   = "Water flows under a sheet (2D)",
  domain  = { size = { cm(8), cm(6) }, cells = 80 },
  sheets  = { curve { points = { { cm(4.02), cm(6) }, { cm(4.02), cm(1) } }, name = "plate" } },
  liquids = {
    union { box { low = { -cm(1), -cm(1) }, high = { cm(4.02), cm(4.02) } }, pool { depth = cm(2.02) },
            material = water },
  },
  frames  = { rate = 50, count = 40 },
}

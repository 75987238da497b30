-- Water stands higher on one side of a plate of no thickness that hangs from the lid, and flows to and fro below it.
local N = option("N", 48)
return scene {
  title   = "Water flows under a sheet",
  domain  = { size = { cm(8), cm(6), cm(4) }, cells = N },
  sheets  = { rectangle { corner = { cm(4.03), cm(1), 0 }, along = { 0, cm(5), 0 }, across = { 0, 0, cm(4) }, name = "plate",
                          look = "orange" } },
  liquids = {
    union { box { low = { -cm(1), -cm(1), -cm(1) }, high = { cm(4.03), cm(4.02), cm(5) } }, pool { depth = cm(2.02) },
            material = water },
  },
  frames  = { rate = 50, count = 40 },
}

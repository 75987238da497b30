-- 001-S7, quick: a quarter of 96 x 48 x 96 cells.
return include("pinch.lua", { title = "Merging and pinching (quick)", cells = 96, quarter = true })

-- 001-S6, quick: the pair of case II, 2.4 mm apart at the start, half of 96 x 64 x 96 cells.
return include("promenading.lua", { title = "A promenading pair, 2.4 mm (quick)", cells = 96, half = true, apart = 2.4 })

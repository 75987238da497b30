-- 001-S5, quick: the pair of case I, 4 mm apart at the start, half of 96 x 64 x 96 cells.
return include("promenading.lua", { title = "A promenading pair, 4 mm (quick)", cells = 96, half = true, apart = 4 })

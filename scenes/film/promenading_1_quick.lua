-- 001-S5, quick: the pair of case I, 4 mm apart at the start, a quarter of 96 x 64 x 96 cells. The distance is twice cx of liquids.csv.
return include("promenading.lua", { title = "A promenading pair, 4 mm (quick)", cells = 96, quarter = true, apart = 4 })

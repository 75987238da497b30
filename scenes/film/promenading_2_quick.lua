-- 001-S6, quick: the pair of case II, 2.4 mm apart at the start, a quarter of 96 x 64 x 96 cells. The distance is twice cx of liquids.csv.
return include("promenading.lua", { title = "A promenading pair, 2.4 mm (quick)", cells = 96, quarter = true, apart = 2.4 })

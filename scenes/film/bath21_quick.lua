-- 001-S4, quick: a quarter of 64^3 cells, about 12 minutes of one processor for 0.7 s. The drop takes up the (2,1) mode at 0.14 s and its
-- rhythm locks at 0.5 s.
return include("bath21.lua", { title = "A drop bounces on a shaken bath (quick)", cells = 64, quarter = true })

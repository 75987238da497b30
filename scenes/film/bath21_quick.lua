-- 001-S4, quick: a quarter of 64^3 cells, about 8 minutes of one processor for 0.5 s. The drop takes up the (2,1) mode at 0.15 s and its
-- rhythm has locked at 0.27 s.
return include("bath21.lua", { title = "A drop bounces on a shaken bath (quick)", cells = 64, quarter = true })

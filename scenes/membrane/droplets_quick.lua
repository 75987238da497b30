-- 000-V3, quick: R = 7.5 cells.
return include("droplets.lua", { title = "Droplets of thick and thin membranes (quick)", cells = 24 })

// The film's share of the coupled system: air cells border the liquids' pressure problems (solve/border.h).
//
//     row c:  sum_links w (p_c - p_l + J) + sum_edges G (p_c - p_b) = what the liquids push in - what they drag out
//
// in m^3/s per Pa, divided by dt dx^(dim-2)/rho of the first liquid, as that liquid's own rows are.
#pragma once
#include "film/film_profile.h"
#include "solve/border.h"
#include "solve/pressure.h"

// One link of a liquid's pressure cell to an air cell.
typedef struct FilmLink {
    int part, air;
    const SurfaceLink* link;
} FilmLink;

typedef struct FilmScale {
    double row;   // m^3/(s Pa): dt dx^(dim-2)/rho of the first liquid
    double flux;  // Pa s/m: row quotient of a flux through a whole face, rho dx/dt
} FilmScale;

FilmScale film_scale(const Tank* tank, double rho, double dt);

// Conductance of an edge, m^3/(s Pa): l h^3/(12 mu d). fit: by film_profile_thickness.
double film_conductance(const Film* film, const AirFit* fit, const AirEdge* e);

// Volume per time that the liquids drag through an edge from a to b, as one moving with air cell c (a or b) sees it, m^3/s.
double film_dragged(const Film* film, const AirEdge* e, int c);
// Flow out of a liquid through a link after the solve, as fraction of a face times m/s; rho of its liquid.
double film_outflow(const Film* film, const FilmLink* link, const PoissonGroup* group, double rho, double dt);

// Block, right-hand side and entries of the border. weight[part]: weight of the part's rows in the group. d holds what else flows
// into each air cell (m^3/s; NULL: nothing).
mn_status film_assemble(Border* border, const Film* film, const FilmLink* link, int links, const double* weight,
                        const double* inflow, FilmScale scale, Arena* arena);

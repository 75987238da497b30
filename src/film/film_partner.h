// The air films as a partner of the liquid (liquid/partner.h): liquids held apart by films, within a step (paper:
// wang2023bouncing, algorithm 1; docs/film.md).
#pragma once
#include "film/film_part.h"
#include "film/film_record.h"
#include "film/film_solid.h"
#include "film/film_solve.h"
#include "film/film_volume.h"
#include "liquid/momentum.h"
#include "liquid/world.h"

// The air films of a step; all zeros without any.
typedef struct FilmReport {
    int cells, lost, repeats;
    double area;                           // m^2 (2D: m)
    double volume;                         // m^3, of air in them
    double least_thickness;                // m
    double most_pressure, least_pressure;  // Pa above the air
    double repaired;                       // m, most that liquids were moved apart to keep the film open
    double removed;                        // m^3, volume that took, given back elsewhere
    double momentum_error;                 // m/s: most that a free liquid's mean velocity was corrected by
    double work;                           // J, of moving solids on liquids through them
    double seconds;                        // wall clock: gap repair, ridge, links, assembly, factorisation; not the iteration
} FilmReport;

typedef struct FilmPartner {
    FilmSettings settings;  // a scene's
    double hamaker;         // J, of the liquids across air, for MERGE_VDW; a scene's
    FilmAir air;            // owned; survives a step
    // of the last step
    FilmRecord record;  // owned
    FilmReport report;
    // of the step under way; arena memory
    FreeMotion* motion;
    Film film;
    int* owner;           // per air cell: a liquid that feels it (film_join_liquids)
    FilmPart* part;       // per cluster of liquids that are solved together
    FilmSystem** system;  // of each
    int parts;
    struct FilmClusters* clusters;
} FilmPartner;

extern const PartnerVerbs film_verbs;

// Moves in, without any settings; *film stays valid as long as the world lives. It does nothing in worlds whose liquids all
// merge on touch and whose solids are all wetted.
mn_status film_move_in(FilmPartner** film, World* world);
FilmPartner* film_of(const World* world);  // NULL: no film lives here

// Elastic sheets as a partner of the liquid. In a step (step/step_liquid.c)
//
//     3  sheets go along the velocity of the last solve, as the surface does; what they sweep changes sides
//     8  the liquids that touch them and the sheets' velocities are one solve (sheet_couple.h). Then the sheets alone take a step
//        with the pressures' impulses (thin_step.h): where that comes to another velocity, since they are not linear or meet
//        something, the solve is made again about the places that it came to
//
// Sheets that no liquid touches take a step by themselves. docs/thin.md tells the method.
#pragma once
#include "liquid/world.h"
#include "thin/thin_step.h"

typedef struct SheetsReport {
    ThinReport thin;                 // of the last step of the sheets
    double strain, kinetic, height;  // J (2D: J/m)
    double impulse[3];               // N s, of the liquids' pressures in the step
    double off;                      // m/s, by which the solve and the sheets differ in the end
    int rounds;                      // solves
    int pieces;                      // of cells, beside elastic sheets
} SheetsReport;

typedef struct SheetPartner {
    struct MovingSheets* sheets;       // of the world, borrowed
    ThinMesh mesh;                     // owned: all sheets of the world, vertex by vertex; those that are not elastic are held
    unsigned char* elastic;            // per vertex; owned
    ThinSolver* solver;                // owned
    double damp_mass, damp_stiffness;  // 1/s, s
    ContactSettings contact;           // planes owned
    bool meets;                        // are there contacts?
    bool is_held;                      // does anything hold elastic vertices?
    SheetsReport report;
    double work;               // J, of what holds vertices, in the last step
    struct SheetSolve* solve;  // from couple to end
} SheetPartner;

// Moves *mesh in, also on failure: its vertices are those of the world's sheets, which must be moving sheets (sheet_motion.h).
// Places and velocities of the elastic ones (a flag each; NULL: all are) become the sheets'; others must be held in the mesh. The
// planes of the contact are copied.
mn_status sheet_partner_add(World* world, ThinMesh* mesh, const unsigned char* elastic, const ThinForces* f);
// NULL: the world has no elastic sheets.
SheetPartner* sheet_partner_of(const World* world);

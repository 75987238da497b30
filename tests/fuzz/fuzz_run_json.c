// run.json, as pictures and plots read it, of a run without frames.
#include "fuzz.h"
#include "output/runfiles.h"
#include "plot/runplot.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    RunFiles run;
    fuzz_file("surface_0000.ply", "", 0);
    fuzz_file("run.json", data, size);
    if (runfiles_open(&run, fuzz_dir) != MN_OK) return 0;
    runfiles_time(&run, 3);
    runfiles_close(&run);
    PlotFigure figure = {0};
    runplot_add(&figure, (const char* const[]){fuzz_dir}, 1, RUNPLOT_STAGES);
    plot_free(&figure);
    return 0;
}

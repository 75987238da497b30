#include "output/labframe.h"

#include <stdlib.h>
#include "output/csv.h"

static mn_status take_places(double (*place)[3], const RunFiles* run, const CsvTable* t)
{
    static const char* const name[3] = {"frame_x", "frame_y", "frame_z"};
    const double *frame, *x[3];
    TRY(csv_column(&frame, t, "frame"));
    for (int d = 0; d < 3; d++) TRY(csv_column(&x[d], t, name[d]));
    for (int i = 0; i < t->rows; i++)
        for (int d = 0; d < 3 && frame[i] >= 0 && frame[i] < run->frames; d++) place[(int)frame[i]][d] = x[d][i];
    return MN_OK;
}

mn_status labframe_read(double (**place)[3], const RunFiles* run)
{
    char path[PATH_ROOM];
    CsvTable t;
    *place = NULL;
    TRY(path_join(path, run->dir, "liquids.csv"));
    TRY(csv_read(&t, path));
    *place = calloc((size_t)run->frames + 1, sizeof **place);
    mn_status status = *place ? take_places(*place, run, &t) : mn_fail(MN_NO_MEMORY, "%s: out of memory", path);
    csv_free(&t);
    if (status != MN_OK) free(*place), *place = NULL;
    return status;
}

// Tables of a run.
#include "fuzz.h"
#include "output/csv.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    CsvTable table;
    const double* column;
    if (csv_read(&table, fuzz_file("a.csv", data, size)) != MN_OK) return 0;
    csv_column(&column, &table, "t");
    csv_free(&table);
    return 0;
}

// CMake wants a source of its own for every library; the code comes from archives.
typedef int mn_nothing;

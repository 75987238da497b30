// A Lua state in which a stranger's scene can be run: no files, no processes, no loading of code, bounded memory and work,
// and the same numbers in every run.
#pragma once
#include <lua.h>
#include "base/status.h"

#define SANDBOX_MEMORY (64u << 20)          // bytes a scene may hold
#define SANDBOX_TEXT (1u << 20)             // of which in one text
#define SANDBOX_FILE_INSTRUCTIONS 20000000  // for the file
#define SANDBOX_CALL_INSTRUCTIONS 1000000   // for one call of a function of time

// Copying so many bytes takes about as long as an instruction.
#define SANDBOX_BYTES_PER_INSTRUCTION 64

typedef struct Sandbox Sandbox;

// Lua cuts long file names short in messages, so that files go by numbers there: 0 the scene's own, 1, 2, ... those it includes.
#define SANDBOX_CHUNK_ROOM 32
const char* sandbox_chunk(char out[SANDBOX_CHUNK_ROOM], int file);  // what to call a file's code; returns out
int sandbox_file(const char* chunk);                                // the file behind lua_Debug.short_src
// How messages call the files; asked when something fails. Without: all have the sandbox's own name.
typedef const char* (*SandboxFileName)(const void* user, int file);
void sandbox_name_files(Sandbox* box, SandboxFileName name, const void* user);

mn_status sandbox_open(Sandbox** box, const char* name);  // name: how messages call the file; copied
void sandbox_close(Sandbox* box);                         // fine on NULL
lua_State* sandbox_state(Sandbox* box);

// Runs the text (Lua source only, never bytecode) and leaves its one result on the stack. MN_BAD_SCENE on any error, with
// "name:line: what"; the stack is then as before.
mn_status sandbox_run(Sandbox* box, const char* text, size_t size);
// Calls the function below `arguments` values on the stack under the limits of a function of time; leaves its results.
mn_status sandbox_call(Sandbox* box, int arguments, int results);
// For C functions that a scene calls, our own and those of Lua's library. What they are about to do counts like the scene's own
// instructions, and what they keep outside Lua counts like its memory; past a limit they end here, by a Lua error that no pcall
// of the scene catches.
void sandbox_work(lua_State* L, lua_Integer instructions);
void sandbox_take_memory(lua_State* L, size_t bytes);
// Runs our own C code `f`, without limits, guarded against Lua running out of the machine's memory; f must not raise any
// other Lua error. The top `arguments` values of the stack are taken off it and are f's, from index 1 on.
mn_status sandbox_guard(Sandbox* box, int arguments, mn_status (*f)(lua_State* L, void* context), void* context);

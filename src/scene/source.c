#include "scene/source.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

// Length of a long bracket's opening, [[ or [=[ and so on, at c; 0 if it is none.
static size_t long_bracket(const char* c)
{
    if (*c != '[') return 0;
    size_t n = 1 + strspn(c + 1, "=");
    return c[n] == '[' ? n + 1 : 0;
}

static const char* skip_long_bracket(const char* c, size_t opening)
{
    for (c += opening; *c; c++) {
        if (*c != ']') continue;
        size_t n = 1 + strspn(c + 1, "=");
        if (n == opening - 1 && c[n] == ']') return c + n + 1;
    }
    return c;
}

// The next place at or after c that is neither space, comment nor string.
static const char* skip_quiet(const char* c)
{
    for (;;) {
        if (isspace((unsigned char)*c)) {
            c++;
        } else if (c[0] == '-' && c[1] == '-') {
            size_t opening = long_bracket(c + 2);
            if (opening) c = skip_long_bracket(c + 2, opening);
            else c += strcspn(c, "\n");
        } else if (long_bracket(c)) {
            c = skip_long_bracket(c, long_bracket(c));
        } else if (*c == '"' || *c == '\'') {
            char quote = *c++;
            while (*c && *c != quote && *c != '\n') c += c[0] == '\\' && c[1] ? 2 : 1;
            if (*c) c++;
        } else {
            return c;
        }
    }
}

// After one token at c.
static const char* skip_token(const char* c)
{
    if (!*c) return c;
    if (!is_word(*c)) return c + 1;
    while (is_word(*c)) c++;
    return c;
}

static bool token_is(const char* c, const char* word)
{
    size_t n = strlen(word);
    return n && strncmp(c, word, n) == 0 && !is_word(c[n]);
}

// After the `{` that follows a word, perhaps with `=`, `(` or a constructor's name between; NULL if something else follows.
static const char* opening_after(const char* c)
{
    c = skip_quiet(c);
    if (*c == '=') {
        c = skip_quiet(c + 1);
        if (is_word(*c)) c = skip_quiet(skip_token(c));
    }
    if (*c == '(') c = skip_quiet(c + 1);
    return *c == '{' ? c + 1 : NULL;
}

size_t source_block_at_line(const char* text, int line, const char* word)
{
    const char* c = text;
    for (int i = 1; i < line && c; i++) {
        c = strchr(c, '\n');
        if (c) c++;
    }
    // not beyond the line: another call of the same name would be found
    const char* end = c ? c + strcspn(c, "\n") : NULL;
    for (; c && c < end && *c; c = skip_token(skip_quiet(c))) {
        c = skip_quiet(c);
        if (!token_is(c, word)) continue;
        const char* inside = opening_after(skip_token(c));
        if (inside) return (size_t)(inside - text);
    }
    return 0;
}

// The key's own place directly inside the block, NULL if it is not there.
static const char* find_key(const char* text, size_t block, const char* key)
{
    if (!block) return NULL;
    int depth = 1;
    for (const char* c = skip_quiet(text + block); *c && depth > 0; c = skip_quiet(c)) {
        if (*c == '{' || *c == '(') depth++;
        if (*c == '}' || *c == ')') depth--;
        if (depth == 1 && token_is(c, key)) {
            const char* after = skip_quiet(skip_token(c));
            if (after[0] == '=' && after[1] != '=') return c;
        }
        c = skip_token(c);
    }
    return NULL;
}

size_t source_block_of_key(const char* text, size_t block, const char* key)
{
    const char* c = find_key(text, block, key);
    const char* inside = c ? opening_after(skip_token(c)) : NULL;
    return inside ? (size_t)(inside - text) : 0;
}

int source_line_of(const char* text, size_t position)
{
    int line = 1;
    for (size_t i = 0; i < position; i++) line += text[i] == '\n';
    return line;
}

int source_key_line(const char* text, size_t block, const char* key)
{
    const char* c = find_key(text, block, key);
    return c ? source_line_of(text, (size_t)(c - text)) : 0;
}

/* Files that are part of the programs, embedded by the C compiler.
 *
 * SwiftPM's own embedding writes array literals, which take the Swift compiler 15 seconds in every
 * build; this takes none. */
#pragma once

#include <stddef.h>

/* A file, or several of them. The bytes live as long as the program. */
struct resource {
    const char *name;
    const unsigned char *bytes;
    size_t length;
};

/* The sheets of Sources/ScoreSheets/Games one after the other, each followed by a zero byte. */
struct resource resource_games(void);

/* The files of Sources/scoresync-board/Page; the index is below the count. */
size_t resource_page_count(void);
struct resource resource_page(size_t index);

#pragma once

#include <sqlite3.h>
#include <string.h>

// Swift does not see SQLITE_TRANSIENT, which is a cast: "copy the bytes before you return".
// A null pointer would bind NULL instead of an empty text or blob.

static inline int scoresync_bind_text(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count)
{
    return sqlite3_bind_text64(
        statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int scoresync_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count)
{
    return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

static inline _Bool scoresync_has_zero(const void *bytes, sqlite3_uint64 count)
{
    return count > 0 && memchr(bytes, 0, count) != 0;
}

// Swift does not call variadic functions. With `keep`, closing leaves the write-ahead log alone.
static inline int scoresync_keep_log_on_close(sqlite3 *database, int keep)
{
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep, (int *)0);
}

// Swift does not see these codes. Whether the file system failed to lock a file, for another reason
// than that it is locked.
static inline _Bool scoresync_is_lock_error(int code)
{
    return code == SQLITE_IOERR_LOCK || code == SQLITE_IOERR_RDLOCK || code == SQLITE_NOLFS;
}

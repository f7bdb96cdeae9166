#include "FaultyDisk.h"

#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { sector = 512, longest = 512 };

// What an unflushed write replaced.
struct undo {
    struct undo *before;
    char path[longest];
    sqlite3_int64 offset;
    int count;
    unsigned char bytes[];
};

struct disk {
    struct disk *next;
    char directory[longest];
    enum faulty_disk_fault fault;
    int after;
    struct undo *latest;
};

struct file {
    sqlite3_file base;
    struct disk *disk;
    char path[longest];
    sqlite3_file *real;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct disk *disks;
static sqlite3_vfs *real_vfs;
static sqlite3_vfs vfs;

// The disk of a directory, or of a file in it; made where `makes`. The lock is held.
static struct disk *disk_of(const char *path, int makes)
{
    for (struct disk *disk = disks; disk; disk = disk->next) {
        size_t length = strlen(disk->directory);
        if (strncmp(path, disk->directory, length) == 0
            && (path[length] == 0 || path[length] == '/'))
            return disk;
    }
    if (!makes || strlen(path) >= longest)
        return 0;
    struct disk *disk = calloc(1, sizeof *disk);
    if (!disk)
        abort();
    strcpy(disk->directory, path);
    disk->next = disks;
    disks = disk;
    return disk;
}

// What a write or flush meets; the lock is held.
static int meet(struct disk *disk, int broken)
{
    if (!disk || disk->fault == FAULTY_DISK_SOUND || disk->fault == FAULTY_DISK_LYING
        || disk->fault == FAULTY_DISK_UNLOCKED)
        return SQLITE_OK;
    if (disk->after > 0) {
        disk->after--;
        return SQLITE_OK;
    }
    return disk->fault == FAULTY_DISK_FULL ? SQLITE_FULL : broken;
}

// Keeps what stands where something is about to be written; the lock is held.
static void keep(struct file *file, sqlite3_int64 offset, int count)
{
    if (count <= 0)
        return;
    struct undo *undo = calloc(1, sizeof *undo + (size_t)count);
    if (!undo)
        abort();
    strcpy(undo->path, file->path);
    undo->offset = offset;
    undo->count = count;
    // A short read leaves zeros, which is what a file that grew has there.
    file->real->pMethods->xRead(file->real, undo->bytes, count, offset);
    undo->before = file->disk->latest;
    file->disk->latest = undo;
}

// What was written to the file is on the disk for good; the lock is held.
static void flush(struct file *file)
{
    for (struct undo **place = &file->disk->latest; *place;) {
        struct undo *undo = *place;
        if (strcmp(undo->path, file->path) != 0) {
            place = &undo->before;
            continue;
        }
        *place = undo->before;
        free(undo);
    }
}

static int file_close(sqlite3_file *base)
{
    struct file *file = (struct file *)base;
    int code = file->real->pMethods->xClose(file->real);
    free(file->real);
    file->real = 0;
    return code;
}

static int file_read(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset)
{
    struct file *file = (struct file *)base;
    return file->real->pMethods->xRead(file->real, bytes, count, offset);
}

static int file_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset)
{
    struct file *file = (struct file *)base;
    pthread_mutex_lock(&lock);
    int code = meet(file->disk, SQLITE_IOERR_WRITE);
    if (code == SQLITE_OK && file->disk)
        keep(file, offset, count);
    pthread_mutex_unlock(&lock);
    if (code != SQLITE_OK)
        return code;
    return file->real->pMethods->xWrite(file->real, bytes, count, offset);
}

static int file_truncate(sqlite3_file *base, sqlite3_int64 size)
{
    struct file *file = (struct file *)base;
    sqlite3_int64 before = 0;
    file->real->pMethods->xFileSize(file->real, &before);
    pthread_mutex_lock(&lock);
    int code = meet(file->disk, SQLITE_IOERR_TRUNCATE);
    if (code == SQLITE_OK && file->disk)
        keep(file, size, (int)(before - size));
    pthread_mutex_unlock(&lock);
    if (code != SQLITE_OK)
        return code;
    return file->real->pMethods->xTruncate(file->real, size);
}

static int file_sync(sqlite3_file *base, int flags)
{
    struct file *file = (struct file *)base;
    if (!file->disk)
        return file->real->pMethods->xSync(file->real, flags);
    // Nothing is really flushed: the machine that runs the test does not lose its power.
    pthread_mutex_lock(&lock);
    int code = meet(file->disk, SQLITE_IOERR_FSYNC);
    if (code == SQLITE_OK && file->disk->fault != FAULTY_DISK_LYING)
        flush(file);
    pthread_mutex_unlock(&lock);
    return code;
}

#define REAL ((struct file *)base)->real
static int file_size(sqlite3_file *base, sqlite3_int64 *size)
{
    return REAL->pMethods->xFileSize(REAL, size);
}
static int file_lock(sqlite3_file *base, int level)
{
    struct file *file = (struct file *)base;
    int has_none = file->disk && file->disk->fault == FAULTY_DISK_UNLOCKED;
    return has_none ? SQLITE_IOERR_LOCK : file->real->pMethods->xLock(file->real, level);
}
static int file_unlock(sqlite3_file *base, int level)
{
    return REAL->pMethods->xUnlock(REAL, level);
}
static int file_check(sqlite3_file *base, int *held)
{
    return REAL->pMethods->xCheckReservedLock(REAL, held);
}
static int file_control(sqlite3_file *base, int operation, void *argument)
{
    return REAL->pMethods->xFileControl(REAL, operation, argument);
}
static int file_sector(sqlite3_file *base)
{
    (void)base;
    return sector;
}
// What SQLite takes for granted of every disk: that a write damages nothing beside what it writes.
static int file_device(sqlite3_file *base)
{
    (void)base;
    return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}
static int file_shm_map(sqlite3_file *base, int page, int size, int grows, void volatile **map)
{
    return REAL->pMethods->xShmMap(REAL, page, size, grows, map);
}
static int file_shm_lock(sqlite3_file *base, int offset, int count, int flags)
{
    return REAL->pMethods->xShmLock(REAL, offset, count, flags);
}
static void file_shm_barrier(sqlite3_file *base) { REAL->pMethods->xShmBarrier(REAL); }
static int file_shm_unmap(sqlite3_file *base, int deletes)
{
    return REAL->pMethods->xShmUnmap(REAL, deletes);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check,
    .xFileControl = file_control,
    .xSectorSize = file_sector,
    .xDeviceCharacteristics = file_device,
    .xShmMap = file_shm_map,
    .xShmLock = file_shm_lock,
    .xShmBarrier = file_shm_barrier,
    .xShmUnmap = file_shm_unmap,
};

static int vfs_open(sqlite3_vfs *self, sqlite3_filename name, sqlite3_file *base, int flags, int *out)
{
    (void)self;
    struct file *file = (struct file *)base;
    file->base.pMethods = 0;
    file->disk = 0;
    file->path[0] = 0;
    file->real = calloc(1, (size_t)real_vfs->szOsFile);
    if (!file->real)
        return SQLITE_NOMEM;
    if (name && strlen(name) < longest) {
        strcpy(file->path, name);
        pthread_mutex_lock(&lock);
        file->disk = disk_of(name, 0);
        pthread_mutex_unlock(&lock);
    }
    int code = real_vfs->xOpen(real_vfs, name, file->real, flags, out);
    if (code == SQLITE_OK) {
        file->base.pMethods = &methods;
    } else {
        free(file->real);
    }
    return code;
}

static int vfs_delete(sqlite3_vfs *self, const char *name, int flushes)
{
    (void)self;
    pthread_mutex_lock(&lock);
    int code = meet(disk_of(name, 0), SQLITE_IOERR_DELETE);
    pthread_mutex_unlock(&lock);
    return code == SQLITE_OK ? real_vfs->xDelete(real_vfs, name, flushes) : code;
}

int faulty_disk_install(void)
{
    if (real_vfs)
        return SQLITE_OK;
    // The name that the store opens its database by: this one is found first from now on.
    real_vfs = sqlite3_vfs_find("unix-excl");
    if (!real_vfs)
        return SQLITE_ERROR;
    // All that is not about writing is the real one's.
    vfs = *real_vfs;
    vfs.szOsFile = sizeof(struct file);
    vfs.pNext = 0;
    vfs.xOpen = vfs_open;
    vfs.xDelete = vfs_delete;
    return sqlite3_vfs_register(&vfs, 1);
}

void faulty_disk_fail(const char *directory, enum faulty_disk_fault fault, int after)
{
    pthread_mutex_lock(&lock);
    struct disk *disk = disk_of(directory, 1);
    disk->fault = fault;
    disk->after = after;
    pthread_mutex_unlock(&lock);
}

// A sector whose last write stays, and with it all before.
struct kept {
    struct kept *next;
    const char *path;
    sqlite3_int64 number;
};

static unsigned long long chance(unsigned long long *state)
{
    unsigned long long word = (*state += 0x9E3779B97F4A7C15ULL);
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9ULL;
    return word ^ word >> 27;
}

// Takes one sector's part of a write back, or lets the sector stay as it is from here on.
static int take_back(const struct undo *undo, sqlite3_int64 start, int count, struct kept **kept,
    unsigned long long *state)
{
    sqlite3_int64 number = start / sector;
    for (struct kept *entry = *kept; entry; entry = entry->next)
        if (entry->number == number && strcmp(entry->path, undo->path) == 0)
            return 0;
    if (chance(state) % 2) {
        struct kept *entry = malloc(sizeof *entry);
        if (!entry)
            abort();
        *entry = (struct kept){*kept, undo->path, number};
        *kept = entry;
        return 0;
    }
    int descriptor = open(undo->path, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0)
        return 0;
    ssize_t done = pwrite(descriptor, undo->bytes + (start - undo->offset), (size_t)count, start);
    close(descriptor);
    return done == count;
}

int faulty_disk_power_up(const char *directory, unsigned long long seed)
{
    int pieces = 0;
    struct kept *kept = 0;
    pthread_mutex_lock(&lock);
    struct disk *disk = disk_of(directory, 1);
    for (struct undo *undo = disk->latest; undo; undo = undo->before) {
        sqlite3_int64 start = undo->offset, end = undo->offset + undo->count;
        while (start < end) {
            sqlite3_int64 next = (start / sector + 1) * sector;
            if (next > end)
                next = end;
            pieces += take_back(undo, start, (int)(next - start), &kept, &seed);
            start = next;
        }
    }
    while (disk->latest) {
        struct undo *undo = disk->latest;
        disk->latest = undo->before;
        free(undo);
    }
    while (kept) {
        struct kept *next = kept->next;
        free(kept);
        kept = next;
    }
    disk->fault = FAULTY_DISK_SOUND;
    pthread_mutex_unlock(&lock);
    return pieces;
}

void faulty_disk_forget(const char *directory)
{
    pthread_mutex_lock(&lock);
    for (struct disk **place = &disks; *place; place = &(*place)->next) {
        struct disk *disk = *place;
        if (strcmp(disk->directory, directory) != 0)
            continue;
        *place = disk->next;
        while (disk->latest) {
            struct undo *undo = disk->latest;
            disk->latest = undo->before;
            free(undo);
        }
        free(disk);
        break;
    }
    pthread_mutex_unlock(&lock);
}

#pragma once

// A file system for SQLite that fails, tears and loses power, for the files below one directory
// after another. It keeps what each write that is not flushed replaced, so that a power cut can
// take back any part of it, a sector at a time, in any order: what a real disk may do.

// Makes it the file system of everything that SQLite opens from now on; 0 when that went well.
int faulty_disk_install(void);

// What the next writes meet.
enum faulty_disk_fault {
    FAULTY_DISK_SOUND,
    // There is no room.
    FAULTY_DISK_FULL,
    // Writing fails.
    FAULTY_DISK_BROKEN,
    // The power fails: nothing is written or flushed any more.
    FAULTY_DISK_DEAD,
    // A flush is said to be done, and is not.
    FAULTY_DISK_LYING,
    // The file system has no locks.
    FAULTY_DISK_UNLOCKED,
};

// Lets the fault begin after so many writes and flushes below the directory.
void faulty_disk_fail(const char *directory, enum faulty_disk_fault fault, int after);

// Takes back parts of what was not flushed, by the seed, and makes the disk sound again. Everything
// below the directory must be closed. Returns how many pieces it took back.
int faulty_disk_power_up(const char *directory, unsigned long long seed);

// Forgets a directory.
void faulty_disk_forget(const char *directory);

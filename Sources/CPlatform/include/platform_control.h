/// What the control socket and the command line need: files that only their owner may touch, a
/// lock, waiting, signals, a terminal and starting a daemon.
///
/// As in `platform_sockets.h`, a function that can fail returns zero or more, or the *negated*
/// errno.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: Files

/// What `platform_file_status` finds.
struct platform_file {
    /// The permission bits.
    uint32_t mode;
    /// The user that it belongs to.
    uint32_t owner;
    /// Its length in bytes.
    int64_t bytes;
    /// The file system that it is in, and which file of that it is.
    uint64_t device;
    uint64_t number;
    /// Whether it is a directory, and not a link to one.
    bool is_directory;
    /// Whether it is a socket.
    bool is_socket;
};

/// What is at a path, a link itself and not what it points to.
int platform_file_status(const char *path, struct platform_file *file);

/// The same of an open file, wherever its path leads by now.
int platform_descriptor_status(int descriptor, struct platform_file *file);

/// What `platform_content_status` finds.
struct platform_content {
    /// Its length in bytes.
    int64_t bytes;
    /// When it last changed, in nanoseconds since 1970.
    int64_t changed;
    /// Which file of its file system it is.
    uint64_t number;
    /// Whether it is a file with bytes, and no directory, pipe or device.
    bool is_regular;
};

/// What stands behind a path, through links: enough to see whether a file is still the same.
int platform_content_status(const char *path, struct platform_content *content);

/// What `platform_disk_status` finds.
struct platform_disk {
    /// The bytes that this user may still write.
    int64_t free_bytes;
    /// Whether nothing can be written because the file system can only be read.
    bool is_read_only;
};

/// The file system that a path is in.
int platform_disk_status(const char *path, struct platform_disk *disk);

/// Whether this user may write a file, or make files in a directory: 0, or why not.
int platform_may_write(const char *path);

/// Makes a directory that only its owner may enter (0700).
int platform_make_directory(const char *path);

/// Removes a file.
int platform_unlink(const char *path);

/// Removes a file, or a directory and everything in it; a link goes, and not what it points to.
int platform_remove_tree(const char *path);

/// Gives a file another path, in place of what was there.
int platform_rename(const char *from, const char *to);

/// Reads at most `capacity` bytes from an offset of a regular file; the number of bytes.
ptrdiff_t platform_read_file(const char *path, int64_t offset, void *bytes, size_t capacity);

/// What stands at a path: 0 nothing, 1 a regular file, 2 something else.
int platform_file_kind(const char *path);

/// How many bytes a file has.
int64_t platform_file_size(const char *path);

/// Makes a file that is not there yet, to be written: 0600, or as the process usually makes files.
/// The result is a descriptor.
int platform_create_file(const char *path, bool is_private);

/// Waits until what was written to a descriptor is on disk.
int platform_sync(int descriptor);

/// Waits until the names in a directory are on disk.
int platform_sync_directory(const char *path);

/// Makes a file with these bytes, or replaces what is in it.
int platform_write_file(const char *path, const void *bytes, size_t count);

/// Opens a file to write at its end (0600, made when missing); `-ENXIO` where something stands that
/// is no file with bytes.
int platform_open_log(const char *path);

/// Opens a lock file (0600, made when missing) and takes its lock. The result is a descriptor that
/// holds the lock until it is closed, or `-EWOULDBLOCK` when another holds it: at once where that
/// one has a name, and else, for it may only be looking, after 50 ms. This process must not open
/// the file another way while it holds the lock: closing that would make `platform_lock_holder`
/// forget it.
int platform_lock_file(const char *path);

/// The other process that holds the lock of a file, as the system knows it and not as the file
/// says; 0 where none does, or none that this process can see.
int32_t platform_lock_holder(const char *path);

/// Whether another descriptor holds the lock of a file. Asking takes the lock for a moment.
bool platform_lock_is_held(const char *path);

/// Replaces the content of an open file.
int platform_write_whole(int descriptor, const void *bytes, size_t count);

// MARK: Descriptors

/// Waits until the descriptor can be read (or written) without blocking, or its other end is gone:
/// 1; 0 after so many milliseconds; a negative time waits for ever. A second descriptor, unless it
/// is negative, ends the wait with 2 when it can be read. Signals do not end it.
int platform_wait(int descriptor, bool to_write, int second, int milliseconds);

/// The same for several descriptors that are to be read, of which negative ones never can: the
/// number, from 1, of the first that can.
int platform_wait_any(const int *descriptors, int count, int milliseconds);

/// Reads what there is on any descriptor, blocking or not.
ptrdiff_t platform_read(int descriptor, void *bytes, size_t capacity);

/// Writes all bytes to any descriptor, waiting as needed. `-EPIPE` instead of SIGPIPE needs
/// `platform_ignore_broken_pipes`.
int platform_write_all(int descriptor, const void *bytes, size_t count);

/// Makes a pipe whose two ends no child inherits.
int platform_pipe(int ends[2]);

/// Makes writing to a pipe without a reader an error instead of the end of the process.
void platform_ignore_broken_pipes(void);

/// From now on each of these signals is a byte with its number in a pipe, whose reading end is the
/// result; the calling thread takes them. To be called once per process.
int platform_signal_pipe(const int *signals, int count);

/// Gives a signal its usual effect back and sends it to this process.
void platform_end_by_signal(int number);

/// Has a file removed where a signal ends this process: Ctrl-C, Ctrl-\\, SIGTERM, SIGHUP, SIGPIPE.
/// One file at a time; NULL ends that. Not beside `platform_signal_pipe`, which keeps them from
/// ending it.
int platform_remove_on_signal(const char *path);

// MARK: The terminal

/// Whether the descriptor is a terminal.
bool platform_is_terminal(int descriptor);

/// The columns and rows of a terminal; both 0 where it does not say.
int platform_terminal_size(int descriptor, int *columns, int *rows);

/// Lets a terminal give each key as it is typed, and show none of them; Ctrl-C, Ctrl-Z and Ctrl-\\
/// stay signals. Until `platform_give_keys_back` it is the only one.
int platform_take_keys(int descriptor);

/// Makes the terminal as it was before `platform_take_keys`; nothing where it was not taken.
void platform_give_keys_back(void);

/// Stops this process as Ctrl-Z does, and returns when it goes on.
void platform_stop_process(void);

// MARK: Processes and time

/// This process.
int32_t platform_own_process(void);

/// Ends this process.
_Noreturn void platform_exit(int status);

/// The path of the program that runs, terminated; its length.
ptrdiff_t platform_own_path(char *path, size_t capacity);

/// The value of an environment variable, or NULL.
const char *platform_environment(const char *name);

/// All environment variables, as `platform_spawn_daemon` wants them.
char *const *platform_whole_environment(void);

/// The current directory, terminated.
int platform_current_directory(char *path, size_t capacity);

/// Whether a path is a regular file that this user may execute.
bool platform_is_executable(const char *path);

/// Starts a program that outlives this one: in a session of its own, with `/` as its directory,
/// nothing on standard input and output, the descriptor `log` as standard error, `ready` as its
/// descriptor 3, no other descriptor, and the usual signals. `arguments` and `environment` end with
/// NULL. The result is its process id.
int32_t platform_spawn_daemon(
    const char *path, char *const *arguments, char *const *environment, int log, int ready);

/// Starts a program that says nothing: nothing on its standard input, output and error. The result
/// is its process id.
int32_t platform_spawn_silent(
    const char *path, char *const *arguments, char *const *environment);

/// Becomes another program, with the same process id, descriptors and terminal; returns only when
/// that failed.
int platform_become(const char *path, char *const *arguments, char *const *environment);

/// Whether a program could not be started because it is open for writing.
bool platform_is_busy_program(int result);

/// A descriptor that can be read once a process, anybody's, has ended. It stands for that process
/// even when the system gives its number to another one.
int platform_watch_process(int32_t process);

/// Sends a signal to the process that a descriptor of `platform_watch_process` stands for.
int platform_signal_process(int descriptor, int32_t process, int number);

/// Whether a child has ended: 1 with its exit status (128 + signal when one killed it), 0 if not.
int platform_child_status(int32_t process, int *status);

/// Milliseconds since 1970.
int64_t platform_wall_milliseconds(void);

/// Milliseconds of a clock that never jumps.
int64_t platform_steady_milliseconds(void);

/// The clock on the wall of this place at a moment: hour and minute.
void platform_local_time(int64_t milliseconds, int *hour, int *minute);

/// The calendar of this place at a moment: year, month from 1 and day.
void platform_local_date(int64_t milliseconds, int *year, int *month, int *day);

// MARK: Signals by name, because their numbers differ between systems

/// SIGINT.
int platform_signal_interrupt(void);
/// SIGTERM.
int platform_signal_terminate(void);
/// SIGHUP.
int platform_signal_hang_up(void);
/// SIGQUIT.
int platform_signal_quit(void);
/// SIGWINCH.
int platform_signal_resize(void);
/// SIGTSTP.
int platform_signal_stop(void);
/// SIGUSR1.
int platform_signal_user(void);

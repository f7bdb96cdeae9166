/// Functions for the control socket and the command line: private files, a lock, waiting, signals,
/// the terminal, and starting a daemon.
///
/// As in `platform_sockets.h`, a function that can fail returns zero or more, or the *negated*
/// errno.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: Files

/// The status of a file.
struct platform_file {
    uint32_t mode;
    /// The user id of the file's owner.
    uint32_t owner;
    /// In bytes.
    int64_t bytes;
    /// The modification time, in nanoseconds since 1970.
    int64_t changed;
    /// The id of the file system, and the number of the file in it.
    uint64_t device;
    uint64_t number;
    /// Also false for a symbolic link to a directory.
    bool is_directory;
    bool is_regular;
    bool is_socket;
};

/// Reads the status of the file at a path; a symbolic link is not followed.
int platform_file_status(const char *path, struct platform_file *file);

int platform_descriptor_status(int descriptor, struct platform_file *file);

/// Reads the status of the file at a path; symbolic links are followed.
int platform_target_status(const char *path, struct platform_file *file);

/// The state of a file system, as `platform_disk_status` reports it.
struct platform_disk {
    /// The free space that this user may use, in bytes.
    int64_t free_bytes;
    /// Whether the file system is read-only.
    bool is_read_only;
};

int platform_disk_status(const char *path, struct platform_disk *disk);

/// Returns 0 if this user may write to a file, or create files in a directory.
int platform_may_write(const char *path);

/// Creates a private directory (0700).
int platform_make_directory(const char *path);

/// Makes an empty directory of this user private (0700); `-ENOTEMPTY` if it is not empty.
int platform_close_to_others(const char *path);
int platform_unlink(const char *path);

/// Removes a file or link, or a directory with its content; links are not followed.
int platform_remove_tree(const char *path);

/// Renames a file, replacing the target.
int platform_rename(const char *from, const char *to);

/// Creates a hard link `to` to a file; fails if `to` exists.
int platform_link(const char *from, const char *to);

/// Reads at most `capacity` bytes from an offset of a regular file; returns the number of bytes.
ptrdiff_t platform_read_file(const char *path, int64_t offset, void *bytes, size_t capacity);

/// Creates a file for writing, with mode 0600 or the process's default mode; returns a descriptor.
int platform_create_file(const char *path, bool is_private);

/// Waits until the data of a descriptor is on disk (fdatasync).
int platform_sync(int descriptor);

/// Waits until a file, or the entries of a directory, are on disk (fsync).
int platform_sync_path(const char *path);

/// Creates a file with the given bytes, or replaces its content.
int platform_write_file(const char *path, const void *bytes, size_t count);

/// Opens a file for appending, and creates it with mode 0600 if it is missing; `-ENXIO` if it is
/// not a regular file.
int platform_open_log(const char *path);

/// Opens a lock file, creates it with mode 0600 if it is missing, and locks it. Returns a
/// descriptor that holds the lock until it is closed, or `-EWOULDBLOCK` if another process holds
/// the lock: at once if the system can name that process, else after 50 ms, because it may only be
/// checking. A process that holds the lock must not open the file a second time: closing that
/// descriptor would release the lock that `platform_lock_holder` reads.
int platform_lock_file(const char *path);

/// Returns the other process that holds the lock of a file, as the system reports it; 0 if there is
/// none, or none that this process can see.
int32_t platform_lock_holder(const char *path);

/// Whether another descriptor holds the lock of a file; the check itself locks it for a moment.
bool platform_lock_is_held(const char *path);

/// Replaces the content of an open file.
int platform_write_whole(int descriptor, const void *bytes, size_t count);

// MARK: Descriptors

/// Waits until a descriptor can be read (or written) without blocking, or its other end is closed.
/// Returns 1 then, 0 after the timeout in milliseconds (negative: none), or 2 as soon as `second`
/// can be read, unless that is negative. A signal does not end the wait.
int platform_wait(int descriptor, bool to_write, int second, int milliseconds);

/// Waits until one of several descriptors can be read; returns its position, from 1. Negative
/// descriptors are ignored.
int platform_wait_any(const int *descriptors, int count, int milliseconds);

/// Reads from any descriptor, blocking or not.
ptrdiff_t platform_read(int descriptor, void *bytes, size_t capacity);

/// Writes all bytes to any descriptor, waiting as needed. Call `platform_ignore_broken_pipes`
/// before to get `-EPIPE` instead of SIGPIPE.
int platform_write_all(int descriptor, const void *bytes, size_t count);

/// Creates a pipe that child processes do not inherit.
int platform_pipe(int ends[2]);

/// Makes a write to a pipe without a reader return an error instead of raising SIGPIPE.
void platform_ignore_broken_pipes(void);

/// Has each of these signals write its number as a byte into a pipe; returns the pipe's reading
/// end. The signals are delivered to the calling thread. May be called once per process.
int platform_signal_pipe(const int *signals, int count);

/// Keeps a signal waiting until `platform_signal_pipe` is called for it by this program, or by the
/// one that replaces it; without that, a signal during the replacement would end the process.
void platform_hold_signal(int number);

/// Restores the default action of a signal and sends it to this process.
void platform_end_by_signal(int number);

/// Removes a file if a signal ends this process: Ctrl-C, Ctrl-\\, SIGTERM, SIGHUP, SIGPIPE. Works
/// for one file at a time; NULL means none. Must not be combined with `platform_signal_pipe`, which
/// keeps the signals from ending the process.
int platform_remove_on_signal(const char *path);

// MARK: The terminal

bool platform_is_terminal(int descriptor);

/// Reads the columns and rows of a terminal; both are 0 if unknown.
int platform_terminal_size(int descriptor, int *columns, int *rows);

/// Makes the terminal deliver each key at once and without echo; Ctrl-C, Ctrl-Z and Ctrl-\\ remain
/// signals. Works for one terminal at a time, until `platform_leave_raw_mode`.
int platform_enter_raw_mode(int descriptor);

/// Restores the settings of the terminal from before `platform_enter_raw_mode`, if there was one.
void platform_leave_raw_mode(void);

/// Stops this process as Ctrl-Z does, and returns when it is continued.
void platform_stop_process(void);

// MARK: Processes and time

int32_t platform_own_process(void);

_Noreturn void platform_exit(int status);

/// Writes the zero-terminated path of the running program; returns its length.
ptrdiff_t platform_own_path(char *path, size_t capacity);

const char *platform_environment(const char *name);

/// Returns all environment variables, as an array that ends with NULL.
char *const *platform_whole_environment(void);

/// Writes the zero-terminated path of the current directory.
int platform_current_directory(char *path, size_t capacity);

/// Whether there is a regular file at a path that this user may execute.
bool platform_is_executable(const char *path);

/// Starts a program that outlives this process: in a session of its own, in the directory `/`,
/// without standard input and output, with `log` as standard error, `ready` as its descriptor 3, no
/// other descriptors, and default signal actions. `arguments` and `environment` end with NULL.
/// Returns the process id.
int32_t platform_spawn_daemon(
    const char *path, char *const *arguments, char *const *environment, int log, int ready);

/// Starts a program without standard input, with `output` and `errors` as its standard output and
/// error, or without one that is negative; returns its process id.
int32_t platform_spawn_silent(
    const char *path, char *const *arguments, char *const *environment, int output, int errors);

/// Runs a program on this terminal, with `count` bytes as its standard input, and returns its exit
/// status. Keys that interrupt are for that program alone meanwhile. It need not read all bytes.
int platform_run_with_input(
    const char *path, char *const *arguments, char *const *environment, const void *bytes,
    size_t count);

/// Replaces this process by another program, with the same process id, descriptors and terminal;
/// returns only on failure.
int platform_become(const char *path, char *const *arguments, char *const *environment);

/// Whether a result means that a program could not be started because its file is open for writing.
bool platform_is_busy_program(int result);

/// Returns a descriptor that becomes readable when a process ends. It identifies that process even
/// after the system has reused the process id.
int platform_watch_process(int32_t process);

/// Sends a signal to a process with a descriptor from `platform_watch_process`.
int platform_signal_process(int descriptor, int32_t process, int number);

/// Returns 1 and the exit status (128 + signal if a signal killed it) if a child has ended, else 0.
int platform_child_status(int32_t process, int *status);

/// Returns the wall-clock time in milliseconds since 1970.
int64_t platform_wall_milliseconds(void);

/// Returns the time of a monotonic clock in milliseconds.
int64_t platform_steady_milliseconds(void);

/// Formats a time, local or in UTC, as strftime(3) does; `text` has room for 32 bytes.
void platform_time_text(int64_t milliseconds, bool is_local, const char *format, char *text);

// MARK: Signal numbers, which differ between systems

int platform_signal_interrupt(void);
int platform_signal_terminate(void);
int platform_signal_hang_up(void);
int platform_signal_quit(void);
int platform_signal_resize(void);
int platform_signal_stop(void);
int platform_signal_user(void);

// MARK: A program in the background

/// Returns the length of the file at a path if standard error is that file, else -1.
int64_t platform_log_bytes(const char *path);

/// Whether standard error is the stream to systemd's journal that `JOURNAL_STREAM` identifies by
/// device and inode; a child with another standard error inherits the variable, too.
bool platform_logs_to_journal(void);

/// Redirects standard error to the end of the file at a path, and creates it with mode 0600 if it
/// is missing.
int platform_log_begin(const char *path);

/// Renames the file at a path to `aside`, and redirects standard error to a new file at the path.
int platform_log_rotate(const char *path, const char *aside);

/// Reports a state to the service manager that `NOTIFY_SOCKET` names, as sd_notify(3) does; returns
/// 0 also if there is none.
int platform_notify_service(const char *state);

/// Excludes the memory of this process, which holds keys, from core files and from access by other
/// processes of the same user.
int platform_keep_memory_private(void);

/// Makes all threads share one heap, because a heap per thread grows by memory that other threads
/// free. Meant for a program with one busy thread; call it before the second thread starts. Does
/// nothing if the allocator has no such option.
void platform_share_heap(void);

/// Writes the zero-terminated host name of this machine, without its domain.
int platform_host_name(char *name, size_t capacity);

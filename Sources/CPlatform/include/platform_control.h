/// For the control socket and the command line: private files, a lock, waiting, signals, the
/// terminal, and starting a daemon.
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
    /// The user id of the owner.
    uint32_t owner;
    /// In bytes.
    int64_t bytes;
    /// The time of the last change, in nanoseconds since 1970.
    int64_t changed;
    /// The file system, and the number of the file in it.
    uint64_t device;
    uint64_t number;
    /// False for a link to a directory.
    bool is_directory;
    bool is_regular;
    bool is_socket;
};

/// The status of the file at a path; a symbolic link is not followed.
int platform_file_status(const char *path, struct platform_file *file);

int platform_descriptor_status(int descriptor, struct platform_file *file);

/// The status of the file at a path; symbolic links are followed.
int platform_target_status(const char *path, struct platform_file *file);

/// The result of `platform_disk_status`.
struct platform_disk {
    /// The bytes that this user may still write.
    int64_t free_bytes;
    /// Whether the file system is read-only.
    bool is_read_only;
};

int platform_disk_status(const char *path, struct platform_disk *disk);

/// Returns 0 if this user may write a file, or create files in a directory.
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

/// Gives a file a second name, which must be free.
int platform_link(const char *from, const char *to);

/// Reads at most `capacity` bytes from an offset of a regular file; returns the number of bytes.
ptrdiff_t platform_read_file(const char *path, int64_t offset, void *bytes, size_t capacity);

/// Creates a new file for writing, with mode 0600 or the process's default; returns a descriptor.
int platform_create_file(const char *path, bool is_private);

/// Waits until the data of a descriptor is on disk (fdatasync).
int platform_sync(int descriptor);

/// Waits until a file, or the names in a directory, are on disk (fsync).
int platform_sync_path(const char *path);

/// Creates a file with these bytes, or replaces its content.
int platform_write_file(const char *path, const void *bytes, size_t count);

/// Opens a file for appending, creating it if it is missing (0600); `-ENXIO` if it is not a regular
/// file.
int platform_open_log(const char *path);

/// Opens a lock file, creating it if it is missing (0600), and locks it. Returns a descriptor that
/// holds the lock until it is closed, or `-EWOULDBLOCK` if another process holds it: at once if
/// that one is known, else after 50 ms, because it may only be checking. While this process holds
/// the lock it must not open the file elsewhere: closing that descriptor would make
/// `platform_lock_holder` forget the lock.
int platform_lock_file(const char *path);

/// Returns the other process that holds the lock of a file, according to the system and not to the
/// file's content; 0 if there is none that this process can see.
int32_t platform_lock_holder(const char *path);

/// Whether another descriptor holds the lock of a file; checking takes the lock for a moment.
bool platform_lock_is_held(const char *path);

/// Replaces the content of an open file.
int platform_write_whole(int descriptor, const void *bytes, size_t count);

// MARK: Descriptors

/// Waits until the descriptor can be read (or written) without blocking, or its other end is gone.
/// Returns 1 then, 0 after the timeout in milliseconds (negative: none), or 2 when the second
/// descriptor, unless it is negative, can be read. Signals do not end the wait.
int platform_wait(int descriptor, bool to_write, int second, int milliseconds);

/// Waits until one of several descriptors can be read and returns its number, from 1; negative
/// descriptors are ignored.
int platform_wait_any(const int *descriptors, int count, int milliseconds);

/// Reads from any descriptor, blocking or not.
ptrdiff_t platform_read(int descriptor, void *bytes, size_t capacity);

/// Writes all bytes to any descriptor, waiting as needed. To get `-EPIPE` instead of SIGPIPE, call
/// `platform_ignore_broken_pipes` first.
int platform_write_all(int descriptor, const void *bytes, size_t count);

/// Creates a pipe that children do not inherit.
int platform_pipe(int ends[2]);

/// Makes writing to a pipe without a reader an error instead of a fatal signal.
void platform_ignore_broken_pipes(void);

/// Turns each of these signals into a byte with its number in a pipe, and returns the pipe's
/// reading end; the calling thread receives the signals. Call it once per process.
int platform_signal_pipe(const int *signals, int count);

/// Restores the default effect of a signal and sends it to this process.
void platform_end_by_signal(int number);

/// Removes a file if a signal ends this process: Ctrl-C, Ctrl-\\, SIGTERM, SIGHUP, SIGPIPE. For one
/// file at a time; NULL for none. Not together with `platform_signal_pipe`, which keeps the signals
/// from ending the process.
int platform_remove_on_signal(const char *path);

// MARK: The terminal

bool platform_is_terminal(int descriptor);

/// The columns and rows of a terminal; both 0 if unknown.
int platform_terminal_size(int descriptor, int *columns, int *rows);

/// Has the terminal deliver each key as it is typed, without echo; Ctrl-C, Ctrl-Z and Ctrl-\\ stay
/// signals. For one terminal at a time, until `platform_leave_raw_mode`.
int platform_enter_raw_mode(int descriptor);

/// Restores the terminal to its state before `platform_enter_raw_mode`, if that was called.
void platform_leave_raw_mode(void);

/// Stops this process as Ctrl-Z does, and returns when it is continued.
void platform_stop_process(void);

// MARK: Processes and time

int32_t platform_own_process(void);

_Noreturn void platform_exit(int status);

/// Writes the path of the running program, terminated; returns its length.
ptrdiff_t platform_own_path(char *path, size_t capacity);

const char *platform_environment(const char *name);

/// All environment variables, in the form of `platform_spawn_daemon`.
char *const *platform_whole_environment(void);

/// Writes the current directory, terminated.
int platform_current_directory(char *path, size_t capacity);

/// Whether a path is a regular file that this user may execute.
bool platform_is_executable(const char *path);

/// Starts a program that outlives this one: in its own session, with `/` as its directory, no
/// standard input and output, `log` as standard error, `ready` as its descriptor 3, no other
/// descriptor, and default signals. `arguments` and `environment` end with NULL. Returns its
/// process id.
int32_t platform_spawn_daemon(
    const char *path, char *const *arguments, char *const *environment, int log, int ready);

/// Starts a program without standard input, output and error. Returns its process id.
int32_t platform_spawn_silent(
    const char *path, char *const *arguments, char *const *environment);

/// Becomes another program, with the same process id, descriptors and terminal; returns only on
/// failure.
int platform_become(const char *path, char *const *arguments, char *const *environment);

/// Whether a program could not be started because it is open for writing.
bool platform_is_busy_program(int result);

/// Returns a descriptor that can be read once any process has ended. It stands for that process
/// even if the system reuses its number.
int platform_watch_process(int32_t process);

/// Sends a signal to the process of a descriptor of `platform_watch_process`.
int platform_signal_process(int descriptor, int32_t process, int number);

/// Returns 1 if a child has ended, with its exit status (128 + signal if one killed it), else 0.
int platform_child_status(int32_t process, int *status);

/// Milliseconds since 1970.
int64_t platform_wall_milliseconds(void);

/// Milliseconds of a monotonic clock.
int64_t platform_steady_milliseconds(void);

/// A time, local or in UTC, in a format of strftime(3); `text` has 32 bytes.
void platform_time_text(int64_t milliseconds, bool is_local, const char *format, char *text);

// MARK: Signals, whose numbers differ between systems

int platform_signal_interrupt(void);
int platform_signal_terminate(void);
int platform_signal_hang_up(void);
int platform_signal_quit(void);
int platform_signal_resize(void);
int platform_signal_stop(void);
int platform_signal_user(void);

// MARK: A program in the background

/// Returns the length of the file at the path if standard error is open on that file, else -1.
int64_t platform_log_bytes(const char *path);

/// Redirects standard error to the end of the file at the path, which is created if missing (0600).
int platform_log_begin(const char *path);

/// Renames the file at the path to `aside`, and redirects standard error to a new file in its
/// place.
int platform_log_rotate(const char *path, const char *aside);

/// Reports a state to the service manager of `NOTIFY_SOCKET`, as sd_notify(3) does; returns 0 also
/// if there is none.
int platform_notify_service(const char *state);

/// Keeps the memory of this process, which holds keys, out of core files and from other processes
/// of the same user.
int platform_keep_memory_private(void);

/// Has all threads share one heap, because heaps per thread grow by memory that other threads free.
/// For a program with one busy thread; call it before a second one starts. Does nothing if the heap
/// has no such option.
void platform_share_heap(void);

/// Writes the host name of this machine, terminated, without its domain.
int platform_host_name(char *name, size_t capacity);

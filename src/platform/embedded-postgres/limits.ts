/**
 * Milliseconds of a start, including crash recovery, which replays up to 2 GB of WAL. Beyond it the start
 * fails.
 */
export const EMBEDDED_START_MAX_MS = 300_000
/** Milliseconds of a fast stop (SIGINT) unless the caller has more; then the server is stopped at once (SIGQUIT). */
export const EMBEDDED_STOP_MAX_MS = 6_000
/** Milliseconds of an immediate stop; then the server is killed. */
export const EMBEDDED_STOP_KILL_MS = 1_500
/**
 * Delay before the first restart of a server that ended by itself, milliseconds; it doubles with each
 * failure.
 */
export const EMBEDDED_AGAIN_MIN_MS = 500
/** Longest delay between two restarts, milliseconds. */
export const EMBEDDED_AGAIN_MAX_MS = 30_000
/** Milliseconds that a server must run until the restart delay is reset. */
export const EMBEDDED_STEADY_MS = 60_000
/** Milliseconds that an orphaned server has for a fast stop; then it is stopped at once. */
export const EMBEDDED_ORPHAN_STOP_MAX_MS = 30_000
/** Milliseconds to wait for the processes of a server that was stopped or killed to disappear. */
export const EMBEDDED_ZOMBIE_MAX_MS = 10_000
/** Milliseconds of a program that is run to its end (initdb, ps); then it is killed and the start fails. */
export const EMBEDDED_TOOL_MAX_MS = 120_000
/** Milliseconds between two checks whether the server is ready. */
export const EMBEDDED_POLL_MS = 20
/** Milliseconds of a connection attempt to a socket; beyond it nothing listens there. */
export const EMBEDDED_PROBE_MAX_MS = 1_000
/** Milliseconds between two heartbeats of the folder's owner. */
export const EMBEDDED_HEARTBEAT_MS = 1_000
/**
 * Milliseconds without a heartbeat after which an owner counts as dead; over three heartbeats, as an owner
 * may be busy.
 */
export const EMBEDDED_HEARTBEAT_WATCH_MS = 4_000
/** Bytes of the server's log file; beyond it the file is cut. */
export const EMBEDDED_LOG_BYTES_MAX = 4 * 1024 * 1024
/** Milliseconds between two checks of the log's size. */
export const EMBEDDED_LOG_CHECK_MS = 30_000
/**
 * Bytes of a Unix socket's path without the closing zero (sun_path: 108 on Linux, 104 on macOS); else
 * loopback is used.
 */
export const UNIX_SOCKET_PATH_BYTES_MAX = 103
/** Free bytes of the disk that a new database needs: about 70 MB, and room for the first samples. */
export const EMBEDDED_DISK_FREE_MIN_BYTES = 128 * 1024 * 1024

/** The embedded PostgreSQL. Start includes crash recovery, which replays up to 2 GB of log. */
export const EMBEDDED_START_MAX_MS = 300_000
export const EMBEDDED_STOP_MAX_MS = 6_000
export const EMBEDDED_STOP_KILL_MS = 1_500
/**
 * Until a server that ended by itself is started once more: at once, then ever later; a steady one begins
 * anew.
 */
export const EMBEDDED_AGAIN_MIN_MS = 500
export const EMBEDDED_AGAIN_MAX_MS = 30_000
export const EMBEDDED_STEADY_MS = 60_000
export const EMBEDDED_ORPHAN_STOP_MAX_MS = 30_000
export const EMBEDDED_ZOMBIE_MAX_MS = 10_000
export const EMBEDDED_TOOL_MAX_MS = 120_000
export const EMBEDDED_POLL_MS = 20
export const EMBEDDED_PROBE_MAX_MS = 1_000
export const EMBEDDED_HEARTBEAT_MS = 1_000
/** Longer than three heartbeats, so that a busy owner is not taken for dead. */
export const EMBEDDED_HEARTBEAT_WATCH_MS = 4_000
export const EMBEDDED_LOG_BYTES_MAX = 4 * 1024 * 1024
export const EMBEDDED_LOG_CHECK_MS = 30_000
/** sun_path without its closing zero: 108 bytes on Linux, 104 on macOS. */
export const UNIX_SOCKET_PATH_BYTES_MAX = 103

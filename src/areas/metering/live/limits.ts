import { DAY_MS } from '../../../kernel/time.ts'

/** Live values. Sockets of a process, and of one user in it. */
export const LIVE_SOCKETS_MAX = 10_000
export const LIVE_SOCKETS_PER_USER_MAX = 250
export const LIVE_DEVICES_MAX = 1_000
export const LIVE_MESSAGE_BYTES_MAX = 64 * 1024
/** Messages and pings of a client in LIVE_SWEEP_MS; beyond that its socket is not read for the rest of it. */
export const LIVE_MESSAGES_PER_SWEEP = 10
/** Requests of one client that wait for the ones before. */
export const LIVE_REQUESTS_WAITING_MAX = 10
/** Refused ids are told as they were sent, cut to this. */
export const LIVE_REFUSED_LENGTH_MAX = 100
/** Unsent bytes beyond which a client counts as slow; above the 64 KiB at which a stream says when it has drained. */
export const LIVE_BUFFER_BYTES_MAX = 128 * 1024
/** Unsent bytes that no client is allowed: whoever only asks and never reads. */
export const LIVE_BUFFER_BYTES_END = 1024 * 1024
/** Newest values of a device that wait for a slow client. */
export const LIVE_METRICS_HELD_MAX = 256
/** Samples that arrive while a gap is being filled; of those beyond only the newest values are kept. */
export const LIVE_HELD_MAX = 5_000
export const LIVE_SWEEP_MS = 500
export const LIVE_PING_MS = 30_000
/** How often user, rights and devices behind an open socket are looked up again. */
export const LIVE_RECHECK_MS = 60_000
export const LIVE_RECHECKS_AT_ONCE = 4
/** Filling a gap: how far back, how many samples together, and how long sending them may take. */
export const LIVE_FILL_AGE_MAX_MS = DAY_MS
export const LIVE_FILL_ROWS_MAX = 5_000
/** Written together; then it is looked whether the client has room. */
export const LIVE_FILL_PORTION = 50
export const LIVE_FILL_SEND_MAX_MS = 5_000
export const LIVE_FILLS_AT_ONCE = 8
/** How long a filled sample is remembered, so that it is not sent again when the news of it comes late. */
export const LIVE_FILL_REMEMBERED_MS = 10_000
export const LIVE_FILL_REMEMBERED_MAX = 500_000
export const LIVE_STATS_SOCKETS_MAX = 100
/** Between processes: how long samples wait for company, how many go together, how many may wait in all. */
export const LIVE_CROSSING_LINGER_MS = 10
export const LIVE_CROSSING_BATCH_MAX = 500
export const LIVE_CROSSING_WAITING_MAX = 50_000
export const LIVE_CROSSING_PUBLISHES_MAX = 100
export const LIVE_CROSSING_BYTES_MAX = 8 * 1024 * 1024
/** How often a process tells the others its numbers, and when one that no longer does is forgotten. */
export const LIVE_NUMBERS_EVERY_MS = 5_000
export const LIVE_NUMBERS_FORGOTTEN_MS = 20_000
export const LIVE_NUMBERS_TENANTS_MAX = 1_000
export const LIVE_PROCESSES_MAX = 100
export const LIVE_TENANTS_CACHED_MAX = 10_000

import { DAY_MS } from '../../../kernel/time.ts'

/** Open sockets of a process; one more is closed with 1013 "Too many sockets". */
export const LIVE_SOCKETS_MAX = 10_000
/** Open sockets of one user in a process; one more is closed with 1013 "Too many sockets". */
export const LIVE_SOCKETS_PER_USER_MAX = 250
/** Lifetime of a ticket that opens a socket, milliseconds. */
export const LIVE_TICKET_TTL_MS = 30_000
/** Unused tickets of one user; one more is answered with 429. */
export const LIVE_TICKETS_PER_USER_MAX = 100
/**
 * Devices of one socket. A handshake with more is closed with 4002, a `subscribe` with more changes
 * nothing.
 */
export const LIVE_DEVICES_MAX = 1_000
/** Bytes of one client message; a larger one closes the socket with 1009. */
export const LIVE_MESSAGE_BYTES_MAX = 64 * 1024
/**
 * Messages and pings of a client in one LIVE_SWEEP_MS; beyond that its socket is paused until the next
 * sweep.
 */
export const LIVE_MESSAGES_PER_SWEEP_MAX = 10
/** Requests of one client that wait for earlier ones; one more gets the error `too_many_requests`. */
export const LIVE_REQUESTS_WAITING_MAX = 10
/** Characters of a refused id in a response; the rest is cut off. */
export const LIVE_REFUSED_LENGTH_MAX = 100

/**
 * Unsent bytes beyond which a client is slow and its samples are coalesced; above the 64 KiB at which a
 * stream drains.
 */
export const LIVE_BUFFER_BYTES_SLOW = 128 * 1024
/** Unsent bytes at which a socket is terminated: its client sends requests and never reads. */
export const LIVE_BUFFER_BYTES_MAX = 1024 * 1024
/** Coalesced metrics of one device of a slow client; values of further metrics are dropped. */
export const LIVE_COALESCED_METRICS_MAX = 256

/** Interval of maintenance of all sockets, milliseconds. */
export const LIVE_SWEEP_MS = 500
/** Interval of protocol pings, milliseconds; a client without any sign of life in between is terminated. */
export const LIVE_PING_MS = 30_000
/** Interval at which user, permissions and devices of an open socket are verified again, milliseconds. */
export const LIVE_RECHECK_MS = 60_000
/** The same for a socket with an API key, whose revocation applies within seconds. */
export const LIVE_RECHECK_API_KEY_MS = 5_000
/** Concurrent verifications of open sockets; the others wait. */
export const LIVE_RECHECKS_CONCURRENT_MAX = 4

/**
 * Age of the oldest sample that a backfill sends, milliseconds; an older `since` is answered with
 * `gap_truncated`.
 */
export const LIVE_BACKFILL_AGE_MAX_MS = DAY_MS
/**
 * Samples of one backfill, shared evenly by its devices; older ones are left out and reported as
 * `gap_truncated`.
 */
export const LIVE_BACKFILL_ROWS_MAX = 5_000
/** Samples of a backfill that are written together, before the send buffer is checked. */
export const LIVE_BACKFILL_CHUNK_ROWS = 50
/** Time for sending a backfill, milliseconds; the rest is coalesced as for a slow client. */
export const LIVE_BACKFILL_SEND_MAX_MS = 5_000
/** Concurrent backfills of a process; the others wait. */
export const LIVE_BACKFILLS_CONCURRENT_MAX = 8
/** Live samples that are held during one backfill; further ones are coalesced. */
export const LIVE_BACKFILL_HELD_MAX = 5_000
/**
 * Time for which backfilled samples are remembered, milliseconds, so that a late announcement does not send
 * them again.
 */
export const LIVE_BACKFILL_REMEMBERED_MS = 10_000
/** Backfilled samples that a process remembers; beyond that the oldest backfills are forgotten early. */
export const LIVE_BACKFILL_REMEMBERED_MAX = 500_000

/** Connections in a response of GET /ws/stats. */
export const LIVE_STATS_SOCKETS_MAX = 100

/** Time for which samples wait in order to be published together, milliseconds. */
export const LIVE_PUBLISH_LINGER_MS = 10
/** Samples of one message between processes. */
export const LIVE_PUBLISH_BATCH_MAX = 500
/** Samples of a process that wait to be published; further ones are counted and dropped. */
export const LIVE_PUBLISH_QUEUE_MAX = 50_000
/** Concurrent publications of a process; the samples of further ones are counted and dropped. */
export const LIVE_PUBLISHES_CONCURRENT_MAX = 100
/** Bytes of a message of another process; a larger one is ignored. */
export const LIVE_PUBLISH_BYTES_MAX = 8 * 1024 * 1024
/** Tenant uids that a publishing process caches; beyond that the cache is cleared. */
export const LIVE_TENANTS_CACHED_MAX = 10_000

/** Interval at which a process announces the tenants whose live values it wants, milliseconds. */
export const LIVE_INTEREST_INTERVAL_MS = 5_000
/** Time after which the announcement of a silent process is removed, milliseconds. */
export const LIVE_INTEREST_TTL_MS = 20_000
/**
 * Time for which a process does not know all tenants that are wanted, milliseconds, after it has asked: at its start,
 * and when its link was connected again. It contains several announcements of each process.
 */
export const LIVE_INTEREST_UNKNOWN_MS = 20_000
/** Tenants in the announcement of one process; live values of further ones are not sent to it. */
export const LIVE_INTEREST_TENANTS_MAX = 10_000
/**
 * Time for which samples that no other process wants are remembered, milliseconds, because an announcement may be under
 * way. While it is not known what is wanted, they are remembered for LIVE_INTEREST_UNKNOWN_MS.
 */
export const LIVE_UNWANTED_REMEMBERED_MS = 1_000
/** Samples of them that are remembered; beyond that the oldest are forgotten early. */
export const LIVE_UNWANTED_SAMPLES_MAX = 20_000

/** Interval at which a process publishes its statistics, milliseconds. */
export const LIVE_PEER_STATS_INTERVAL_MS = 5_000
/** Time after which the statistics of a silent process are removed, milliseconds. */
export const LIVE_PEER_STATS_TTL_MS = 20_000
/** Tenants in the statistics of one process; those with the fewest sockets are left out. */
export const LIVE_PEER_STATS_TENANTS_MAX = 1_000
/** Processes whose statistics are stored; further ones are ignored. */
export const LIVE_PEERS_MAX = 100

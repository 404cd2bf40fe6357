/** Shards of a distributed database when nothing else is asked for; each is a table on a node for every table. */
export const SHARDS_DEFAULT = 32
/** The largest number of shards that may be asked for. */
export const SHARDS_MAX = 1_024
/**
 * The largest number of shards of one table on a node with which its connections keep plans: each prepared statement
 * has a plan of up to 50 kB for each shard.
 */
export const PLAN_CACHE_SHARDS_MAX = 64
/** Milliseconds after which the nodes of tenants are read again, because shards may have been moved. */
export const TENANT_NODES_TTL_MS = 60_000
/** The nodes of a distributed database are asked at most this often for the notes of `/readiness`, milliseconds. */
export const NODE_CHECK_MS = 5_000
/** How often the nodes of a distributed database are read and asked whether they answer, milliseconds. */
export const NODE_READS_CHECK_MS = 10_000

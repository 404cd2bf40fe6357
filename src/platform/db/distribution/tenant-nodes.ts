import type { Database } from '../pool.ts'
import { ANY_DISTRIBUTED_TABLE } from '../table-placement.ts'
import { hasCitus } from './cluster.ts'
import { TENANT_NODES_TTL_MS } from './limits.ts'

/**
 * The nodes of a distributed database (Citus) that have the rows of tenants, so that a batch of several tenants can be
 * written to one node. Nothing waits for it: a tenant whose node is not known yet counts as being alone on one, and is
 * looked up meanwhile. On plain PostgreSQL all tenants are on one node.
 */
export interface TenantNodes {
  /** The same number for tenants of one node; a negative one for a tenant whose node is not known. */
  nodeOf(tenantId: number): number
  /** False also until the first look-up. */
  isDistributed(): boolean
}

/** All tenants on one node. */
export const ONE_NODE: TenantNodes = { nodeOf: () => 0, isDistributed: () => false }

const NODES = `
  select asked.id, p.groupid as node from unnest($1::int[]) as asked (id)
  join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('${ANY_DISTRIBUTED_TABLE}', asked.id)`

/** Calls `onError` with the error of a failed look-up, which the next call repeats. */
export function makeTenantNodes(
  { pool }: Pick<Database, 'pool'>,
  onError: (error: unknown) => void = () => {},
): TenantNodes {
  let isCluster: boolean | undefined
  let nodes = new Map<number, number>()
  let readAt = Number.NEGATIVE_INFINITY
  let isReading = false
  const asked = new Set<number>()

  async function read(): Promise<void> {
    isCluster ??= await hasCitus(pool)
    if (!isCluster) return
    const ids = [...new Set([...nodes.keys(), ...asked])]
    asked.clear()
    const { rows } = await pool.query<{ id: number; node: number }>(NODES, [ids])
    nodes = new Map(rows.map(({ id, node }) => [id, node]))
    readAt = performance.now()
  }

  const readInBackground = () => {
    if (isReading) return
    isReading = true
    void read()
      .catch(onError)
      .finally(() => {
        isReading = false
      })
  }
  readInBackground()

  return {
    nodeOf(tenantId) {
      if (isCluster === false) return 0
      const node = nodes.get(tenantId)
      if (node === undefined) asked.add(tenantId)
      // Shards are moved rarely; until the next look-up a batch may then reach two nodes.
      if (node === undefined || performance.now() > readAt + TENANT_NODES_TTL_MS) readInBackground()
      return node ?? -tenantId
    },
    isDistributed: () => isCluster === true,
  }
}

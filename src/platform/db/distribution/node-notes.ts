import type { Database } from '../pool.ts'
import { hasCitus } from './cluster.ts'
import { NODE_CHECK_MS } from './limits.ts'

const AWAY = `
  select nodename || ':' || nodeport as node from pg_dist_node
  where isactive and noderole = 'primary' and not citus_check_connection_to_node(nodename, nodeport)`

/**
 * Sentences about the nodes of a distributed database that the coordinator cannot reach; none on plain PostgreSQL.
 * Nothing waits for a node: the nodes are asked in the background when the sentences are read, at most every
 * NODE_CHECK_MS.
 */
export function makeNodeNotes({ pool }: Pick<Database, 'pool'>): () => readonly string[] {
  let isCluster: boolean | undefined
  let away: readonly string[] = []
  let askedAt = Number.NEGATIVE_INFINITY
  let isAsking = false

  async function ask(): Promise<void> {
    isCluster ??= await hasCitus(pool)
    if (!isCluster) return
    const { rows } = await pool.query<{ node: string }>(AWAY)
    away = rows.map(({ node }) => node)
  }

  return () => {
    if (!isAsking && isCluster !== false && performance.now() >= askedAt + NODE_CHECK_MS) {
      isAsking = true
      askedAt = performance.now()
      // Without the coordinator the check of the database fails, and the status says so.
      void ask()
        .catch(() => {})
        .finally(() => {
          isAsking = false
        })
    }
    return away.map(
      (node) => `the node ${node} of the database cannot be reached: its tenants are not served`,
    )
  }
}

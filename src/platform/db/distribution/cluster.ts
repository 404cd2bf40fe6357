import type pg from 'pg'
import { ANY_DISTRIBUTED_TABLE } from '../table-placement.ts'
import { PLAN_CACHE_SHARDS_MAX } from './limits.ts'

/** The oldest version of the extension with which the service is tested. */
const VERSION_MIN = { major: 13, minor: 2 }

type Queryable = Pick<pg.Pool | pg.ClientBase, 'query'>

interface Node {
  readonly name: string
  readonly maxPrepared: number
  readonly messages: string
}

const hasExtension = `select extversion as version from pg_extension where extname = 'citus'`

/** The version of the extension Citus in this database; undefined without it. */
export async function citusVersion(db: Queryable): Promise<string | undefined> {
  const { rows } = await db.query<{ version: string }>(hasExtension)
  return rows[0]?.version
}

/** Whether this database has the extension Citus, which makes it a distributed one. */
export const hasCitus = async (db: Queryable): Promise<boolean> => (await citusVersion(db)) !== undefined

const OWN_SETTINGS = `select current_setting('max_prepared_transactions') || ' ' || current_setting('lc_messages')`

/**
 * Which named statements the service lets a database keep plans for.
 *
 * - `all`: plain PostgreSQL.
 * - `single-table`: those that read one table and compare its distribution column with a parameter; every other one is
 *   planned with each execution. Citus; the node of the rows keeps a plan for each of its shards.
 * - `none`: the node of the rows makes a further plan with each execution, and keeps all of them until the connection
 *   ends, up to 50 kB each (Citus 13.2.1 to 13.4 and 14.0 to 14.2, citusdata/citus, pull request 8824; older versions
 *   are treated in the same way); or it has more than PLAN_CACHE_SHARDS_MAX shards.
 */
export type PlanCache = 'all' | 'single-table' | 'none'

/** The first minor version with the correction, by major version. */
const CORRECTED_MINORS: Readonly<Record<number, number>> = { 13: 5, 14: 3 }
/** A build of an older version with the correction has this suffix (`tools/citus/build.sh`). */
const CORRECTED_BUILD = /\+pr8824$/

/** Whether a version of Citus, as `citus_version()` names it, has the correction; false for an unknown text. */
export function hasCorrectedPlanCache(version: string): boolean {
  const [, major = '0', minor = '0', suffix = ''] = /^Citus (\d+)\.(\d+)(\S*)/.exec(version) ?? []
  const corrected = CORRECTED_MINORS[Number(major)] ?? (Number(major) > 14 ? 0 : Number.POSITIVE_INFINITY)
  return Number(minor) >= corrected || CORRECTED_BUILD.test(suffix)
}

/** The version of Citus, and the number of shards of one table on this node; every distributed table has as many. */
const VERSION_AND_SHARDS = `
  select citus_version() as version, count(p.shardid)::int as shards
  from pg_dist_local_group g
  left join pg_dist_placement p on p.groupid = g.groupid
    and p.shardid in (select shardid from pg_dist_shard where logicalrelid = to_regclass($1))`

/** The plan cache of the server of a connection. */
export async function planCacheOf(db: Queryable): Promise<PlanCache> {
  if (!(await hasCitus(db))) return 'all'
  const { rows } = await db.query<{ version: string; shards: number }>(VERSION_AND_SHARDS, [
    ANY_DISTRIBUTED_TABLE,
  ])
  const [{ version, shards } = { version: '', shards: 0 }] = rows
  return hasCorrectedPlanCache(version) && shards <= PLAN_CACHE_SHARDS_MAX ? 'single-table' : 'none'
}

/** What the operator has to do before the database can be distributed, one line each. */
export async function clusterProblems(client: pg.ClientBase, version: string): Promise<string[]> {
  const problems: string[] = []
  const [major = 0, minor = 0] = version.split(/[.-]/).map(Number)
  if (major < VERSION_MIN.major || (major === VERSION_MIN.major && minor < VERSION_MIN.minor))
    problems.push(
      `the extension citus has version ${version}; ${VERSION_MIN.major}.${VERSION_MIN.minor} or newer is needed`,
    )
  const { rows } = await client.query<{ isCoordinator: boolean; isKnown: boolean; holders: number }>(`
    select (select groupid = 0 from pg_dist_local_group) as "isCoordinator",
      exists (select 1 from pg_dist_node where groupid = 0) as "isKnown",
      (select count(*)::int from pg_dist_node where isactive and noderole = 'primary' and shouldhaveshards) as holders`)
  const [cluster] = rows
  if (!cluster?.isCoordinator)
    return [...problems, 'this is a worker: DATABASE_URL has to name the coordinator']
  if (!cluster.isKnown)
    problems.push("the coordinator is no node yet: select citus_set_coordinator_host('HOST', PORT)")
  if (cluster.holders === 0)
    problems.push(
      "no node has shards: select citus_add_node('HOST', PORT) for each worker, or on a single node " +
        "select citus_set_node_property('HOST', PORT, 'shouldhaveshards', true)",
    )
  return [...problems, ...(await readNodes(client)).flatMap(nodeProblems)]
}

async function readNodes(client: pg.ClientBase): Promise<Node[]> {
  const own = await client.query<{ settings: string }>(`${OWN_SETTINGS} as settings`)
  const others = await client.query<{ node: string; success: boolean; result: string }>(
    `select nodename || ':' || nodeport as node, success, result from run_command_on_workers($1)`,
    [OWN_SETTINGS],
  )
  const nodeOf = (name: string, settings: string): Node => {
    const [maxPrepared = '0', messages = ''] = settings.split(' ')
    return { name, maxPrepared: Number(maxPrepared), messages }
  }
  return [
    nodeOf('the coordinator', own.rows[0]?.settings ?? ''),
    ...others.rows.map(({ node, success, result }) => nodeOf(node, success ? result : '')),
  ]
}

function nodeProblems({ name, maxPrepared, messages }: Node): string[] {
  const problems: string[] = []
  if (maxPrepared === 0)
    problems.push(
      `${name}: max_prepared_transactions is 0; set it to max_connections, and restart the server`,
    )
  // The service reads the names of constraints in the texts of errors.
  if (!/^(C|POSIX|en_)/.test(messages)) problems.push(`${name}: lc_messages is "${messages}"; set it to C`)
  return problems
}

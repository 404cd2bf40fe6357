import pg from 'pg'
import { DB_CONNECT_TIMEOUT_MS } from '../limits.ts'
import { TABLE_PLACEMENT } from '../table-placement.ts'
import { NotDistributable } from './distribute.ts'

/** One of the tables that are distributed by tenant_id: the shards of the others are beside its own. */
const TABLE = Object.entries(TABLE_PLACEMENT).find(([, placement]) => placement === 'distributed')?.[0] ?? ''

const PLACEMENT = `
  select s.shardid::text as shard, s.shardminvalue = s.shardmaxvalue as "isAlone", n.nodename as host, n.nodeport as port
  from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid
  join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
  where s.shardid = get_shard_id_for_distribution_column('${TABLE}', $1::int)`

interface Placement {
  readonly shard: string
  /** Whether the shard has the rows of this tenant only. */
  readonly isAlone: boolean
  readonly host: string
  readonly port: number
}

export interface PlacedTenant {
  readonly node: string
  readonly isIsolated: boolean
  readonly isMoved: boolean
}

const nodeName = ({ host, port }: Pick<Placement, 'host' | 'port'>): string => `${host}:${port}`

/**
 * Gives a tenant shards of its own, and moves them to a node (`HOST:PORT`) if one is named. Writes of the tenants in
 * the shards concerned wait meanwhile. What is in place already is left as it is.
 */
export async function placeTenant(url: string, slug: string, node?: string): Promise<PlacedTenant> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: DB_CONNECT_TIMEOUT_MS })
  await client.connect()
  try {
    const { rows: extension } = await client.query("select 1 from pg_extension where extname = 'citus'")
    if (extension.length === 0)
      throw new NotDistributable(['it has no extension citus, so a tenant has no node'])
    const tenantId = await findTenant(client, slug)
    const target = node === undefined ? undefined : await findNode(client, node)
    const before = await readPlacement(client, tenantId)
    if (!before.isAlone)
      await client.query(
        `select isolate_tenant_to_new_shard('${TABLE}', $1::int, 'CASCADE', shard_transfer_mode => 'block_writes')`,
        [tenantId],
      )
    const own = await readPlacement(client, tenantId)
    const isMoved = target !== undefined && nodeName(target) !== nodeName(own)
    if (isMoved)
      await client.query(
        `select citus_move_shard_placement($1::bigint, $2, $3::int, $4, $5::int, shard_transfer_mode => 'block_writes')`,
        [own.shard, own.host, own.port, target.host, target.port],
      )
    return { node: nodeName(target ?? own), isIsolated: !before.isAlone, isMoved }
  } finally {
    await client.end()
  }
}

async function findTenant(client: pg.ClientBase, slug: string): Promise<number> {
  const { rows } = await client.query<{ id: number }>('select id from tenant where slug = $1', [slug])
  const [tenant] = rows
  if (!tenant) throw new Error(`there is no tenant "${slug}"`)
  return tenant.id
}

async function findNode(client: pg.ClientBase, name: string): Promise<Pick<Placement, 'host' | 'port'>> {
  const { rows } = await client.query<Pick<Placement, 'host' | 'port'>>(
    `select nodename as host, nodeport as port from pg_dist_node
    where isactive and shouldhaveshards and noderole = 'primary' order by 1, 2`,
  )
  const node = rows.find((row) => nodeName(row) === name)
  if (!node) throw new Error(`"${name}" is no node with shards: one of ${rows.map(nodeName).join(', ')}`)
  return node
}

async function readPlacement(client: pg.ClientBase, tenantId: number): Promise<Placement> {
  const { rows } = await client.query<Placement>(PLACEMENT, [tenantId])
  const [placement] = rows
  if (!placement)
    throw new NotDistributable(['its tables are not distributed yet: run "netsaat db distribute"'])
  return placement
}

import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'

/** Tables of a run, without the ids that the copy generates. */
const TABLES = [
  'calculation_hour',
  'virtual_meter_hour',
  'amount',
  'limit_usage_hour',
  'calculation_input',
] as const
type Table = (typeof TABLES)[number]

async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const columnsOf = async (client: pg.Client, table: Table): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = $1 order by ordinal_position`,
    [table],
  )
  return rows.map((row) => row.name)
}

interface Copied {
  readonly statement: string
  readonly data: Buffer
}

/**
 * The rows that a run wrote, as prepared COPY data under another run and group, so that the reference costs
 * no computation.
 */
export async function copyRun(client: pg.Client, runId: string, as: { runId: string; groupId: string }) {
  const copies: Copied[] = []
  let rowCount = 0
  for (const table of TABLES) {
    const names = await columnsOf(client, table)
    const newIds: Readonly<Record<string, string>> = {
      id: 'gen_random_uuid()',
      calculation_run_id: `'${as.runId}'::uuid`,
      group_id: `'${as.groupId}'::uuid`,
    }
    const select = `select ${names.map((name) => newIds[name] ?? name).join(', ')} from ${table}
      where calculation_run_id = '${runId}'`
    const counted = await client.query<{ count: string }>(`select count(*) from (${select}) as rows`)
    rowCount += Number(counted.rows[0]?.count)
    const data = await collect(client.query(copyTo(`copy (${select}) to stdout (format binary)`)))
    copies.push({ statement: `copy ${table} (${names.join(', ')}) from stdin (format binary)`, data })
  }
  return { copies, rowCount }
}

/** The same rows into the same tables and indexes, in one transaction, by COPY. */
export async function writeBare(
  client: pg.Client,
  { runId, groupId }: { runId: string; groupId: string },
  like: string,
  copies: readonly Copied[],
) {
  await client.query('begin')
  await client.query(
    `insert into calculation_run (tenant_id, id, group_id, billing_period, from_hour, to_hour, scenario, triggered_by,
       started_at, finished_at, input_hash, engine_version, is_current, status)
     select tenant_id, $2, $3, billing_period, from_hour, to_hour, scenario, triggered_by, started_at, finished_at,
       input_hash, engine_version, false, 'superseded' from calculation_run where id = $1`,
    [like, runId, groupId],
  )
  for (const { statement, data } of copies) {
    const sink: Writable = client.query(copyFrom(statement))
    await pipeline([data], sink)
  }
  await client.query('commit')
}

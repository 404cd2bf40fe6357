import pg from 'pg'
import { citusNodes } from './citus.ts'
import { isCrossTenant } from './routing/cross-tenant.ts'
import { SENT_BY_TEST } from './sent-by-test.ts'

/** What Citus logs (`citus.multi_task_query_log_level = 'log'`) before it sends a statement to several shards. */
const MULTI_SHARD = 'multi-task query about to be executed'
/** The service's name of its connections; a tool or a test that connects by itself has none. */
const APPLICATION = 'netsaat'
/** Statements of definitions reach every shard by nature, and so does the copy by which a sealed month is compacted. */
const IS_DEFINITION = /^((alter|create|drop|grant|revoke)\b|insert into "\w+_compacting" )/i
const PORTION_BYTES = 16 * 2 ** 20

interface Entry {
  readonly message?: string
  readonly statement?: string
  readonly application_name?: string
}

/** Whether a line of the log shows a statement of the service on several shards that is not listed. */
export function isUnlisted(
  { message, statement = '', application_name }: Entry,
  application = APPLICATION,
): boolean {
  if (message !== MULTI_SHARD || application_name !== application) return false
  return !statement.includes(SENT_BY_TEST) && !IS_DEFINITION.test(statement) && !isCrossTenant(statement)
}

/** The logs of all nodes from now on (log_destination = 'jsonlog'), read as the superuser. */
export interface CitusLog {
  /**
   * The statements of the service on several shards that are not in cross-tenant.ts, each once. The service connects to
   * the workers too (ADR 0140), so their logs count as that of the coordinator does; what the coordinator sends to a
   * worker has another name of the application.
   */
  unlisted(): Promise<string[]>
}

/** A connection for each use, because tests restart the servers. */
async function onNode<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function sizeOf(client: pg.Client, file: string): Promise<number> {
  const { rows } = await client.query<{ size: string }>('select size from pg_stat_file($1)', [file])
  return Number(rows[0]?.size)
}

async function findLog(client: pg.Client): Promise<{ readonly file: string; readonly begin: number }> {
  const { rows } = await client.query<{ file: string | null; level: string }>(
    `select pg_current_logfile('jsonlog') as file, current_setting('citus.multi_task_query_log_level', true) as level`,
  )
  const [{ file, level } = { file: null, level: '' }] = rows
  if (file === null || level !== 'log')
    throw new Error(
      "every node needs log_destination = 'jsonlog' and citus.multi_task_query_log_level = 'log'",
    )
  return { file, begin: await sizeOf(client, file) }
}

/** The logs with the statements of the service, or of another name of an application. */
export async function openCitusLog(application = APPLICATION): Promise<CitusLog> {
  const logs = await Promise.all(citusNodes.map(async (url) => ({ url, ...(await onNode(url, findLog)) })))
  return {
    async unlisted() {
      const found = await Promise.all(
        logs.map(({ url, file, begin }) =>
          onNode(url, (client) => readUnlisted(client, { file, begin, application })),
        ),
      )
      return [...new Set(found.flat())]
    },
  }
}

interface LogPart {
  readonly file: string
  readonly begin: number
  readonly application: string
}

async function readUnlisted(client: pg.Client, { file, begin, application }: LogPart): Promise<string[]> {
  const end = await sizeOf(client, file)
  const found = new Set<string>()
  let rest = Buffer.alloc(0)
  for (let from = begin; from < end; from += PORTION_BYTES) {
    const { rows: portions } = await client.query<{ bytes: Buffer }>(
      'select pg_read_binary_file($1, $2, $3) as bytes',
      [file, from, Math.min(PORTION_BYTES, end - from)],
    )
    const bytes = Buffer.concat([rest, portions[0]?.bytes ?? Buffer.alloc(0)])
    const last = bytes.lastIndexOf('\n') + 1
    rest = bytes.subarray(last)
    for (const line of bytes.toString('utf8', 0, last).split('\n'))
      if (line.includes(MULTI_SHARD)) {
        const entry = JSON.parse(line) as Entry
        if (isUnlisted(entry, application)) found.add((entry.statement ?? '').replace(/\s+/g, ' ').trim())
      }
  }
  return [...found]
}

/** Fails when a test run sent a statement to several shards that is not listed. */
export async function checkCitusLog(log: CitusLog | undefined): Promise<void> {
  const statements = (await log?.unlisted()) ?? []
  if (statements.length > 0)
    throw new Error(`statements on several shards that are not in cross-tenant.ts:\n${statements.join('\n')}`)
}

/**
 * Runs exports in a separate process, so that its memory can be measured: only reads the rows, or writes them
 * as a file, and reports the duration and the peak memory.
 */
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { ExportRequest } from '../../src/areas/insight/exports/export-request.ts'
import { openFile } from '../../src/areas/insight/exports/file.ts'
import { connect, type Database } from '../../src/platform/db/pool.ts'
import { watchMemory } from './peak.ts'
import { timed } from './types.ts'

export interface ExportJob {
  readonly databaseUrl: string
  readonly tenantId: number
  readonly device: { readonly id: string; readonly key: number; readonly name: string }
  /** undefined: the rows are read and dropped. */
  readonly file: string | undefined
  readonly request: ExportRequest
  readonly columns: readonly string[]
}

export interface ExportDone {
  readonly tookMs: number
  /** Processor time of this process, without the database server. */
  readonly cpuMs: number
  readonly peakBytes: number
  readonly rows: number
  readonly bytes: number
}

const PORTION = 2_000
let database: Database | undefined

/** The minimum for the same cells: the driver's rows, in order, page by page. */
async function readBare(
  { pool }: Database,
  { tenantId, device, request, columns }: ExportJob,
): Promise<number> {
  const text = `select round(date_part('epoch', ts) * 1000), ${columns.join(', ')} from measurement
    where tenant_id = $1 and device_key = $2 and ts >= $3 and ts < $4 order by ts limit ${PORTION}`
  let from = request.start
  for (let rows = 0; ; ) {
    const values = [tenantId, device.key, from, request.end]
    const page = await pool.query({ name: 'bare', text, values, rowMode: 'array' })
    rows += page.rows.length
    if (page.rows.length < PORTION) return rows
    from = new Date(Number(page.rows.at(-1)?.[0]) + 1).toISOString()
  }
}

async function write(database: Database, job: ExportJob, file: string): Promise<number> {
  let rows = 0
  const content = await openFile({
    database,
    tenantId: job.tenantId,
    devices: [job.device],
    request: job.request,
    at: 0,
    onRows: ({ done }) => {
      rows = done
    },
  })
  await pipeline(content, createWriteStream(file))
  return rows
}

async function run(job: ExportJob): Promise<ExportDone> {
  database ??= connect({ url: job.databaseUrl, maxConnections: 2 })
  const open = database
  const memory = watchMemory()
  const before = process.cpuUsage()
  let rows = 0
  const { file } = job
  const tookMs = await timed(async () => {
    rows = file === undefined ? await readBare(open, job) : await write(open, job, file)
  })
  const { user, system } = process.cpuUsage(before)
  const cpuMs = (user + system) / 1000
  return {
    tookMs,
    cpuMs,
    peakBytes: memory.stop(),
    rows,
    bytes: file === undefined ? 0 : (await stat(file)).size,
  }
}

process.on('message', (job: ExportJob) => {
  run(job).then(
    (done) => process.send?.(done),
    (error: Error) => {
      process.stderr.write(`${error.stack}\n`)
      process.exit(1)
    },
  )
})
process.once('disconnect', () => process.exit(0))

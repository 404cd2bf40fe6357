import { openFile } from '../../src/areas/insight/exports/file.ts'
import { compressDay } from '../../src/areas/metering/history/compress-day.ts'
import { decodeChunk, encodeChunk, type SampleColumns } from '../../src/core/sample-chunks/index.ts'
import { METRICS } from '../../src/kernel/metrics.ts'
import { DAY_MS, iso, localDate } from '../../src/kernel/time.ts'
import { copyOut } from '../../src/platform/db/copy-out.ts'
import {
  cpuMs,
  deviceDay,
  ENCODE_LIMIT,
  EXPORT_LIMIT,
  type Reading,
  START,
  speedFigure,
  toColumns,
  totalCpuMs,
} from '../support/device-days.ts'
import { sized } from '../support/effort.ts'
import { type BenchService, createDevices, openService } from '../support/service.ts'
import { type Figure, median, timed } from '../support/types.ts'

/** The figures of compressed history for which the service and its database run. */
const READ_STEP_MS = 10_000
const MEASURED_DAYS = sized(10, 4)
/** The job works for minutes, and its code is compiled within the first device-days. */
const WARM_UP_DAYS = sized(15, 6)
const SERVICE_DAYS = WARM_UP_DAYS + MEASURED_DAYS
const WARM_UP_ROUNDS = sized(5, 2)
const ROUNDS = sized(20, 4)
/** An export of a device-year has three million rows; its code is compiled within the first 200,000. */
const WARM_UP_EXPORTS = 2
const EXPORTS = sized(5, 2)

/** The rows of a chunk as the driver returns rows: an instant in milliseconds, then the values. */
function toRows({ rows, times, metrics }: SampleColumns): (number | null)[][] {
  const columns = [...metrics.values()]
  return Array.from({ length: rows }, (_, row) => [
    Math.round((times[row] ?? 0) / 1000),
    ...columns.map(({ nulls, values }) => (nulls?.[row] === 1 ? null : Number(values[row]))),
  ])
}

async function submit(
  { deps, tenant }: BenchService,
  { id: deviceId }: { id: string },
  readings: readonly Reading[],
) {
  for (let from = 0; from < readings.length; from += 5_000) {
    const samples = readings.slice(from, from + 5_000).map((reading) => ({ deviceId, ...reading }))
    await deps.ingest.submit(tenant.id, samples)
  }
}

/** A device-day of samples every ten seconds, alternately from rows and from its chunk. */
async function measureRead(service: BenchService, device: { id: string; key: number }) {
  const readings = deviceDay(0, 0, READ_STEP_MS)
  await submit(service, device, readings)
  const { pool } = service.deps.database.owner
  const columns = toColumns(readings)
  const names = [...columns.metrics.keys()]
  await pool.query('create table bench_chunk (id integer primary key, content bytea)')
  await pool.query('insert into bench_chunk values ($1, $2)', [1, Buffer.from(encodeChunk(columns))])
  await pool.query('vacuum analyze measurement')
  const rowQuery = {
    name: 'bench_rows',
    text: `select round(date_part('epoch', ts) * 1000), ${names.join(', ')} from measurement
      where tenant_id = $1 and device_key = $2 and ts >= $3 and ts < $4 order by ts`,
    values: [service.tenant.id, device.key, iso(START), iso(START + DAY_MS)],
    rowMode: 'array',
  }
  const chunkQuery = {
    name: 'bench_chunk',
    text: 'select content from bench_chunk where id = $1',
    values: [1],
  }
  const times = { rows: [] as number[], chunk: [] as number[] }
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const counts: number[] = []
    const fromRows = await timed(async () => counts.push((await pool.query(rowQuery)).rows.length))
    const fromChunk = await timed(async () => {
      const { rows } = await pool.query<{ content: Buffer }>(chunkQuery)
      for (const { content } of rows) counts.push(toRows(decodeChunk(content)).length)
    })
    if (counts.some((count) => count !== readings.length)) throw new Error(`read ${counts.join(', ')} rows`)
    if (round < 0) continue
    times.rows.push(fromRows)
    times.chunk.push(fromChunk)
  }
  return { rowsMs: median(times.rows), chunkMs: median(times.chunk) }
}

/** A device with device-days of samples every ten seconds. */
async function submitDays(service: BenchService): Promise<{ id: string; key: number }> {
  const [device] = await createDevices(service, 1)
  if (!device) throw new Error('no device was created')
  for (let day = 0; day < SERVICE_DAYS; day++) await submit(service, device, deviceDay(0, day, READ_STEP_MS))
  return device
}

const dayOf = (index: number): string => localDate(START + index * DAY_MS)

/** The same rows read and deleted by the statements of the job, whose result is received and discarded. */
async function readAndDelete({ deps, tenant }: BenchService, deviceKey: number, index: number) {
  const [from, to] = [iso(START + index * DAY_MS), iso(START + (index + 1) * DAY_MS)]
  const where = `tenant_id = ${tenant.id} and device_key = ${deviceKey} and ts >= '${from}' and ts < '${to}'`
  const client = await deps.database.pool.connect()
  try {
    for (const statement of [
      `select * from measurement where ${where} order by ts`,
      `delete from measurement where ${where} returning *`,
    ]) {
      let rows = 0
      await copyOut(client, `copy (${statement}) to stdout (format binary)`, () => rows++)
      if (rows !== DAY_MS / READ_STEP_MS) throw new Error(`a bare statement had ${rows} rows`)
    }
  } finally {
    client.release()
  }
}

/**
 * Both steps of the job for device-days, on the event loop: a thread costs its start, which is no matter of samples.
 * Against statements that read and delete as many rows, alternately.
 */
async function jobFigures(service: BenchService, device: { key: number }): Promise<Figure[]> {
  const { deps, tenant } = service
  const twin = await submitDays(service)
  await deps.database.owner.pool.query('vacuum analyze measurement')
  const times = { job: [] as number[], cpu: [] as number[], bare: [] as number[] }
  for (let index = 0; index < SERVICE_DAYS; index++) {
    const day = { tenantId: tenant.id, deviceKey: device.key, day: dayOf(index) }
    const started = totalCpuMs()
    const publishMs = await timed(() => compressDay(deps.database, day))
    const published = totalCpuMs()
    await deps.database.pool.query(
      "update measurement_chunk set published_at = published_at - interval '2 hours' where tenant_id = $1",
      [tenant.id],
    )
    const settled = totalCpuMs()
    const clearMs = await timed(() => compressDay(deps.database, day))
    const cpu = totalCpuMs() - settled + published - started
    const bareMs = await timed(() => readAndDelete(service, twin.key, index))
    if (index < WARM_UP_DAYS) continue
    times.cpu.push(cpu)
    times.job.push(publishMs + clearMs)
    times.bare.push(bareMs)
  }
  const samples = DAY_MS / READ_STEP_MS
  const [jobMs, bareMs] = [median(times.job), median(times.bare)]
  return [
    speedFigure('job that reads and compares twice', (samples / median(times.cpu)) * 1000, ENCODE_LIMIT),
    {
      name: 'job for a device-day of 8,640 samples (its statements alone)',
      measured: `${jobMs.toFixed(0)} ms`,
      against: `${bareMs.toFixed(0)} ms`,
      ratio: bareMs / jobMs,
      aim: '>= 0.5',
    },
  ]
}

/** Makes a CSV file of all samples of a device, discards it, and returns its number of rows. */
async function exportRows(
  { deps, tenant }: BenchService,
  device: { readonly id: string; readonly key: number },
  to: number,
): Promise<number> {
  let rows = 0
  const content = await openFile({
    database: deps.database,
    tenantId: tenant.id,
    devices: [{ ...device, name: 'Ana sayaç' }],
    request: {
      device_ids: [device.id],
      start: iso(START),
      end: iso(to),
      interval: 'raw',
      metrics: METRICS.slice(0, 12),
      format: 'csv',
      locale: 'tr',
      delimiter: null,
      headers: 'names',
      file_name: 'out',
    },
    at: to,
    onRows: ({ done }) => {
      rows = done
    },
  })
  for await (const _ of content);
  return rows
}

/** What the job does with device-days, and an export of them from chunks. */
export async function serviceFigures(): Promise<Figure[]> {
  const now = START + (SERVICE_DAYS + 40) * DAY_MS
  const service = await openService(now)
  try {
    const device = await submitDays(service)
    const samples = (SERVICE_DAYS * DAY_MS) / READ_STEP_MS
    const job = await jobFigures(service, device)
    for (let round = 0; round < WARM_UP_EXPORTS; round++) await exportRows(service, device, now)
    const times: number[] = []
    for (let round = 0; round < EXPORTS; round++) {
      const before = cpuMs()
      const rows = await exportRows(service, device, now)
      times.push(cpuMs() - before)
      if (rows !== samples) throw new Error(`exported ${rows} of ${samples} samples`)
    }
    const exported = (samples / median(times)) * 1000
    return [...job, speedFigure('export from chunks as CSV, 12 values', exported, EXPORT_LIMIT)]
  } finally {
    await service.stop()
  }
}

export async function readFigure(): Promise<Figure> {
  const service = await openService(START + 2 * DAY_MS)
  try {
    const [device] = await createDevices(service, 1)
    if (!device) throw new Error('no device was created')
    const { rowsMs, chunkMs } = await measureRead(service, device)
    return {
      name: 'a device-day of 8,640 samples of 12 values, from its chunk (from rows)',
      measured: `${chunkMs.toFixed(1)} ms`,
      against: `${rowsMs.toFixed(1)} ms`,
      ratio: chunkMs / rowsMs,
      aim: '<= 1',
    }
  } finally {
    await service.stop()
  }
}

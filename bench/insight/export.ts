import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { addMonths, iso, periodOf } from '../../src/kernel/time.ts'
import { ensurePartitions } from '../../src/platform/db/partitions.ts'
import { sized } from '../support/effort.ts'
import type { ExportDone, ExportJob } from '../support/exports.ts'
import { type BenchService, createDevices, openService } from '../support/service.ts'
import { type Bench, type Figure, median } from '../support/types.ts'

const ROWS = sized(1_000_000, 100_000)
const STEP_MS = 15_000
const START = Date.UTC(2026, 0, 1)
const END = START + ROWS * STEP_MS
const ROUNDS = sized(3, 1)
const MONTHS = 7
/** Nine columns beside device and time, as an energy analyzer fills them. */
const METRICS = [
  'import_active_energy',
  'export_active_energy',
  'inductive_reactive_energy',
  'capacitive_reactive_energy',
  'voltage_l1',
  'voltage_l2',
  'voltage_l3',
  'active_power',
  'power_factor',
]

/** Inserts the samples directly, because another benchmark measures the intake. */
async function load({ deps, tenant }: BenchService, deviceKey: number): Promise<void> {
  const months = Array.from({ length: MONTHS }, (_, month) => addMonths(periodOf(START), month))
  await ensurePartitions(deps.database, 'measurement', months)
  await deps.database.pool.query(
    `insert into measurement (tenant_id, device_key, ts, ${METRICS.join(', ')})
     select $1, $2, to_timestamp($3::float8 / 1000 + n * $4::float8 / 1000),
       10000000000 + n * 217000, 200000000 + n * 11000, 1000000000 + n * 43000, 300000000 + n * 7000,
       round((230 + sin(n / 40.0))::numeric, 1), round((231 + sin(n / 40.0))::numeric, 1),
       round((229 + sin(n / 40.0))::numeric, 1), round((12 + 8 * sin(n / 40.0))::numeric, 3),
       round((0.95 + sin(n / 40.0) / 40)::numeric, 3)
     from generate_series(0::bigint, $5::bigint - 1) n`,
    [tenant.id, deviceKey, START, STEP_MS, ROWS],
  )
  await deps.database.owner.pool.query('vacuum analyze measurement')
}

function openWorker() {
  const path = fileURLToPath(new URL('../support/exports.ts', import.meta.url))
  const child = fork(path, { execArgv: ['--import', 'tsx'] })
  return {
    run: (job: ExportJob) =>
      new Promise<ExportDone>((resolve, reject) => {
        child.once('message', resolve)
        child.once('exit', () => reject(new Error('the export process ended')))
        child.send(job)
      }),
    close: () => child.disconnect(),
  }
}

/** Each variant in a separate process, alternating, so that other load on the machine affects all alike. */
async function measure(job: Omit<ExportJob, 'file'>, folder: string) {
  const ways = ['bare', 'csv', 'xlsx'] as const
  const workers = new Map(ways.map((way) => [way, openWorker()]))
  const done = new Map<string, ExportDone[]>()
  for (let round = 0; round < ROUNDS; round++) {
    for (const way of ways) {
      const format = way === 'bare' ? 'csv' : way
      const file = way === 'bare' ? undefined : join(folder, `out.${way}`)
      const result = await workers.get(way)?.run({ ...job, file, request: { ...job.request, format } })
      if (result?.rows !== ROWS) throw new Error(`${way}: ${result?.rows} rows`)
      done.set(way, [...(done.get(way) ?? []), result])
    }
  }
  for (const worker of workers.values()) worker.close()
  return (way: (typeof ways)[number]) => {
    const rounds = done.get(way) ?? []
    return {
      rate: ROWS / (median(rounds.map(({ tookMs }) => tookMs)) / 1000),
      /** Microseconds of processor time of a row. */
      cpuUs: (median(rounds.map(({ cpuMs }) => cpuMs)) * 1000) / ROWS,
      peakMb: Math.max(...rounds.map(({ peakBytes }) => peakBytes)) / 1e6,
      fileMb: (rounds[0]?.bytes ?? 0) / 1e6,
    }
  }
}

const speedOf = (rate: number, cpuUs: number): string =>
  `${Math.round(rate / 1000)},000 rows/s, ${cpuUs.toFixed(1)} µs of processor time each`

/** All samples as CSV and XLSX, against a bare read of the same rows by the same driver. */
export const exportBench: Bench = {
  name: 'export',
  async run() {
    const service = await openService(END)
    const folder = await mkdtemp(join(tmpdir(), 'netsaat-bench-export-'))
    try {
      const [device] = await createDevices(service, 1)
      if (!device) throw new Error('no device was created')
      await load(service, device.key)
      const of = await measure(
        {
          databaseUrl: service.databaseUrl,
          tenantId: service.tenant.id,
          device: { ...device, name: 'Ana sayaç' },
          columns: METRICS,
          request: {
            device_ids: [device.id],
            start: iso(START),
            end: iso(END),
            interval: 'raw',
            metrics: METRICS,
            format: 'csv',
            locale: 'tr',
            delimiter: null,
            headers: 'names',
            file_name: 'out',
          },
        },
        folder,
      )
      const bare = of('bare')
      const figure = (way: 'csv' | 'xlsx', aim: string): Figure => {
        const { rate, cpuUs, peakMb, fileMb } = of(way)
        return {
          name: `export of ${ROWS.toLocaleString('en')} rows as ${way} (bare read of the rows)`,
          measured: `${speedOf(rate, cpuUs)}, ${Math.round(fileMb)} MB, peak memory ${Math.round(peakMb)} MB`,
          against: `${speedOf(bare.rate, bare.cpuUs)} bare read, peak ${Math.round(bare.peakMb)} MB`,
          ratio: rate / bare.rate,
          aim,
        }
      }
      return [figure('csv', '>= 0.6'), figure('xlsx', '>= 0.35')]
    } finally {
      await rm(folder, { recursive: true, force: true })
      await service.stop()
    }
  },
}

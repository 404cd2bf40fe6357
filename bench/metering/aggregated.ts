import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { groupedStatement } from '../../src/areas/metering/aggregates/bucket-store.ts'
import type { Sample } from '../../src/areas/metering/intake-contract/index.ts'
import { rollUpDevice } from '../../src/areas/metering/rollup/index.ts'
import type { Interval } from '../../src/areas/metering/rollup/intervals.ts'
import { DAY_MS, HOUR_MS, iso } from '../../src/kernel/time.ts'
import { sized } from '../support/effort.ts'
import type { ReadReport } from '../support/reader.ts'
import { makeSample } from '../support/samples.ts'
import { type BenchService, createDevices, openService } from '../support/service.ts'
import { type Bench, type Figure, median, timed } from '../support/types.ts'

const NOW = Math.floor(Date.now() / HOUR_MS) * HOUR_MS + 30 * 60_000
const DAYS = 365
const STEP_MS = 15 * 60_000
const START = NOW - 30 * 60_000 - DAYS * DAY_MS
const WARM_UP_ROUNDS = sized(40, 3)
const ROUNDS = sized(100, 5)

interface Target {
  readonly id: string
  readonly key: number
}

/** A year of samples every quarter of an hour up to now, of which all complete hours are rolled up. */
async function loadYear({ deps, tenant }: BenchService, device: Target): Promise<void> {
  const steps = Math.floor((NOW - START) / STEP_MS)
  const samples: Sample[] = Array.from({ length: steps + 1 }, (_, step) => ({
    deviceId: device.id,
    ...makeSample({ startAt: START, stepMs: STEP_MS }, 0, step),
  }))
  for (let from = 0; from < samples.length; from += 10_000) {
    await deps.ingest.submit(tenant.id, samples.slice(from, from + 10_000))
  }
  await rollUpDevice(deps, { tenantId: tenant.id, deviceKey: device.key })
  await deps.database.owner.pool.query('vacuum analyze measurement, measurement_hour')
}

/** The hours as rows, which the service reads as a binary copy. */
const HOURS = {
  name: 'bench_hours',
  text: `select date_part('epoch', hour), import_wh::float8, (estimated_bits & 1) = 0,
      (case when inductive_varh is null and capacitive_varh is null then null
        else coalesce(inductive_varh, 0) + coalesce(capacitive_varh, 0) end)::float8,
      voltage_avg, current_avg, active_power_avg, power_factor_avg, samples,
      (import_wh is not null and ((estimated_bits | partial_bits) & 1) = 0)::int, (suspect_bits & 1) <> 0
    from measurement_hour where tenant_id = $1 and device_key = $2 and hour >= $3 and hour < $4 order by hour`,
}

const RANGE = { start: iso(START), end: iso(NOW) }

/**
 * The client runs in a separate process, as in production: reading two megabytes costs it as much as the
 * service.
 */
async function openClient(service: BenchService) {
  const path = fileURLToPath(new URL('../support/reader.ts', import.meta.url))
  const child = fork(path, { execArgv: ['--import', 'tsx'] })
  const next = () => new Promise<ReadReport>((resolve) => child.once('message', resolve))
  return {
    read(path: string): Promise<ReadReport> {
      const report = next()
      child.send({ url: service.url + path, token: service.tenant.viewer.token })
      return report
    },
    close: () => child.kill(),
  }
}
type Client = Awaited<ReturnType<typeof openClient>>

interface Subject {
  readonly service: BenchService
  readonly client: Client
  readonly device: Target
}

async function measure({ service, client, device }: Subject, interval: Interval): Promise<[number, number]> {
  const { deps, tenant } = service
  const statement = interval === 'hourly' ? HOURS : groupedStatement('consumption', interval)
  const values = [tenant.id, device.key, RANGE.start, RANGE.end]
  const path = `/api/measurements/devices/${device.id}/aggregated?${new URLSearchParams({ ...RANGE, interval })}`
  const bare: number[] = []
  const whole: number[] = []
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    let rows = 0
    const bareMs = await timed(async () => {
      rows = (await deps.database.pool.query({ ...statement, values })).rows.length
    })
    const { tookMs, bytes } = await client.read(path)
    if (round >= 0) {
      bare.push(bareMs)
      whole.push(tookMs)
    }
    if (rows === 0 || bytes < rows * 100) throw new Error(`${rows} rows, but ${bytes} bytes of response`)
  }
  return [median(whole), median(bare)]
}

async function figure(subject: Subject, interval: Interval): Promise<Figure> {
  const [whole, bare] = await measure(subject, interval)
  return {
    name: `aggregated consumption of a device-year, ${interval} (bare SQL)`,
    measured: `${whole.toFixed(1)} ms`,
    against: `${bare.toFixed(1)} ms bare SQL`,
    ratio: whole / bare,
    aim: interval === 'hourly' ? '<= 1.5' : '<= 4',
  }
}

/** One device-year over HTTP against its bare SQL, with the same driver and decoded rows. */
export const aggregatedBench: Bench = {
  name: 'aggregated',
  async run() {
    const service = await openService(NOW)
    try {
      const [device] = await createDevices(service, 1)
      if (!device) throw new Error('no device was created')
      await loadYear(service, device)
      const client = await openClient(service)
      const subject = { service, client, device }
      const figures = [await figure(subject, 'hourly'), await figure(subject, 'monthly')]
      client.close()
      return figures
    } finally {
      await service.stop()
    }
  },
}

import { type LiveEvaluation, startLiveEvaluation } from '../../src/areas/alarms/evaluation/index.ts'
import type { Sample } from '../../src/areas/metering/intake-contract/index.ts'
import { watchDevices } from '../../src/areas/metering/sample-watch/index.ts'
import { HOUR_MS } from '../../src/kernel/time.ts'
import { inTenantTx } from '../../src/platform/db/tenant.ts'
import { sized } from '../support/effort.ts'
import { makeSample } from '../support/samples.ts'
import { type BenchService, createDevices, openService } from '../support/service.ts'
import { type Bench, type Figure, median, timed } from '../support/types.ts'

const DEVICES = sized(10_000, 4_000)
const SHOWN = DEVICES.toLocaleString('en')
const REQUEST = 2_500
const STEP_MS = 10_000
/** Rounds of each variant, alternating. */
const ROUNDS = sized(6, 1)
const STORMS = sized(3, 1)
export const STORM_HOUR = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS

/** A policy for each device, as if created long ago. */
export async function createPolicies({ deps, tenant }: BenchService): Promise<void> {
  await deps.database.pool.query(
    `insert into alarm_policy (tenant_id, name, alarm_type, device_id, metric, operator, threshold, clear_threshold,
       severity, watched_from)
     select tenant_id, 'power of ' || name, 'threshold', id, 'active_power', 'gt', 1000, 900, 'warning', $2
     from device where tenant_id = $1`,
    [tenant.id, new Date(STORM_HOUR - HOUR_MS)],
  )
}

export async function watch({ deps, tenant }: BenchService, keys: readonly number[]): Promise<void> {
  const watched = { everything: false, deviceKeys: keys }
  await inTenantTx(deps.database.kysely, tenant.id, (tx) => watchDevices(tx, watched))
}

let step = 0

/** One sample of every device, in a few concurrent requests, as a fleet sends them. */
async function sendAll(
  { deps, tenant }: BenchService,
  ids: readonly string[],
  power?: number,
): Promise<void> {
  step += 1
  const samples = ids.map((deviceId, device): Sample => {
    const { at, values } = makeSample({ startAt: STORM_HOUR, stepMs: STEP_MS }, device, step)
    return { deviceId, at, values: power === undefined ? values : { ...values, active_power: power } }
  })
  const requests: Promise<unknown>[] = []
  for (let from = 0; from < samples.length; from += REQUEST)
    requests.push(deps.ingest.submit(tenant.id, samples.slice(from, from + REQUEST)))
  await Promise.all(requests)
}

const rate = (ms: number): string => `${Math.round(DEVICES / ms)} k samples/s`

/**
 * Acknowledged samples with a policy for each device against none; the evaluation of one round runs during
 * the next.
 */
async function ingestRate(
  service: BenchService,
  order: { ids: string[]; keys: number[]; evaluator: LiveEvaluation },
) {
  const { ids, keys, evaluator } = order
  const took = { off: [] as number[], on: [] as number[], evaluated: [] as number[] }
  for (let round = 0; round < ROUNDS + 1; round++) {
    // The order alternates, because the second variant of a round runs beside the remaining work of the
    // first.
    for (const way of round % 2 === 0 ? (['off', 'on'] as const) : (['on', 'off'] as const)) {
      await watch(service, way === 'on' ? keys : [])
      const stored = await timed(() => sendAll(service, ids))
      const evaluated = await timed(() => evaluator.settle())
      if (round === 0) continue
      took[way].push(stored)
      if (way === 'on') took.evaluated.push(stored + evaluated)
    }
  }
  return took
}

/** All devices exceed their threshold at once, from submission to the last incident, and return below it. */
async function storm(service: BenchService, ids: readonly string[], evaluator: LiveEvaluation) {
  const { pool } = service.deps.database
  const took: number[] = []
  const stored: number[] = []
  for (let round = 0; round < STORMS; round++) {
    const started = performance.now()
    stored.push(await timed(() => sendAll(service, ids, 2_000)))
    await evaluator.settle()
    took.push(performance.now() - started)
    const { rows } = await pool.query(`select count(*)::int as n from alarm_incident where status = 'active'`)
    if (rows[0].n !== DEVICES) throw new Error(`${rows[0].n} incidents instead of ${DEVICES}`)
    await sendAll(service, ids)
    await evaluator.settle()
  }
  return { took: median(took), stored: median(stored) }
}

/** The cost of alarms for the intake, and the rate at which a storm of incidents is written. */
export const alarmsBench: Bench = {
  name: 'alarms',
  async run(): Promise<readonly Figure[]> {
    const service = await openService(STORM_HOUR + HOUR_MS)
    const evaluator = startLiveEvaluation(service.deps)
    try {
      const devices = await createDevices(service, DEVICES)
      const ids = devices.map(({ id }) => id)
      const keys = devices.map(({ key }) => key)
      await createPolicies(service)
      const took = await ingestRate(service, { ids, keys, evaluator })
      await watch(service, keys)
      const { took: stormMs, stored } = await storm(service, ids, evaluator)
      return [
        {
          name: `intake with an alarm policy for each of ${SHOWN} devices, to commit (no policies)`,
          measured: rate(median(took.on)),
          against: rate(median(took.off)),
          ratio: median(took.off) / median(took.on),
          aim: '',
        },
        {
          name: `intake with an alarm policy for each of ${SHOWN} devices, to the evaluation (no policies)`,
          measured: rate(median(took.evaluated)),
          against: rate(median(took.off)),
          ratio: median(took.off) / median(took.evaluated),
          aim: '',
        },
        {
          name: `alarm storm: ${SHOWN} devices exceed their threshold at once, until the last incident is written`,
          measured: `${(stormMs / 1000).toFixed(2)} s, ${Math.round((DEVICES / stormMs) * 1000)} incidents/s`,
          against: `samples committed after ${(stored / 1000).toFixed(2)} s`,
          ratio: undefined,
          aim: '',
        },
      ]
    } finally {
      await evaluator.stop()
      await service.stop()
    }
  },
}

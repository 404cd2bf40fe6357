/**
 * Runs the engine of a large group in a separate process, as a calculation does but without a database: facts are sent
 * to the thread of the engine in pieces, and its rows are received and dropped.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type FactPiece, withEngine } from '../../src/areas/netting/calculation/engine.ts'
import type { FactText } from '../../src/areas/netting/calculation/fact-text.ts'
import { FACILITIES_PER_READ } from '../../src/areas/netting/calculation/limits.ts'
import type { WindowInput } from '../../src/areas/netting/calculation/window-input.ts'
import type { MemberInput, PricePurpose, PriceRowInput } from '../../src/core/netting/types.ts'
import { parseKwh, parsePrice } from '../../src/kernel/decimal.ts'
import { HOUR_MS, periodRange } from '../../src/kernel/time.ts'
import { fieldsOf } from '../../test/support/netting/fact-fields.ts'
import { timed } from './types.ts'

export interface GroupTask {
  readonly facilities: number
  /** From the start of the period. */
  readonly hours: number
}

export interface GroupDone {
  readonly tookMs: number
  /** Processor time of the process with its threads, ms. */
  readonly cpuMs: number
  readonly peakBytes: number
  /** The longest time for which the event loop did not run, ms. */
  readonly blockedMs: number
  readonly rowBytes: number
}

const BILLING_PERIOD = '2026-05-01'
const { from: START } = periodRange(BILLING_PERIOD)
const id = (kind: string, index: number) =>
  `${kind.repeat(8)}-0000-4000-8000-${String(index).padStart(12, '0')}`
const GROUP = id('e', 0)
/** Of ten facilities, how many have a plant only. */
const PLANTS_OF_TEN = 4
const isPlant = (index: number) => index % 10 < PLANTS_OF_TEN
const roleOf = (index: number) => (isPlant(index) ? 'main_production' : 'main_consumption')
/** Facility ids in the order of their index, so that the engine sorts as a database does. */
const facilityId = (index: number) => id('a', index)

const memberOf = (index: number): MemberInput => ({
  facilityId: facilityId(index),
  facilityName: `facility ${index}`,
  role: isPlant(index) ? 'production' : 'consumption',
  validFrom: '2020-01-01',
  validTo: null,
  aboneGrubu: 'sanayi',
  tariffSupplyType: 'regulated',
  isMultiTime: false,
  voltageLevel: null,
  producerTariffGroup: null,
  sourceType: 'solar',
  gridOperatorId: null,
  hasStorage: false,
})

const priceOf = (purpose: PricePurpose, price: string, index: number): PriceRowInput => ({
  id: id('c', index),
  setId: id('d', 0),
  billingPeriod: BILLING_PERIOD,
  setStatus: 'approved',
  approvedAt: 0,
  validFrom: BILLING_PERIOD,
  validTo: null,
  aboneGrubu: 'sanayi',
  purpose,
  timeSegment: 'tek',
  stepNo: null,
  tariffClass: null,
  tariffCode: null,
  voltageLevel: null,
  priceTryPerKwh: parsePrice(price),
})

function inputOf({ facilities, hours }: GroupTask): WindowInput {
  const indexes = Array.from({ length: facilities }, (_, index) => index)
  return {
    groupId: GROUP,
    groupName: 'large group',
    billingPeriod: BILLING_PERIOD,
    window: { from: START, to: START + hours * HOUR_MS },
    eligibilityStatus: 'valid',
    strictStorageExport: true,
    members: indexes.map(memberOf),
    assignments: indexes.map((index) => ({
      facilityId: facilityId(index),
      role: roleOf(index),
      from: 0,
      to: null,
    })),
    accounts: indexes.flatMap((index) =>
      isPlant(index)
        ? []
        : [
            {
              accountId: id('b', index),
              facilityId: facilityId(index),
              year: 2026,
              openingBalanceKwh: parseKwh('6000000.000'),
            },
          ],
    ),
    prices: [
      priceOf('mahsuplasma_related_tariff', '2.985253', 1),
      priceOf('mahsuplasma_lowest_related_tariff', '2.909687', 2),
      priceOf('customer_bill_active_energy', '2.985253', 3),
    ],
  }
}

/** Wh of an hour: the sun of a plant, the load of a consumer, different for every facility and day. */
function energyOf(index: number, hour: number): number {
  if (!isPlant(index)) return 60_000 + (((hour % 24) * 13_127 + index * 29_311 + hour * 71) % 90_000)
  const sun = Math.sin(((hour % 24) - 6) * (Math.PI / 12))
  return Math.max(0, Math.round(400_000 * sun * (1 + ((hour * 7 + index) % 11) / 20)))
}

function textOf(index: number, hours: readonly number[]): FactText {
  const energy = hours.map((hour) => energyOf(index, hour)).join()
  return {
    facility_id: facilityId(index),
    source: 'zeus_meter',
    measurement_role: roleOf(index),
    hours: hours.join(),
    qualities: null,
    completeness: null,
    role_sets: null,
    production: isPlant(index) ? energy : null,
    consumption: isPlant(index) ? null : energy,
    self_consumption: null,
    import: null,
    export: null,
    battery: null,
  }
}

async function* factsOf({ facilities, hours }: GroupTask): AsyncGenerator<FactPiece> {
  const indexes = Array.from({ length: hours }, (_, hour) => hour)
  for (let start = 0; start < facilities; start += FACILITIES_PER_READ) {
    const count = Math.min(FACILITIES_PER_READ, facilities - start)
    const texts: FactText[] = []
    for (let offset = 0; offset < count; offset += 1) {
      texts.push(textOf(start + offset, indexes))
      // A database answers in pieces.
      await new Promise(setImmediate)
    }
    yield { span: 'window', fields: fieldsOf(texts) }
  }
}

const SAMPLE_MS = 10

async function compute(task: GroupTask): Promise<GroupDone> {
  let peakBytes = process.memoryUsage.rss()
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
  }, SAMPLE_MS)
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const before = process.cpuUsage()
  let rowBytes = 0
  const owner = { tenantId: 1, runId: id('f', 0), groupId: GROUP, at: START }
  const tookMs = await timed(() =>
    withEngine(task.facilities * task.hours, async (engine) => {
      await engine.load(inputOf(task), () => factsOf(task))
      for await (const { bytes } of engine.rows(owner)) rowBytes += bytes.length
    }),
  )
  const { user, system } = process.cpuUsage(before)
  delay.disable()
  clearInterval(timer)
  return { tookMs, cpuMs: (user + system) / 1000, peakBytes, blockedMs: delay.max / 1e6, rowBytes }
}

process.on('message', (task: GroupTask) => {
  compute(task).then(
    (done) => process.send?.(done),
    (error: Error) => {
      process.stderr.write(`${error.stack}\n`)
      process.exit(1)
    },
  )
})
process.once('disconnect', () => process.exit(0))

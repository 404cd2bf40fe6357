import pg from 'pg'
import { DATA_PATHS, hasData, WIDGET_TYPES, type WidgetType } from '../../src/areas/insight/widgets/types.ts'
import type { Sample } from '../../src/areas/metering/intake-contract/index.ts'
import { rollUpDevice } from '../../src/areas/metering/rollup/index.ts'
import { DAY_MS, HOUR_MS } from '../../src/kernel/time.ts'
import { toJson } from '../../src/platform/db/json-columns.ts'
import { makeSubregion } from '../../test/support/netting/netting.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../test/support/netting/prices.ts'
import { sized } from '../support/effort.ts'
import { makeSample } from '../support/samples.ts'
import { type BenchService, createDevices, openService } from '../support/service.ts'
import { type Bench, type Figure, median, timed } from '../support/types.ts'

const NOW = Math.floor(Date.now() / HOUR_MS) * HOUR_MS + 30 * 60_000
const DEVICES = 10
const DAYS = 40
const STEP_MS = 15 * 60_000
const START = NOW - 30 * 60_000 - DAYS * DAY_MS
const WIDGETS = 30
const WARM_UP_ROUNDS = sized(10, 1)
const ROUNDS = sized(40, 3)

type Devices = Awaited<ReturnType<typeof createDevices>>

/** A quarter-hour profile of every device up to now, of which all complete hours are rolled up. */
async function loadDevices({ deps, tenant }: BenchService, devices: Devices): Promise<void> {
  const steps = Math.floor((NOW - START) / STEP_MS)
  for (const [index, device] of devices.entries()) {
    const samples: Sample[] = Array.from({ length: steps + 1 }, (_, step) => ({
      deviceId: device.id,
      ...makeSample({ startAt: START, stepMs: STEP_MS }, index, step),
    }))
    await deps.ingest.submit(tenant.id, samples)
    await rollUpDevice(deps, { tenantId: tenant.id, deviceKey: device.key })
  }
  await makePriceSet(deps, '2020-01-01', INDUSTRIAL_PRICES)
  await deps.database.owner.pool.query('vacuum analyze measurement, measurement_hour')
  await deps.database.owner.pool.query('analyze')
}

interface Screen {
  readonly whole: string
  readonly singles: readonly string[]
}

const PERIODS = ['7d', '24h', '30d'] as const

/** A dashboard of all types, with one or three devices per widget and several periods. */
async function makeScreen(service: BenchService, devices: Devices): Promise<Screen> {
  const { deps, tenant } = service
  const subregionId = await makeSubregion(deps, tenant)
  const types = WIDGET_TYPES.filter((type: WidgetType) => hasData(type))
  const singles: string[] = []
  for (let index = 0; index < WIDGETS; index++) {
    const widget_type = types[index % types.length] ?? 'alarm_summary'
    const named = devices.slice(index % DEVICES, (index % DEVICES) + 3).map(({ id }) => id)
    const config = widget_type.startsWith('realtime')
      ? { device_id: named[0] }
      : { device_ids: named, period: PERIODS[index % PERIODS.length], abone_grubu: 'sanayi' }
    const { id } = await deps.database.kysely
      .insertInto('widget')
      .values({
        tenant_id: tenant.id,
        subregion_id: subregionId,
        widget_type,
        title: 'A',
        config: toJson(config),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (hasData(widget_type)) singles.push(`/api/widgets/${id}/data/${DATA_PATHS[widget_type]}`)
  }
  return { whole: `/api/subregions/${subregionId}/widgets/data`, singles }
}

/** The number of statements that a piece of work sends, including the read of the caller's permissions. */
async function countStatements(work: () => Promise<unknown>): Promise<number> {
  let statements = 0
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    statements += 1
    return Reflect.apply(query, this, args)
  } as typeof query
  try {
    await work()
  } finally {
    pg.Client.prototype.query = query
  }
  return statements
}

async function measure(service: BenchService): Promise<Figure[]> {
  const devices = await createDevices(service, DEVICES)
  await loadDevices(service, devices)
  const { whole, singles } = await makeScreen(service, devices)
  const read = async (path: string): Promise<void> => {
    const response = await fetch(service.url + path, {
      headers: { authorization: `Bearer ${service.tenant.viewer.token}` },
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    await response.arrayBuffer()
  }
  const readEach = async (): Promise<void> => {
    for (const path of singles) await read(path)
  }
  const together: number[] = []
  const apart: number[] = []
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const [one, each] = [await timed(() => read(whole)), await timed(readEach)]
    if (round < 0) continue
    together.push(one)
    apart.push(each)
  }
  const [few, many] = [await countStatements(() => read(whole)), await countStatements(readEach)]
  return [
    {
      name: `dashboard of ${WIDGETS} widgets in one call (sum of its single calls)`,
      measured: `${median(together).toFixed(1)} ms`,
      against: `${median(apart).toFixed(1)} ms`,
      ratio: median(together.map((ms, round) => ms / (apart[round] ?? Number.NaN))),
      aim: '<= 0.2',
    },
    {
      name: `dashboard of ${WIDGETS} widgets in one call, number of statements (sum of its single calls)`,
      measured: String(few),
      against: String(many),
      ratio: few / many,
      aim: '<= 0.2',
    },
  ]
}

/** One dashboard, warm, over HTTP, in the process of the service. */
export const widgetsBench: Bench = {
  name: 'widgets',
  async run() {
    const service = await openService(NOW)
    try {
      return await measure(service)
    } finally {
      await service.stop()
    }
  },
}

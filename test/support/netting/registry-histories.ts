import fc from 'fast-check'
import { buildFacts, calculateRange } from '../../../src/areas/netting/index.ts'
import { HOUR_MS, iso, periodStart, type Range } from '../../../src/kernel/time.ts'
import type { TestApi } from '../api.ts'
import type { TestTenant } from '../tenants.ts'
import { correct } from './corrections.ts'
import { addSamples } from './energy.ts'
import { makeFacility, makeGroup, makeMeter, type TestFacility, type TestMeter } from './netting.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from './prices.ts'

/** All periods are over. The first one has no prices until a step approves them. */
export const REGISTRY_NOW = '2026-03-02T09:30:00Z'
export const REGISTRY_PERIODS = ['2025-12-01', '2026-01-01', '2026-02-01'] as const
const MEASURED_DAYS = 3

/**
 * Two groups of a producer and a consumer, whose facts derive from readings of their meters, and two spare meters.
 * Readings are added by `addFirstReadings`.
 */
export async function makeRegistrySite(api: TestApi, tenant: TestTenant) {
  const meters: (TestMeter & { readonly number: number })[] = []
  const groups = []
  for (const name of ['first', 'second']) {
    const producer = await makeFacility(api.deps, tenant, {
      meters: ['main_production'],
      reportingIntervalS: 3600,
    })
    const consumer = await makeConsumerAfter(api, tenant, producer)
    const group = await makeGroup(api.deps, tenant, {
      name: `${name} ${tenant.id}`,
      members: [
        { role: 'production', facility: producer },
        { role: 'consumption', facility: consumer },
      ],
    })
    groups.push(group)
    for (const meter of [producer.meters.main_production, consumer.meters.main_consumption]) {
      if (meter) meters.push({ ...meter, number: meters.length })
    }
  }
  const spare = await makeFacility(api.deps, tenant)
  for (const role of ['main_production', 'main_consumption'] as const) {
    const spec = { facilityId: spare.id, subregionId: spare.subregionId, role, reportingIntervalS: 3600 }
    meters.push({ ...(await makeMeter(api.deps, tenant, spec)), number: meters.length })
  }
  const facilities = groups.flatMap((group) => group.facilities) as TestFacility[]
  const suppliers = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const body = { org_type: 'supplier', name: `${name} ${tenant.id}` }
      return (await asAdmin(api, tenant)('POST', '/organizations', body)).body.id as string
    }),
  )
  for (const { id } of groups) {
    await asAdmin(api, tenant)('PATCH', `/groups/${id}`, { responsible_supplier_id: suppliers[0] })
  }
  return { groupIds: groups.map(({ id }) => id), facilities, meters, suppliers }
}
export type RegistrySite = Awaited<ReturnType<typeof makeRegistrySite>>

/** Shares are rounded in the order of ids, so that this order has to be the same at both sites. */
async function makeConsumerAfter(
  api: TestApi,
  tenant: TestTenant,
  producer: TestFacility,
): Promise<TestFacility> {
  const limits = { 2025: '300.000', 2026: '400.000' }
  const spec = { meters: ['main_consumption'], reportingIntervalS: 3600, limits } as const
  const facility = await makeFacility(api.deps, tenant, spec)
  return facility.id > producer.id ? facility : makeConsumerAfter(api, tenant, producer)
}

/** Adds the readings that are there from the beginning, and the late ones of steps; derives all facts. */
export async function addFirstReadings(
  api: TestApi,
  tenant: TestTenant,
  { site, late = [] }: { site: RegistrySite; late?: readonly LateReadings[] },
): Promise<void> {
  for (const meter of site.meters) {
    const first = indexes().filter((index) => !isLate(meter.number, index))
    const more = late.filter(({ number }) => number === meter.number).flatMap((each) => each.indexes)
    await addReadings(api, tenant, { meter, indexes: [...first, ...more] })
  }
  const facilityIds = site.facilities.map(({ id }) => id)
  await buildFacts(api.deps, tenant.id, { facilityIds, range: WHOLE })
}

export interface LateReadings {
  /** Of the meter. */
  readonly number: number
  readonly indexes: readonly number[]
}

const WHOLE: Range = { from: periodStart(REGISTRY_PERIODS[0]), to: periodStart('2026-03-01') }

/** The hours with readings: the first days of each month. */
const indexes = (): number[] =>
  REGISTRY_PERIODS.flatMap((period) => {
    const first = (periodStart(period) - WHOLE.from) / HOUR_MS
    return Array.from({ length: MEASURED_DAYS * 24 + 1 }, (_, hour) => first + hour)
  })
/** Readings that arrive with a later step, or never. */
const isLate = (meter: number, index: number): boolean => (index * 7 + meter * 3) % 5 === 0

async function addReadings(
  api: TestApi,
  tenant: TestTenant,
  { meter, indexes: hours }: { meter: RegistrySite['meters'][number]; indexes: readonly number[] },
): Promise<void> {
  const samples = hours.map((index) => {
    const value = 1000 + index * (4 + meter.number) + ((index * 37 + meter.number * 11) % 4)
    const at = WHOLE.from + index * HOUR_MS
    return {
      at,
      production_active_energy: value,
      import_active_energy: value,
      export_active_energy: value / 2,
    }
  })
  await addSamples(api.deps, tenant, meter, samples)
}

const asAdmin = (api: TestApi, tenant: TestTenant) => (method: string, path: string, body: object) =>
  api.call(method, `/api/mahsuplasma${path}`, { token: tenant.admin.token, body })

const party = fc.nat(3)
const period = fc.constantFrom(...REGISTRY_PERIODS)
const moment = fc.record({ period, hour: fc.nat(MEASURED_DAYS * 24) })
const step = fc.oneof(
  fc.record({ kind: fc.constant('reassign' as const), facility: party, moment, meter: fc.nat(5) }),
  fc.record({ kind: fc.constant('end' as const), facility: party, moment }),
  fc.record({
    kind: fc.constant('meter role' as const),
    facility: party,
    role: fc.constantFrom('main_consumption', 'osb_eb_consumption', 'pcc_import_export', 'main_production'),
  }),
  fc.record({
    kind: fc.constant('member role' as const),
    facility: party,
    role: fc.constantFrom('production', 'consumption', 'mixed'),
  }),
  fc.record({ kind: fc.constant('supplier' as const), facility: party, supplier: fc.nat(2) }),
  fc.record({
    kind: fc.constant('voltage' as const),
    facility: party,
    voltage: fc.constantFrom('AG', 'OG', null),
  }),
  fc.record({
    kind: fc.constant('late' as const),
    meter: fc.nat(5),
    moment,
    hours: fc.integer({ min: 1, max: 30 }),
  }),
  fc.record({ kind: fc.constant('approve' as const) }),
  fc.record({ kind: fc.constant('calculate' as const), group: fc.nat(1), period }),
  fc.record({ kind: fc.constant('correct' as const), group: fc.nat(1), period }),
)
export const registryHistories = fc.array(step, { minLength: 4, maxLength: 12 })
export type RegistryStep = typeof step extends fc.Arbitrary<infer T> ? T : never

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T
const instantOf = ({ period: month, hour }: { period: string; hour: number }): string =>
  iso(periodStart(month) + hour * HOUR_MS)

interface Assignment {
  readonly id: string
  readonly subregion_id: string
  readonly measurement_role: string
}
async function lastAssignment(api: TestApi, facilityId: string): Promise<Assignment> {
  const { rows } = await api.deps.database.pool.query(
    `select id, subregion_id, measurement_role from meter_assignment
     where facility_id = $1 order by valid_from desc limit 1`,
    [facilityId],
  )
  return rows[0]
}

/** Performs one step; returns the status, or 0 when the step sends no request. */
export async function takeStep(
  api: TestApi,
  tenant: TestTenant,
  site: RegistrySite,
  step: RegistryStep,
): Promise<number> {
  const send = async (method: string, path: string, body: object): Promise<number> =>
    (await asAdmin(api, tenant)(method, path, body)).status
  switch (step.kind) {
    case 'reassign':
    case 'end':
      return changeMeter(api, tenant, site, step)
    case 'meter role': {
      const { id } = await lastAssignment(api, pick(site.facilities, step.facility).id)
      return send('PATCH', `/meters/assignments/${id}`, { measurement_role: step.role })
    }
    case 'member role': {
      const { rows } = await api.deps.database.pool.query(
        'select id, group_id from group_member where facility_id = $1',
        [pick(site.facilities, step.facility).id],
      )
      const { id, group_id } = rows[0]
      return send('PATCH', `/groups/${group_id}/members/${id}`, { member_role: step.role })
    }
    case 'supplier':
      return send('PATCH', `/facilities/${pick(site.facilities, step.facility).id}`, {
        supplier_id: site.suppliers[step.supplier] ?? null,
      })
    case 'voltage':
      return send('PATCH', `/facilities/${pick(site.facilities, step.facility).id}`, {
        voltage_level: step.voltage,
      })
    case 'late':
      return addLateReadings(api, tenant, site, step)
    case 'approve':
      await makePriceSet(api.deps, REGISTRY_PERIODS[0], INDUSTRIAL_PRICES)
      return 0
    case 'calculate':
      await calculatePeriod(api, tenant, { groupId: pick(site.groupIds, step.group), period: step.period })
      return 0
    case 'correct':
      return (
        await correct(api, tenant, { id: pick(site.groupIds, step.group) }, { billing_period: step.period })
      ).status
  }
}

export const calculatePeriod = (
  api: TestApi,
  tenant: TestTenant,
  { groupId, period: month }: { groupId: string; period: string },
) => {
  const next = REGISTRY_PERIODS[REGISTRY_PERIODS.indexOf(month as (typeof REGISTRY_PERIODS)[number]) + 1]
  const range = { from: periodStart(month), to: next ? periodStart(next) : WHOLE.to }
  return calculateRange(api.deps, tenant.id, { groupId, range, triggeredBy: 'beat', startedBy: null })
}

/** Ends the last assignment of a facility; `reassign` lets another meter, or the same one, continue. */
async function changeMeter(
  api: TestApi,
  tenant: TestTenant,
  { facilities, meters }: RegistrySite,
  step: Extract<RegistryStep, { kind: 'reassign' | 'end' }>,
): Promise<number> {
  const facility = pick(facilities, step.facility)
  const last = await lastAssignment(api, facility.id)
  const at = instantOf(step.moment)
  const ended = await asAdmin(api, tenant)('PATCH', `/meters/assignments/${last.id}`, { valid_to: at })
  if (step.kind === 'end' || ended.status !== 200) return ended.status
  const { status } = await asAdmin(api, tenant)('POST', '/meters/assign', {
    subregion_id: last.subregion_id,
    facility_id: facility.id,
    device_id: pick(meters, step.meter).deviceId,
    measurement_role: last.measurement_role,
    valid_from: at,
  })
  return status
}

export function lateReadingsOf({
  meter: number,
  moment: at,
  hours,
}: Extract<RegistryStep, { kind: 'late' }>): LateReadings {
  const first = (Date.parse(instantOf(at)) - WHOLE.from) / HOUR_MS
  const isOfStep = (index: number) => index >= first && index < first + hours && isLate(number, index)
  return { number, indexes: indexes().filter(isOfStep) }
}

/** Late readings, and the build of their hours that follows them. */
async function addLateReadings(
  api: TestApi,
  tenant: TestTenant,
  { facilities, meters }: RegistrySite,
  step: Extract<RegistryStep, { kind: 'late' }>,
): Promise<number> {
  const late = lateReadingsOf(step)
  if (late.indexes.length === 0) return 0
  await addReadings(api, tenant, { meter: pick(meters, late.number), indexes: late.indexes })
  // A late reading changes hours as far as the next readings, which may be a month away.
  await buildFacts(api.deps, tenant.id, { facilityIds: facilities.map(({ id }) => id), range: WHOLE })
  return 0
}

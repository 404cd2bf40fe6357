import fc from 'fast-check'
import { calculateRange } from '../../../src/areas/netting/index.ts'
import { DAY_MS, HOUR_MS, localDate, periodStart } from '../../../src/kernel/time.ts'
import type { TestApi } from '../api.ts'
import type { TestTenant } from '../tenants.ts'
import { breakPeriod, correct } from './corrections.ts'
import { addFacts, type FactSpec } from './energy.ts'
import { addMember, makeFacility, makeGroup, type TestFacility } from './netting.ts'

/** Over the turn of the year; the last month has two and a half days. */
export const NOW = '2026-02-03T09:30:00Z'
export const PERIODS = ['2025-12-01', '2026-01-01', '2026-02-01'] as const
const HOURS = 30

/**
 * Two groups of a producer and a consumer each, and a consumer that moves between them; all limits are small.
 * Each month begins with a few busy hours.
 */
export async function makeSite(api: TestApi, tenant: TestTenant) {
  const limits = { 2025: '60.000', 2026: '80.000' }
  const movingConsumer = await makeFacility(api.deps, tenant, { meters: ['main_consumption'], limits })
  const first = await makeGroup(api.deps, tenant, {
    members: [
      { role: 'production' },
      { role: 'consumption', limits },
      { role: 'consumption', facility: movingConsumer },
    ],
  })
  const second = await makeGroup(api.deps, tenant, {
    members: [{ role: 'production' }, { role: 'consumption', limits: { 2026: '25.500' } }],
  })
  const [sun, home] = first.facilities as [TestFacility, TestFacility]
  const [wind, mill] = second.facilities as [TestFacility, TestFacility]
  const accounts = [movingConsumer, home, mill].flatMap((facility) => facility.accounts[2026] ?? [])
  const site = {
    groupIds: [first.id, second.id],
    producers: [sun, wind],
    consumers: [movingConsumer, home, mill],
    guest: movingConsumer,
    accounts,
  }
  await addFacts(
    api.deps,
    tenant,
    PERIODS.flatMap((period) =>
      [0, 1, 23, 24, 25].flatMap((hour, index) =>
        hourOf(site, { period, hour, energy: 9000 + 1234 * index }),
      ),
    ),
  )
  return site
}
export type Site = Awaited<ReturnType<typeof makeSite>>

/** The energies of an hour; `energy` in Wh is the production of each producer. */
const hourOf = (
  { producers, consumers }: Pick<Site, 'producers' | 'consumers'>,
  { period: month, hour: index, energy: wh }: { period: string; hour: number; energy: number },
): FactSpec[] => {
  const at = periodStart(month) + index * HOUR_MS
  return [
    ...producers.map(({ id }) => ({
      facilityId: id,
      hour: at,
      role: 'main_production' as const,
      production: kwh(wh),
    })),
    ...consumers.map(({ id }, memberIndex) => ({
      facilityId: id,
      hour: at,
      role: 'main_consumption' as const,
      consumption: kwh(Math.floor(wh / (2 + memberIndex))),
    })),
  ]
}
const kwh = (wh: number): string => (wh / 1000).toFixed(3)

const period = fc.constantFrom(...PERIODS)
const partyIndex = fc.nat(1)
const hour = fc.nat(HOURS)
/** In Wh. */
const energy = fc.integer({ min: 0, max: 40_000 })
const day = fc.record({ period, days: fc.nat(3) })

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('facts' as const),
      period,
      hour,
      producer: partyIndex,
      consumer: fc.nat(2),
      energy,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('calculate' as const),
      group: partyIndex,
      period,
      hour,
      hours: fc.integer({ min: 1, max: 40 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('correct' as const), group: partyIndex, period }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('break' as const), group: partyIndex, period, broken: period }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('adjust' as const),
      account: fc.nat(),
      energy,
      isLess: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('transfer' as const), from: fc.nat(), to: fc.nat(), energy }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('leave' as const), day }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move' as const), group: partyIndex, day }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('join' as const), group: partyIndex, day }) },
)
export const histories = fc.array(step, { minLength: 3, maxLength: 9 })
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const dateOf = ({ period: month, days }: { period: string; days: number }) =>
  localDate(periodStart(month) + days * DAY_MS)
const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T

/** Performs one step through the service; returns the status, or 0 when there is none. */
export async function take(api: TestApi, tenant: TestTenant, site: Site, step: Step): Promise<number> {
  const post = async (method: string, path: string, body: object): Promise<number> =>
    (await api.call(method, `/api/mahsuplasma${path}`, { token: tenant.admin.token, body })).status
  switch (step.kind) {
    case 'facts': {
      const some = {
        producers: [pick(site.producers, step.producer)],
        consumers: [pick(site.consumers, step.consumer)],
      }
      await addFacts(api.deps, tenant, hourOf(some, step))
      return 0
    }
    case 'calculate': {
      const from = periodStart(step.period) + step.hour * HOUR_MS
      await calculateRange(api.deps, tenant.id, {
        groupId: pick(site.groupIds, step.group),
        range: { from, to: from + step.hours * HOUR_MS },
        triggeredBy: 'beat',
        startedBy: null,
      })
      return 0
    }
    case 'correct':
      return correctOf(api, tenant, site, step)
    case 'break': {
      const repair = await breakPeriod(api.deps, step.broken)
      return correctOf(api, tenant, site, step).finally(repair)
    }
    case 'adjust':
      return post('POST', `/limits/accounts/${pick(site.accounts, step.account)}/adjust`, {
        amount_kwh: `${step.isLess ? '-' : ''}${kwh(step.energy + 1)}`,
        reason: 'by hand',
      })
    case 'transfer':
      return post('POST', '/limits/transfer', {
        source_account_id: pick(site.accounts, step.from),
        target_account_id: pick(site.accounts, step.to),
        amount_kwh: kwh(step.energy + 1),
        contracted_power_confirmed: true,
      })
    case 'leave':
      return endMembership(api, tenant, site, step)
    case 'move': {
      const status = await endMembership(api, tenant, site, step)
      return status === 200 ? join(api, tenant, site, step) : status
    }
    case 'join':
      return join(api, tenant, site, step)
  }
}

type Day = { readonly day: { readonly period: string; readonly days: number } }

/** Ends the latest membership of the moving consumer on a day. */
async function endMembership(
  api: TestApi,
  tenant: TestTenant,
  { guest: movingConsumer }: Site,
  { day: end }: Day,
): Promise<number> {
  const { rows } = await api.deps.database.pool.query(
    'select id, group_id from group_member where facility_id = $1 order by valid_from desc limit 1',
    [movingConsumer.id],
  )
  const path = `/api/mahsuplasma/groups/${rows[0].group_id}/members/${rows[0].id}`
  const body = { valid_to: dateOf(end) }
  return (await api.call('PATCH', path, { token: tenant.admin.token, body })).status
}

const join = (
  api: TestApi,
  tenant: TestTenant,
  { groupIds, guest: movingConsumer }: Site,
  { group, day: start }: Day & { readonly group: number },
): Promise<number> =>
  addMember(api.deps, tenant, {
    groupId: pick(groupIds, group),
    facilityId: movingConsumer.id,
    role: 'consumption',
    validFrom: dateOf(start),
  }).then(
    () => 0,
    () => 409,
  )

const correctOf = async (
  api: TestApi,
  tenant: TestTenant,
  site: Site,
  step: { group: number; period: string },
): Promise<number> =>
  (await correct(api, tenant, { id: pick(site.groupIds, step.group) }, { billing_period: step.period }))
    .status

/** The ranges of the current runs of each group. */
export async function currentWindows({ deps }: TestApi, { groupIds }: Site) {
  const { rows } = await deps.database.pool.query(
    `select group_id, from_hour, to_hour from calculation_run
     where group_id = any($1) and is_current order by from_hour`,
    [groupIds],
  )
  return rows.map((row) => ({
    groupId: row.group_id as string,
    range: { from: row.from_hour.getTime() as number, to: row.to_hour.getTime() as number },
  }))
}

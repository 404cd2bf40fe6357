import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { calculateRange } from '../../../src/areas/netting/index.ts'
import { HOUR_MS } from '../../../src/kernel/time.ts'
import type { TestApi } from '../../support/api.ts'
import {
  at,
  calculate,
  MONTH,
  makePair,
  openSite,
  type Row,
  read,
  remaining,
} from '../../support/netting/calculation.ts'
import { addFacts, hourlyFacts } from '../../support/netting/energy.ts'
import {
  addMember,
  makeFacility,
  makeGroup,
  type TestFacility,
  type TestGroup,
} from '../../support/netting/netting.ts'
import type { TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  ;({ api, tenant } = await openSite())
})
afterAll(() => api.close())

const without = (rows: Row[], ...keys: string[]): Row[] =>
  rows.map((row) => Object.fromEntries(Object.entries(row).filter(([key]) => !keys.includes(key))))

describe('calculation windows', () => {
  const values = (index: number): [string, string] => [`${(index * 37) % 90}.123`, `${(index * 53) % 70}.457`]
  const rowsOf = async (group: TestGroup, producer: TestFacility, consumer: TestFacility) => {
    const plain = (rows: Row[]) =>
      without(rows, 'id', 'group_id', 'calculation_run_id', 'run_ids', 'created_at').map((row) =>
        JSON.parse(
          JSON.stringify(row).replaceAll(producer.id, 'producer').replaceAll(consumer.id, 'consumer'),
        ),
      )
    const order = (rows: Row[]) => rows.map((row) => JSON.stringify(row)).sort()
    const lists = await Promise.all(
      ['hourly', 'virtual-meters', 'amounts', 'monthly-summary'].map((what) => read(group, what)),
    )
    return lists.map((response) => order(plain(response.body)))
  }

  it('give the same rows however they are split and ordered', async () => {
    const whole = await makePair('900.000', 60, values)
    await calculate(whole.group, 0, 60)
    const expected = await rowsOf(whole.group, whole.producer, whole.consumer)
    for (const cuts of [
      [
        [0, 17],
        [17, 60],
      ],
      [
        [0, 1],
        [1, 24],
        [24, 25],
        [25, 60],
      ],
      [
        [30, 60],
        [0, 30],
      ],
      [
        [40, 60],
        [10, 40],
        [0, 10],
      ],
    ] as [number, number][][]) {
      const split = await makePair('900.000', 60, values)
      for (const [from, to] of cuts) expect((await calculate(split.group, from, to)).status).toBe(201)
      expect(await rowsOf(split.group, split.producer, split.consumer)).toEqual(expected)
      expect(await remaining(split.account)).toBe(await remaining(whole.account))
    }
  })

  it('are extended to the last run of the period when the limit balance changes', async () => {
    const { group, consumer, account } = await makePair('100.000', 72, () => ['3.000', '1.000'])
    await calculate(group, 0, 24)
    await calculate(group, 48, 72)
    const late = { facilityId: consumer.id, hour: at(3), role: 'main_consumption' } as const
    await addFacts(api.deps, tenant, [{ ...late, consumption: '2.000' }])
    const same = (await calculate(group, 0, 24)).body
    expect(same.runs[0]).toMatchObject({ from_hour: at(0), to_hour: at(24) })
    // All of the production draws on the limit, so more consumption cannot change the balance; more
    // production can.
    await addFacts(api.deps, tenant, [
      {
        facilityId: group.facilities[0]?.id ?? '',
        hour: at(3),
        role: 'main_production',
        production: '9.000',
      },
    ])
    const moved = (await calculate(group, 0, 24)).body
    expect(moved.runs[0]).toMatchObject({ from_hour: at(0), to_hour: at(72) })
    expect(moved.hours_calculated).toBe(72)
    expect((await read(group, 'hourly')).body).toHaveLength(72)
    expect(await remaining(account)).toBe('0.000')
  })

  it('are truncated to hours, end at the current hour and are split at the turn of the month', async () => {
    const { group } = await makePair('100.000', 1, () => ['1.000', '1.000'])
    const split = await calculate(group, -2.25, 2.75)
    expect(split.body.runs.map((run: Row) => [run['from_hour'], run['to_hour']])).toEqual([
      [at(-3), at(0)],
      [at(0), at(2)],
    ])
    expect(split.body.hours_calculated).toBe(5)
    const now = (api.clock.now() - MONTH) / HOUR_MS
    const clamped = await calculate(group, now - 1.5, now + 24)
    expect(clamped.body.runs[0]).toMatchObject({ to_hour: at(Math.floor(now)) })
    const future = await calculate(group, now + 24, now + 48)
    expect([future.status, future.body.runs]).toEqual([201, []])
  })

  it('report later periods of the year as stale when an earlier period changes', async () => {
    const { group, producer } = await makePair('1000.000', 24, () => ['10.000', '4.000'])
    await calculate(group, 0, 24)
    const unchanged = await calculate(group, -24, 0)
    expect(unchanged.body.warning_codes).not.toContain('LATER_PERIODS_STALE')
    await addFacts(api.deps, tenant, [
      { facilityId: producer.id, hour: at(-1), role: 'main_production', production: '50.000' },
      {
        facilityId: group.facilities[1]?.id ?? '',
        hour: at(-1),
        role: 'main_consumption',
        consumption: '5.000',
      },
    ])
    const stale = await calculate(group, -24, 0)
    expect(stale.body.warning_codes).toContain('LATER_PERIODS_STALE')
    expect(stale.body.warnings).toHaveLength(stale.body.warning_codes.length)
  })

  it('use the account of the next year after the turn of the year', async () => {
    const group = await makeGroup(api.deps, tenant, {
      members: [{ role: 'production' }, { role: 'consumption', limits: { 2025: '10.000', 2026: '50.000' } }],
    })
    const [producer, consumer] = group.facilities as [TestFacility, TestFacility]
    const turn = Date.parse('2026-01-01T00:00:00+03:00')
    const range = { from: turn - 2 * HOUR_MS, to: turn + 2 * HOUR_MS }
    await addFacts(api.deps, tenant, [
      ...hourlyFacts(range, { facilityId: producer.id, role: 'main_production' }, () => ({
        production: '20',
      })),
      ...hourlyFacts(range, { facilityId: consumer.id, role: 'main_consumption' }, () => ({
        consumption: '8',
      })),
    ])
    const outcomes = await calculateRange(api.deps, tenant.id, {
      groupId: group.id,
      range,
      triggeredBy: 'beat',
      startedBy: null,
    })
    expect(outcomes.map(({ billingPeriod, hours }) => [billingPeriod, hours])).toEqual([
      ['2025-12-01', 2],
      ['2026-01-01', 2],
    ])
    expect(await remaining(consumer.accounts[2025])).toBe('0.000')
    expect(await remaining(consumer.accounts[2026])).toBe('10.000')
    const rows = (await read(group, 'hourly')).body
    expect(rows.map((row: Row) => [row['bedelli_kwh'], row['skb_kwh']])).toEqual([
      ['2.000', '10.000'],
      ['0.000', '12.000'],
      ['12.000', '0.000'],
      ['12.000', '0.000'],
    ])
  })
})

describe('a facility that changes its group within a month', () => {
  it('shares its limit account between both groups, from its first hour in each', async () => {
    const consumer = await makeFacility(api.deps, tenant, {
      meters: ['main_consumption'],
      limits: { 2026: '100.000' },
    })
    const left = await makeGroup(api.deps, tenant, {
      members: [{ role: 'production' }, { role: 'consumption', facility: consumer, validTo: '2026-11-02' }],
    })
    const joined = await makeGroup(api.deps, tenant, { members: [{ role: 'production' }] })
    await addMember(api.deps, tenant, {
      groupId: joined.id,
      facilityId: consumer.id,
      role: 'consumption',
      validFrom: '2026-11-02',
    })
    const range = { from: MONTH, to: MONTH + 48 * HOUR_MS }
    await addFacts(api.deps, tenant, [
      ...[left, joined].flatMap((group) =>
        hourlyFacts(range, { facilityId: group.facilities[0]?.id ?? '', role: 'main_production' }, () => ({
          production: '3.000',
        })),
      ),
      ...hourlyFacts(range, { facilityId: consumer.id, role: 'main_consumption' }, () => ({
        consumption: '2.000',
      })),
    ])
    const account = consumer.accounts[2026]
    await calculate(joined, 0, 48)
    expect((await read(joined, 'hourly?limit=1&offset=24')).body[0]).toMatchObject({
      limit_before_kwh: '100.000',
    })
    const earlier = await calculate(left, 0, 48)
    expect(earlier.body.warning_codes).toContain('LATER_PERIODS_STALE')
    await calculate(joined, 0, 48)
    expect((await read(joined, 'hourly?limit=1&offset=24')).body[0]).toMatchObject({
      limit_before_kwh: '28.000',
    })
    expect(await remaining(account)).toBe('0.000')
    expect((await calculate(left, 0, 48)).body.noop_periods).toHaveLength(1)
    expect((await calculate(joined, 0, 48)).body.noop_periods).toHaveLength(1)
  })

  it('is listed as affected only when its balance changes, also where the limit was zero', async () => {
    const consumer = await makeFacility(api.deps, tenant, {
      meters: ['main_consumption'],
      limits: { 2026: '0.000' },
    })
    const left = await makeGroup(api.deps, tenant, {
      members: [{ role: 'production' }, { role: 'consumption', facility: consumer, validTo: '2026-11-02' }],
    })
    const joined = await makeGroup(api.deps, tenant, { members: [{ role: 'production' }] })
    const { id: facilityId } = consumer
    await addMember(api.deps, tenant, {
      groupId: joined.id,
      facilityId,
      role: 'consumption',
      validFrom: '2026-11-02',
    })
    const range = { from: MONTH, to: MONTH + 48 * HOUR_MS }
    const producers = [left, joined].map((group) => group.facilities[0]?.id ?? '')
    await addFacts(api.deps, tenant, [
      ...producers.flatMap((id) =>
        hourlyFacts(range, { facilityId: id, role: 'main_production' }, () => ({ production: '3.000' })),
      ),
      ...hourlyFacts(range, { facilityId, role: 'main_consumption' }, () => ({ consumption: '2.000' })),
    ])
    await calculate(left, 0, 48)
    await calculate(joined, 0, 48)
    const account = `/api/mahsuplasma/limits/accounts/${consumer.accounts[2026]}`
    const { status } = await api.call('POST', `${account}/adjust`, {
      token: tenant.admin.token,
      body: { amount_kwh: '100.000', reason: 'the official limit has come' },
    })
    expect(status).toBe(201)
    const earlier = await calculate(left, 0, 48)
    expect(earlier.body.warning_codes).toContain('LATER_PERIODS_STALE')
    expect(earlier.body.warnings.join()).toContain('run a correction')
    const later = await calculate(joined, 0, 48)
    expect(later.body.runs).toHaveLength(1)
    expect(later.body.warning_codes).not.toContain('LATER_PERIODS_STALE')
  })
})

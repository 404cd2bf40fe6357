import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../../src/kernel/time.ts'
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts'
import { addFacts, hourlyFacts } from '../../support/netting/energy.ts'
import {
  addMember,
  type MemberSpec,
  makeFacility,
  makeGroup,
  type TestFacility,
  type TestGroup,
} from '../../support/netting/netting.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const MONTH = Date.parse('2026-11-01T00:00:00+03:00')
const at = (hours: number): string => new Date(MONTH + hours * HOUR_MS).toISOString()

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  api = await startApi({ now: '2026-11-20T09:30:00Z' })
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const calculate = (group: TestGroup, from: number, to: number): Promise<ApiResponse> =>
  api.call('POST', `/api/mahsuplasma/groups/${group.id}/calculate`, {
    token: tenant.admin.token,
    body: { from_hour: at(from), to_hour: at(to) },
  })
const adjust = (account: string, amount: string): Promise<ApiResponse> =>
  api.call('POST', `/api/mahsuplasma/limits/accounts/${account}/adjust`, {
    token: tenant.admin.token,
    body: { amount_kwh: amount, reason: 'in the middle of everything' },
  })

/** Repeats what is answered with 503: of many requests at once the last ones wait too long for a connection. */
async function untilServed(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  for (;;) {
    const response = await send()
    if (response.status !== 503) return response
  }
}

/** The movements of the ledger and the expected sums, in Wh. */
async function readLedger(account: string) {
  const { rows } = await api.deps.database.pool.query(
    `select (1000 * a.initial_limit_kwh)::bigint as initial,
       (select coalesce(sum(1000 * amount_kwh), 0)::bigint from limit_movement m
        where m.tenant_id = $2 and m.account_id = $1) as moved,
       (select coalesce(sum(1000 * amount_kwh), 0)::bigint from limit_movement m
        where m.tenant_id = $2 and m.account_id = $1 and movement_type = 'manual_adjustment') as adjusted,
       (select coalesce(sum(1000 * (u.matched_kwh + u.bedelli_kwh)), 0)::bigint
        from limit_usage_hour u join calculation_run r on r.tenant_id = u.tenant_id and r.id = u.calculation_run_id
        where u.tenant_id = $2 and u.account_id = $1 and r.is_current) as used,
       (select coalesce(sum(1000 * amount_kwh), 0)::bigint
        from limit_movement m join calculation_run r on r.tenant_id = m.tenant_id and r.id = m.calculation_run_id
        where m.tenant_id = $2 and m.account_id = $1 and not r.is_current) as superseded,
       (select coalesce(sum(1000 * amount_kwh), 0)::bigint
        from limit_movement m join calculation_run r on r.tenant_id = m.tenant_id and r.id = m.calculation_run_id
        where m.tenant_id = $2 and m.account_id = $1 and r.is_current
          and movement_type = 'correction_reversal') as reversed
     from limit_account a where a.tenant_id = $2 and a.id = $1`,
    [account, tenant.id],
  )
  return Object.fromEntries(Object.entries(rows[0]).map(([key, value]) => [key, Number(value)])) as Record<
    'initial' | 'moved' | 'adjusted' | 'used' | 'superseded' | 'reversed',
    number
  >
}

describe('sixty concurrent calculations and adjustments', () => {
  it('leave the ledger of their limit account exact', async () => {
    const consumer = await makeFacility(api.deps, tenant, {
      meters: ['main_consumption'],
      limits: { 2026: '400.000' },
    })
    const left = await makeGroup(api.deps, tenant, {
      members: [{ role: 'production' }, { role: 'consumption', facility: consumer, validTo: '2026-11-03' }],
    })
    const joined = await makeGroup(api.deps, tenant, { members: [{ role: 'production' }] })
    await addMember(api.deps, tenant, {
      groupId: joined.id,
      facilityId: consumer.id,
      role: 'consumption',
      validFrom: '2026-11-03',
    })
    const range = { from: MONTH, to: MONTH + 96 * HOUR_MS }
    await addFacts(api.deps, tenant, [
      ...[left, joined].flatMap((group) =>
        hourlyFacts(
          range,
          { facilityId: group.facilities[0]?.id ?? '', role: 'main_production' },
          (index) => ({
            production: `${5 + (index % 7)}.333`,
          }),
        ),
      ),
      ...hourlyFacts(range, { facilityId: consumer.id, role: 'main_consumption' }, (index) => ({
        consumption: `${2 + (index % 5)}.111`,
      })),
    ])
    const account = consumer.accounts[2026] ?? ''

    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, index) => {
        if (index % 2 === 0) return untilServed(() => adjust(account, index % 4 === 0 ? '7.001' : '-3.002'))
        const from = (index * 13) % 90
        return untilServed(() => calculate(index % 3 === 0 ? joined : left, from, from + 6))
      }),
    )
    expect(responses.filter(({ status }) => status !== 201).map(({ text }) => text)).toEqual([])

    const ledger = await readLedger(account)
    expect(ledger.adjusted).toBe(15 * 7001 - 15 * 3002)
    // Everything that a superseded run booked is reversed, and only the current runs have used the limit.
    expect(ledger.moved).toBe(ledger.adjusted - ledger.used)
    const { rows } = await api.deps.database.pool.query(
      `select count(*)::int as runs, count(*) filter (where is_current)::int as current from calculation_run`,
    )
    expect(rows[0].runs).toBeGreaterThan(rows[0].current)

    // In time order, without concurrent writes, no debit takes the account below zero.
    await calculate(left, 0, 48)
    await calculate(joined, 48, 96)
    const settled = await readLedger(account)
    expect(settled.moved).toBe(settled.adjusted - settled.used)
    expect(settled.initial + settled.moved).toBeGreaterThanOrEqual(0)
    const rowsNow = await api.deps.database.pool.query(
      `select min(limit_after_kwh)::float as lowest from calculation_hour where is_current`,
    )
    expect(rowsNow.rows[0].lowest).toBeGreaterThanOrEqual(0)
    expect((await calculate(left, 0, 48)).body.runs).toEqual([])
    expect((await calculate(joined, 48, 96)).body.runs).toEqual([])
  })
})

/** A producer and a consumer whose hours use more than any limit given here. */
async function makeBusyGroup(consumer: MemberSpec) {
  const group = await makeGroup(api.deps, tenant, { members: [{ role: 'production' }, consumer] })
  const [producer, other] = group.facilities as [TestFacility, TestFacility]
  const range = { from: MONTH, to: MONTH + 24 * HOUR_MS }
  await addFacts(api.deps, tenant, [
    ...hourlyFacts(range, { facilityId: producer.id, role: 'main_production' }, () => ({ production: '9' })),
    ...hourlyFacts(range, { facilityId: other.id, role: 'main_consumption' }, () => ({ consumption: '4' })),
  ])
  return { group, account: other.accounts[2026] ?? '' }
}

describe('locks of calculations', () => {
  it('on the group: overlapping calculations supersede each other without a conflict', async () => {
    const { group } = await makeBusyGroup({ role: 'consumption' })
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => calculate(group, index % 12, (index % 12) + 6)),
    )
    expect(responses.filter(({ status }) => status !== 201).map(({ text }) => text)).toEqual([])
    const hours = await api.call('GET', `/api/mahsuplasma/groups/${group.id}/hourly`, {
      token: tenant.viewer.token,
    })
    expect(hours.body.map((row: { hour: string }) => row.hour)).toEqual(
      Array.from({ length: 17 }, (_, hour) => at(hour)),
    )
  })

  it('on the account: a transfer never takes the limit that a calculation uses', async () => {
    const target = await makeFacility(api.deps, tenant, { limits: { 2026: '0.000' } })
    for (let round = 0; round < 8; round++) {
      const { group, account } = await makeBusyGroup({ role: 'consumption', limits: { 2026: '100.000' } })
      const transfer = api.call('POST', '/api/mahsuplasma/limits/transfer', {
        token: tenant.admin.token,
        body: {
          source_account_id: account,
          target_account_id: target.accounts[2026],
          amount_kwh: 60,
          contracted_power_confirmed: true,
        },
      })
      const [moved, calculated] = await Promise.all([transfer, calculate(group, 0, 24)])
      expect(calculated.status).toBe(201)
      expect([201, 422]).toContain(moved.status)
      const { initial, moved: balance } = await readLedger(account)
      expect(initial + balance).toBe(0)
    }
  })
})

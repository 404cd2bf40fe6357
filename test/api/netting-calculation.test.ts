import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../src/kernel/time.ts'
import { calculateRange } from '../../src/modules/netting/index.ts'
import { type Answer, startApi, type TestApi } from '../support/api.ts'
import {
  addFacts,
  addMember,
  hourlyFacts,
  INDUSTRIAL_PRICES,
  makeFacility,
  makeGroup,
  makePriceSet,
  type TestFacility,
  type TestGroup,
} from '../support/netting.ts'
import { createTenant, type TestTenant } from '../support/tenants.ts'

const MONTH = Date.parse('2026-11-01T00:00:00+03:00')
const at = (hours: number): string => new Date(MONTH + hours * HOUR_MS).toISOString()

let api: TestApi
let tenant: TestTenant
let stranger: TestTenant
beforeAll(async () => {
  api = await startApi({ now: '2026-11-20T09:30:00Z' })
  tenant = await createTenant(api)
  stranger = await createTenant(api)
  await makePriceSet(api.deps, '2025-01-01', INDUSTRIAL_PRICES)
})
afterAll(() => api.close())

type Row = Record<string, string>
const base = (group: Pick<TestGroup, 'id'>) => `/api/mahsuplasma/groups/${group.id}`
const calculate = (group: Pick<TestGroup, 'id'>, from: number, to: number): Promise<Answer> =>
  api.call('POST', `${base(group)}/calculate`, {
    token: tenant.admin.token,
    body: { from_hour: at(from), to_hour: at(to) },
  })
const read = (group: Pick<TestGroup, 'id'>, what: string): Promise<Answer> =>
  api.call('GET', `${base(group)}/${what}`, { token: tenant.viewer.token })

const remaining = async (accountId: string | undefined): Promise<string> => {
  const { rows } = await api.deps.database.pool.query(
    `select (a.initial_limit_kwh + coalesce(sum(m.amount_kwh), 0))::text as remaining
     from limit_account a left join limit_movement m on m.account_id = a.id
     where a.id = $1 group by a.initial_limit_kwh`,
    [accountId],
  )
  return rows[0].remaining
}
const movements = async (accountId: string | undefined): Promise<string[]> => {
  const { rows } = await api.deps.database.pool.query(
    `select movement_type, amount_kwh from limit_movement where account_id = $1 order by seq`,
    [accountId],
  )
  return rows.map((row: Row) => `${row['movement_type']} ${row['amount_kwh']}`)
}
const without = (rows: Row[], ...keys: string[]): Row[] =>
  rows.map((row) => Object.fromEntries(Object.entries(row).filter(([key]) => !keys.includes(key))))

/** A producer and a consumer with a limit; `values(index)` is what they did in the hours from the month's start. */
async function makePair(
  limit: string | undefined,
  hours: number,
  values: (index: number) => [production: string, consumption: string],
) {
  const group = await makeGroup(api.deps, tenant, {
    members: [
      { role: 'production' },
      { role: 'consumption', ...(limit !== undefined && { limits: { 2026: limit } }) },
    ],
  })
  const [producer, consumer] = group.facilities as [TestFacility, TestFacility]
  const range = { from: MONTH, to: MONTH + hours * HOUR_MS }
  await addFacts(api.deps, tenant, [
    ...hourlyFacts(range, { facilityId: producer.id, role: 'main_production' }, (index) => ({
      production: values(index)[0],
    })),
    ...hourlyFacts(range, { facilityId: consumer.id, role: 'main_consumption' }, (index) => ({
      consumption: values(index)[1],
    })),
  ])
  return { group, producer, consumer, account: consumer.accounts[2026] }
}

describe('one hour', () => {
  it('is netted, priced and booked (worked check A)', async () => {
    const { group, consumer, account } = await makePair('100.000', 1, () => ['150.000', '60.000'])
    const answer = await calculate(group, 0, 1)
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ hours_calculated: 1, noop_periods: [] })
    expect(answer.body.warning_codes).toEqual(['SKB_LU_GROUP_DERIVED'])
    expect(answer.body.warnings).toHaveLength(1)
    const [run] = answer.body.runs
    expect(run).toMatchObject({
      group_id: group.id,
      billing_period: '2026-11-01',
      from_hour: at(0),
      to_hour: at(1),
      scenario: 'standard_hourly',
      triggered_by: 'manual',
      is_current: true,
      parent_run_id: null,
      status: 'completed',
    })
    expect(run.input_hash).toMatch(/^[0-9a-f]{64}$/)

    const hours = await read(group, 'hourly')
    expect(hours.headers.get('x-total-count')).toBe('1')
    expect(hours.body[0]).toMatchObject({
      group_id: group.id,
      hour: at(0),
      production_kwh: '150.000',
      consumption_kwh: '60.000',
      matched_kwh: '60.000',
      surplus_kwh: '90.000',
      net_import_kwh: '0.000',
      bedelli_kwh: '40.000',
      skb_kwh: '50.000',
      bedelsiz_kwh: '0.000',
      matched_over_limit_kwh: '0.000',
      limit_before_kwh: '100.000',
      limit_used_kwh: '100.000',
      limit_after_kwh: '0.000',
      mesken_informational: false,
      data_quality: 'complete',
      is_current: true,
      calculation_run_id: run.id,
    })

    const meters = await read(group, 'virtual-meters')
    expect(
      meters.body.map((row: Row) => [row['virtual_meter_type'], row['reason_code'], row['energy_kwh']]),
    ).toEqual([
      ['bedelli', 'standard_matched', '40.000'],
      ['skb_odemeli', 'limit_exceeded', '50.000'],
    ])
    expect(meters.body[0]).toMatchObject({ source_kind: 'solar', grid_operator_id: null, hour: at(0) })

    const amounts = await read(group, 'amounts')
    const byType = Object.fromEntries(amounts.body.map((row: Row) => [row['amount_type'], row]))
    expect(byType['supplier_payment_for_matched_consumption']).toMatchObject({
      facility_id: consumer.id,
      quantity_kwh: '60.000',
      unit_price_try_per_kwh: '2.985253',
      amount_try: '179.115180',
    })
    expect(byType['producer_payment_for_bedelli_surplus']).toMatchObject({
      facility_id: null,
      quantity_kwh: '40.000',
      unit_price_try_per_kwh: '2.909687',
      amount_try: '116.387480',
      source_kind: 'solar',
    })
    expect(byType['system_usage_fee_for_skb']).toMatchObject({
      quantity_kwh: '50.000',
      unit_price_try_per_kwh: '0.656008',
      amount_try: '32.800400',
    })
    expect(await movements(account)).toEqual([
      'initial 0.000',
      'mahsuplasan_consumption -60.000',
      'bedelli_ihtiyac_fazlasi -40.000',
    ])
    expect(await remaining(account)).toBe('0.000')

    const [summary] = (await read(group, 'monthly-summary')).body
    expect(summary).toMatchObject({
      billing_period: '2026-11-01',
      scenario: 'standard_hourly',
      production_kwh: '150.000',
      matched_kwh: '60.000',
      bedelli_kwh: '40.000',
      skb_kwh: '50.000',
      limit_opening_kwh: '100.000',
      limit_used_kwh: '100.000',
      limit_closing_kwh: '0.000',
      hours_expected: 720,
      hours_calculated: 1,
      completeness_pct: 0.14,
      data_quality: 'complete',
      run_ids: [run.id],
      calculation_run_id: run.id,
      is_current: true,
    })
    expect(summary.amounts_try).toMatchObject({
      producer_payment_for_bedelli_surplus: '116.387480',
      mesken_monthly_amount: null,
    })
    expect(summary.price_gaps).toMatchObject({ system_usage_fee_for_skb: 0 })
  })

  it('without an account counts the whole surplus as skb, and says so', async () => {
    const { group } = await makePair(undefined, 1, () => ['100.000', '60.000'])
    const answer = await calculate(group, 0, 1)
    expect(answer.body.warning_codes).toContain('LIMIT_ACCOUNT_MISSING_CONSERVATIVE_SKB')
    const [hour] = (await read(group, 'hourly')).body
    expect(hour).toMatchObject({
      matched_kwh: '60.000',
      skb_kwh: '40.000',
      limit_before_kwh: null,
      limit_used_kwh: null,
      limit_after_kwh: null,
    })
  })
})

describe('calculating again', () => {
  it('is a no-op while nothing has changed, with no new movement', async () => {
    const { group, account } = await makePair('1000.000', 48, (index) => [`${index}.500`, '10.000'])
    await calculate(group, 0, 48)
    const before = await movements(account)
    for (const [from, to] of [
      [0, 48],
      [5, 6],
      [0, 1],
    ] as const) {
      const again = await calculate(group, from, to)
      expect(again.status).toBe(201)
      expect(again.body).toMatchObject({ runs: [], hours_calculated: 0, noop_periods: ['2026-11-01'] })
    }
    expect(await movements(account)).toEqual(before)
    expect((await read(group, 'runs')).body).toHaveLength(1)
    expect((await read(group, 'monthly-summary?include_history=true')).body).toHaveLength(1)
  })

  it('supersedes what it replaces: rows stay as history, the ledger is reversed', async () => {
    const { group, consumer, account } = await makePair('100.000', 2, () => ['30.000', '10.000'])
    const first = (await calculate(group, 0, 2)).body.runs[0]
    expect(await remaining(account)).toBe('40.000')
    await addFacts(api.deps, tenant, [
      { facilityId: consumer.id, hour: at(1), role: 'main_consumption', consumption: '15.000' },
    ])
    const second = (await calculate(group, 1, 2)).body
    expect(second.hours_calculated).toBe(2)
    expect(second.runs[0]).toMatchObject({ from_hour: at(0), to_hour: at(2), is_current: true })
    expect(await movements(account)).toEqual([
      'initial 0.000',
      'mahsuplasan_consumption -20.000',
      'bedelli_ihtiyac_fazlasi -40.000',
      'correction_reversal 60.000',
      'mahsuplasan_consumption -25.000',
      'bedelli_ihtiyac_fazlasi -35.000',
    ])
    expect(await remaining(account)).toBe('40.000')

    const runs = (await read(group, 'runs')).body
    expect(runs).toHaveLength(2)
    expect(runs.find((run: Row) => run['id'] === first.id)).toMatchObject({
      is_current: false,
      status: 'superseded',
    })
    for (const [what, current, all] of [
      ['hourly', 2, 4],
      ['virtual-meters', 2, 4],
      ['monthly-summary', 1, 2],
    ] as const) {
      expect((await read(group, what)).body).toHaveLength(current)
      const history = (await read(group, `${what}?include_history=true`)).body
      expect(history).toHaveLength(all)
      expect(history.filter((row: Row) => row['calculation_run_id'] === first.id)).toHaveLength(all - current)
    }
  })

  it('notices an adjusted limit', async () => {
    const { group, account } = await makePair('10.000', 3, () => ['30.000', '10.000'])
    await calculate(group, 0, 3)
    expect((await read(group, 'hourly')).body[0]).toMatchObject({ bedelli_kwh: '0.000', skb_kwh: '20.000' })
    const adjusted = await api.call('POST', `/api/mahsuplasma/limits/accounts/${account}/adjust`, {
      token: tenant.admin.token,
      body: { amount_kwh: 1000, reason: 'official correction' },
    })
    expect(adjusted.status).toBe(201)
    expect((await calculate(group, 0, 3)).body.hours_calculated).toBe(3)
    expect((await read(group, 'hourly')).body[0]).toMatchObject({ bedelli_kwh: '20.000', skb_kwh: '0.000' })
    expect(await remaining(account)).toBe('920.000')
  })
})

describe('windows', () => {
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
    return lists.map((answer) => order(plain(answer.body)))
  }

  it('split anywhere, and calculated in any order, give the same rows', async () => {
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

  it('widen to the last run of the period when the balance behind them moves', async () => {
    const { group, consumer, account } = await makePair('100.000', 72, () => ['3.000', '1.000'])
    await calculate(group, 0, 24)
    await calculate(group, 48, 72)
    const late = { facilityId: consumer.id, hour: at(3), role: 'main_consumption' } as const
    await addFacts(api.deps, tenant, [{ ...late, consumption: '2.000' }])
    const same = (await calculate(group, 0, 24)).body
    expect(same.runs[0]).toMatchObject({ from_hour: at(0), to_hour: at(24) })
    // All of the production draws on the limit, so what matches cannot move the balance; more production can.
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

  it('are cut to hours, to the hour that runs, and at the turn of the month', async () => {
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

  it('in earlier periods say that later ones of the year are stale', async () => {
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

  it('turn to the next account with the year', async () => {
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

describe('scenarios', () => {
  it('homes are netted by the month, without limit and from its first hour', async () => {
    const group = await makeGroup(api.deps, tenant, {
      members: [
        { role: 'mixed', aboneGrubu: 'mesken' },
        { role: 'consumption', aboneGrubu: 'mesken' },
      ],
    })
    const [roof, home] = group.facilities as [TestFacility, TestFacility]
    const range = { from: MONTH, to: MONTH + 48 * HOUR_MS }
    await addFacts(api.deps, tenant, [
      ...hourlyFacts(range, { facilityId: roof.id, role: 'main_production' }, (index) => ({
        production: index < 24 ? '5.000' : '0.000',
      })),
      ...hourlyFacts(range, { facilityId: roof.id, role: 'pcc_import_export' }, (index) => ({
        import: index < 24 ? '0.000' : '1.000',
        export: index < 24 ? '4.000' : '0.000',
      })),
      ...hourlyFacts(range, { facilityId: home.id, role: 'main_consumption' }, (index) => ({
        consumption: index < 24 ? '0.500' : '1.000',
      })),
    ])
    const answer = await calculate(group, 30, 31)
    expect(answer.body.runs[0]).toMatchObject({
      scenario: 'mesken_monthly',
      from_hour: at(0),
      to_hour: at(Math.floor((api.clock.now() - MONTH) / HOUR_MS)),
    })
    const hours = (await read(group, 'hourly')).body
    expect(hours[0]).toMatchObject({
      mesken_informational: true,
      production_kwh: '5.000',
      matched_kwh: '1.500',
      bedelli_kwh: '3.500',
      limit_before_kwh: null,
    })
    const [summary] = (await read(group, 'monthly-summary')).body
    // The month: 120 produced, 48 and 36 consumed; the hours alone would match only 36.
    expect(summary).toMatchObject({
      scenario: 'mesken_monthly',
      production_kwh: '120.000',
      consumption_kwh: '84.000',
      matched_kwh: '84.000',
      surplus_kwh: '36.000',
      bedelli_kwh: '36.000',
      net_import_kwh: '0.000',
      limit_opening_kwh: null,
    })
    const meters = (await read(group, 'virtual-meters')).body
    expect(meters).toHaveLength(1)
    expect(meters[0]).toMatchObject({
      hour: at(0),
      virtual_meter_type: 'bedelli',
      reason_code: 'mesken_monthly',
      energy_kwh: '36.000',
    })
    expect((await calculate(group, 40, 41)).body.noop_periods).toEqual(['2026-11-01'])
  })

  it('a blocked group nets nothing: its production is free, its usage is given back', async () => {
    const { group, account } = await makePair('100.000', 2, () => ['30.000', '10.000'])
    await calculate(group, 0, 2)
    const block = (status: string) =>
      api.deps.database.kysely
        .updateTable('netting_group')
        .set({ eligibility_status: status })
        .where('id', '=', group.id)
        .execute()
    await block('blocked')
    const answer = await calculate(group, 0, 2)
    expect(answer.body.runs[0]).toMatchObject({ scenario: 'invalid_group_bedelsiz' })
    expect(answer.body.warning_codes).toContain('GROUP_BLOCKED_BEDELSIZ')
    expect((await read(group, 'hourly')).body[0]).toMatchObject({
      matched_kwh: '0.000',
      bedelsiz_kwh: '30.000',
      limit_used_kwh: '0.000',
    })
    const amounts = (await read(group, 'amounts')).body
    expect(amounts.map((row: Row) => row['amount_type'])).toEqual([
      'estimated_loss_or_risk',
      'estimated_loss_or_risk',
    ])
    expect(await remaining(account)).toBe('100.000')
    await block('valid')
    await calculate(group, 0, 2)
    expect(await remaining(account)).toBe('40.000')
  })

  it('missing prices leave quantity-only rows, counted in the summary', async () => {
    const empty = await startApi({ now: '2026-11-20T09:30:00Z' })
    try {
      const own = await createTenant(empty)
      const group = await makeGroup(empty.deps, own, {
        members: [{ role: 'production' }, { role: 'consumption' }],
      })
      const [producer, consumer] = group.facilities as [TestFacility, TestFacility]
      await addFacts(empty.deps, own, [
        { facilityId: producer.id, hour: at(0), role: 'main_production', production: '5' },
        { facilityId: consumer.id, hour: at(0), role: 'main_consumption', consumption: '2' },
      ])
      const token = own.admin.token
      const answer = await empty.call('POST', `${base(group)}/calculate`, {
        token,
        body: { from_hour: at(0), to_hour: at(1) },
      })
      expect(answer.body.warning_codes).toContain('SKB_PRICE_UNRESOLVED_QUANTITY_ONLY')
      const amounts = await empty.call('GET', `${base(group)}/amounts`, { token })
      expect(amounts.body).toMatchObject([
        {
          amount_type: 'system_usage_fee_for_skb',
          quantity_kwh: '3.000',
          unit_price_try_per_kwh: null,
          amount_try: null,
          tariff_price_id: null,
        },
      ])
      const [summary] = (await empty.call('GET', `${base(group)}/monthly-summary`, { token })).body
      expect(summary.price_gaps.system_usage_fee_for_skb).toBe(1)
      expect(summary.amounts_try.system_usage_fee_for_skb).toBeNull()
    } finally {
      await empty.close()
    }
  })
})

describe('a facility that moves to another group in mid-month', () => {
  it('shares its account across both, as of its first hour in each', async () => {
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
})

describe('the endpoints', () => {
  it('refuse a window that breaks a rule', async () => {
    const { group } = await makePair('1.000', 1, () => ['1', '1'])
    const send = (body: unknown) =>
      api.call('POST', `${base(group)}/calculate`, { token: tenant.admin.token, body })
    for (const body of [
      { from_hour: at(2), to_hour: at(2) },
      { from_hour: at(3), to_hour: at(2) },
      { from_hour: at(0), to_hour: at(7 * 24 + 1) },
      { from_hour: '2026-11-01T00:00:00', to_hour: at(2) },
      { from_hour: at(0), to_hour: '2026-11-02' },
      { from_hour: at(0) },
      { from_hour: 'yesterday', to_hour: at(1) },
    ]) {
      expect((await send(body)).status).toBe(422)
    }
    const noOffset = await send({ from_hour: '2026-11-01T00:00:00', to_hour: at(2) })
    expect(noOffset.body.detail[0].loc).toEqual(['body', 'from_hour'])
    const local = await send({ from_hour: '2026-11-01T00:00:00+03:00', to_hour: '2026-11-01T01:00:00+0300' })
    expect([local.status, local.body.hours_calculated]).toEqual([201, 1])
    expect((await send({ from_hour: at(0), to_hour: at(7 * 24) })).status).toBe(201)
  })

  it('refuse an inactive group', async () => {
    const { group } = await makePair('1.000', 1, () => ['1', '1'])
    await api.deps.database.kysely
      .updateTable('netting_group')
      .set({ is_active: false, group_status: 'inactive' })
      .where('id', '=', group.id)
      .execute()
    const answer = await calculate(group, 0, 1)
    expect([answer.status, answer.body.detail.error_code]).toEqual([422, 'BUSINESS_RULE_VIOLATION'])
  })

  it('need the permission, before the body is looked at', async () => {
    const { group } = await makePair('1.000', 1, () => ['1', '1'])
    for (const user of [tenant.viewer, tenant.operator]) {
      const answer = await api.call('POST', `${base(group)}/calculate`, {
        token: user.token,
        body: '{nonsense',
      })
      expect([answer.status, answer.body.error_code]).toEqual([403, 'PERMISSION_DENIED'])
    }
    expect((await api.call('POST', `${base(group)}/calculate`)).status).toBe(401)
    expect((await read(group, 'hourly')).status).toBe(200)
  })

  it('answer a foreign group like an unknown one', async () => {
    const { group } = await makePair('1.000', 1, () => ['1', '1'])
    const token = stranger.admin.token
    const unknown = { id: randomUUID() }
    const body = { from_hour: at(0), to_hour: at(1) }
    for (const what of ['hourly', 'virtual-meters', 'amounts', 'monthly-summary', 'runs']) {
      const foreign = await api.call('GET', `${base(group)}/${what}`, { token })
      expect(foreign.status).toBe(404)
      expect(foreign.text).toBe((await api.call('GET', `${base(unknown)}/${what}`, { token })).text)
    }
    const foreign = await api.call('POST', `${base(group)}/calculate`, { token, body })
    expect(foreign.status).toBe(404)
    expect(foreign.text).toBe((await api.call('POST', `${base(unknown)}/calculate`, { token, body })).text)
  })

  it('cut and page their rows', async () => {
    const { group } = await makePair('1000.000', 30, () => ['4.000', '1.000'])
    await calculate(group, 0, 30)
    const page = await read(group, `hourly?from=${at(5)}&to=${at(25)}&limit=3&offset=1`)
    expect(page.headers.get('x-total-count')).toBe('20')
    expect(page.body.map((row: Row) => row['hour'])).toEqual([at(6), at(7), at(8)])
    expect((await read(group, 'hourly?limit=2001')).status).toBe(422)
    expect((await read(group, 'monthly-summary?limit=501')).status).toBe(422)
    expect((await read(group, 'runs?limit=501')).status).toBe(422)
    expect((await read(group, 'monthly-summary?year=2025')).body).toEqual([])
    expect((await read(group, 'monthly-summary?year=2026')).body).toHaveLength(1)
    expect((await read(group, 'runs?billing_period=2026-11-17')).body).toHaveLength(1)
    expect((await read(group, 'runs?billing_period=2026-10')).body).toEqual([])
  })

  it('give the first answer again for the same Idempotency-Key', async () => {
    const { group } = await makePair('10.000', 1, () => ['1', '1'])
    const send = () =>
      api.call('POST', `${base(group)}/calculate`, {
        token: tenant.admin.token,
        body: { from_hour: at(-1), to_hour: at(1) },
        headers: { 'idempotency-key': `calculate-${group.id}` },
      })
    const first = await send()
    const again = await send()
    expect([first.status, first.body.runs.length]).toEqual([201, 2])
    expect(again.text).toBe(first.text)
    expect(again.headers.get('idempotent-replay')).toBe('true')
  })
})

describe('a newly approved price', () => {
  it('changes the input, and with it the amounts', async () => {
    const { group } = await makePair('100.000', 1, () => ['30.000', '10.000'])
    await calculate(group, 0, 1)
    const supplier = async () =>
      (await read(group, 'amounts')).body.find(
        (row: Row) => row['amount_type'] === 'supplier_payment_for_matched_consumption',
      )
    expect((await supplier()).amount_try).toBe('29.852530')
    await makePriceSet(api.deps, '2026-11-01', [{ purpose: 'mahsuplasma_related_tariff', price: '3.100000' }])
    expect((await calculate(group, 0, 1)).body.hours_calculated).toBe(1)
    expect((await supplier()).amount_try).toBe('31.000000')
    expect((await read(group, 'amounts?include_history=true')).body.length).toBeGreaterThan(3)
  })
})

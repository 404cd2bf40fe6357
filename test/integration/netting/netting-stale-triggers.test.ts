import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import { makeSpring, SPRING, type Spring } from '../../support/netting/calculated-months.ts'
import { openSite, type Row, read } from '../../support/netting/calculation.ts'
import type { TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
let spring: Spring

beforeAll(async () => {
  ;({ api, tenant } = await openSite())
  spring = await makeSpring(api, tenant)
})
beforeEach(() => sql('delete from stale_mark'))
afterAll(() => api.close())

const sql = (text: string, values: readonly unknown[] = []) => api.deps.database.pool.query(text, [...values])
const stale = async () =>
  (await read(spring.group, 'monthly-summary')).body.flatMap((row: Row & { stale: boolean }) =>
    row.stale ? [[row['billing_period'], row['stale_reasons']]] : [],
  )
const all = (reason: string) => SPRING.toReversed().map((period) => [period, [reason]])

it('a deleted fact makes its month stale', async () => {
  await sql(
    `delete from hourly_energy where tenant_id = $1 and facility_id = $2
       and hour >= '2026-04-01T00:00:00+03:00' and hour < '2026-04-02T00:00:00+03:00'`,
    [tenant.id, spring.consumer.id],
  )
  expect(await stale()).toEqual([['2026-04-01', ['ENERGY_CHANGED']]])
})

describe('an evaluation', () => {
  const evaluate = (status: string, period: string | null = null, triggeredBy = 'request') =>
    sql(
      `insert into eligibility_run
         (tenant_id, group_id, eligibility_status, evaluated_at, evaluated_by, rules, billing_period, triggered_by, reason)
       values ($1, $2, $3, '2026-11-20T09:30:00Z', null, '[]', $4, $5, 'a test')`,
      [tenant.id, spring.group.id, status, period, triggeredBy],
    )

  it('makes the months before the first one stale when the group becomes blocked or valid again', async () => {
    await evaluate('valid')
    expect(await stale()).toEqual([])
    await evaluate('blocked')
    expect(await stale()).toEqual(all('ELIGIBILITY_CHANGED'))
    await sql('delete from stale_mark')
    await evaluate('blocked')
    expect(await stale()).toEqual([])
    await evaluate('valid')
    expect(await stale()).toEqual(all('ELIGIBILITY_CHANGED'))
  })

  it('of a period makes that period stale when a person asked for it', async () => {
    await evaluate('blocked', '2026-04-01', 'correction')
    expect(await stale()).toEqual([])
    await evaluate('blocked', '2026-04-01', 'period_request')
    expect(await stale()).toEqual([['2026-04-01', ['ELIGIBILITY_CHANGED']]])
  })
})

describe('the approval of a price set', () => {
  /** Approves a set of April with one row; the row is valid up to and including its last day. */
  async function approve(from: string, to: string | null): Promise<void> {
    const { rows } = await sql(
      `insert into tariff_price_set (billing_period, approval_status) values ('2026-04-01', 'draft') returning id`,
    )
    await sql(
      `insert into tariff_price (price_set_id, billing_period, valid_from, valid_to, abone_grubu, price_purpose, price)
       values ($1, '2026-04-01', $2, $3, 'sanayi', 'other', 1)`,
      [rows[0].id, from, to],
    )
    expect(await stale()).toEqual([])
    await sql(`update tariff_price_set set approval_status = 'approved', approved_at = now() where id = $1`, [
      rows[0].id,
    ])
  }

  it.each([
    ['2026-03-01', '2026-03-31', []],
    ['2026-03-01', '2026-04-01', ['2026-04-01']],
    ['2026-04-02', '2026-05-01', ['2026-05-01']],
    ['2026-04-02', '2026-04-30', []],
    ['2026-03-01', null, ['2026-05-01', '2026-04-01']],
  ])(
    'with a row valid from %s to %s makes the months stale in which it counts',
    async (from, to, periods) => {
      await approve(from, to)
      expect(await stale()).toEqual(periods.map((period) => [period, ['PRICES_CHANGED']]))
    },
  )
})

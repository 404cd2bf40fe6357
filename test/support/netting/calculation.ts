import assert from 'node:assert/strict'
import { HOUR_MS } from '../../../src/kernel/time.ts'
import { type ApiResponse, startApi, type TestApi } from '../api.ts'
import { createTenant, type TestTenant } from '../tenants.ts'
import { addFacts, hourlyFacts } from './energy.ts'
import { makeGroup, type TestFacility, type TestGroup } from './netting.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from './prices.ts'

/** Local midnight of 1 November 2026; the clock of the tests is fixed at 12:30 of the 20th. */
export const MONTH = Date.parse('2026-11-01T00:00:00+03:00')
/** The instant a number of hours after it. */
export const at = (hours: number): string => new Date(MONTH + hours * HOUR_MS).toISOString()

export interface Site {
  readonly api: TestApi
  readonly tenant: TestTenant
  readonly foreignTenant: TestTenant
}
let opened: Site | undefined

/** A service with industrial prices and two tenants; the functions below use the last one opened. */
export async function openSite(): Promise<Site> {
  const api = await startApi({ now: '2026-11-20T09:30:00Z' })
  opened = { api, tenant: await createTenant(api), foreignTenant: await createTenant(api) }
  await makePriceSet(api.deps, '2025-01-01', INDUSTRIAL_PRICES)
  return opened
}
function site(): Site {
  assert(opened, 'openSite comes first')
  return opened
}

export type Row = Record<string, string>
export const base = (group: Pick<TestGroup, 'id'>) => `/api/mahsuplasma/groups/${group.id}`

/** Hours are counted from MONTH. */
export const calculate = (group: Pick<TestGroup, 'id'>, from: number, to: number): Promise<ApiResponse> =>
  site().api.call('POST', `${base(group)}/calculate`, {
    token: site().tenant.admin.token,
    body: { from_hour: at(from), to_hour: at(to) },
  })
export const read = (group: Pick<TestGroup, 'id'>, path: string): Promise<ApiResponse> =>
  site().api.call('GET', `${base(group)}/${path}`, { token: site().tenant.viewer.token })

/** In kWh. */
export async function remaining(accountId: string | undefined): Promise<string> {
  const { rows } = await site().api.deps.database.pool.query(
    `select (a.initial_limit_kwh + coalesce(sum(m.amount_kwh), 0))::text as remaining
     from limit_account a left join limit_movement m on m.tenant_id = a.tenant_id and m.account_id = a.id
     where a.id = $1 group by a.initial_limit_kwh`,
    [accountId],
  )
  return rows[0].remaining
}

/** Type and kWh, in the order of booking. */
export async function movements(accountId: string | undefined): Promise<string[]> {
  const { rows } = await site().api.deps.database.pool.query(
    `select movement_type, amount_kwh from limit_movement where account_id = $1 order by seq`,
    [accountId],
  )
  return rows.map((row: Row) => `${row['movement_type']} ${row['amount_kwh']}`)
}

/**
 * A producer and a consumer with a limit; `values(index)` gives their kWh in the hours from the start of the
 * month.
 */
export async function makePair(
  limit: string | undefined,
  hours: number,
  values: (index: number) => [production: string, consumption: string],
) {
  const { api, tenant } = site()
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

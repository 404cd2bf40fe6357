import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readRunInput } from '../../../src/areas/netting/calculation/run-input-store.ts'
import { calculateRange } from '../../../src/areas/netting/index.ts'
import { computePeriod } from '../../../src/core/netting/period.ts'
import type { PeriodResult } from '../../../src/core/netting/types.ts'
import { formatKwh, formatTry, type Kwh } from '../../../src/kernel/decimal.ts'
import { iso } from '../../../src/kernel/time.ts'
import { tenantDb } from '../../../src/platform/db/tenant.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { correct, findFaults } from '../../support/netting/corrections.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../support/netting/prices.ts'
import {
  currentWindows,
  histories,
  makeSite,
  NOW,
  PERIODS,
  type Site,
  take,
} from '../../support/netting/random-histories.ts'
import { SLOWNESS } from '../../support/slowness.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
/** The range that the random history covers. */
let tenant: TestTenant
beforeAll(async () => {
  api = await startApi({ now: NOW })
  await makePriceSet(api.deps, '2025-01-01', INDUSTRIAL_PRICES)
})
afterAll(() => api.close())

const query = async (text: string, site: Site): Promise<Record<string, string>[]> =>
  (await api.deps.database.pool.query(text, [site.groupIds])).rows

/** A digest of each run with everything it has written, without the flags for current and superseded. */
async function readRuns(site: Site): Promise<ReadonlyMap<string, string>> {
  const rows = await query(
    `select r.id, md5((to_jsonb(r) - '{is_current,status,superseded_by}'::text[])::text || (
       select string_agg(digest, '' order by digest) from (
         select md5((to_jsonb(t) - 'is_current')::text) from calculation_hour t where (tenant_id, calculation_run_id) = (r.tenant_id, r.id)
         union all select md5((to_jsonb(t) - 'is_current')::text) from virtual_meter_hour t where (tenant_id, calculation_run_id) = (r.tenant_id, r.id)
         union all select md5((to_jsonb(t) - 'is_current')::text) from amount t where (tenant_id, calculation_run_id) = (r.tenant_id, r.id)
         union all select md5((to_jsonb(t) - 'is_current')::text) from monthly_summary t where (tenant_id, calculation_run_id) = (r.tenant_id, r.id)
         union all select md5(to_jsonb(t)::text) from limit_usage_hour t where (tenant_id, calculation_run_id) = (r.tenant_id, r.id)
         union all select md5(to_jsonb(t)::text) from limit_movement t where (tenant_id, calculation_run_id) = (r.tenant_id, r.id)
       ) as written (digest))) as digest
     from calculation_run r where r.group_id = any($1)`,
    site,
  )
  return new Map(rows.map(({ id = '', digest = '' }) => [id, digest]))
}

const superseded = async (site: Site): Promise<ReadonlySet<string>> =>
  new Set(
    (await query('select id from calculation_run where group_id = any($1) and not is_current', site)).map(
      ({ id = '' }) => id,
    ),
  )

const kwh = (value: Kwh | null): string => (value === null ? '' : formatKwh(value))

/** The rows that the engine computes for a run. */
const rowsOf = ({ hours, virtualMeters, amounts, usage }: PeriodResult): string[] =>
  [
    ...hours.map((row) =>
      [
        iso(row.hour),
        kwh(row.matchedKwh),
        kwh(row.bedelliKwh),
        kwh(row.skbKwh),
        kwh(row.bedelsizKwh),
        kwh(row.limitAfterKwh),
      ].join(' '),
    ),
    ...virtualMeters.map((row) =>
      [iso(row.hour), row.virtualMeterType, row.reasonCode, formatKwh(row.quantityKwh)].join(' '),
    ),
    ...amounts.map((row) =>
      [
        iso(row.hour),
        row.amountType,
        row.facilityId ?? '',
        formatKwh(row.quantityKwh),
        row.amountTry === null ? '' : formatTry(row.amountTry),
      ].join(' '),
    ),
    ...usage.map((row) =>
      [iso(row.hour), row.accountId, formatKwh(row.matchedKwh), formatKwh(row.paidSurplusKwh)].join(' '),
    ),
  ].sort()

/** The same rows as stored. */
async function storedRows(runId: string): Promise<string[]> {
  const hour = `to_char(hour, 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`
  const { rows } = await api.deps.database.pool.query(
    `select concat_ws(' ', ${hour}, coalesce(matched_kwh::text, ''), coalesce(bedelli_kwh::text, ''),
       coalesce(skb_kwh::text, ''), coalesce(bedelsiz_kwh::text, ''), coalesce(limit_after_kwh::text, '')) as row
       from calculation_hour where tenant_id = $2 and calculation_run_id = $1
     union all select concat_ws(' ', ${hour}, virtual_meter_type, reason_code, energy_kwh)
       from virtual_meter_hour where tenant_id = $2 and calculation_run_id = $1
     union all select concat_ws(' ', ${hour}, amount_type, coalesce(facility_id::text, ''), quantity_kwh,
       coalesce(amount_try::text, '')) from amount where tenant_id = $2 and calculation_run_id = $1
     union all select concat_ws(' ', ${hour}, account_id, matched_kwh, bedelli_kwh)
       from limit_usage_hour where tenant_id = $2 and calculation_run_id = $1`,
    [runId, tenant.id],
  )
  return rows.map(({ row }) => row).sort()
}

/** Computes the new runs a second time from their stored input. */
async function replay(site: Site, known: ReadonlyMap<string, string>): Promise<number> {
  const runs = await query(
    'select id, input_hash from calculation_run where group_id = any($1) and is_current',
    site,
  )
  const fresh = runs.filter(({ id = '' }) => !known.has(id))
  for (const { id = '', input_hash = '' } of fresh) {
    const input = await readRunInput(tenantDb(api.deps.database.kysely, tenant.id), id)
    if (!input) throw new Error(`run ${id} has kept no input`)
    const result = computePeriod(input)
    expect(result.inputHash).toBe(input_hash)
    expect(await storedRows(id)).toEqual(rowsOf(result))
  }
  return fresh.length
}

/** Corrects until no group depends on balances that changed later; then no calculation changes anything. */
async function settle(site: Site): Promise<void> {
  for (let round = 0; round < 4; round++) {
    const responses = []
    for (const id of site.groupIds) {
      responses.push(
        await correct(api, tenant, { id }, { billing_period: PERIODS[0], reason: `round ${round}` }),
      )
    }
    expect(responses.map(({ status, body }) => [status, body.failed_period])).toEqual([
      [201, null],
      [201, null],
    ])
    if (responses.every(({ body }) => !body.warning_codes.includes('LATER_PERIODS_STALE'))) break
  }
  for (const { groupId, range } of await currentWindows(api, site)) {
    const again = { groupId, range, triggeredBy: 'beat', startedBy: null } as const
    expect((await calculateRange(api.deps, tenant.id, again)).map(({ run }) => run)).toEqual([undefined])
  }
}

const RUNS = Number(process.env['HISTORIES'] ?? 30)
const TIME_MAX_MS = RUNS * 1_200

const seen = { steps: 0, replayed: 0, superseded: 0, statuses: new Map<string, number>() }
/** A slow machine goes on beyond the time until it has seen this much. */
const isEnough = (): boolean => seen.steps > 20 && seen.replayed > 20

it(
  'random operations in any order keep the ledger exact, the history unchanged and every run replayable',
  async () => {
    const deadline = Date.now() + TIME_MAX_MS
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        if (Date.now() > deadline && isEnough()) return
        tenant = await createTenant(api)
        const site = await makeSite(api, tenant)
        let before: ReadonlyMap<string, string> = new Map()
        const check = async (): Promise<void> => {
          expect(await findFaults(api.deps, tenant.id)).toEqual([])
          const after = await readRuns(site)
          for (const [id, digest] of before) expect(after.get(id)).toBe(digest)
          seen.replayed += await replay(site, before)
          before = after
        }
        let deleted: ReadonlySet<string> = new Set()
        for (const step of history) {
          const status = await take(api, tenant, site, step)
          expect([0, 200, 201, 409, 422]).toContain(status)
          await check()
          // A superseded run never becomes current again.
          const now = await superseded(site)
          for (const id of deleted) expect(now).toContain(id)
          deleted = now
          const key = `${step.kind} ${status}`
          seen.statuses.set(key, (seen.statuses.get(key) ?? 0) + 1)
          seen.steps += 1
        }
        await settle(site)
        await check()
        seen.superseded += deleted.size
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
    console.info(seen)
    expect(isEnough()).toBe(true)
  },
  (600_000 + TIME_MAX_MS) * SLOWNESS,
)

import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import { correct, findFaults, readState } from '../../support/netting/corrections.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../support/netting/prices.ts'
import {
  addFirstReadings,
  calculatePeriod,
  type LateReadings,
  lateReadingsOf,
  makeRegistrySite,
  REGISTRY_NOW,
  REGISTRY_PERIODS,
  type RegistrySite,
  type RegistryStep,
  registryHistories,
  takeStep,
} from '../../support/netting/registry-histories.ts'
import { SLOWNESS } from '../../support/slowness.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

/**
 * Changes of the registry, late readings, late prices and calculations in random order. A correction of all periods
 * then equals a calculation from scratch: a second tenant gets the same registry without readings, then all readings,
 * and is calculated once.
 */
let api: TestApi
beforeAll(async () => {
  api = await startApi({ now: REGISTRY_NOW })
})
afterAll(() => api.close())

/** December has no price until a step approves some. */
async function resetPrices(): Promise<void> {
  const { pool } = api.deps.database
  await pool.query('delete from tariff_price; delete from tariff_price_set')
  await makePriceSet(api.deps, '2026-01-01', INDUSTRIAL_PRICES)
  const dearer = INDUSTRIAL_PRICES.slice(0, 3).map((price) => ({ ...price, price: '3.5' }))
  const id = await makePriceSet(api.deps, '2026-01-01', dearer)
  await pool.query(`update tariff_price set gerilim_seviyesi = 'OG' where price_set_id = $1`, [id])
}

async function calculateAll(tenant: TestTenant, site: RegistrySite): Promise<void> {
  for (const groupId of site.groupIds) {
    for (const period of REGISTRY_PERIODS) await calculatePeriod(api, tenant, { groupId, period })
  }
}

async function correctAll(tenant: TestTenant, site: RegistrySite): Promise<void> {
  for (const id of site.groupIds) {
    const { status, body } = await correct(api, tenant, { id }, { billing_period: REGISTRY_PERIODS[0] })
    expect([status, body.failed_period, body.periods_corrected]).toEqual([201, null, [...REGISTRY_PERIODS]])
  }
}

/** The registry of a history without its calculations; then all readings, one derivation and one calculation. */
async function calculateFromScratch(
  tenant: TestTenant,
  site: RegistrySite,
  history: readonly RegistryStep[],
) {
  const late: LateReadings[] = []
  for (const step of history) {
    if (step.kind === 'late') late.push(lateReadingsOf(step))
    else if (!['approve', 'calculate', 'correct'].includes(step.kind)) await takeStep(api, tenant, site, step)
  }
  await addFirstReadings(api, tenant, { site, late })
  await calculateAll(tenant, site)
}

/** Whether a fact was built before its last reading arrived is not part of the figures. */
async function figuresOf(site: RegistrySite): Promise<string[]> {
  const names = Object.fromEntries(site.facilities.map(({ id }, index) => [id, `facility ${index}`]))
  const rows = await readState(api.deps, site.groupIds, names)
  return rows.map((row) =>
    row.replace(/"tenant_id":\d+,|"data_quality":"(complete|partial|corrected)",?/g, ''),
  )
}

const RUNS = Number(process.env['HISTORIES'] ?? 8)
const TIME_MAX_MS = RUNS * 10_000
const seen = { steps: 0, blocked: 0, statuses: new Map<string, number>() }
/** A slow machine goes on beyond the time until it has seen this much. */
const isEnough = (): boolean => seen.steps > 20 && seen.blocked > 0

it(
  'a correction after random changes of the registry equals a calculation from scratch',
  async () => {
    const deadline = Date.now() + TIME_MAX_MS
    await fc.assert(
      fc.asyncProperty(registryHistories, async (history) => {
        if (Date.now() > deadline && isEnough()) return
        await resetPrices()
        const tenant = await createTenant(api)
        const site = await makeRegistrySite(api, tenant)
        await addFirstReadings(api, tenant, { site })
        await calculateAll(tenant, site)
        for (const step of history) {
          const status = await takeStep(api, tenant, site, step)
          expect([0, 200, 201, 409, 422]).toContain(status)
          const key = `${step.kind} ${status}`
          seen.statuses.set(key, (seen.statuses.get(key) ?? 0) + 1)
          seen.steps += 1
        }
        await correctAll(tenant, site)
        expect(await findFaults(api.deps, tenant.id)).toEqual([])
        const corrected = await figuresOf(site)
        const second = await createTenant(api)
        const twin = await makeRegistrySite(api, second)
        await calculateFromScratch(second, twin, history)
        const scratch = await figuresOf(twin)
        const without = (some: string[], others: string[]) => {
          const known = new Set(others)
          return some.filter((row) => !known.has(row)).slice(0, 3)
        }
        expect([without(scratch, corrected), without(corrected, scratch)]).toEqual([[], []])
        expect(corrected).toHaveLength(scratch.length)
        if (corrected.some((row) => row.includes('invalid_group_bedelsiz'))) seen.blocked += 1
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
    console.info(seen)
    expect(isEnough()).toBe(true)
  },
  (600_000 + TIME_MAX_MS) * SLOWNESS,
)

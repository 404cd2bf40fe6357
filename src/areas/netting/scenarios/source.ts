import { packInput } from '../../../core/netting/input-pack.ts'
import { factsOfRoles } from '../../../core/netting/role-sets.ts'
import type { OtherFacility } from '../../../core/netting/scenario/types.ts'
import { parsePrice, roundDiv, type TryPerKwh, ZERO_KWH } from '../../../kernel/decimal.ts'
import { type BillingPeriod, periodEnd, periodStart, type Range } from '../../../kernel/time.ts'
import { inTenantSnapshot, type SystemDb, type TenantDb } from '../../../platform/db/tenant.ts'
import { balancesAsOf, listFacilities, listFacts, readRunInput } from '../calculation/index.ts'
import { listRoles } from '../hourly-energy/index.ts'
import { readSolarShape } from '../shared/index.ts'
import type { ScenarioWork } from './compute-work.ts'
import { decodeChanges, facilityRefs } from './decode-change.ts'
import * as store from './store.ts'
import type { ScenarioChange } from './wire-change.ts'

/** The work of a scenario, and the runs of its base. */
export interface LoadedScenario {
  readonly work: ScenarioWork
  readonly runIds: readonly string[]
}

interface Request {
  readonly from: BillingPeriod
  readonly to: BillingPeriod
  readonly groupIds: readonly string[]
  readonly changes: readonly ScenarioChange[]
}

/** Reads the stored inputs of the current runs, and of facilities outside of them, in one snapshot. */
export async function loadScenario(
  tenant: TenantDb,
  system: SystemDb,
  { from, to, groupIds, changes }: Request,
  withSolarShape = false,
): Promise<LoadedScenario> {
  const range = { from: periodStart(from), to: periodEnd(to) }
  const loaded = await inTenantSnapshot(tenant, async (snapshot) => {
    const runs = await store.listBaseRuns(snapshot, { from, to, groupIds })
    const inputs: string[] = []
    const runIds: string[] = []
    const known = new Set<string>()
    for (const { id } of runs) {
      const input = await readRunInput(snapshot, id)
      if (!input) continue
      runIds.push(id)
      for (const member of input.members) known.add(member.facilityId)
      inputs.push(packInput(input))
    }
    const named = new Set(facilityRefs(changes).map((ref) => ref.id))
    const others = await loadOthers(snapshot, [...named].filter((id) => !known.has(id)).sort(), range)
    return { runIds, inputs, others }
  })
  const needsPrices = changes.some(({ type }) => type === 'market_price')
  const needsSolar =
    withSolarShape ||
    changes.some((change) =>
      [change.profile, change.production, change.consumption].some(
        (profile) => profile?.kind === 'national_solar',
      ),
    )
  return {
    runIds: loaded.runIds,
    work: {
      from,
      to,
      inputs: loaded.inputs,
      others: loaded.others,
      solarShape: needsSolar ? await readSolarShape() : [],
      marketPrices: needsPrices ? await loadMarketPrices(system, range) : [],
      changes: decodeChanges(changes),
    },
  }
}

/** Facilities that are in no input of the base, with their readings and their limits at the start of the range. */
async function loadOthers(db: TenantDb, ids: readonly string[], range: Range): Promise<OtherFacility[]> {
  if (ids.length === 0) return []
  const facilities = await listFacilities(db, ids)
  const assignments = await listRoles(db, ids, range)
  const { facts } = factsOfRoles(await listFacts(db, ids, range), assignments, range)
  const accounts = await store.listAccounts(db, ids)
  const queries = accounts.map(({ id }) => ({ accountId: id, at: range.from }))
  const balances = await balancesAsOf(db, queries, [])
  return facilities.map((terms) => ({
    terms,
    assignments: assignments.filter((one) => one.facilityId === terms.facilityId),
    facts: facts.filter((one) => one.facilityId === terms.facilityId),
    accounts: accounts
      .filter((one) => one.facility_id === terms.facilityId)
      .map(({ id, year }) => ({ accountId: id, year, balanceKwh: balances.get(id) ?? ZERO_KWH })),
  }))
}

/** Prices are published for a MWh. */
const PER_MWH = 1_000n

async function loadMarketPrices(db: SystemDb, range: Range): Promise<(readonly [number, TryPerKwh])[]> {
  const rows = await store.listMarketPrices(db, range)
  return rows.map(({ ts, price_try_per_mwh }) => [
    ts.getTime(),
    roundDiv(parsePrice(price_try_per_mwh), PER_MWH) as TryPerKwh,
  ])
}

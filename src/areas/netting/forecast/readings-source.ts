import { knownConsumption, type ReadingsLimit, roleOfMeters } from '../../../core/netting/readings-only.ts'
import { factsOfRoles } from '../../../core/netting/role-sets.ts'
import type { MeasurementRole, MemberInput, PeriodInput } from '../../../core/netting/types.ts'
import { add, type Kwh, parseKwh, wh, ZERO_KWH } from '../../../kernel/decimal.ts'
import { invalidReference, unprocessable } from '../../../kernel/errors.ts'
import {
  type BillingPeriod,
  dayStart,
  floorHour,
  HOUR_MS,
  nextPeriod,
  periodRange,
  type Range,
} from '../../../kernel/time.ts'
import { UUID } from '../../../kernel/uuid.ts'
import { yieldToEventLoop } from '../../../platform/async/yield.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { listFacilities, listFacts } from '../calculation/index.ts'
import { listRoles } from '../hourly-energy/index.ts'
import { PREVIOUS_YEAR_KNOWN_PCT, READINGS_FACILITIES_MAX } from '../limits.ts'
import { approvedPrices } from '../tariffs/index.ts'
import { isStorageExportStrict } from '../tenant-settings/index.ts'
import { READINGS_ERRORS } from './messages.ts'
import { listInitialLimits } from './readings-store.ts'

/** Where the limit of a consumer comes from. */
export type LimitBasis = 'limit_account' | 'previous_year_consumption' | 'unlimited'

export interface FoundLimit extends ReadingsLimit {
  readonly basis: LimitBasis
}

/** Facilities as if they were a group, for a range of time. */
export interface ReadingsSource {
  readonly members: readonly MemberInput[]
  /** The facilities without a main meter in the range; they are no members. */
  readonly withoutMeters: readonly string[]
  /** The input of a month up to the current hour; its accounts are empty. */
  inputOf(period: BillingPeriod): Promise<PeriodInput>
}

const ALWAYS = '1970-01-01'

/** Parses the ids of a query: distinct, in order. Throws 422 for no id, too many, or a text that is none. */
export function parseFacilityIds(text: string): string[] {
  const ids = [...new Set(text.split(',').map((id) => id.trim().toLowerCase()))].sort()
  if (!ids.every((id) => UUID.test(id))) throw invalidReference('facility_ids')
  if (ids.length > READINGS_FACILITIES_MAX) {
    throw unprocessable(
      'BUSINESS_RULE_VIOLATION',
      READINGS_ERRORS.READINGS_TOO_MANY_FACILITIES({ max: READINGS_FACILITIES_MAX }),
      { field: 'facility_ids' },
    )
  }
  return ids
}

/** Throws 422 for a facility that does not exist. The meters in force in the range define the roles. */
export async function openReadings(
  db: TenantDb,
  {
    facilityIds,
    range,
    now,
  }: { readonly facilityIds: readonly string[]; readonly range: Range; readonly now: number },
): Promise<ReadingsSource> {
  const facilities = await listFacilities(db, facilityIds)
  if (facilities.length < facilityIds.length) throw invalidReference('facility_ids')
  const assignments = await listRoles(db, facilityIds, range)
  const rolesOf = new Map<string, Set<MeasurementRole>>()
  for (const { facilityId, role } of assignments) {
    rolesOf.set(facilityId, (rolesOf.get(facilityId) ?? new Set()).add(role))
  }
  const members = facilities.flatMap((facility): MemberInput[] => {
    const role = roleOfMeters(rolesOf.get(facility.facilityId) ?? new Set())
    return role === undefined ? [] : [{ ...facility, role, validFrom: ALWAYS, validTo: null }]
  })
  const measured = members.map(({ facilityId }) => facilityId)
  const strictStorageExport = await isStorageExportStrict(db)
  return {
    members,
    withoutMeters: facilityIds.filter((id) => !measured.includes(id)),
    async inputOf(billingPeriod) {
      await yieldToEventLoop()
      const period = periodRange(billingPeriod)
      const window = { from: period.from, to: Math.max(period.from, Math.min(period.to, floorHour(now))) }
      return {
        groupId: 'readings',
        groupName: 'readings',
        billingPeriod,
        window,
        eligibilityStatus: 'valid',
        members,
        assignments,
        facts: factsOfRoles(await listFacts(db, measured, window), assignments, window).facts,
        accounts: [],
        prices: await approvedPrices(db, period),
        stepStates: [],
        strictStorageExport,
      }
    },
  }
}

/** The months of a range of periods, both included. */
export function periodsOf(from: BillingPeriod, to: BillingPeriod): BillingPeriod[] {
  const periods: BillingPeriod[] = []
  for (let period = from; period <= to; period = nextPeriod(period)) periods.push(period)
  return periods
}

export const yearRange = (year: number): Range => ({
  from: dayStart(`${year}-01-01`),
  to: dayStart(`${year + 1}-01-01`),
})

/**
 * The limits of the consumers in a year: that of their account without usage, otherwise twice the consumption of
 * the year before where nearly all of it is known, otherwise none.
 */
export async function findLimits(
  db: TenantDb,
  { members }: ReadingsSource,
  { year, now }: { readonly year: number; readonly now: number },
): Promise<FoundLimit[]> {
  const consumers = members.filter(({ role }) => role !== 'production').map(({ facilityId }) => facilityId)
  const accounts = new Map(
    (await listInitialLimits(db, consumers, year)).map((row) => [row.facilityId, parseKwh(row.limitKwh)]),
  )
  const others = consumers.filter((id) => !accounts.has(id))
  const before = others.length === 0 ? new Map() : await consumptionOf(db, others, { year: year - 1, now })
  return consumers.map((facilityId): FoundLimit => {
    const account = accounts.get(facilityId)
    if (account !== undefined) return { facilityId, year, limitKwh: account, basis: 'limit_account' }
    const consumed: Kwh | undefined = before.get(facilityId)
    return consumed === undefined
      ? { facilityId, year, limitKwh: null, basis: 'unlimited' }
      : { facilityId, year, limitKwh: wh(2n * consumed), basis: 'previous_year_consumption' }
  })
}

/** The consumption of facilities in a year, of those for which nearly every hour is known. */
async function consumptionOf(
  db: TenantDb,
  facilityIds: readonly string[],
  { year, now }: { readonly year: number; readonly now: number },
): Promise<Map<string, Kwh>> {
  const range = yearRange(year)
  const source = await openReadings(db, { facilityIds, range, now })
  const sums = new Map<string, { kwh: Kwh; hours: number }>()
  for (const period of periodsOf(`${year}-01-01`, `${year}-12-01`)) {
    for (const [id, { kwh, hours }] of knownConsumption(await source.inputOf(period))) {
      const sum = sums.get(id) ?? { kwh: ZERO_KWH, hours: 0 }
      sums.set(id, { kwh: add(sum.kwh, kwh), hours: sum.hours + hours })
    }
  }
  const needed = ((range.to - range.from) / HOUR_MS) * (PREVIOUS_YEAR_KNOWN_PCT / 100)
  return new Map([...sums].flatMap(([id, { kwh, hours }]) => (hours >= needed ? [[id, kwh] as const] : [])))
}

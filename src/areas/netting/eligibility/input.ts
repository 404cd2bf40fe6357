import type { EligibilityInput } from '../../../core/netting/eligibility/types.ts'
import type { AssignmentInput, PriceRowInput } from '../../../core/netting/types.ts'
import { type Kwh, parseKwh } from '../../../kernel/decimal.ts'
import { localDate, localYear, periodOf, periodRange } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { type MetersOfFacilities, readMeters, rolesOf } from '../hourly-energy/index.ts'
import { MAIN_ROLES } from '../shared/index.ts'
import { approvedPrices } from '../tariffs/index.ts'
import * as store from './store.ts'

export interface EvaluatedInstant {
  readonly at: number
  /** The period of the instant is over. */
  readonly isPeriodOver: boolean
  /** What the caller has read already; otherwise it is read. */
  readonly known?: KnownInput
}

/** Input that a calculation reads too, of at least the members at the instant. */
export interface KnownInput {
  /** Over a range that contains the instant. */
  readonly meters: MetersOfFacilities
  /** Those of the period of the instant. */
  readonly prices: readonly PriceRowInput[]
}

/** The input of the rules as of an instant. */
export async function loadInput(
  db: TenantDb,
  group: store.EvaluatedGroup,
  { at, isPeriodOver, known }: EvaluatedInstant,
): Promise<EligibilityInput> {
  const today = localDate(at)
  const members = await store.listActiveMembers(db, group.id, today)
  const facilityIds = members.map((member) => member.facility_id)
  const facilitiesInYear = { facilityIds, year: localYear(at) }
  const accounts = await store.listAccounts(db, facilitiesInYear)
  const transfers = await store.listTransfers(db, facilitiesInYear)
  const scope = group.scope_id === null ? undefined : await store.findScope(db, group.scope_id)
  const instant = { from: at, to: at + 1 }
  const meters = known?.meters ?? (await readMeters(db, facilityIds, instant))
  const highest = await store.listHighestProduction(db, facilityIds, periodRange(periodOf(at)))
  return {
    today,
    isPeriodOver,
    groupStatus: group.group_status,
    scope: scope ? { id: scope.id, name: scope.name, isDeclared: scope.declaration_source !== null } : null,
    responsibleSupplierId: group.responsible_supplier_id,
    members: members.map((member) => ({
      facilityId: member.facility_id,
      facilityName: member.name,
      role: member.member_role,
      scopeId: member.scope_id,
      supplierId: member.supplier_id,
      aboneGrubu: member.abone_grubu,
      supplyType: member.tariff_supply_type,
      installedKwhPerHour: kwhOf(member.installed_kw),
      contractedKwhPerHour: kwhOf(member.contracted_kw),
    })),
    facilityIdsWithAccount: accounts.map((account) => account.facility_id),
    transfers: transfers.map((transfer) => ({
      movementId: transfer.id,
      facilityId: transfer.facility_id,
      isConfirmed: transfer.contracted_power_confirmed === true,
    })),
    facilityIdsWithMainMeter: withMainMeter(rolesOf(meters, facilityIds, instant)),
    prices: known?.prices ?? (await approvedPrices(db, periodRange(periodOf(at)))),
    highestProduction: highest.map(({ facility_id, hour, kwh }) => ({
      facilityId: facility_id,
      hour: hour.getTime(),
      productionKwh: parseKwh(kwh),
    })),
  }
}

/** The input of the rules for a group now; undefined for an unknown group. */
export async function eligibilityInput(
  db: TenantDb,
  groupId: string,
  now: number,
): Promise<EligibilityInput | undefined> {
  const group = await store.findGroup(db, groupId)
  return group && loadInput(db, group, { at: now, isPeriodOver: false })
}

const kwhOf = (text: string | null): Kwh | null => (text === null ? null : parseKwh(text))

function withMainMeter(assignments: readonly AssignmentInput[]): string[] {
  const isMain = (role: string) => MAIN_ROLES.some((main) => main === role)
  return assignments.filter(({ role }) => isMain(role)).map(({ facilityId }) => facilityId)
}

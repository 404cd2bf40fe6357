import { decimalText } from '../../../../kernel/decimal.ts'
import { AppError, found, invalidReference, unprocessable } from '../../../../kernel/errors.ts'
import { localDate } from '../../../../kernel/time.ts'
import { type Reference, requireReferences } from '../../../../platform/db/references.ts'
import { inSystemTx, type SystemDb, type TenantDb, type TenantTx } from '../../../../platform/db/tenant.ts'
import { ALARM_TEXTS, clearAlarmsAbout } from '../../alarms/index.ts'
import { ALWAYS, queueRebuilds } from '../../hourly-energy/index.ts'
import { readFacilityLimits } from '../../limit-balances/index.ts'
import { type Actor, dateOf, decodeFields, NETTING_ERRORS, type WriteContext } from '../../shared/index.ts'
import type { CreateFacility, FacilityQuery, UpdateFacility } from './schema.ts'
import * as facilities from './store.ts'

/** With `include=limits` each facility contains its limit of the current year. */
export async function listFacilities(tenant: TenantDb, query: FacilityQuery, now: number) {
  const { items, total } = await facilities.list(tenant, query)
  if (query.include !== 'limits') return { items, total }
  const ids = items.map(({ id }) => id)
  const limits = await readFacilityLimits(tenant, ids, now)
  return { items: items.map((facility) => ({ ...facility, limits: limits.get(facility.id) ?? null })), total }
}

const decoders = {
  valid_from: dateOf,
  valid_to: dateOf,
  installed_power_kw: decimalText,
  contracted_power_kw: decimalText,
  ess_capacity_kwh: decimalText,
  ess_power_kw: decimalText,
}

type ReferenceFields = Pick<
  UpdateFacility,
  | 'subregion_id'
  | 'scope_id'
  | 'grid_operator_id'
  | 'distribution_company_id'
  | 'retail_or_zone_operator_id'
  | 'meter_reading_org_id'
  | 'supplier_id'
>

const referencesOf = (body: ReferenceFields): Reference[] => [
  ['subregion_id', 'subregion', body.subregion_id],
  ['scope_id', 'scope', body.scope_id],
  ['grid_operator_id', 'organization', body.grid_operator_id],
  ['distribution_company_id', 'organization', body.distribution_company_id],
  ['retail_or_zone_operator_id', 'organization', body.retail_or_zone_operator_id],
  ['meter_reading_org_id', 'organization', body.meter_reading_org_id],
  ['supplier_id', 'organization', body.supplier_id],
]

interface RuledFields {
  readonly valid_from: string
  readonly valid_to?: string | null
  readonly has_ess?: boolean
  readonly ess_capacity_kwh?: unknown
  readonly ess_power_kw?: unknown
}

/** Checks the rules over several fields on the record as it would be stored. */
function checkRules({
  valid_from,
  valid_to,
  has_ess = false,
  ess_capacity_kwh,
  ess_power_kw,
}: RuledFields): void {
  if (valid_to && valid_from > valid_to) {
    throw unprocessable('BUSINESS_RULE_VIOLATION', NETTING_ERRORS.PERIOD_ENDS_BEFORE_IT_BEGINS(), {
      field: 'valid_to',
    })
  }
  for (const [field, value] of Object.entries({ ess_capacity_kwh, ess_power_kw })) {
    const isGiven = value !== undefined && value !== null
    if (isGiven !== has_ess) {
      const text = has_ess
        ? NETTING_ERRORS.HAS_ESS_NEEDS_FIELD({ field })
        : NETTING_ERRORS.FIELD_NEEDS_HAS_ESS({ field })
      throw unprocessable('BUSINESS_RULE_VIOLATION', text, { field })
    }
  }
}

/**
 * Creates a facility, by default from today and under its subregion's name, and its first history row. With
 * `history` the record names its origin.
 */
export async function createFacility(tx: TenantTx, body: CreateFacility, actor: WriteContext) {
  const sent = decodeFields(body, decoders)
  const subregion = await facilities.subregionName(tx, sent.subregion_id)
  if (subregion === undefined) throw invalidReference('subregion_id')
  await requireReferences(tx, referencesOf(sent))
  const values = {
    ...sent,
    name: sent.name ?? subregion,
    valid_from: sent.valid_from ?? localDate(actor.at),
  }
  checkRules(values)
  const after = await facilities.create(tx, values, actor)
  await facilities.appendHistory(tx, { before: undefined, after }, actor)
  await queueSubregions(tx, [after.subregion_id], actor)
  return after
}

/** A partial update. The rules apply to the combined state. 404 for an unknown facility. */
export async function updateFacility(tx: TenantTx, id: string, body: UpdateFacility, actor: Actor) {
  const before = found('facility', await facilities.lock(tx, id))
  const set = decodeFields(body, decoders)
  await requireReferences(tx, referencesOf(set))
  checkRules({ ...before, ...set })
  if (!facilities.hasChanges(set)) return before
  const after = await facilities.update(tx, id, set, actor)
  await facilities.appendHistory(tx, { before, after }, actor)
  if (before.subregion_id !== after.subregion_id) {
    await queueSubregions(tx, [before.subregion_id, after.subregion_id], actor)
  }
  return after
}

/**
 * An assignment that names neither a facility nor a metering point belongs to the only facility of its subregion. Where
 * the number of facilities changes, the facts of such assignments are derived again.
 */
async function queueSubregions(tx: TenantTx, subregionIds: readonly string[], { at }: Actor): Promise<void> {
  const facilityIds = await facilities.listWithCommonMeters(tx, subregionIds)
  await queueRebuilds(tx, { facilityIds, range: ALWAYS, now: at })
}

interface Deletion {
  readonly id: string
  readonly actor: Actor
  /** Runs first in the transaction, with the tenant of the facility: the If-Match comparison. */
  readonly precondition: (tx: TenantTx) => Promise<void> | undefined
}

/**
 * Deletes a facility permanently, in any tenant. The foreign keys decide whether it is still in use, so that
 * a concurrent insert is seen. The counts for the 409 are read afterwards.
 */
export async function deleteFacility(system: SystemDb, { id, actor, precondition }: Deletion): Promise<void> {
  const { tenant_id: tenantId } = found('facility', await facilities.findTenant(system, id))
  try {
    await inSystemTx(system.db, async ({ db }) => {
      const tx: TenantTx = { db, tenantId }
      await precondition(tx)
      const before = found('facility', await facilities.lock(tx, id))
      await facilities.releaseInstallations(tx, id)
      await facilities.remove(tx, id)
      await facilities.appendHistory(tx, { before, after: undefined }, actor)
      await queueSubregions(tx, [before.subregion_id], actor)
      await clearAlarmsAbout(
        tx,
        { facilityId: id },
        { reason: ALARM_TEXTS.END_FACILITY_DELETED(), at: actor.at },
      )
    })
  } catch (error) {
    if (error instanceof AppError || !facilities.isReferenced(error)) throw error
    const tenant = { db: system.db, tenantId }
    throw facilities.hasDependencies(await facilities.countDependencies(tenant, id))
  }
}

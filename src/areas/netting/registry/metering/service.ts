import { found, invalidReference, unprocessable } from '../../../../kernel/errors.ts'
import { iso } from '../../../../kernel/time.ts'
import { requireReferences } from '../../../../platform/db/references.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import {
  type Actor,
  decodeFields,
  isoInstantOf,
  NETTING_ERRORS,
  type WriteContext,
} from '../../shared/index.ts'
import { queueChangedFacts } from './assignment-facts.ts'
import type {
  CreateAssignment,
  CreateMeteringPoint,
  MeteringPointQuery,
  UpdateAssignment,
  UpdateMeteringPoint,
} from './schema.ts'
import * as store from './store.ts'

const decoders = { valid_from: isoInstantOf, valid_to: isoInstantOf }

const millis = (instant: Date | string): number =>
  instant instanceof Date ? instant.getTime() : Date.parse(instant)

interface Period {
  readonly valid_from: Date | string
  readonly valid_to?: Date | string | null
}

function refusePeriod({ valid_from, valid_to }: Period, mayBeEmpty: boolean): void {
  if (!valid_to) return
  const length = millis(valid_to) - millis(valid_from)
  if (length < 0 || (length === 0 && !mayBeEmpty)) {
    const text = mayBeEmpty ? NETTING_ERRORS.PERIOD_ENDS_BEFORE_IT_BEGINS() : NETTING_ERRORS.PERIOD_IS_EMPTY()
    throw unprocessable('BUSINESS_RULE_VIOLATION', text, { field: 'valid_to' })
  }
}

const checkPointReferences = (tx: TenantTx, body: UpdateMeteringPoint) =>
  requireReferences(tx, [
    ['meter_reading_org_id', 'organization', body.meter_reading_org_id],
    ['osos_installation_id', 'osos_installation', body.osos_installation_id],
  ])

export async function listMeteringPoints(tenant: TenantDb, facilityId: string, query: MeteringPointQuery) {
  found('facility', await store.findFacility(tenant, facilityId))
  return store.listPoints(tenant, facilityId, query)
}

/**
 * Creates a metering point, by default from now on. 404 for an unknown facility. With `history` the record
 * names its origin.
 */
export async function createMeteringPoint(
  tx: TenantTx,
  facilityId: string,
  body: CreateMeteringPoint,
  { at, history }: WriteContext,
) {
  found('facility', await store.findFacility(tx, facilityId))
  const sent = decodeFields(body, decoders)
  const values = { ...sent, valid_from: sent.valid_from ?? iso(at) }
  await checkPointReferences(tx, values)
  refusePeriod(values, true)
  return store.createPoint(tx, facilityId, { ...values, origin: history?.origin ?? null })
}

export async function updateMeteringPoint(tx: TenantTx, id: string, body: UpdateMeteringPoint) {
  const before = found('metering point', await store.lockPoint(tx, id))
  const set = store.pointWritables(decodeFields(body, decoders))
  await checkPointReferences(tx, set)
  refusePeriod({ ...before, ...set }, true)
  return Object.keys(set).length === 0 ? before : store.updatePoint(tx, id, set)
}

interface AssignmentLocation {
  readonly facility_id?: string | null
  readonly metering_point_id?: string | null
}

/** Checks that the metering point of an assignment belongs to the facility of the assignment. */
async function checkLocation(
  tx: TenantTx,
  { facility_id, metering_point_id }: AssignmentLocation,
): Promise<void> {
  await requireReferences(tx, [['facility_id', 'facility', facility_id]])
  if (!metering_point_id) return
  const owner = await store.pointFacility(tx, metering_point_id)
  if (owner === undefined) throw invalidReference('metering_point_id')
  if (facility_id && owner !== facility_id.toLowerCase()) {
    const text = NETTING_ERRORS.METERING_POINT_OF_ANOTHER_FACILITY()
    throw unprocessable('BUSINESS_RULE_VIOLATION', text, { field: 'metering_point_id' })
  }
}

/**
 * Puts a device into a measurement role. 409 PERIOD_OVERLAP where the subregion has the same main role in the
 * period. With `history` the record names its origin. The facts of the period are queued to be derived again; 409 where
 * one of their months is sealed.
 */
export async function assignMeter(tx: TenantTx, body: CreateAssignment, { at, history }: WriteContext) {
  const values = decodeFields(body, decoders)
  if (!(await store.lockSubregion(tx, values.subregion_id))) throw invalidReference('subregion_id')
  await requireReferences(tx, [['device_id', 'device', values.device_id]])
  await checkLocation(tx, values)
  refusePeriod(values, false)
  const created = await store.createAssignment(tx, values, history?.origin ?? null)
  await queueChangedFacts(tx, { before: undefined, after: created, at })
  return created
}

/** A partial update, mostly to close a period with valid_to. Subregion and device are fixed. */
export async function updateAssignment(
  tx: TenantTx,
  id: string,
  body: UpdateAssignment,
  { at }: Pick<Actor, 'at'>,
) {
  const { subregion_id: subregionId } = found('assignment', await store.findAssignment(tx, id))
  await store.lockSubregion(tx, subregionId)
  const before = found('assignment', await store.lockAssignment(tx, id))
  const set = store.assignmentWritables(decodeFields(body, decoders))
  const after = { ...before, ...set }
  if (set.facility_id !== undefined || set.metering_point_id !== undefined) await checkLocation(tx, after)
  refusePeriod(after, false)
  if (Object.keys(set).length === 0) return before
  const updated = await store.updateAssignment(tx, id, set)
  await queueChangedFacts(tx, { before, after: updated, at })
  return updated
}

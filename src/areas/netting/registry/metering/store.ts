import { conflict, invalidReference, notFound } from '../../../../kernel/errors.ts'
import { insertable } from '../../../../platform/db/columns.ts'
import { refusing } from '../../../../platform/db/constraints.ts'
import { readList } from '../../../../platform/db/list.ts'
import { matchesSearch } from '../../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../../platform/db/tenant-rows.ts'
import { NETTING_ERRORS } from '../../shared/index.ts'
import type {
  AssignmentQuery,
  CreateAssignment,
  CreateMeteringPoint,
  MeteringPointQuery,
  UpdateAssignment,
  UpdateMeteringPoint,
} from './schema.ts'

const pointWritable = [
  'meter_no',
  'valid_from',
  'valid_to',
  'meter_reading_org_id',
  'osos_installation_id',
  'notes',
] as const
const pointColumns = ['id', 'facility_id', ...pointWritable, 'origin', 'created_at'] as const
const pointConstraints = {
  metering_point_facility_fkey: () => notFound('facility'),
  metering_point_meter_reading_org_fkey: () => invalidReference('meter_reading_org_id'),
  metering_point_osos_installation_fkey: () => invalidReference('osos_installation_id'),
}

const points = (tenant: TenantDb) => selectRows(tenant, 'metering_point').select(pointColumns)

export const listPoints = (tenant: TenantDb, facilityId: string, query: MeteringPointQuery) =>
  readList(
    points(tenant)
      .where('facility_id', '=', facilityId)
      .where(matchesSearch(query.search, ['meter_no']))
      .orderBy('created_at', 'desc')
      .orderBy('valid_from', 'desc')
      .orderBy('id'),
    query,
  )

/** Undefined for an unknown facility as well as for a foreign one. */
export const findFacility = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'facility').select('id').where('id', '=', id).executeTakeFirst()

export const findPoint = (tenant: TenantDb, id: string) =>
  points(tenant).where('id', '=', id).executeTakeFirst()

export type PointRow = NonNullable<Awaited<ReturnType<typeof findPoint>>>

/** Locks the point, so that two partial updates are checked one after the other. */
export const lockPoint = (tx: TenantTx, id: string) =>
  points(tx).where('id', '=', id).forUpdate().executeTakeFirst()

export const createPoint = (
  { db, tenantId }: TenantTx,
  facilityId: string,
  body: CreateMeteringPoint & { valid_from: string; origin: string | null },
) =>
  refusing(
    pointConstraints,
    db
      .insertInto('metering_point')
      .values({
        ...insertable(body, pointWritable),
        valid_from: body.valid_from,
        tenant_id: tenantId,
        facility_id: facilityId,
        origin: body.origin,
      })
      .returning(pointColumns)
      .executeTakeFirstOrThrow(),
  )

/** `set` is not empty. */
export const updatePoint = (tx: TenantTx, id: string, set: Partial<UpdateMeteringPoint>) =>
  refusing(
    pointConstraints,
    updateRows(tx, 'metering_point')
      .set(set)
      .where('id', '=', id)
      .returning(pointColumns)
      .executeTakeFirstOrThrow(),
  )

export const pointWritables = (body: UpdateMeteringPoint) => insertable(body, pointWritable)

const changeable = ['facility_id', 'metering_point_id', 'measurement_role', 'valid_from', 'valid_to'] as const
const assignable = ['subregion_id', 'device_id', ...changeable] as const
const assignmentColumns = ['id', ...assignable, 'origin', 'created_at'] as const
const assignmentConstraints = {
  meter_assignment_subregion_fkey: () => invalidReference('subregion_id'),
  meter_assignment_device_fkey: () => invalidReference('device_id'),
  meter_assignment_facility_fkey: () => invalidReference('facility_id'),
  meter_assignment_metering_point_fkey: () => invalidReference('metering_point_id'),
  meter_assignment_main_role_overlap: () => conflict('PERIOD_OVERLAP', NETTING_ERRORS.MAIN_ROLE_OVERLAP()),
}

const assignments = (tenant: TenantDb) => selectRows(tenant, 'meter_assignment').select(assignmentColumns)

export function listAssignments(tenant: TenantDb, query: AssignmentQuery) {
  let rows = assignments(tenant)
  if (query.subregion_id !== undefined) rows = rows.where('subregion_id', '=', query.subregion_id)
  if (query.facility_id !== undefined) rows = rows.where('facility_id', '=', query.facility_id)
  return readList(rows.orderBy('created_at', 'desc').orderBy('valid_from', 'desc').orderBy('id'), query)
}

export const findAssignment = (tenant: TenantDb, id: string) =>
  assignments(tenant).where('id', '=', id).executeTakeFirst()

export const lockAssignment = (tx: TenantTx, id: string) =>
  assignments(tx).where('id', '=', id).forUpdate().executeTakeFirst()

/**
 * Locks the subregion before a change of its assignments. Without the lock two inserts that both violate the
 * exclusion constraint could wait for each other, and PostgreSQL would end one of them as a deadlock. False
 * for an unknown subregion.
 */
export const lockSubregion = async (tx: TenantTx, id: string): Promise<boolean> => {
  const query = selectRows(tx, 'subregion').select('id')
  return (await query.where('id', '=', id).forNoKeyUpdate().executeTakeFirst()) !== undefined
}

export const pointFacility = async (tenant: TenantDb, id: string): Promise<string | undefined> => {
  const query = selectRows(tenant, 'metering_point').select('facility_id')
  return (await query.where('id', '=', id).executeTakeFirst())?.facility_id
}

/** The facility that an assignment measures, as the build of facts resolves it; undefined for none. */
export async function facilityOfAssignment(
  { db, tenantId }: TenantDb,
  { facility_id, metering_point_id, subregion_id }: AssignmentPlace,
): Promise<string | undefined> {
  if (facility_id) return facility_id
  if (metering_point_id) return pointFacility({ db, tenantId }, metering_point_id)
  const inSubregion = await facilitiesOfSubregion({ db, tenantId }, subregion_id)
  return inSubregion.length === 1 ? inSubregion[0] : undefined
}

export interface AssignmentPlace {
  readonly facility_id?: string | null
  readonly metering_point_id?: string | null
  readonly subregion_id: string
}

const facilitiesOfSubregion = async (tenant: TenantDb, subregionId: string): Promise<string[]> =>
  (
    await selectRows(tenant, 'facility')
      .select('id')
      .where('subregion_id', '=', subregionId)
      .limit(2)
      .execute()
  ).map(({ id }) => id)

export const createAssignment = ({ db, tenantId }: TenantTx, body: CreateAssignment, origin: string | null) =>
  refusing(
    assignmentConstraints,
    db
      .insertInto('meter_assignment')
      .values({ ...insertable(body, assignable), tenant_id: tenantId, origin })
      .returning(assignmentColumns)
      .executeTakeFirstOrThrow(),
  )

/** `set` is not empty. */
export const updateAssignment = (tx: TenantTx, id: string, set: Partial<UpdateAssignment>) =>
  refusing(
    assignmentConstraints,
    updateRows(tx, 'meter_assignment')
      .set(set)
      .where('id', '=', id)
      .returning(assignmentColumns)
      .executeTakeFirstOrThrow(),
  )

export const assignmentWritables = (body: UpdateAssignment) => insertable(body, changeable)

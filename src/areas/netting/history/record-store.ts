import type { TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'

/** Existing records by their natural keys. At most two rows are read: one that is found, and one more. */
const UNIQUE_CHECK = 2

const byName = (tx: TenantTx, table: 'facility' | 'device' | 'scope' | 'netting_group', name: string) =>
  selectRows(tx, table).select('id').where('name', '=', name).limit(UNIQUE_CHECK).execute()

export const facilitiesNamed = (tx: TenantTx, name: string) => byName(tx, 'facility', name)
export const devicesNamed = (tx: TenantTx, name: string) => byName(tx, 'device', name)
export const scopesNamed = (tx: TenantTx, name: string) => byName(tx, 'scope', name)
export const groupsNamed = (tx: TenantTx, name: string) => byName(tx, 'netting_group', name)

export const organizationsNamed = (tx: TenantTx, name: string) =>
  selectRows(tx, 'organization')
    .select(['id', 'org_type'])
    .where('name', '=', name)
    .orderBy('org_type')
    .execute()

export const regionsNamed = (tx: TenantTx, name: string) =>
  selectRows(tx, 'region').select('id').where('name', '=', name).execute()

export const findSubregion = (tx: TenantTx, regionId: string, name: string) =>
  selectRows(tx, 'subregion')
    .select(['id', 'city'])
    .where('region_id', '=', regionId)
    .where('name', '=', name)
    .executeTakeFirst()

/** The subregion of a facility and its region by their names, and the city. */
export const findPlace = (tx: TenantTx, subregionId: string) =>
  selectRows(tx, 'subregion as s')
    .innerJoin('region as r', (join) =>
      join.onRef('r.tenant_id', '=', 's.tenant_id').onRef('r.id', '=', 's.region_id'),
    )
    .select(['r.name as region', 's.name as subregion', 's.city'])
    .where('s.id', '=', subregionId)
    .executeTakeFirstOrThrow()

export const findScope = (tx: TenantTx, id: string) =>
  selectRows(tx, 'scope').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

export const findFacility = (tx: TenantTx, id: string) =>
  selectRows(tx, 'facility').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

export const findGroup = (tx: TenantTx, id: string) =>
  selectRows(tx, 'netting_group').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

export const findInstallation = (tx: TenantTx, installationNo: string) =>
  selectRows(tx, 'osos_installation')
    .selectAll()
    .where('installation_no', '=', installationNo)
    .executeTakeFirst()

export const findPoint = (tx: TenantTx, facilityId: string, meterNo: string) =>
  selectRows(tx, 'metering_point')
    .selectAll()
    .where('facility_id', '=', facilityId)
    .where('meter_no', '=', meterNo)
    .orderBy('valid_from')
    .limit(1)
    .executeTakeFirst()

/** The device that measures a metering point at an instant; the end of an assignment counts, too. */
export const findDeviceOfPoint = (tx: TenantTx, pointId: string, at: string) =>
  selectRows(tx, 'meter_assignment')
    .select('device_id')
    .where('metering_point_id', '=', pointId)
    .where('valid_from', '<=', new Date(at))
    .where((eb) => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>=', new Date(at))]))
    .orderBy('valid_from')
    .limit(1)
    .executeTakeFirst()

export interface AssignmentKey {
  readonly facilityId: string
  readonly deviceId: string
  readonly role: string
  /** ISO text. */
  readonly validFrom: string
}

export const findAssignment = (tx: TenantTx, { facilityId, deviceId, role, validFrom }: AssignmentKey) =>
  selectRows(tx, 'meter_assignment')
    .selectAll()
    .where('facility_id', '=', facilityId)
    .where('device_id', '=', deviceId)
    .where('measurement_role', '=', role)
    .where('valid_from', '=', new Date(validFrom))
    .executeTakeFirst()

export interface MemberKey {
  readonly groupId: string
  readonly facilityId: string
  readonly validFrom: string
}

export const findMember = (tx: TenantTx, { groupId, facilityId, validFrom }: MemberKey) =>
  selectRows(tx, 'group_member')
    .selectAll()
    .where('group_id', '=', groupId)
    .where('facility_id', '=', facilityId)
    .where('valid_from', '=', validFrom)
    .executeTakeFirst()

export const findAccount = (tx: TenantTx, facilityId: string, year: number) =>
  selectRows(tx, 'limit_account')
    .selectAll()
    .where('facility_id', '=', facilityId)
    .where('year', '=', year)
    .executeTakeFirst()

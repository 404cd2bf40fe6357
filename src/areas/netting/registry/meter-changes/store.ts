import { sql } from 'kysely'
import { conflict, invalidReference } from '../../../../kernel/errors.ts'
import type { Range } from '../../../../kernel/time.ts'
import { insertable } from '../../../../platform/db/columns.ts'
import { refusing } from '../../../../platform/db/constraints.ts'
import { readList } from '../../../../platform/db/list.ts'
import { matchesSearch } from '../../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../../platform/db/tenant-rows.ts'
import { METER_CHANGE_TEXTS } from './messages.ts'
import type { CorrectMeterChange, CreateMeterChange, MeterChangeQuery } from './schema.ts'

const correctable = [
  'changed_at',
  'old_end_kwh',
  'new_start_kwh',
  'old_serial_no',
  'new_serial_no',
  'note',
] as const
const writable = ['device_id', 'osos_installation_id', 'register', ...correctable] as const
const columns = [
  'id',
  ...writable,
  'origin',
  'recorded_by',
  'recorded_at',
  'corrections',
  'voided_at',
  'voided_by',
  'void_reason',
] as const

const exists = () => conflict('METER_CHANGE_EXISTS', METER_CHANGE_TEXTS.METER_CHANGE_EXISTS())
const constraints = {
  meter_change_device_key: exists,
  meter_change_osos_installation_key: exists,
  meter_change_device_fkey: () => invalidReference('device_id'),
  meter_change_osos_installation_fkey: () => invalidReference('osos_installation_id'),
}

const changes = (tenant: TenantDb) => selectRows(tenant, 'meter_change').select(columns)

export function list(
  tenant: TenantDb,
  { device_id, osos_installation_id, register, include_voided, search, ...page }: MeterChangeQuery,
) {
  let rows = changes(tenant)
  if (device_id !== undefined) rows = rows.where('device_id', '=', device_id)
  if (osos_installation_id !== undefined) rows = rows.where('osos_installation_id', '=', osos_installation_id)
  if (register !== undefined) rows = rows.where('register', '=', register)
  if (!include_voided) rows = rows.where('voided_at', 'is', null)
  rows = rows.where(matchesSearch(search, ['old_serial_no', 'new_serial_no', 'note']))
  return readList(rows.orderBy('changed_at', 'desc').orderBy('id'), page)
}

export const find = (tenant: TenantDb, id: string) => changes(tenant).where('id', '=', id).executeTakeFirst()

export type MeterChangeRow = NonNullable<Awaited<ReturnType<typeof find>>>

const REVISIONS_MAX = 100

export const listRevisions = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'meter_change_revision')
    .select([...correctable, 'corrected_at', 'corrected_by', 'reason'])
    .where('change_id', '=', id)
    .orderBy('revision', 'desc')
    .limit(REVISIONS_MAX)
    .execute()

/** A meter: a device or an OSOS installation. */
export interface Meter {
  readonly deviceId: string | null
  readonly installationId: string | null
}

const ofMeter = (tenant: TenantDb, { deviceId, installationId }: Meter) =>
  deviceId === null
    ? changes(tenant).where('voided_at', 'is', null).where('osos_installation_id', '=', installationId)
    : changes(tenant).where('voided_at', 'is', null).where('device_id', '=', deviceId)

/** The changes of a meter that are in force, at most `limit`, ascending. */
export const listOfMeter = (tenant: TenantDb, meter: Meter, limit: number): Promise<MeterChangeRow[]> =>
  ofMeter(tenant, meter).orderBy('changed_at').limit(limit).execute()

export const findSame = (
  tenant: TenantDb,
  meter: Meter,
  { register, changedAt }: { readonly register: string; readonly changedAt: string },
): Promise<MeterChangeRow | undefined> =>
  ofMeter(tenant, meter)
    .where('register', '=', register)
    .where('changed_at', '=', new Date(changedAt))
    .executeTakeFirst()

interface Entry {
  readonly by: string | null
  readonly at: number
}

export const create = (
  { db, tenantId }: TenantTx,
  body: CreateMeterChange,
  { by, at, origin }: Entry & { readonly origin: string | null },
): Promise<MeterChangeRow> =>
  refusing(
    constraints,
    db
      .insertInto('meter_change')
      .values({
        ...insertable(body, writable),
        tenant_id: tenantId,
        origin,
        recorded_by: by,
        recorded_at: new Date(at),
      })
      .returning(columns)
      .executeTakeFirstOrThrow(),
  )

export interface CorrectedFields {
  readonly changed_at?: string
  readonly old_end_kwh?: string
  readonly new_start_kwh?: string
  readonly old_serial_no?: string | null
  readonly new_serial_no?: string | null
  readonly note?: string | null
}

/** The fields of a correction that are stored. */
export const correctedFields = (body: Omit<CorrectMeterChange, 'reason'>) =>
  insertable(body, correctable) as CorrectedFields

/** Stores the values before a correction, then the new ones. `set` is not empty. */
export async function correct(
  tx: TenantTx,
  {
    before,
    set,
    reason,
  }: { readonly before: MeterChangeRow; readonly set: CorrectedFields; readonly reason: string },
  { by, at }: Entry,
): Promise<MeterChangeRow> {
  const corrections = before.corrections + 1
  await tx.db
    .insertInto('meter_change_revision')
    .values({
      ...insertable(before, correctable),
      tenant_id: tx.tenantId,
      change_id: before.id,
      revision: corrections,
      corrected_by: by,
      corrected_at: new Date(at),
      reason,
    })
    .execute()
  return refusing(
    constraints,
    updateRows(tx, 'meter_change')
      .set({ ...set, corrections })
      .where('id', '=', before.id)
      .returning(columns)
      .executeTakeFirstOrThrow(),
  )
}

export const voidChange = (
  tx: TenantTx,
  id: string,
  { by, at, reason }: Entry & { readonly reason: string },
): Promise<MeterChangeRow> =>
  updateRows(tx, 'meter_change')
    .set({ voided_at: new Date(at), voided_by: by, void_reason: reason })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()

export const findDeviceKey = async (tenant: TenantDb, id: string): Promise<number | undefined> =>
  (await selectRows(tenant, 'device').select('key').where('id', '=', id).executeTakeFirst())?.key

/** The facilities that a device measures during a part of a range, as the build of facts resolves them. */
export async function facilitiesOfDevice(
  { db, tenantId }: TenantDb,
  deviceId: string,
  { from, to }: Range,
): Promise<string[]> {
  const { rows } = await sql<{ facility_id: string }>`
    select distinct measured.facility_id from (
      select coalesce(a.facility_id, p.facility_id, (
        select min(f.id::text)::uuid from facility f
        where f.tenant_id = ${tenantId} and f.subregion_id = a.subregion_id having count(*) = 1
      )) as facility_id
      from meter_assignment a
      left join metering_point p on (p.tenant_id, p.id) = (a.tenant_id, a.metering_point_id)
      where a.tenant_id = ${tenantId} and a.device_id = ${deviceId} and a.valid_from < ${new Date(to)}
        and (a.valid_to is null or a.valid_to > ${new Date(from)})
    ) measured where measured.facility_id is not null order by 1`.execute(db)
  return rows.map(({ facility_id }) => facility_id)
}

/** Whether an installation has a stored hour that ends after an instant. */
export async function hasHoursFrom(tenant: TenantDb, installationId: string, hour: number): Promise<boolean> {
  const row = await selectRows(tenant, 'osos_reading')
    .select('hour')
    .where('installation_id', '=', installationId)
    .where('hour', '>=', new Date(hour))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

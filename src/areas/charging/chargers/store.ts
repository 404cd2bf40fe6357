import { type RawBuilder, sql } from 'kysely'
import { conflict, invalidReference } from '../../../kernel/errors.ts'
import { refusing } from '../../../platform/db/constraints.ts'
import { readPage } from '../../../platform/db/list.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import { CHARGER_SILENT_MAX_MS } from '../limits.ts'
import { CHARGING_TEXTS } from '../messages.ts'
import type { ChargerQuery } from './schema.ts'

const columns = [
  ...(['id', 'device_id', 'cpid', 'name', 'vendor', 'model', 'serial_number', 'subregion_id'] as const),
  ...(['ocpp_version', 'last_heartbeat', 'last_message_at', 'connected_at', 'disconnected_at'] as const),
  ...(['firmware_version', 'booted_at', 'security_profile', 'password_changed_at', 'contested_at'] as const),
  ...(['created_at', 'updated_at'] as const),
] as const

const constraints = {
  charger_cpid_pkey: () => conflict('DUPLICATE_ENTRY', CHARGING_TEXTS.CHARGER_CPID_EXISTS()),
  charger_subregion_fkey: () => invalidReference('subregion_id'),
}

/**
 * True when the station is online. It is derived when it is read, so a killed process leaves no station
 * online.
 */
const isOnline = (now: Date) =>
  sql<boolean>`(charger.connection_id is not null
    and charger.last_message_at > ${new Date(now.getTime() - CHARGER_SILENT_MAX_MS)})`

/**
 * The statuses of OCPP in order of precedence: a charger shows the first of these that one of its connectors
 * has.
 */
const STATUSES = [
  ...['Charging', 'SuspendedEV', 'SuspendedEVSE', 'Finishing', 'Occupied', 'Preparing'],
  ...['Reserved', 'Available', 'Unavailable', 'Faulted'],
]
const status = (tenantId: number): RawBuilder<string | null> => sql`coalesce(
  case when charger.status in ('Unavailable', 'Faulted') then charger.status end,
  (select n.status from charger_connector n
    where n.tenant_id = ${tenantId} and n.charger_id = charger.id and n.connector_id > 0
      and n.status is not null
    order by array_position(${STATUSES}::text[], n.status), n.connector_id limit 1),
  charger.status)`

const eventsLeftOut = (tenantId: number, now: Date) =>
  sql<number>`(select coalesce(sum(d.left_out), 0)::int from charger_event_day d
    where d.tenant_id = ${tenantId} and d.charger_id = charger.id
      and d.day = ${now.toISOString().slice(0, 10)}::date)`

const chargers = (tenant: TenantDb, now: Date) =>
  selectRows(tenant, 'charger')
    .select(columns)
    .select([
      isOnline(now).as('is_online'),
      status(tenant.tenantId).as('status'),
      sql<boolean>`next_password_hash is not null`.as('has_pending_password'),
      eventsLeftOut(tenant.tenantId, now).as('events_left_out'),
    ])
    .where('deleted_at', 'is', null)

type Plain = Awaited<ReturnType<ReturnType<typeof chargers>['executeTakeFirstOrThrow']>>

async function withConnectors(tenant: TenantDb, rows: readonly Plain[]) {
  const connectors = await selectRows(tenant, 'charger_connector')
    .select(['charger_id', 'connector_id', 'evse_connector_id', 'device_id'])
    .select(['status', 'error_code', 'vendor_error_code', 'info', 'status_at'])
    .where('charger_id', '=', sql<string>`any(${rows.map(({ id }) => id)}::uuid[])`)
    .where('connector_id', '>', 0)
    .orderBy('connector_id')
    .orderBy('evse_connector_id')
    .execute()
  const byCharger = new Map<string, Omit<(typeof connectors)[number], 'charger_id'>[]>()
  for (const { charger_id, ...connector } of connectors) {
    const known = byCharger.get(charger_id)
    if (known) known.push(connector)
    else byCharger.set(charger_id, [connector])
  }
  return rows.map((row) => ({ ...row, connectors: byCharger.get(row.id) ?? [] }))
}

const SEARCHED = ['cpid', 'name', 'vendor', 'model', 'serial_number'] as const

export async function list(tenant: TenantDb, query: ChargerQuery, now: Date) {
  let rows = chargers(tenant, now)
  for (const field of ['cpid', 'subregion_id', 'device_id'] as const) {
    const wanted = query[field]
    if (wanted !== undefined) rows = rows.where(field, '=', wanted)
  }
  if (query.is_online !== undefined) rows = rows.where(isOnline(now), '=', query.is_online)
  if (query.status !== undefined) rows = rows.where(status(tenant.tenantId), '=', query.status)
  const page = await readPage(rows.where(matchesSearch(query.search, SEARCHED)), query)
  return { ...page, items: await withConnectors(tenant, page.items) }
}

export async function find(tenant: TenantDb, id: string, now: Date) {
  const rows = await chargers(tenant, now).where('id', '=', id).execute()
  return (await withConnectors(tenant, rows))[0]
}

interface NewCharger {
  readonly id: string
  readonly device_id: string
  readonly cpid: string
  readonly name: string
  readonly vendor?: string | null
  readonly model?: string | null
  readonly serial_number?: string | null
  readonly subregion_id: string | null
  readonly password_hash: string
}

/** Claims a cpid. A concurrent claim of the same one waits here and is refused. */
export const claimCpid = ({ db, tenantId }: TenantTx, cpid: string, chargerId: string) =>
  refusing(
    constraints,
    db.insertInto('charger_cpid').values({ cpid, tenant_id: tenantId, charger_id: chargerId }).execute(),
  )

export const create = ({ db, tenantId }: TenantTx, values: NewCharger, now: Date) =>
  db
    .insertInto('charger')
    .values({
      ...values,
      tenant_id: tenantId,
      password_changed_at: now,
      created_at: now,
      updated_at: now,
    })
    .execute()

interface ChargerColumns {
  readonly name?: string
  readonly vendor?: string | null
  readonly model?: string | null
  readonly serial_number?: string | null
  readonly subregion_id?: string | null
  readonly password_hash?: string | null
  readonly password_changed_at?: Date
  readonly next_password_hash?: string | null
  readonly connection_id?: null
  readonly disconnected_at?: Date
  readonly deleted_at?: Date
}

export const update = (tx: TenantTx, id: string, set: ChargerColumns, now: Date) =>
  refusing(
    constraints,
    updateRows(tx, 'charger')
      .set({ ...set, updated_at: now })
      .where('id', '=', id)
      .execute(),
  )

/** Moves all devices of a charger to its subregion. */
export const moveDevices = (tx: TenantTx, id: string, subregionId: string | null) =>
  refusing(
    { device_subregion_fkey: () => invalidReference('subregion_id') },
    updateRows(tx, 'device')
      .set({ subregion_id: subregionId })
      .where(
        'id',
        'in',
        sql<string>`(select device_id from charger where tenant_id = ${tx.tenantId} and id = ${id}
          union select device_id from charger_connector where tenant_id = ${tx.tenantId} and charger_id = ${id})`,
      )
      .execute(),
  )

export const renameDevice = (tx: TenantTx, deviceId: string, name: string) =>
  updateRows(tx, 'device').set({ name }).where('id', '=', deviceId).execute()

export const hasActiveSession = async (tenant: TenantDb, id: string): Promise<boolean> =>
  (await selectRows(tenant, 'charging_session')
    .select('id')
    .where('charger_id', '=', id)
    .where('state', '=', 'active')
    .limit(1)
    .executeTakeFirst()) !== undefined

export const releaseCpid = (tx: TenantTx, id: string) =>
  deleteRows(tx, 'charger_cpid').where('charger_id', '=', id).execute()

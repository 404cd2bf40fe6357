import { type RawBuilder, sql } from 'kysely'
import { at } from '../../../kernel/checked.ts'
import { parseValidInstant } from '../../../kernel/time.ts'
import { toJson } from '../../../platform/db/json-columns.ts'
import { readList } from '../../../platform/db/list.ts'
import { lockResource } from '../../../platform/db/locks.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { SystemDb, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import type { IncidentQuery } from './schema.ts'
import { INCIDENT_TRANSITIONS, type IncidentStatus } from './states.ts'

/**
 * The details of an event, by its type. Instants are ISO texts and refer to the time of the samples. An
 * amendment also contains the payload fields that it has changed.
 */
interface AlarmEventDetails {
  readonly note?: string
  readonly until?: string
  readonly severity?: string
  readonly severity_before?: string
  readonly message?: string
  readonly reason?: string
  readonly at?: string
  readonly is_over?: boolean
  readonly from?: string
  readonly to?: string | null
  readonly from_before?: string
  readonly to_before?: string | null
  readonly [fact: string]: unknown
}

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'alarm_event.details': AlarmEventDetails
  }
}

/**
 * Every transaction that changes incidents of a tenant holds this advisory lock until it ends. Row locks are
 * not sufficient, because two transactions that open, update and close several causes could deadlock. This
 * lock is acquired after all other locks.
 */
export const lockAlarms = (tx: TenantTx): Promise<void> => lockResource(tx, `alarms of tenant ${tx.tenantId}`)

/** True when the snooze has expired, even before the minutely job has stored this. */
const isSnoozeOver = (now: Date) => sql<boolean>`(i.status = 'snoozed' and i.snoozed_until <= ${now})`
const statusAt = (now: Date) =>
  sql<IncidentStatus>`case when ${isSnoozeOver(now)} then 'active' else i.status end`
const nullIfSnoozeOver = <T>(now: Date, column: string) =>
  sql<T | null>`case when not ${isSnoozeOver(now)} then ${sql.ref(column)} end`

const incidents = (tenant: TenantDb) =>
  selectRows(tenant, 'alarm_incident as i')
    .innerJoin('alarm_policy as p', (join) =>
      join.onRef('p.tenant_id', '=', 'i.tenant_id').onRef('p.id', '=', 'i.policy_id'),
    )
    .leftJoin('device as d', (join) =>
      join.onRef('d.tenant_id', '=', 'i.tenant_id').onRef('d.id', '=', 'i.device_id'),
    )

const columnsAt = (now: Date) =>
  [
    'i.id',
    'i.policy_id',
    'p.name as policy_name',
    'i.device_id',
    'd.name as device_name',
    'p.alarm_type',
    'i.severity',
    statusAt(now).as('status'),
    'i.message',
    'i.triggered_at',
    nullIfSnoozeOver<Date>(now, 'i.acknowledged_at').as('acknowledged_at'),
    nullIfSnoozeOver<string>(now, 'i.acknowledged_by').as('acknowledged_by'),
    sql<Date | null>`case when ${statusAt(now)} = 'snoozed' then i.snoozed_until end`.as('snoozed_until'),
    'i.closed_at',
    'i.closed_by',
    sql<number | null>`i.last_value::float8`.as('last_value'),
    'i.payload',
  ] as const

/** The sort keys of the list. Those that may be null are last in either direction. */
const sortKey = (name: IncidentQuery['sort_by'], now: Date): { key: RawBuilder<unknown>; isWhole: boolean } =>
  ({
    triggered_at: { key: sql`i.triggered_at`, isWhole: true },
    severity: { key: sql`array_position(array['info', 'warning', 'critical'], i.severity)`, isWhole: true },
    status: {
      key: sql`array_position(array['active', 'acknowledged', 'snoozed', 'closed'], ${statusAt(now)})`,
      isWhole: true,
    },
    closed_at: { key: sql`i.closed_at`, isWhole: false },
    last_value: { key: sql`i.last_value`, isWhole: false },
  })[name]

function filtered(db: TenantDb, query: IncidentQuery, now: Date) {
  let rows = incidents(db)
  if (query.severity !== undefined) rows = rows.where('i.severity', '=', query.severity)
  if (query.status !== undefined) rows = rows.where(statusAt(now), '=', query.status)
  if (query.is_open !== undefined) rows = rows.where('i.status', query.is_open ? '<>' : '=', 'closed')
  if (query.device_id !== undefined) rows = rows.where('i.device_id', '=', query.device_id)
  if (query.policy_id !== undefined) rows = rows.where('i.policy_id', '=', query.policy_id)
  if (query.alarm_type !== undefined) rows = rows.where('p.alarm_type', '=', query.alarm_type)
  const { from, to } = query
  if (from !== undefined) rows = rows.where('i.triggered_at', '>=', parseValidInstant(from))
  if (to !== undefined) rows = rows.where('i.triggered_at', '<', parseValidInstant(to))
  return rows.where(matchesSearch(query.search, ['i.message', 'p.name', 'd.name']))
}

export async function list(db: TenantDb, query: IncidentQuery, now: Date) {
  const { skip, limit, sort_by, sort_order } = query
  const { key, isWhole } = sortKey(sort_by, now)
  const order = sort_order === 'asc' ? sql`asc` : sql`desc`
  const rows = filtered(db, query, now)
  const page = rows
    .select(columnsAt(now))
    .orderBy(isWhole ? sql`${key} ${order}` : sql`${key} ${order} nulls last`)
    .orderBy('i.id', sort_order)
    .offset(skip)
    .limit(limit)
  const counting = rows.select((eb) => eb.fn.countAll().as('total'))
  const [items, { total }] = await Promise.all([page.execute(), counting.executeTakeFirstOrThrow()])
  return { items, total: Number(total), skip, limit }
}

export const find = (db: TenantDb, id: string, now: Date) =>
  incidents(db).select(columnsAt(now)).where('i.id', '=', id).executeTakeFirst()

export interface OpenCount {
  readonly severity: string
  readonly status: IncidentStatus
  readonly count: number
}

/** Open incidents by severity and status. */
export async function countOpen({ db, tenantId }: TenantDb, now: Date): Promise<OpenCount[]> {
  const { rows } = await sql<OpenCount>`
    select severity, status, count(*)::int as count from (
      select i.severity, ${statusAt(now)} as status from alarm_incident i
      where i.tenant_id = ${tenantId} and i.status <> 'closed') as open
    group by severity, status`.execute(db)
  return rows
}

export const exists = async (tenant: TenantDb, id: string): Promise<boolean> =>
  (await selectRows(tenant, 'alarm_incident').select('id').where('id', '=', id).executeTakeFirst()) !==
  undefined

/** The events of an incident, oldest first. */
export const listEvents = (
  tenant: TenantDb,
  id: string,
  slice: { readonly limit: number; readonly offset: number },
) =>
  readList(
    selectRows(tenant, 'alarm_event')
      .select(['id', 'event_type', 'occurred_at', 'by_user', 'details'])
      .select((eb) =>
        eb
          .selectFrom('app_user')
          .select('email')
          .where('app_user.tenant_id', '=', tenant.tenantId)
          .whereRef('app_user.id', '=', 'alarm_event.by_user')
          .as('by_email'),
      )
      .where('incident_id', '=', id)
      .orderBy('seq'),
    slice,
  )

/** Locks an incident until the end of the transaction and returns its stored status. */
export const lock = (tx: TenantTx, id: string) =>
  selectRows(tx, 'alarm_incident')
    .select(['id', 'status', 'snoozed_until'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

export interface IncidentChange {
  readonly status?: IncidentStatus
  readonly acknowledged_at?: Date | null
  readonly acknowledged_by?: string | null
  readonly snoozed_until?: Date | null
  readonly closed_at?: Date
  readonly closed_by?: string
}

/** Changes an incident that is locked. */
export const change = (tx: TenantTx, id: string, set: IncidentChange) =>
  updateRows(tx, 'alarm_incident').set(set).where('id', '=', id).execute()

export interface NewEvent {
  readonly type: string
  readonly at: Date
  readonly byUser: string | null
  readonly details: AlarmEventDetails
}

export const appendEvent = ({ db, tenantId }: TenantTx, incidentId: string, event: NewEvent) =>
  db
    .insertInto('alarm_event')
    .values({
      tenant_id: tenantId,
      incident_id: incidentId,
      event_type: event.type,
      occurred_at: event.at,
      by_user: event.byUser,
      details: toJson(event.details),
    })
    .execute()

/** The tenants that have an incident whose snooze is over. */
export async function listTenantsToWake({ db }: SystemDb, now: Date): Promise<number[]> {
  const { rows } = await sql<{ tenant_id: number }>`
    select distinct tenant_id from alarm_incident
    where status = 'snoozed' and snoozed_until <= ${now} order by tenant_id`.execute(db)
  return rows.map(({ tenant_id }) => tenant_id)
}

/** Wakes incidents of a tenant whose snooze is over and returns their number. Locked rows are skipped. */
export async function wakeDue({ db, tenantId }: TenantTx, now: Date, limit: number): Promise<number> {
  const { to, event } = INCIDENT_TRANSITIONS.wake
  const { rows } = await sql<{ woken: number }>`
    with due as (
      select id, snoozed_until from alarm_incident
      where tenant_id = ${tenantId} and status = 'snoozed' and snoozed_until <= ${now}
      order by snoozed_until limit ${limit} for no key update skip locked),
    woken as (
      update alarm_incident i
      set status = ${to}, snoozed_until = null, acknowledged_at = null, acknowledged_by = null
      from due where i.tenant_id = ${tenantId} and i.id = due.id
      returning i.id, due.snoozed_until),
    logged as (
      insert into alarm_event (tenant_id, incident_id, event_type, occurred_at)
      select ${tenantId}::int, id, ${event}, snoozed_until from woken returning id)
    select count(*)::int as woken from logged`.execute(db)
  return at(rows, 0).woken
}

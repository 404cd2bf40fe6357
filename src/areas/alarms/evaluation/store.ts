import { sql } from 'kysely'
import type { Checkpoint, State } from '../../../core/alarms/evaluate.ts'
import { iso } from '../../../kernel/time.ts'
import { type JsonColumns, toJson } from '../../../platform/db/json-columns.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { subregionWithJoinedGateway } from '../../metering/device-lookup/index.ts'
import type { PolicyFields } from '../policies/index.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'alarm_state.state': State
    'alarm_state.checkpoints': readonly Checkpoint[]
  }
}

/** A policy and a device that it watches, with their stored state. */
export interface Pair extends PolicyFields {
  readonly policyId: string
  readonly policyName: string
  readonly severity: string
  readonly watchedFrom: number
  readonly deviceKey: number
  readonly deviceId: string
  readonly deviceName: string
  readonly offlineThresholdS: number
  readonly gatewayId: string | null
  readonly gatewayName: string | null
  readonly subregionId: string | null
  readonly subregionName: string | null
  readonly state: JsonColumns['alarm_state.state'] | null
  readonly checkpoints: JsonColumns['alarm_state.checkpoints'] | null
  readonly lastReceivedAt: number | null
}

const EVALUATED_COLUMNS =
  sql.raw(`p.alarm_type, p.device_id, p.subregion_id, p.metric, p.operator, p.threshold,
  p.clear_threshold, p.rate_per, p.delay_on_s, p.delay_off_s, p.schedule`)

// Rows are looked up by their key one at a time, with a limit: for a table that has just grown the planner
// has no statistics and would read all rows of the tenant instead of a few hundred.

/** Joins the gateway `g` and the subregion `r` of a device `d`. */
const joinLocation = (tenantId: number, now: number) => sql`
  left join gateway g on g.tenant_id = ${tenantId} and g.id = coalesce(d.gateway_id, d.mqtt_gateway_id)
  left join subregion r on r.tenant_id = ${tenantId} and r.id = ${subregionWithJoinedGateway(tenantId, new Date(now))}`

const DEVICE_COLUMNS = sql.raw(`d.key as "deviceKey", d.id as "deviceId", d.name as "deviceName",
  d.offline_threshold_s as "offlineThresholdS", g.id as "gatewayId", g.name as "gatewayName",
  r.id as "subregionId", r.name as "subregionName"`)

const isActive = (tenantId: number) =>
  sql`q.tenant_id = ${tenantId} and not q.is_system and q.deleted_at is null and q.is_active`

// Two branches, each with an index of its own: most policies watch one device, and most devices have few
// policies.
const policies = (tenantId: number) => sql`lateral (
    select * from alarm_policy q where ${isActive(tenantId)} and q.device_id = d.id
    union all
    select * from alarm_policy q where ${isActive(tenantId)} and q.device_id is null
      and (q.subregion_id is null or q.subregion_id = r.id)
  ) p`

const PAIR_COLUMNS = sql`p.id as "policyId", p.name as "policyName", p.severity, ${EVALUATED_COLUMNS},
  round(date_part('epoch', p.watched_from) * 1000)::float8 as "watchedFrom", ${DEVICE_COLUMNS},
  s.state, s.checkpoints, round(date_part('epoch', s.last_received_at) * 1000)::float8 as "lastReceivedAt"`

const withState = (tenantId: number) => sql`left join lateral (
    select * from alarm_state where tenant_id = ${tenantId} and policy_id = p.id
      and device_key = d.key limit 1
  ) s on true`

/** Returns all pairs of the devices with active policies, ordered by device and policy. */
export async function readPairs(
  { db, tenantId }: TenantDb,
  { deviceKeys, now }: { readonly deviceKeys: readonly number[]; readonly now: number },
): Promise<Pair[]> {
  const { rows } = await sql<Pair>`
    select ${PAIR_COLUMNS}
    from unnest(${deviceKeys}::int[]) as k (key) cross join lateral (
      select * from device where tenant_id = ${tenantId} and key = k.key limit 1
    ) d ${joinLocation(tenantId, now)} cross join ${policies(tenantId)} ${withState(tenantId)}
    order by d.key, p.id`.execute(db)
  return rows
}

/**
 * Returns the pairs of silence rules whose device has been silent for too long or that have no state yet,
 * ordered by device.
 */
export async function readSilentPairs(
  { db, tenantId }: TenantDb,
  { now, after, limit }: { readonly now: number; readonly after: number; readonly limit: number },
): Promise<Pair[]> {
  const { rows } = await sql<Pair>`
    select ${PAIR_COLUMNS}
    from (select * from device where tenant_id = ${tenantId} and key > ${after} order by key limit ${limit}) d
    ${joinLocation(tenantId, now)} cross join ${policies(tenantId)} ${withState(tenantId)}
    where p.alarm_type in ('offline', 'no_data') and (s.state is null or not s.is_open and s.last_received_at <=
      ${iso(now)}::timestamptz - make_interval(secs => p.delay_on_s
        + case p.alarm_type when 'offline' then d.offline_threshold_s else 0 end))
    order by d.key, p.id`.execute(db)
  return rows
}

/** Returns the last device key of a page of `readSilentPairs`; undefined at the end. */
export async function lastDeviceKey(
  { db, tenantId }: TenantDb,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ key: number | null }>`
    select max(key) as key from (
      select key from device where tenant_id = ${tenantId}
        and key > ${after} order by key limit ${limit}) d`.execute(db)
  return rows[0]?.key ?? undefined
}

/** The state of a pair to store. */
export interface PairState {
  readonly policyId: string
  readonly deviceKey: number
  readonly state: State
  readonly checkpoints: readonly Checkpoint[]
  /**
   * The instant at which the last relevant sample arrived, or at which evaluation began. Undefined leaves it
   * unchanged.
   */
  readonly lastReceivedAt: number | undefined
}

export async function savePairStates(
  { db, tenantId }: TenantTx,
  states: readonly PairState[],
): Promise<void> {
  if (states.length === 0) return
  await sql`
    insert into alarm_state as known
      (tenant_id, policy_id, device_key, evaluated_to, last_received_at, is_open, state, checkpoints)
    select ${tenantId}::int, s.policy_id, s.device_key, s.evaluated_to, s.last_received_at, s.is_open,
      s.state::jsonb, s.checkpoints::jsonb
    from unnest(
      ${states.map(({ policyId }) => policyId)}::uuid[], ${states.map(({ deviceKey }) => deviceKey)}::int[],
      ${states.map(({ state }) => iso(state.at))}::timestamptz[],
      ${states.map(({ lastReceivedAt }) => iso(lastReceivedAt ?? 0))}::timestamptz[],
      ${states.map(({ state }) => state.open !== null)}::boolean[],
      ${states.map(({ state }) => toJson<JsonColumns['alarm_state.state']>(state))}::text[],
      ${states.map(({ checkpoints }) => toJson<JsonColumns['alarm_state.checkpoints']>(checkpoints))}::text[])
      as s (policy_id, device_key, evaluated_to, last_received_at, is_open, state, checkpoints)
    on conflict (tenant_id, policy_id, device_key) do update
      set evaluated_to = excluded.evaluated_to,
        last_received_at = greatest(known.last_received_at, excluded.last_received_at),
        is_open = excluded.is_open, state = excluded.state, checkpoints = excluded.checkpoints`.execute(db)
}

/** Restarts the silence of devices at the present. */
export async function resetSilence(
  { db, tenantId }: TenantTx,
  { now, deviceKeys }: { readonly now: number; readonly deviceKeys: readonly number[] | 'all' },
): Promise<void> {
  const devices = deviceKeys === 'all' ? sql`` : sql`and device_key = any(${deviceKeys}::int[])`
  await sql`update alarm_state set last_received_at = ${iso(now)}::timestamptz
    where tenant_id = ${tenantId} and not is_open and last_received_at < ${iso(now)}::timestamptz ${devices}`.execute(
    db,
  )
}

import { sql } from 'kysely'
import type { JsonColumns } from '../../../../platform/db/json-columns.ts'
import type { SystemDb } from '../../../../platform/db/tenant.ts'
import { GATEWAY_DEVICES_MAX } from '../limits.ts'

declare module '../../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'modbus_lease.report': PollReport['report']
  }
}

/** First key of the advisory locks that running pollers hold; an arbitrary number that nothing else uses. */
export const POLLER_LOCK_CLASS = 723_648_203

export interface GatewayRef {
  readonly tenantId: number
  readonly gatewayId: string
}

/** A Modbus gateway with everything that its poller needs. */
export interface PollTarget extends GatewayRef {
  readonly host: string
  readonly port: number | null
  readonly pollIntervalS: number | null
  readonly config: JsonColumns['gateway.config']
  readonly devices: readonly PollDevice[]
}

export interface PollDevice {
  readonly id: string
  readonly slaveId: number | null
  readonly offlineThresholdS: number
  readonly templateId: string | null
  /** Changes when the template's register map changes; null without a map. */
  readonly mapDigest: string | null
}

/**
 * Renews the leases of this poller, and claims gateways without a lease, with an expired one, or whose holder
 * is dead (its advisory lock is free). Releases gateways that are no longer polled. Returns all leases that
 * this poller holds now. Lease times use the database's clock, because the clocks of the processes differ.
 */
export async function claimGateways(
  { db }: SystemDb,
  {
    holder,
    ttlMs,
    most: maxGateways,
  }: { readonly holder: string; readonly ttlMs: number; readonly most: number },
): Promise<GatewayRef[]> {
  const until = sql`now() + ${ttlMs}::float8 * interval '1 millisecond'`
  await sql`update modbus_lease set expires_at = ${until} where holder = ${holder}`.execute(db)
  await sql`
    with dead as materialized (
      select holder from (select distinct holder from modbus_lease where holder <> ${holder}) as other
      where pg_try_advisory_xact_lock(${POLLER_LOCK_CLASS}, hashtext(holder::text)))
    insert into modbus_lease (tenant_id, gateway_id, holder, claimed_at, expires_at)
    select g.tenant_id, g.id, ${holder}::uuid, now(), ${until}
    from gateway g left join modbus_lease l on l.tenant_id = g.tenant_id and l.gateway_id = g.id
    where g.gateway_type = 'modbus' and g.host is not null
      and exists (select 1 from tenant t where t.id = g.tenant_id and t.is_active)
      and (l.holder is null or l.expires_at < now() or l.holder in (select holder from dead))
    order by g.tenant_id, g.id
    limit greatest(0, ${maxGateways} - (select count(*) from modbus_lease where holder = ${holder}))
    on conflict (tenant_id, gateway_id) do update
    set holder = excluded.holder, claimed_at = excluded.claimed_at, expires_at = excluded.expires_at
    where modbus_lease.expires_at < excluded.claimed_at
      or modbus_lease.holder in (select holder from dead)`.execute(db)
  await sql`
    delete from modbus_lease l using gateway g
    where l.holder = ${holder} and g.tenant_id = l.tenant_id and g.id = l.gateway_id
      and (g.host is null
        or not exists (select 1 from tenant t where t.id = g.tenant_id and t.is_active))`.execute(db)
  const { rows } = await sql<GatewayRef>`
    select tenant_id as "tenantId", gateway_id as "gatewayId" from modbus_lease
    where holder = ${holder}`.execute(db)
  return rows
}

/** Called at a clean stop, so that other pollers need not wait for the leases to expire. */
export async function releaseGateways({ db }: SystemDb, holder: string): Promise<void> {
  await db.deleteFrom('modbus_lease').where('holder', '=', holder).execute()
}

/** The polling work for the gateways that a poller holds; at most GATEWAY_DEVICES_MAX devices of each. */
export async function readPollTargets({ db }: SystemDb, holder: string): Promise<PollTarget[]> {
  const { rows } = await sql<Omit<PollTarget, 'devices'> & { devices: PollDevice[] | null }>`
    with held as (
      select g.* from modbus_lease l join gateway g on g.tenant_id = l.tenant_id and g.id = l.gateway_id
      where l.holder = ${holder} and g.host is not null),
    used as (
      select t.tenant_id, t.id, md5(t.register_map::text) as digest from device_template t
      where (t.tenant_id, t.id) in (
        select d.tenant_id, d.template_id from held h
        join device d on d.tenant_id = h.tenant_id and d.gateway_id = h.id))
    select h.tenant_id as "tenantId", h.id as "gatewayId", h.host, h.port,
      h.poll_interval_s as "pollIntervalS", h.config,
      (select json_agg(json_build_object('id', d.id, 'slaveId', d.slave_id,
          'offlineThresholdS', d.offline_threshold_s, 'templateId', d.template_id, 'mapDigest', u.digest)
          order by d.slave_id, d.id)
        from (select * from device d where d.tenant_id = h.tenant_id and d.gateway_id = h.id
          order by d.slave_id, d.id limit ${GATEWAY_DEVICES_MAX}) as d
        left join used u on u.tenant_id = d.tenant_id and u.id = d.template_id) as devices
    from held h order by h.tenant_id, h.id`.execute(db)
  return rows.map((row) => ({ ...row, devices: row.devices ?? [] }))
}

/** The stored register map of a template. */
export async function readTemplateMap({ db }: SystemDb, tenantId: number, templateId: string) {
  const row = await db
    .selectFrom('device_template')
    .select('register_map')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', templateId)
    .executeTakeFirst()
  return row?.register_map
}

/** The polling result of a gateway: its presence, and a report for the API. */
export interface PollReport extends GatewayRef {
  readonly isOnline: boolean
  /** Time of the newest response, epoch milliseconds; undefined when none came since the last report. */
  readonly seenAt: number | undefined
  readonly report: {
    readonly devices: number
    readonly good: number
    /** Devices that are silent or refuse registers. */
    readonly troubled: readonly {
      readonly device_id: string
      readonly state: string
      readonly error: string | null
      readonly refused: readonly string[]
    }[]
  }
}

/** Stores the reports of a poller for the gateways that it holds. */
export async function writePollReports(
  { db }: SystemDb,
  {
    holder,
    reports,
    at,
  }: { readonly holder: string; readonly reports: readonly PollReport[]; readonly at: number },
): Promise<void> {
  const rows = JSON.stringify(
    reports.map(({ tenantId, gatewayId, isOnline, seenAt, report }) => ({
      tenant_id: tenantId,
      id: gatewayId,
      is_online: isOnline,
      seen_at: seenAt === undefined ? null : new Date(seenAt),
      report,
    })),
  )
  const reported = sql`jsonb_to_recordset(${rows}::jsonb)
    as reported (tenant_id integer, id uuid, is_online boolean, seen_at timestamptz, report jsonb)`
  await sql`
    update gateway g set is_online = reported.is_online, last_seen = greatest(g.last_seen, reported.seen_at)
    from ${reported} where g.tenant_id = reported.tenant_id and g.id = reported.id
      and (g.is_online <> reported.is_online
        or reported.seen_at > coalesce(g.last_seen, '-infinity'))`.execute(db)
  await sql`
    update modbus_lease l set report = reported.report, reported_at = ${new Date(at)}
    from ${reported} where l.tenant_id = reported.tenant_id and l.gateway_id = reported.id
      and l.holder = ${holder}`.execute(db)
}

import { sql } from 'kysely'
import { byTenant } from '../../../../platform/db/by-tenant.ts'
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
  const { rows: held } = await sql`
    update modbus_lease set expires_at = ${until} where holder = ${holder} returning gateway_id`.execute(db)
  const dead = await findDeadHolders(db, holder)
  const { rows: free } = await sql<GatewayRef>`
    select g.tenant_id as "tenantId", g.id as "gatewayId"
    from gateway g left join modbus_lease l on l.tenant_id = g.tenant_id and l.gateway_id = g.id
    where g.gateway_type = 'modbus' and g.host is not null
      and exists (select 1 from tenant t where t.id = g.tenant_id and t.is_active)
      and (l.holder is null or l.expires_at < now() or l.holder = any(${dead}::uuid[]))
    order by g.tenant_id, g.id limit ${Math.max(0, maxGateways - held.length)}`.execute(db)
  for (const [tenantId, own] of byTenant(free))
    await sql`
      insert into modbus_lease (tenant_id, gateway_id, holder, claimed_at, expires_at)
      select g.tenant_id, g.id, ${holder}::uuid, now(), ${until}
      from gateway g
      where g.tenant_id = ${tenantId} and g.id = any(${own.map(({ gatewayId }) => gatewayId)}::uuid[])
      order by g.id
      on conflict (tenant_id, gateway_id) do update
      set holder = excluded.holder, claimed_at = excluded.claimed_at, expires_at = excluded.expires_at
      where modbus_lease.expires_at < excluded.claimed_at or modbus_lease.holder = any(${dead}::uuid[])`.execute(
      db,
    )
  return keepPolled(db, holder)
}

/** Holders whose process has ended: their advisory lock is free. */
async function findDeadHolders(db: SystemDb['db'], holder: string): Promise<string[]> {
  const { rows: others } = await sql<{ holder: string }>`
    select distinct holder from modbus_lease where holder <> ${holder}`.execute(db)
  const { rows: dead } = await sql<{ holder: string }>`
    select holder from unnest(${others.map((other) => other.holder)}::uuid[]) as other (holder)
    where pg_try_advisory_xact_lock(${POLLER_LOCK_CLASS}, hashtext(holder::text))`.execute(db)
  return dead.map((other) => other.holder)
}

/** Releases the gateways of a holder that are no longer polled, and returns the others. */
async function keepPolled(db: SystemDb['db'], holder: string): Promise<GatewayRef[]> {
  const { rows } = await sql<GatewayRef & { readonly isPolled: boolean }>`
    select l.tenant_id as "tenantId", l.gateway_id as "gatewayId", g.host is not null and t.is_active as "isPolled"
    from modbus_lease l join gateway g on g.tenant_id = l.tenant_id and g.id = l.gateway_id
    join tenant t on t.id = l.tenant_id where l.holder = ${holder}`.execute(db)
  for (const [tenantId, own] of byTenant(rows.filter(({ isPolled }) => !isPolled)))
    await sql`
      delete from modbus_lease where tenant_id = ${tenantId} and holder = ${holder}
        and gateway_id = any(${own.map(({ gatewayId }) => gatewayId)}::uuid[])`.execute(db)
  return rows.filter(({ isPolled }) => isPolled).map(({ tenantId, gatewayId }) => ({ tenantId, gatewayId }))
}

/** Called at a clean stop, so that other pollers need not wait for the leases to expire. */
export async function releaseGateways({ db }: SystemDb, holder: string): Promise<void> {
  await db.deleteFrom('modbus_lease').where('holder', '=', holder).execute()
}

/** The polling work for the gateways that a poller holds; at most GATEWAY_DEVICES_MAX devices of each. */
export async function readPollTargets({ db }: SystemDb, holder: string): Promise<PollTarget[]> {
  const { rows: gateways } = await sql<Omit<PollTarget, 'devices'>>`
    select g.tenant_id as "tenantId", g.id as "gatewayId", g.host, g.port, g.poll_interval_s as "pollIntervalS",
      g.config
    from modbus_lease l join gateway g on g.tenant_id = l.tenant_id and g.id = l.gateway_id
    where l.holder = ${holder} and g.host is not null order by g.tenant_id, g.id`.execute(db)
  const { rows: devices } = await sql<Omit<PollDevice, 'mapDigest'> & GatewayRef>`
    select * from (
      select d.tenant_id as "tenantId", d.gateway_id as "gatewayId", d.id, d.slave_id as "slaveId",
        d.offline_threshold_s as "offlineThresholdS", d.template_id as "templateId",
        row_number() over (partition by d.tenant_id, d.gateway_id order by d.slave_id, d.id) as number
      from modbus_lease l join device d on d.tenant_id = l.tenant_id and d.gateway_id = l.gateway_id
      where l.holder = ${holder}) as d
    where number <= ${GATEWAY_DEVICES_MAX} order by "tenantId", "gatewayId", number`.execute(db)
  // A template has a large map and many devices, so its digest is computed once.
  const { rows: templates } = await sql<{ tenantId: number; id: string; digest: string | null }>`
    select t.tenant_id as "tenantId", t.id, md5(t.register_map::text) as digest from device_template t
    where (t.tenant_id, t.id) in (
      select d.tenant_id, d.template_id from modbus_lease l
      join device d on d.tenant_id = l.tenant_id and d.gateway_id = l.gateway_id
      where l.holder = ${holder})`.execute(db)
  const keyOf = (tenantId: number, id: string) => `${tenantId} ${id}`
  const digests = new Map(templates.map(({ tenantId, id, digest }) => [keyOf(tenantId, id), digest]))
  const ofGateway = new Map<string, PollDevice[]>()
  for (const { tenantId, gatewayId, id, slaveId, offlineThresholdS, templateId } of devices) {
    const mapDigest = templateId === null ? null : (digests.get(keyOf(tenantId, templateId)) ?? null)
    const own = ofGateway.get(keyOf(tenantId, gatewayId)) ?? []
    own.push({ id, slaveId, offlineThresholdS, templateId, mapDigest })
    ofGateway.set(keyOf(tenantId, gatewayId), own)
  }
  return gateways.map((gateway) => ({
    ...gateway,
    devices: ofGateway.get(keyOf(gateway.tenantId, gateway.gatewayId)) ?? [],
  }))
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

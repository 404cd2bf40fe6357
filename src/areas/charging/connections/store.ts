import { sql } from 'kysely'
import type { OcppVersion } from '../../../kernel/ocpp.ts'
import { byTenant } from '../../../platform/db/by-tenant.ts'
import type { SystemDb, TenantTx } from '../../../platform/db/tenant.ts'
import { OCPP_TAKEOVER_ADDRESSES_MAX, OCPP_TAKEOVERS_MAX, OCPP_TAKEOVERS_WITHIN_MS } from '../limits.ts'

/** The fields of a charger that the handshake checks; the passwords are hashes of `passwords/password.ts`. */
export interface ChargerCredentials {
  readonly tenantId: number
  readonly chargerId: string
  readonly cpid: string
  readonly passwordHash: string | null
  readonly nextPasswordHash: string | null
  readonly securityProfile: number
}

/** The chargers with these cpids, in any tenant: the path of a station's socket has nothing but the cpid. */
export async function findChargersByCpid(
  { db }: SystemDb,
  cpids: readonly string[],
): Promise<ReadonlyMap<string, ChargerCredentials>> {
  // The directory first, because it is on every node of a distributed database; then one statement for each tenant.
  const named = await db
    .selectFrom('charger_cpid as n')
    .innerJoin('tenant as t', 't.id', 'n.tenant_id')
    .select(['n.tenant_id as tenantId', 'n.charger_id as chargerId', 'n.cpid'])
    .where('n.cpid', '=', sql<string>`any(${cpids}::text[])`)
    .where('t.is_active', '=', true)
    .execute()
  const found = new Map<string, ChargerCredentials>()
  for (const [tenantId, own] of byTenant(named)) {
    const rows = await db
      .selectFrom('charger')
      .select(['id', 'password_hash', 'next_password_hash', 'security_profile'])
      .where('tenant_id', '=', tenantId)
      .where('id', '=', sql<string>`any(${own.map(({ chargerId }) => chargerId)}::uuid[])`)
      .execute()
    const rowOf = new Map(rows.map((row) => [row.id, row]))
    for (const { chargerId, cpid } of own) {
      const row = rowOf.get(chargerId)
      if (row)
        found.set(cpid, {
          ...{ tenantId, chargerId, cpid },
          passwordHash: row.password_hash,
          nextPasswordHash: row.next_password_hash,
          securityProfile: row.security_profile,
        })
    }
  }
  return found
}

interface Connection {
  readonly tenantId: number
  readonly chargerId: string
  readonly connectionId: string
}
export interface NewConnection extends Connection {
  readonly version: OcppVersion
  /** The profile of this socket; the stored one is the highest so far. */
  readonly securityProfile: number
  readonly at: Date
}

const idsOf = (connections: readonly Connection[]) => [
  sql`${connections.map(({ chargerId }) => chargerId)}::uuid[]`,
  sql`${connections.map(({ connectionId }) => connectionId)}::uuid[]`,
]

/** A condition on a tenant; a join with the table of tenants would be refused by a distributed database (ADR 0117). */
const isActive = (tenantId: number) =>
  sql`exists (select 1 from tenant t where t.id = ${tenantId} and t.is_active)`

/**
 * Records new connections as the current ones of their stations; an older connection detects this by polling.
 * Of two connections of one station, the last one is recorded. Like the functions below, it sends one statement for
 * each tenant.
 */
export async function recordConnections(system: SystemDb, made: readonly NewConnection[]): Promise<void> {
  const last = [...new Map(made.map((connection) => [connection.chargerId, connection])).values()]
  for (const [tenantId, own] of byTenant(last)) await recordOwnConnections(system, tenantId, own)
}

async function recordOwnConnections({ db }: SystemDb, tenantId: number, last: readonly NewConnection[]) {
  // Lock order by key: two processes that record the same stations do not deadlock.
  await sql`
    with made as (
      select m.* from unnest(${sql.join(idsOf(last))},
        ${last.map(({ at }) => at)}::timestamptz[], ${last.map(({ version }) => version)}::text[],
        ${last.map(({ securityProfile }) => securityProfile)}::smallint[])
      as m (charger_id, connection_id, at, version, security_profile)
      join charger c on c.tenant_id = ${tenantId} and c.id = m.charger_id and c.deleted_at is null
      where ${isActive(tenantId)}
      order by c.id for no key update of c
    )
    update charger c set connection_id = made.connection_id, connected_at = made.at, last_message_at = made.at,
      ocpp_version = made.version, security_profile = greatest(c.security_profile, made.security_profile)
    from made where c.tenant_id = ${tenantId} and c.id = made.charger_id`.execute(db)
}

export interface ClosedConnection extends Connection {
  readonly at: Date
  /** The newest message that is not recorded yet, and the newest Heartbeat; null where there is none. */
  readonly messageAt: Date | null
  readonly heartbeatAt: Date | null
}

/** Records closed connections; does nothing where a newer connection is the current one. */
export async function recordDisconnections(
  { db }: SystemDb,
  gone: readonly ClosedConnection[],
): Promise<void> {
  for (const [tenantId, own] of byTenant(gone)) await recordOwnDisconnections(db, tenantId, own)
}

async function recordOwnDisconnections(
  db: SystemDb['db'],
  tenantId: number,
  gone: readonly ClosedConnection[],
) {
  await sql`
    with gone as (
      select c.id, g.at, g.message_at, g.heartbeat_at
      from unnest(${sql.join(idsOf(gone))}, ${gone.map(({ at }) => at)}::timestamptz[],
        ${gone.map(({ messageAt }) => messageAt)}::timestamptz[],
        ${gone.map(({ heartbeatAt }) => heartbeatAt)}::timestamptz[])
      as g (charger_id, connection_id, at, message_at, heartbeat_at)
      join charger c on c.tenant_id = ${tenantId} and c.id = g.charger_id and c.connection_id = g.connection_id
      order by c.id for no key update of c
    )
    update charger c set connection_id = null, disconnected_at = gone.at,
      last_message_at = greatest(c.last_message_at, gone.message_at),
      last_heartbeat = greatest(c.last_heartbeat, gone.heartbeat_at)
    from gone where c.tenant_id = ${tenantId} and c.id = gone.id`.execute(db)
}

/** The connections that are still current. Those of an inactive tenant are not. */
export async function findCurrentConnections(
  { db }: SystemDb,
  connections: readonly Connection[],
): Promise<ReadonlySet<string>> {
  const current = new Set<string>()
  for (const [tenantId, own] of byTenant(connections)) {
    const { rows } = await sql<{ connection_id: string }>`
      select c.connection_id from charger c
      join unnest(${sql.join(idsOf(own))}) as h (charger_id, connection_id)
        on c.id = h.charger_id and c.connection_id = h.connection_id
      where c.tenant_id = ${tenantId} and ${isActive(tenantId)}`.execute(db)
    for (const { connection_id } of rows) current.add(connection_id)
  }
  return current
}

/**
 * Returns the connections whose station has a different current connection. Connections whose station has
 * none are excluded.
 */
export async function findReplacedConnections(
  { db }: SystemDb,
  connections: readonly Connection[],
): Promise<ReadonlySet<string>> {
  const replaced = new Set<string>()
  for (const [tenantId, own] of byTenant(connections)) {
    const { rows } = await sql<{ connection_id: string }>`
      select h.connection_id from charger c
      join unnest(${sql.join(idsOf(own))}) as h (charger_id, connection_id)
        on c.id = h.charger_id and c.connection_id <> h.connection_id
      where c.tenant_id = ${tenantId}`.execute(db)
    for (const { connection_id } of rows) replaced.add(connection_id)
  }
  return replaced
}

interface CountedTakeover {
  readonly chargerId: string
  readonly addresses: readonly string[]
  readonly now: Date
}

/**
 * Counts a takeover. `is_new` when there are too many now and the connection was not contested before.
 * Undefined for a charger that is out of service.
 */
export async function countTakeover(
  { db, tenantId }: TenantTx,
  { chargerId, addresses, now }: CountedTakeover,
) {
  const before = new Date(now.getTime() - OCPP_TAKEOVERS_WITHIN_MS)
  const isRecent = sql`c.takeovers_since > ${before}`
  const { rows } = await sql<{ takeovers: number; takeover_addresses: string[]; is_new: boolean }>`
    with was as (
      select id, contested_at, case when ${isRecent} then c.takeovers else 0 end + 1 as takeovers,
        case when ${isRecent} then c.takeovers_since else ${now} end as since,
        array(select distinct a from unnest(
          case when ${isRecent} then c.takeover_addresses else '{}' end || ${addresses}::text[]) as a
          order by a limit ${OCPP_TAKEOVER_ADDRESSES_MAX}) as addresses
      from charger c where (tenant_id, id) = (${tenantId}, ${chargerId}::uuid) and deleted_at is null
      for no key update
    )
    update charger c set takeovers = was.takeovers, takeovers_since = was.since, takeover_addresses = was.addresses,
      contested_at = case when was.takeovers >= ${OCPP_TAKEOVERS_MAX} then ${now} else c.contested_at end
    from was where c.tenant_id = ${tenantId} and c.id = was.id
    returning c.takeovers, c.takeover_addresses,
      was.takeovers >= ${OCPP_TAKEOVERS_MAX}
        and (was.contested_at is null or was.contested_at <= ${before}) as is_new`.execute(db)
  return rows[0]
}

export interface StationActivity extends Connection {
  /** The newest message of any kind. */
  readonly at: Date
  /** The newest Heartbeat; null where there was none since the last record. */
  readonly heartbeatAt: Date | null
}

/**
 * Records the time of the last message of several stations. Returns the connections that are still current:
 * any other was replaced, perhaps by a socket of another process, or its charger was removed or got another
 * password, or its tenant is inactive.
 */
export async function recordActivity(
  { db }: SystemDb,
  heard: readonly StationActivity[],
): Promise<ReadonlySet<string>> {
  const current = new Set<string>()
  for (const [tenantId, own] of byTenant(heard))
    for (const connectionId of await recordOwnActivity(db, tenantId, own)) current.add(connectionId)
  return current
}

async function recordOwnActivity(
  db: SystemDb['db'],
  tenantId: number,
  heard: readonly StationActivity[],
): Promise<string[]> {
  // Lock order by key: two processes that record the same stations do not deadlock.
  const { rows } = await sql<{ connection_id: string }>`
    with heard as (
      select * from unnest(
        ${sql.join(idsOf(heard))}, ${heard.map(({ at }) => at)}::timestamptz[],
        ${heard.map(({ heartbeatAt }) => heartbeatAt)}::timestamptz[])
      as h (charger_id, connection_id, at, heartbeat_at)
    ), held as (
      select c.id, h.at, h.heartbeat_at from charger c
      join heard h on c.id = h.charger_id and c.connection_id = h.connection_id
      where c.tenant_id = ${tenantId} and ${isActive(tenantId)}
      order by c.id for no key update of c
    )
    update charger c set last_message_at = greatest(c.last_message_at, held.at),
      last_heartbeat = greatest(c.last_heartbeat, held.heartbeat_at)
    from held where c.tenant_id = ${tenantId} and c.id = held.id
    returning c.connection_id`.execute(db)
  return rows.map((row) => row.connection_id)
}

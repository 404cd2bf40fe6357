import { sql } from 'kysely'
import { type JsonColumns, toJson } from '../../../../platform/db/json-columns.ts'
import { inTenantTx, type SystemDb, type TenantTx } from '../../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../../platform/db/tenant-rows.ts'
import { GATEWAY_CLIENTS_MAX } from '../limits.ts'
import { endTimeOf, isOpen, NO_SESSION, type SessionState } from './session-state.ts'

declare module '../../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'gateway_session.state': SessionState
  }
}

export interface GatewayMatch {
  readonly tenantId: number
  readonly tenantUid: string
  readonly gatewayId: string
  readonly clientId: string | null
  readonly isTenantActive: boolean
}

/**
 * Candidate gateways of all tenants: those on a message broker with one of the ids or client ids; at most 20, those
 * of active tenants first.
 */
export async function findByBrokerNames(
  { db }: SystemDb,
  { ids, clientIds }: { readonly ids: readonly string[]; readonly clientIds: readonly string[] },
): Promise<GatewayMatch[]> {
  const { rows } = await sql<GatewayMatch>`
    select g.tenant_id as "tenantId", t.uid as "tenantUid", g.id as "gatewayId", g.client_id as "clientId",
      t.is_active as "isTenantActive"
    from gateway g join tenant t on t.id = g.tenant_id
    where g.gateway_type <> 'modbus'
      and (g.id = any (${ids}::uuid[]) or g.client_id = any (${clientIds}::text[]))
    order by t.is_active desc limit 20`.execute(db)
  return rows
}

/** The gateway that connected last with a client id below a mountpoint; of any tenant, an active one if possible. */
export async function findByClient(
  { db }: SystemDb,
  { clientId, mountpoint }: { readonly clientId: string; readonly mountpoint: string },
): Promise<GatewayMatch | undefined> {
  const { rows } = await sql<GatewayMatch>`
    select g.tenant_id as "tenantId", t.uid as "tenantUid", g.id as "gatewayId", g.client_id as "clientId",
      t.is_active as "isTenantActive"
    from gateway_client c
    join gateway g on g.tenant_id = c.tenant_id and g.id = c.gateway_id
    join tenant t on t.id = g.tenant_id
    where c.client_id = ${clientId} and c.mountpoint = ${mountpoint}
    order by t.is_active desc, c.connected_at desc limit 1`.execute(db)
  return rows[0]
}

/** Records the client id of a connection; of a gateway the newest GATEWAY_CLIENTS_MAX are kept. */
export const recordClient = (
  { db }: SystemDb,
  { tenantId, gatewayId }: GatewayMatch,
  client: { readonly clientId: string; readonly mountpoint: string; readonly connectedAt: Date },
): Promise<void> =>
  inTenantTx(db, tenantId, async (tx) => {
    const row = {
      client_id: client.clientId,
      mountpoint: client.mountpoint,
      connected_at: client.connectedAt,
    }
    await tx.db
      .insertInto('gateway_client')
      .values({ tenant_id: tenantId, gateway_id: gatewayId, ...row })
      .onConflict((on) =>
        on.columns(['tenant_id', 'gateway_id', 'client_id', 'mountpoint']).doUpdateSet((eb) => ({
          connected_at: eb.fn('greatest', ['gateway_client.connected_at', 'excluded.connected_at']),
        })),
      )
      .execute()
    await sql`
      delete from gateway_client where tenant_id = ${tenantId} and gateway_id = ${gatewayId}
        and (client_id, mountpoint) in (
          select client_id, mountpoint from gateway_client
          where tenant_id = ${tenantId} and gateway_id = ${gatewayId}
          order by connected_at desc, client_id offset ${GATEWAY_CLIENTS_MAX})`.execute(tx.db)
  })

async function lockState(tx: TenantTx, gatewayId: string, now: Date): Promise<SessionState> {
  await sql`
    insert into gateway_session (tenant_id, gateway_id, epoch, state, updated_at)
    values (${tx.tenantId}, ${gatewayId}, 0, ${toJson<JsonColumns['gateway_session.state']>(NO_SESSION)}::jsonb, ${now})
    on conflict do nothing`.execute(tx.db)
  const row = await selectRows(tx, 'gateway_session')
    .select('state')
    .where('gateway_id', '=', gatewayId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return row.state
}

async function writeState(tx: TenantTx, gatewayId: string, state: SessionState, now: Date) {
  await updateRows(tx, 'gateway_session')
    .set({ state: toJson(state), epoch: state.epoch, updated_at: now })
    .where('gateway_id', '=', gatewayId)
    .execute()
  const isConnected = isOpen(state)
  const notInFuture = (at: number | undefined) => new Date(Math.min(at ?? now.getTime(), now.getTime()))
  const connectedAt = notInFuture(state.newest?.at)
  await updateRows(tx, 'gateway')
    .set({
      is_online: isConnected,
      offline_at: isConnected ? null : notInFuture(endTimeOf(state)),
      ...(isConnected && { last_seen: sql`greatest(last_seen, ${connectedAt}::timestamptz)` }),
    })
    .where('id', '=', gatewayId)
    .execute()
}

/** Updates the session state of a gateway under a row lock. Returns false when nothing changed. */
export const updateState = (
  { db }: SystemDb,
  { tenantId, gatewayId }: GatewayMatch,
  { change, now }: { readonly change: (state: SessionState) => SessionState; readonly now: Date },
): Promise<boolean> =>
  inTenantTx(db, tenantId, async (tx) => {
    const state = await lockState(tx, gatewayId, now)
    const next = change(state)
    if (next === state) return false
    await writeState(tx, gatewayId, next, now)
    return true
  })

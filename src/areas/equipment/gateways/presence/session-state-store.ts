import { sql } from 'kysely'
import { type JsonColumns, toJson } from '../../../../platform/db/json-columns.ts'
import { inTenantTx, type SystemDb, type TenantTx } from '../../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../../platform/db/tenant-rows.ts'
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
}

/**
 * Candidate gateways of all tenants: those on a message broker with one of the ids or client ids; at most 20.
 */
export async function findByBrokerNames(
  { db }: SystemDb,
  { ids, clientIds }: { readonly ids: readonly string[]; readonly clientIds: readonly string[] },
): Promise<GatewayMatch[]> {
  const { rows } = await sql<GatewayMatch>`
    select g.tenant_id as "tenantId", t.uid as "tenantUid", g.id as "gatewayId", g.client_id as "clientId"
    from gateway g join tenant t on t.id = g.tenant_id
    where g.gateway_type <> 'modbus'
      and (g.id = any (${ids}::uuid[]) or g.client_id = any (${clientIds}::text[]))
    limit 20`.execute(db)
  return rows
}

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

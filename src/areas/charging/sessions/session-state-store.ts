import { type NotNull, sql } from 'kysely'
import { SAMPLE_FUTURE_MAX_MS } from '../../../kernel/limits.ts'
import { toJson } from '../../../platform/db/json-columns.ts'
import type { SystemDb, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { isOfActiveTenant, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import type { Sample } from '../../metering/intake-contract/index.ts'
import type { ChargerRef } from '../registry/index.ts'
import { type SessionState, toSessionColumns } from './session-state.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'charging_session.merged_state': SessionState
    'charging_session.waiting_samples': readonly WaitingSample[]
  }
}

/** A sample of a session whose device is not known yet. */
export type WaitingSample = Omit<Sample, 'deviceId'>

export interface StoredSession {
  readonly id: string
  readonly device_id: string
  readonly state: SessionState
  readonly waiting: readonly WaitingSample[]
}

/**
 * The session of a 2.0.1 transaction; undefined before its first event. The caller has locked the charger.
 */
export async function findByTransactionId(
  tx: TenantTx,
  { chargerId }: ChargerRef,
  transactionId: string,
): Promise<StoredSession | undefined> {
  const row = await selectRows(tx, 'charging_session')
    .select(['id', 'device_id', 'merged_state as state', 'waiting_samples'])
    .$narrowType<{ state: NotNull }>()
    .where('charger_id', '=', chargerId)
    .where('ocpp_transaction_id', '=', transactionId)
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      device_id: row.device_id,
      state: row.state,
      waiting: row.waiting_samples ?? [],
    }
  )
}

const columnsOf = (state: SessionState) => ({
  ...toSessionColumns(state),
  connector_id: state.connector?.value ?? 0,
  merged_state: toJson(state),
})

export async function insertSession(
  { db, tenantId }: TenantTx,
  { chargerId }: ChargerRef,
  { transactionId, deviceId, state, now }: NewSession,
): Promise<string> {
  const { id } = await db
    .insertInto('charging_session')
    .values({
      tenant_id: tenantId,
      charger_id: chargerId,
      ocpp_transaction_id: transactionId,
      device_id: deviceId,
      ...columnsOf(state),
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
interface NewSession {
  readonly transactionId: string
  readonly deviceId: string
  readonly state: SessionState
  readonly now: Date
}

export const updateState = (
  tx: TenantTx,
  id: string,
  { deviceId, state, now }: Omit<NewSession, 'transactionId'>,
) =>
  updateRows(tx, 'charging_session')
    .set({ device_id: deviceId, ...columnsOf(state), updated_at: now })
    .where('id', '=', id)
    .execute()

/** Replaces the waiting samples of a session. */
export const setWaiting = ({ db, tenantId }: TenantDb, id: string, waiting: readonly WaitingSample[]) =>
  db
    .updateTable('charging_session')
    .set({ waiting_samples: waiting.length === 0 ? null : toJson(waiting) })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()

interface StartedOnConnector extends ChargerRef {
  readonly id: string
  readonly connectorId: number
  readonly startedAt: Date
}

/**
 * Marks the active sessions of the EVSE that began earlier as superseded: an EVSE has one session at a time,
 * so their end was lost. A session in the future by the station's clock began before any that is reported
 * after it. Returns whether a later session exists.
 */
export async function supersedeEarlier(tx: TenantTx, begun: StartedOnConnector, now: Date): Promise<boolean> {
  const { id, chargerId, connectorId, startedAt } = begun
  const others = selectRows(tx, 'charging_session')
    .where('charger_id', '=', chargerId)
    .where('connector_id', '=', connectorId)
    .where('merged_state', 'is not', null)
    .where('id', '<>', id)
  const present = new Date(now.getTime() + SAMPLE_FUTURE_MAX_MS)
  const open = await others
    .select(['id', 'merged_state as state', 'device_id'])
    .$narrowType<{ state: NotNull }>()
    .where('state', '=', 'active')
    .where((eb) => eb.or([eb('started_at', '<', startedAt), eb('started_at', '>', present)]))
    .execute()
  for (const session of open) {
    const state = { ...session.state, superseded: true as const }
    await updateState(tx, session.id, { deviceId: session.device_id, state, now })
  }
  const later = await others
    .select('id')
    .where('started_at', '>', startedAt)
    .where('started_at', '<=', present)
    .limit(1)
    .executeTakeFirst()
  return later !== undefined
}

/** The device of the whole station. */
export const deviceOfCharger = async (tenant: TenantDb, { chargerId }: ChargerRef): Promise<string> => {
  const { device_id } = await selectRows(tenant, 'charger')
    .select('device_id')
    .where('id', '=', chargerId)
    .executeTakeFirstOrThrow()
  return device_id
}

/**
 * Links a session to the remote start that it came of: the number of the event is the command's. Returns the tag of
 * the command; undefined when the charger has no such command.
 */
export async function linkCommand(
  tx: TenantTx,
  id: string,
  { chargerId, commandNumber }: ChargerRef & { readonly commandNumber: number },
): Promise<string | undefined> {
  const command = await selectRows(tx, 'charger_command')
    .select(['id', sql<string | null>`request ->> 'id_tag'`.as('id_tag')])
    .where('charger_id', '=', chargerId)
    .where('seq', '=', String(commandNumber))
    .where('action', '=', 'remote_start')
    .executeTakeFirst()
  await updateRows(tx, 'charging_session')
    .set({ command_id: command?.id ?? null })
    .where('id', '=', id)
    .execute()
  return command?.id_tag ?? undefined
}

interface UnassignedSamples {
  readonly tenant_id: number
  readonly id: string
  readonly device_id: string
  readonly waiting: readonly WaitingSample[]
}

/** The sessions of all active tenants with waiting samples and no event since an instant; the oldest first. */
export async function listUnassigned(
  { db }: SystemDb,
  { until, limit }: { readonly until: Date; readonly limit: number },
): Promise<UnassignedSamples[]> {
  const rows = await db
    .selectFrom('charging_session')
    .select(['tenant_id', 'id', 'device_id', 'waiting_samples'])
    .where('waiting_samples', 'is not', null)
    .where('updated_at', '<', until)
    .where(isOfActiveTenant('charging_session.tenant_id'))
    .orderBy('updated_at')
    .limit(limit)
    .execute()
  return rows.map(({ waiting_samples, ...row }) => ({
    ...row,
    waiting: waiting_samples ?? [],
  }))
}

import { randomUUID } from 'node:crypto'
import { conflict, found } from '../../../kernel/errors.ts'
import { changes, insertable } from '../../../platform/db/columns.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import { clearSubject } from '../../alarms/system-alarms/index.ts'
import { createDevice } from '../../equipment/devices/index.ts'
import { type CommandEffects, cancelPending } from '../commands/index.ts'
import { keepRemovedCharger } from '../groups/index.ts'
import { CHARGING_ALARM_TEXTS, CHARGING_TEXTS } from '../messages.ts'
import type { NewPassword } from '../passwords/index.ts'
import { alarmSubject, lockCharger } from '../registry/index.ts'
import { cancelReservationsOf } from '../reservations/index.ts'
import type { CreateCharger, UpdateCharger } from './schema.ts'
import * as store from './store.ts'

const writable = ['vendor', 'model', 'serial_number'] as const

/** Creates a charger and its device. 409 for a cpid that is taken, 422 for an unknown subregion. */
export async function createCharger(
  tx: TenantTx,
  body: CreateCharger,
  password: NewPassword,
  now: Date,
): Promise<string> {
  const { cpid, name = cpid, subregion_id = null } = body
  const id = randomUUID()
  await store.claimCpid(tx, cpid, id)
  const device_id = await createDevice(
    tx,
    { name, device_type: 'charger', device_role: 'charger', device_source: 'ocpp' },
    subregion_id,
  )
  const values = { ...insertable(body, writable), id, device_id, cpid, name, subregion_id }
  await store.create(tx, { ...values, password_hash: password.hash }, now)
  return id
}

/** Updates a charger and copies name and subregion to its device. 404 when unknown. */
export async function updateCharger(tx: TenantTx, id: string, body: UpdateCharger, now: Date): Promise<void> {
  const charger = found('charger', await lockCharger(tx, id))
  const set = changes(body, [...writable, 'name', 'subregion_id'])
  if (!set) return
  await store.update(tx, id, set, now)
  if (set.subregion_id !== undefined) await store.moveDevices(tx, id, set.subregion_id)
  if (set.name !== undefined) await store.renameDevice(tx, charger.device_id, set.name)
}

/**
 * Takes a charger out of service: closes its socket, cancels its commands and reservations and releases its
 * cpid. Its sessions and devices with their measurements stay, and so does its membership in a group while it
 * may still draw. 404 when unknown, 409 while it has an active session.
 */
export async function removeCharger(
  tx: TenantTx,
  id: string,
  { now, effects }: { readonly now: Date; readonly effects: Required<CommandEffects> },
): Promise<void> {
  found('charger', await lockCharger(tx, id))
  if (await store.hasActiveSession(tx, id))
    throw conflict('STATE_CONFLICT', CHARGING_TEXTS.CHARGER_HAS_SESSION())
  await keepRemovedCharger(tx, id, now)
  await cancelPending(tx, id, { now, effects })
  await cancelReservationsOf(tx, id, now)
  await store.releaseCpid(tx, id)
  const columns = { connection_id: null, disconnected_at: now, password_hash: null, next_password_hash: null }
  await store.update(tx, id, { ...columns, deleted_at: now }, now)
  const subject = alarmSubject({ chargerId: id })
  await clearSubject(tx, { subject, reason: CHARGING_ALARM_TEXTS.END_CHARGER_REMOVED(), at: now.getTime() })
}

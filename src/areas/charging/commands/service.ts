import { setTimeout as sleep } from 'node:timers/promises'
import { conflict, found, invalidReference } from '../../../kernel/errors.ts'
import { insertable } from '../../../platform/db/columns.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/deps.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import { requireCharger } from '../registry/lookup-store.ts'
import type { ProfileBody } from '../charging-profiles/schema.ts'
import { profileOfStart } from '../charging-profiles/service.ts'
import { COMMAND_LOOK_EVERY_MS } from '../limits.ts'
import { placeCommand } from './enqueue.ts'
import { REQUESTS } from '../actions/requests.ts'
import type { PlaceCommand } from './schema.ts'
import * as store from './store.ts'

/** The transaction as the station knows it. 422 for a session that is none of the charger's, 409 for one that is over. */
async function transactionOf(tx: TenantTx, chargerId: string, body: PlaceCommand) {
  const { session_id, transaction_id } = body
  if ((session_id === undefined) === (transaction_id === undefined))
    throw invalidInput(['body', 'session_id'], 'name the session or its transaction_id, one of them')
  if (typeof session_id !== 'string') return { transaction_id }
  const session = await store.findSession(tx, chargerId, session_id)
  if (!session) throw invalidReference('session_id')
  if (body.action === 'remote_stop' && session.state !== 'active')
    throw conflict('STATE_CONFLICT', 'the session is over already')
  return { session_id, transaction_id: session.ocpp_transaction_id ?? session.transaction_number }
}

const PASSWORD_KEY = /^(.*\.)?(AuthorizationKey|BasicAuthPassword)\b/i

/** Set like any other value it would stand in the records for everybody to read, and the door would not know it. */
function refusePasswords({ action, key }: PlaceCommand): void {
  if (action === 'set_configuration' && PASSWORD_KEY.test(String(key)))
    throw invalidInput(['body', 'key'], 'a password is set with POST .../password')
}

/** As it is kept: what the action takes, and nothing else. */
async function requestOf(tx: TenantTx, chargerId: string, body: PlaceCommand, now: Date): Promise<object> {
  refusePasswords(body)
  if (body.action === 'remote_stop' || body.action === 'get_transaction_status')
    return transactionOf(tx, chargerId, body)
  const request = insertable(body, Object.keys(REQUESTS[body.action].properties))
  const { charging_profile } = request
  if (body.action !== 'remote_start' || charging_profile === undefined) return request
  return { ...request, charging_profile: await profileOfStart(tx, charging_profile as ProfileBody, now) }
}

interface Caller {
  readonly requestedBy: string
  readonly now: Date
}

/** 404 for an unknown charger, 409 LOTO_LOCKED_OUT while people may be at work on it. */
export async function orderCommand(
  tx: TenantTx,
  chargerId: string,
  body: PlaceCommand,
  { requestedBy, now }: Caller,
): Promise<store.CommandRow> {
  const charger = await requireCharger(tx, chargerId)
  return placeCommand(tx, {
    charger: { chargerId: charger.id },
    action: body.action,
    request: await requestOf(tx, charger.id, body, now),
    requestedBy,
    now,
    timeoutMs: body.expires_in_s && body.expires_in_s * 1000,
  })
}

/** A password on its way is nobody's to read. */
export const onWire = (command: store.CommandRow): store.CommandRow =>
  command.action === 'set_password' ? { ...command, request: {} } : command

export async function listCommands(
  tenant: TenantDb,
  chargerId: string,
  query: Parameters<typeof store.list>[2],
) {
  await requireCharger(tenant, chargerId)
  const page = await store.list(tenant, chargerId, query)
  return { ...page, items: page.items.map(onWire) }
}

export async function getCommand(tenant: TenantDb, chargerId: string, id: string): Promise<store.CommandRow> {
  await requireCharger(tenant, chargerId)
  const command = found('command', await store.find(tenant, id))
  return onWire(found('command', command.charger_id === chargerId.toLowerCase() ? command : undefined))
}

/** The command when it has ended, or as it is after so many seconds, or when the service stops. */
export async function waitForEnd(
  { readiness }: Pick<Deps, 'readiness'>,
  tenant: TenantDb,
  id: string,
  seconds: number,
): Promise<store.CommandRow> {
  const looks = Math.ceil((seconds * 1000) / COMMAND_LOOK_EVERY_MS)
  for (let look = 0; look < looks && !readiness.isStopping(); look += 1) {
    await sleep(COMMAND_LOOK_EVERY_MS)
    const command = found('command', await store.find(tenant, id))
    if (command.ended_at !== null) return onWire(command)
  }
  return onWire(found('command', await store.find(tenant, id)))
}

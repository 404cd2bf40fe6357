import { conflict, invalidReference } from '../../../kernel/errors.ts'
import { insertable } from '../../../platform/db/columns.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import { type ProfileBody, profileOfStart } from '../charging-profiles/index.ts'
import { type CommandRow, enqueueCommand } from '../commands/index.ts'
import { CHARGING_TEXTS } from '../messages.ts'
import { requireCharger } from '../registry/index.ts'
import { REQUESTS } from './requests.ts'
import type { CommandBody } from './schema.ts'
import { type ConnectionSettings, checkSecurityProfile } from './security-profile.ts'
import * as store from './store.ts'

/**
 * Returns the transaction id of the station. Throws 422 for a session of another charger and 409 for one that
 * has ended.
 */
async function transactionOf(tx: TenantTx, chargerId: string, body: CommandBody) {
  const { session_id, transaction_id } = body
  if ((session_id === undefined) === (transaction_id === undefined))
    throw invalidInput(['body', 'session_id'], CHARGING_TEXTS.SESSION_OR_TRANSACTION())
  if (typeof session_id !== 'string') return { transaction_id }
  const session = await store.findSession(tx, chargerId, session_id)
  if (!session) throw invalidReference('session_id')
  if (body.action === 'remote_stop' && session.state !== 'active')
    throw conflict('STATE_CONFLICT', CHARGING_TEXTS.SESSION_OVER())
  return { session_id, transaction_id: session.ocpp_transaction_id ?? session.transaction_number }
}

const PASSWORD_KEY = /^(.*\.)?(AuthorizationKey|BasicAuthPassword)\b/i

/**
 * Refuses to set a password as a configuration value: it would be readable in the command, and the handshake
 * would not accept it.
 */
function refusePasswords({ action, key }: CommandBody): void {
  if (action === 'set_configuration' && PASSWORD_KEY.test(String(key)))
    throw invalidInput(['body', 'key'], CHARGING_TEXTS.PASSWORD_OWN_ENDPOINT())
}

/** Returns the request to store, which contains only the fields of the action. */
async function requestOf(tx: TenantTx, chargerId: string, body: CommandBody, now: Date): Promise<object> {
  refusePasswords(body)
  if (body.action === 'remote_stop' || body.action === 'get_transaction_status')
    return transactionOf(tx, chargerId, body)
  const request = insertable(body, Object.keys(REQUESTS[body.action].properties))
  const { charging_profile } = request
  if (body.action !== 'remote_start' || charging_profile === undefined) return request
  return { ...request, charging_profile: await profileOfStart(tx, charging_profile as ProfileBody, now) }
}

interface Caller {
  readonly userId: string
  readonly now: Date
  readonly config: ConnectionSettings
}

/**
 * Enqueues a command of an operator. Throws 404 for an unknown charger, 409 LOTO_LOCKED_OUT while the charger
 * is locked out, and 409 for a security profile with which the station could not connect.
 */
export async function requestAction(
  tx: TenantTx,
  chargerId: string,
  body: CommandBody,
  { userId, now, config }: Caller,
): Promise<CommandRow> {
  const charger = await requireCharger(tx, chargerId)
  await checkSecurityProfile(tx, body, { chargerId: charger.id, config, now })
  return enqueueCommand(tx, {
    charger: { chargerId: charger.id },
    action: body.action,
    request: await requestOf(tx, charger.id, body, now),
    requestedBy: userId,
    now,
    timeoutMs: body.expires_in_s && body.expires_in_s * 1000,
  })
}

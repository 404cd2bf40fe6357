import { conflict, found } from '../../../kernel/errors.ts'
import { makeSealer, type Sealer } from '../../../platform/auth/sealer.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import {
  type CommandRow,
  cancelPending,
  deriveSealerKey,
  type EndedCommand,
  enqueueCommand,
  hasSentCommand,
  sealPassword,
} from '../commands/index.ts'
import { CHARGING_TEXTS } from '../messages.ts'
import { lockCharger } from '../registry/index.ts'
import type { NewPassword } from './password.ts'
import * as store from './store.ts'

/** The station may have executed a command that timed out: then both passwords stay valid. */
export async function settlePassword(tx: TenantTx, { command, now }: EndedCommand): Promise<void> {
  if (command.state === 'accepted') await store.confirmPassword(tx, command.charger_id, now)
  else if (command.state !== 'timed_out') await store.dropNextPassword(tx, command.charger_id)
}

interface PasswordChange {
  readonly chargerId: string
  readonly password: NewPassword
  /** The station is sent the password, and the current one stays valid until it has accepted it. */
  readonly isPushed: boolean
  readonly requestedBy: string
  readonly timeoutMs: number | undefined
}

/**
 * Gives a charger another password. Returns the command that sends it to the station, or null where an
 * operator enters it by hand; then the socket, which was opened with the old one, is closed. 404 when
 * unknown, 409 while another password is being sent.
 */
export async function changePassword(
  tx: TenantTx,
  deps: Pick<Deps, 'clock' | 'config'>,
  { chargerId, password, isPushed, requestedBy, timeoutMs }: PasswordChange,
): Promise<CommandRow | null> {
  found('charger', await lockCharger(tx, chargerId))
  const now = new Date(deps.clock.now())
  if (await hasSentCommand(tx, chargerId, 'set_password'))
    throw conflict('STATE_CONFLICT', CHARGING_TEXTS.PASSWORD_BEING_SENT())
  const effects = { set_password: settlePassword }
  await cancelPending(tx, chargerId, { now, effects, action: 'set_password' })
  if (!isPushed) {
    const set = { password_hash: password.hash, next_password_hash: null, password_changed_at: now }
    await store.setPassword(tx, chargerId, { ...set, connection_id: null, disconnected_at: now }, now)
    return null
  }
  await store.setPassword(tx, chargerId, { next_password_hash: password.hash }, now)
  return enqueueCommand(tx, {
    charger: { chargerId },
    action: 'set_password',
    request: sealPassword(deps.config, chargerId, password.clear),
    requestedBy,
    now,
    timeoutMs,
  })
}

/**
 * Seals responses that show a password: they are stored for their Idempotency-Key, and the database must not
 * show it.
 */
export const responseSealer = ({ secretKey }: Pick<Deps['config'], 'secretKey'>): Sealer =>
  makeSealer(deriveSealerKey(secretKey, 'answers of chargers'))

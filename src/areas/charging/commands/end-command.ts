import assert from 'node:assert/strict'
import { found } from '../../../kernel/errors.ts'
import type { CommandAction } from '../../../kernel/ocpp.ts'
import { toJson } from '../../../platform/db/json-columns.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import { unwritableIn } from '../../../platform/http/json-text.ts'
import { COMMAND_ERRORS } from '../messages.ts'
import { lockCharger } from '../registry/index.ts'
import type { CommandEffects } from './effect.ts'
import { hasSecretRequest, redactPasswords } from './secrets.ts'
import { type EndTransition, nextState } from './states.ts'
import * as store from './store.ts'

export interface CommandResult {
  readonly transition: EndTransition
  readonly response?: unknown
  readonly error?: store.CommandError | undefined
}

interface EndOptions {
  readonly now: Date
  readonly effects: CommandEffects
}

/**
 * Locks the charger, then the command (lock order: see `queue.ts`). Undefined where the command does not
 * exist.
 */
export async function lockCommand(tx: TenantTx, id: string): Promise<store.CommandRow | undefined> {
  const known = await store.findCommand(tx, id)
  if (known) await lockCharger(tx, known.charger_id)
  return store.lock(tx, id)
}

/**
 * Ends a locked command and applies its effect. A secret request is erased, passwords in the response are not
 * stored.
 */
export async function endCommand(
  tx: TenantTx,
  command: store.CommandRow,
  { transition, response, error }: CommandResult,
  { now, effects }: EndOptions,
): Promise<store.CommandRow> {
  const effect = effects[command.action]
  assert(effect, `the caller may not end a command of the action ${command.action}`)
  const fault = unwritableIn(response)
  const ended = await store.update(tx, command.id, {
    state: nextState(transition, command.state),
    ended_at: now,
    error: error ?? (fault && COMMAND_ERRORS.COMMAND_ANSWER_NOT_KEPT({ fault })),
    ...(response !== undefined && fault === undefined && { answer: toJson(redactPasswords(response)) }),
    ...(hasSecretRequest(command.action) && { request: toJson({}) }),
  })
  await effect(tx, { command: { ...ended, request: command.request }, response, now })
  return ended
}

/** 404 when unknown, 409 STATE_CONFLICT when it was sent already. */
export async function cancelCommand(
  tx: TenantTx,
  id: string,
  options: EndOptions,
): Promise<store.CommandRow> {
  const command = found('command', await lockCommand(tx, id))
  return endCommand(tx, command, { transition: 'cancel' }, options)
}

/** Cancels a command unless it was sent; returns whether it did. */
export async function cancelIfPending(tx: TenantTx, id: string, options: EndOptions): Promise<boolean> {
  const command = await lockCommand(tx, id)
  if (command?.state !== 'pending') return false
  await endCommand(tx, command, { transition: 'cancel' }, options)
  return true
}

/** Cancels the pending commands of a charger, or those of one action. The caller has locked the charger. */
export async function cancelPending(
  tx: TenantTx,
  chargerId: string,
  { action, ...options }: EndOptions & { readonly action?: CommandAction },
): Promise<void> {
  for (const command of await store.lockOpen(tx, chargerId, action))
    if (command.state === 'pending') await endCommand(tx, command, { transition: 'cancel' }, options)
}

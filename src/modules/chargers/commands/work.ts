import { found } from '../../../kernel/errors.ts'
import type { CommandAction } from '../../../kernel/ocpp.ts'
import { inTenantTx, systemDb, type TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/deps.ts'
import { unwritableIn } from '../../../platform/http/json-text.ts'
import { openPassword } from '../secret.ts'
import { EFFECTS } from './effects.ts'
import { isLockedOutError, refuseWhileLockedOut } from './place.ts'
import { type CommandEnd, commandAfter } from './states.ts'
import * as store from './store.ts'

type WorkDeps = Pick<Deps, 'database' | 'clock' | 'config'>

export interface Outcome {
  readonly move: CommandEnd
  readonly answer?: unknown
  readonly error?: string | undefined
}

/** Ends a command, with what that changes in our records. The secret of a password goes with it. */
async function endCommand(
  tx: TenantTx,
  command: store.CommandRow,
  { move, answer, error }: Outcome,
  now: Date,
): Promise<store.CommandRow> {
  const fault = unwritableIn(answer)
  const ended = await store.update(tx, command.id, {
    state: commandAfter(move, command.state),
    ended_at: now,
    error: error ?? (fault === undefined ? null : `the answer cannot be kept: it ${fault}`),
    ...(answer !== undefined && fault === undefined && { answer: JSON.stringify(answer) }),
    ...(command.action === 'set_password' && { request: '{}' }),
  })
  await EFFECTS[command.action]?.(tx, { command: { ...ended, request: command.request }, answer, now })
  return ended
}

interface Holder extends store.ChargerKey {
  readonly connectionId: string
}

/** A command that is to be said now. */
export interface CommandToSay extends Pick<store.CommandRow, 'id' | 'number' | 'action'> {
  readonly request: unknown
}

async function lockedOutError(tx: TenantTx, command: store.CommandRow): Promise<string | undefined> {
  const charger = { chargerId: command.charger_id }
  try {
    await refuseWhileLockedOut(tx, charger, { action: command.action, request: command.request as object })
    return undefined
  } catch (error) {
    if (isLockedOutError(error)) return error.code
    throw error
  }
}

/**
 * The next command for a station, from now on sent. Undefined when none waits, when one is under way, and when another
 * socket holds the station. One that came too late, or whose device was locked out meanwhile, ends here.
 */
export function takeNext(deps: WorkDeps, holder: Holder): Promise<CommandToSay | undefined> {
  const { tenantId, chargerId, connectionId } = holder
  return inTenantTx(deps.database.kysely, tenantId, async (tx) => {
    if (!(await store.holds(tx, chargerId, connectionId))) return undefined
    for (;;) {
      const command = await store.lockOldestOpen(tx, chargerId)
      if (command?.state !== 'pending') return undefined
      const now = new Date(deps.clock.now())
      const isLate = command.expires_at <= now
      const lockedOut = isLate ? undefined : await lockedOutError(tx, command)
      if (isLate) await endCommand(tx, command, { move: 'expire' }, now)
      else if (lockedOut) await endCommand(tx, command, { move: 'cancel', error: lockedOut }, now)
      else {
        const state = commandAfter('send', command.state)
        const { id, number, action, request } = await store.update(tx, command.id, { state, sent_at: now })
        const isSecret = action === 'set_password'
        return {
          id,
          number,
          action,
          request: isSecret ? openPassword(deps.config, chargerId, request) : request,
        }
      }
    }
  })
}

/** What became of a command that was sent; nothing when it has ended meanwhile. */
export function finishCommand(
  deps: WorkDeps,
  command: { readonly tenantId: number; readonly id: string },
  outcome: Outcome,
): Promise<void> {
  return inTenantTx(deps.database.kysely, command.tenantId, async (tx) => {
    const row = await store.lock(tx, command.id)
    if (row?.state === 'sent') await endCommand(tx, row, outcome, new Date(deps.clock.now()))
  })
}

/** For a station that has just come: whatever an older socket sent is not answered any more. */
export async function endUnanswered(
  deps: WorkDeps,
  { tenantId, chargerId }: store.ChargerKey,
): Promise<void> {
  const ids = await store.listSentIds({ db: deps.database.kysely, tenantId }, chargerId)
  for (const id of ids)
    await finishCommand(deps, { tenantId, id }, { move: 'time_out', error: 'the connection ended' })
}

/** Ends what waited too long for its station, and what a process that died had sent. */
export async function endOverdue(deps: WorkDeps): Promise<void> {
  const now = new Date(deps.clock.now())
  for (const { tenant_id, id } of await store.listOver(systemDb(deps.database.kysely), now)) {
    await inTenantTx(deps.database.kysely, tenant_id, async (tx) => {
      const row = await store.lock(tx, id)
      if (row?.state === 'pending') await endCommand(tx, row, { move: 'expire' }, now)
      if (row?.state === 'sent') await endCommand(tx, row, { move: 'time_out' }, now)
    })
  }
}

/** The chargers of all tenants that a command waits for. */
export const chargersWaiting = (deps: WorkDeps) => store.listWaiting(systemDb(deps.database.kysely))

/** 404 when unknown, 409 STATE_CONFLICT when it was sent already. */
export async function cancelCommand(tx: TenantTx, id: string, now: Date): Promise<store.CommandRow> {
  const command = found('command', await store.lock(tx, id))
  return endCommand(tx, command, { move: 'cancel' }, now)
}

/** For whoever wants something not to be done any more: false when it was sent already, and there is nothing to cancel. */
export async function cancelIfPending(tx: TenantTx, id: string, now: Date): Promise<boolean> {
  const command = await store.lock(tx, id)
  if (command?.state !== 'pending') return false
  await endCommand(tx, command, { move: 'cancel' }, now)
  return true
}

/** Whatever waits for a charger, or all of one action, is not sent any more. */
export async function cancelWaiting(
  tx: TenantTx,
  chargerId: string,
  now: Date,
  action?: CommandAction,
): Promise<void> {
  for (const command of await store.lockOpen(tx, chargerId, action))
    if (command.state === 'pending') await endCommand(tx, command, { move: 'cancel' }, now)
}

/** The station has been told and has not answered yet. */
export const isUnderWay = async (tx: TenantTx, chargerId: string, action: CommandAction): Promise<boolean> =>
  (await store.lockOpen(tx, chargerId, action)).some(({ state }) => state === 'sent')

import { AppError, found } from '../../../kernel/errors.ts'
import type { CommandAction } from '../../../kernel/ocpp.ts'
import { inTenantTx, systemDb, type TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/deps.ts'
import { unwritableIn } from '../../../platform/http/json-text.ts'
import { openPassword } from './secret-request.ts'
import { lock as lockCharger } from '../chargers/store.ts'
import { withoutPasswords } from './redact-passwords.ts'
import { EFFECTS } from '../command-effects.ts'
import { refuseWhileLockedOut } from './enqueue.ts'
import { type CommandEnd, commandAfter } from './states.ts'
import * as store from './store.ts'

type WorkDeps = Pick<Deps, 'database' | 'clock' | 'config'>

export interface Outcome {
  readonly move: CommandEnd
  readonly answer?: unknown
  readonly error?: string | undefined
}

/** Whoever ends a command has its charger first, as has whoever changes a password or removes the charger. */
async function lockCommand(tx: TenantTx, id: string): Promise<store.CommandRow | undefined> {
  const known = await store.find(tx, id)
  if (known) await lockCharger(tx, known.charger_id)
  return store.lock(tx, id)
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
    ...(answer !== undefined && fault === undefined && { answer: JSON.stringify(withoutPasswords(answer)) }),
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

/** What is said, or the outcome of a command that is not: too late, locked out meanwhile, or sealed with a lost key. */
async function prepare(
  { config }: WorkDeps,
  tx: TenantTx,
  command: store.CommandRow,
  now: Date,
): Promise<Outcome | { readonly request: unknown }> {
  const { action, request, charger_id: chargerId } = command
  if (command.expires_at <= now) return { move: 'expire' }
  try {
    await refuseWhileLockedOut(tx, { chargerId }, { action, request: request as object })
    return { request: action === 'set_password' ? openPassword(config, chargerId, request) : request }
  } catch (error) {
    if (error instanceof AppError) return { move: 'cancel', error: error.code }
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
    await lockCharger(tx, chargerId)
    if (!(await store.holds(tx, chargerId, connectionId))) return undefined
    for (;;) {
      const command = await store.lockOldestOpen(tx, chargerId)
      if (command?.state !== 'pending') return undefined
      const now = new Date(deps.clock.now())
      const prepared = await prepare(deps, tx, command, now)
      if ('move' in prepared) await endCommand(tx, command, prepared, now)
      else {
        const { id, number, action } = command
        await store.update(tx, id, { state: commandAfter('send', command.state), sent_at: now })
        return { id, number, action, ...prepared }
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
    const row = await lockCommand(tx, command.id)
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
      const row = await lockCommand(tx, id)
      if (row?.state === 'pending') await endCommand(tx, row, { move: 'expire' }, now)
      if (row?.state === 'sent') await endCommand(tx, row, { move: 'time_out' }, now)
    })
  }
}

/** Which of these chargers have commands that have not ended: those of stations that have just come. */
export const chargersWithOpen = (deps: WorkDeps, chargers: readonly store.ChargerKey[]) =>
  store.listWithOpen(systemDb(deps.database.kysely), chargers)

/** The chargers of all tenants that a command waits for. */
export const chargersWaiting = (deps: WorkDeps) => store.listWaiting(systemDb(deps.database.kysely))

/** 404 when unknown, 409 STATE_CONFLICT when it was sent already. */
export async function cancelCommand(tx: TenantTx, id: string, now: Date): Promise<store.CommandRow> {
  const command = found('command', await lockCommand(tx, id))
  return endCommand(tx, command, { move: 'cancel' }, now)
}

/** For whoever wants something not to be done any more: false when it was sent already, and there is nothing to cancel. */
export async function cancelIfPending(tx: TenantTx, id: string, now: Date): Promise<boolean> {
  const command = await lockCommand(tx, id)
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

/**
 * The command queue of a charging station.
 *
 * Purpose. An operator, a feature or the service itself enqueues a command (`enqueue.ts`) at any time; the
 * station may be connected to another process, or not at all. The table `charger_command` is the queue: it
 * survives restarts, it is the record that the API returns, and it is the only state that processes share.
 *
 * Order. A station executes one command at a time, in the order of `seq`. OCPP 1.6 allows one open call in
 * each direction, and most stations answer in order only. So one command that is `sent` blocks the queue of
 * its charger until it ends; other chargers are not affected. A command is sent at most once: when a station
 * does not respond, it is unknown whether it has executed the command (`timed_out`), and starting a session
 * twice is worse than not starting it.
 *
 * States (`states.ts`).
 *
 *   pending --send--> sent --accept | reject | fail | time_out--> ended
 *      `----expire | cancel--> ended
 *
 * A command that waited longer than its `expires_at`, or whose device was locked out (LOTO) after it was
 * enqueued, is not sent: `dequeue` ends it and goes on with the next one.
 *
 * Wake-up. The caller that enqueues emits `charger_command` after the commit, which reaches the process that
 * holds the socket over the bus and the link. The poll of charging (`../charging-poll.ts`) finds waiting commands
 * as well, so that a lost event costs latency only.
 *
 * Effects. The end of a command changes records of a feature: a reservation becomes active, a profile is
 * rejected. The effect runs in the transaction of the end, so a command and its record never disagree, even
 * after `kill -9`. This folder knows no feature; the caller passes the table action -> effect, which
 * `../command-effects.ts` composes.
 *
 * Lock order: charger, then command, then the rows of the feature (reservation, profile, list, group).
 * Ending a command, changing a password and removing a charger lock the charger first, so that no two of them
 * lock the two rows in opposite order. `enqueueCommand` only inserts: its foreign key takes a key-share
 * lock on the charger, which does not conflict with the no-key-update lock. It may therefore run under the
 * lock of a feature row, as power balancing does under that of a group.
 *
 * Ownership. `dequeue` checks `charger.connection_id` under the charger's lock: of two sockets of one
 * station, perhaps in two processes, only the newest one gets a command. `timeOutSent` ends the commands that
 * an older socket sent; `endOverdue` ends those that a dead process sent.
 */
import { AppError } from '../../../kernel/errors.ts'
import { inTenantTx, systemDb, type TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { COMMAND_ERRORS } from '../messages.ts'
import { lockCharger } from '../registry/index.ts'
import type { CommandEffects } from './effect.ts'
import { type CommandResult, endCommand, lockCommand } from './end-command.ts'
import { refuseWhileLockedOut } from './enqueue.ts'
import { hasSecretRequest, openPassword } from './secrets.ts'
import { nextState } from './states.ts'
import * as store from './store.ts'

type QueueDeps = Pick<Deps, 'database' | 'clock' | 'config'>

interface StationConnection extends store.ChargerKey {
  readonly connectionId: string
}

/** A command that is to be sent now, with its secrets. */
export interface QueuedCommand extends Pick<store.CommandRow, 'id' | 'number' | 'action'> {
  readonly request: unknown
}

export interface CommandQueue {
  /**
   * Marks the next command of a station as sent and returns it. Undefined when none is pending, when one is
   * sent and not answered, and when another connection owns the station. Commands that cannot be sent any
   * more end here.
   */
  dequeue(station: StationConnection): Promise<QueuedCommand | undefined>
  /** Ends a command that was sent; does nothing when it has ended meanwhile. */
  finish(command: { readonly tenantId: number; readonly id: string }, result: CommandResult): Promise<void>
  /**
   * Times out the commands that an older connection of the station sent, because no response can arrive any
   * more.
   */
  timeOutSent(charger: store.ChargerKey): Promise<void>
  /** Ends the tenants' commands that waited too long for their station, and those that a dead process sent. */
  endOverdue(tenantIds: readonly number[]): Promise<void>
  /** Returns the ids of those chargers that have commands which have not ended. */
  filterChargersWithOpen(chargers: readonly store.ChargerKey[]): Promise<ReadonlySet<string>>
}

/**
 * The request that is sent, or the end of a command that cannot be: too late, locked out, or sealed with a
 * lost key.
 */
async function prepare(
  { config }: QueueDeps,
  tx: TenantTx,
  command: store.CommandRow,
  now: Date,
): Promise<CommandResult | { readonly request: unknown }> {
  const { action, request, charger_id: chargerId } = command
  if (command.expires_at <= now) return { transition: 'expire' }
  try {
    await refuseWhileLockedOut(tx, { chargerId }, { action, request: request as object })
    return { request: hasSecretRequest(action) ? openPassword(config, chargerId, request) : request }
  } catch (error) {
    if (error instanceof AppError) return { transition: 'cancel', error: error.code }
    throw error
  }
}

export function makeCommandQueue(deps: QueueDeps, effects: CommandEffects): CommandQueue {
  const { clock } = deps
  const { kysely } = deps.database
  const timeNow = () => new Date(clock.now())

  const finish: CommandQueue['finish'] = ({ tenantId, id }, result) =>
    inTenantTx(kysely, tenantId, async (tx) => {
      const row = await lockCommand(tx, id)
      if (row?.state === 'sent') await endCommand(tx, row, result, { now: timeNow(), effects })
    })

  return {
    finish,
    dequeue: ({ tenantId, chargerId, connectionId }) =>
      inTenantTx(kysely, tenantId, async (tx) => {
        await lockCharger(tx, chargerId)
        if (!(await store.isCurrentConnection(tx, chargerId, connectionId))) return undefined
        for (;;) {
          const command = await store.lockOldestOpen(tx, chargerId)
          if (command?.state !== 'pending') return undefined
          const now = timeNow()
          const prepared = await prepare(deps, tx, command, now)
          if ('transition' in prepared) await endCommand(tx, command, prepared, { now, effects })
          else {
            const { id, number, action } = command
            await store.update(tx, id, { state: nextState('send', command.state), sent_at: now })
            return { id, number, action, ...prepared }
          }
        }
      }),
    async timeOutSent({ tenantId, chargerId }) {
      const ids = await store.listSentIds({ db: kysely, tenantId }, chargerId)
      for (const id of ids)
        await finish(
          { tenantId, id },
          { transition: 'time_out', error: COMMAND_ERRORS.COMMAND_CONNECTION_ENDED() },
        )
    },
    async endOverdue(tenantIds) {
      const now = timeNow()
      for (const tenantId of tenantIds) {
        for (const { id } of await store.listOverdue({ db: kysely, tenantId }, now)) {
          await inTenantTx(kysely, tenantId, async (tx) => {
            const row = await lockCommand(tx, id)
            if (row?.state === 'pending')
              await endCommand(tx, row, { transition: 'expire' }, { now, effects })
            if (row?.state === 'sent') await endCommand(tx, row, { transition: 'time_out' }, { now, effects })
          })
        }
      }
    },
    filterChargersWithOpen: (chargers) => store.listWithOpen(systemDb(kysely), chargers),
  }
}

import { conflict } from '../../../kernel/errors.ts'
import type { CommandAction } from '../../../kernel/ocpp.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import { refuseLockedOut } from '../../safety/loto/index.ts'
import { COMMAND_WAIT_MS, COMMANDS_OPEN_MAX } from '../limits.ts'
import { CHARGING_TEXTS } from '../messages.ts'
import type { ChargerRef } from '../registry/index.ts'
import * as store from './store.ts'

declare module '../../../platform/messaging/bus.ts' {
  interface BusEvents {
    /** Emitted after the commit: a command is pending for a charger. */
    charger_command: { readonly tenantId: number; readonly chargerId: string }
  }
}

/** The actions that may start a charge or move parts of a charger while people are at work on it. */
const STARTS_MOVEMENT: readonly CommandAction[] = [
  'remote_start',
  'reset',
  'unlock',
  'reserve',
  'update_firmware',
]

function startsMovement(action: CommandAction, request: { readonly type?: unknown }): boolean {
  return (
    STARTS_MOVEMENT.includes(action) || (action === 'change_availability' && request.type === 'operative')
  )
}

/**
 * 409 LOTO_LOCKED_OUT for a command that starts a device which is locked out. The check holds until the
 * transaction ends.
 */
export async function refuseWhileLockedOut(
  tx: TenantTx,
  { chargerId }: ChargerRef,
  command: Pick<NewCommand, 'action' | 'request'>,
): Promise<void> {
  const request = command.request as Readonly<Record<string, unknown>>
  if (!startsMovement(command.action, request)) return
  const { connector_id } = request
  // Connector 0 is the station with all its connectors.
  const connectorId = typeof connector_id === 'number' && connector_id > 0 ? connector_id : undefined
  await refuseLockedOut(tx, await store.devicesOf(tx, chargerId, connectorId))
}

export interface NewCommand {
  readonly charger: ChargerRef
  readonly action: CommandAction
  readonly request: object
  /** The user; null when the service itself enqueues the command. */
  readonly requestedBy: string | null
  readonly now: Date
  /** The time that the command may wait for its station, milliseconds. */
  readonly timeoutMs?: number | undefined
}

/**
 * Enqueues a command. The caller emits `charger_command` after the commit, so that it is sent at once. 409
 * LOTO_LOCKED_OUT, or STATE_CONFLICT when too many commands are open.
 */
export async function enqueueCommand(tx: TenantTx, command: NewCommand): Promise<store.CommandRow> {
  const { charger, action, request, requestedBy, now, timeoutMs = COMMAND_WAIT_MS } = command
  await refuseWhileLockedOut(tx, charger, command)
  if ((await store.countOpen(tx, charger.chargerId)) >= COMMANDS_OPEN_MAX)
    throw conflict('STATE_CONFLICT', CHARGING_TEXTS.COMMANDS_WAITING({ max: COMMANDS_OPEN_MAX }))
  return store.create(tx, {
    chargerId: charger.chargerId,
    action,
    request,
    requestedBy,
    createdAt: now,
    expiresAt: new Date(now.getTime() + timeoutMs),
  })
}

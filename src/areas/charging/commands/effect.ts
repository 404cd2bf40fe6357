import type { CommandAction } from '../../../kernel/ocpp.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { CommandRow } from './store.ts'

/** A command that has just ended. */
export interface EndedCommand {
  /** The row in its end state; the request is still as it was stored, a secret one sealed. */
  readonly command: CommandRow
  /** The response of the station as it came; undefined where there was none. */
  readonly response: unknown
  readonly now: Date
}

/**
 * Applies the end of a command to the records of a feature, whichever end it is; runs in the transaction of
 * that end.
 */
export type CommandEffect = (tx: TenantTx, ended: EndedCommand) => Promise<void>

/**
 * The effects of those actions whose commands a caller may end. To end a command of an action that is missing
 * is a bug.
 */
export type CommandEffects = Readonly<Partial<Record<CommandAction, CommandEffect>>>

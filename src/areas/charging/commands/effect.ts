import type { CommandAction } from '../../../kernel/ocpp.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { CommandRow } from './store.ts'

/** A command that has just ended. */
export interface EndedCommand {
  /** The row in its end state; the request is still as it was stored, a secret one sealed. */
  readonly command: CommandRow
  /** The unchanged response of the station; undefined when there was none. */
  readonly response: unknown
  readonly now: Date
}

/**
 * Applies the end of a command to the records of a feature, whichever end it is; runs in the transaction of
 * that end.
 */
export type CommandEffect = (tx: TenantTx, ended: EndedCommand) => Promise<void>

/** The effects by action. Ending a command of an action without an effect is a programming error. */
export type CommandEffects = Readonly<Partial<Record<CommandAction, CommandEffect>>>

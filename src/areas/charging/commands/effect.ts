import type { CommandRow } from './store.ts'

/** A command that has just ended. */
export interface Ended {
  /** In its end state, with the request as it was asked for. */
  readonly command: CommandRow
  /** As the station gave it; undefined where there was none. */
  readonly answer: unknown
  readonly now: Date
}

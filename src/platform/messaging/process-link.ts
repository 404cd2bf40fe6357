import type { Broker } from './broker.ts'

/** What a process takes from the others, with delivery at most once: what must not be lost is in the database. */
export interface ProcessLink extends Broker {
  /**
   * True when every message costs every process work, so that a sender publishes frequent messages only for processes
   * that have announced their interest. False over an outside broker, which routes by topic.
   */
  readonly isBroadcast: boolean
}

/** The link over an outside broker. A sender receives its own messages, too. */
export const linkOverBroker = ({ publish, subscribe }: Broker): ProcessLink => ({
  publish,
  subscribe,
  isBroadcast: false,
})

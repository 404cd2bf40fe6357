import type { Broker } from './broker.ts'

/** What a process takes from the others, with delivery at most once: what must not be lost is in the database. */
export interface ProcessLink extends Broker {
  /**
   * True when every message costs every process work, so that a sender publishes frequent messages only for processes
   * that have announced their interest. False over an outside broker, which routes by topic.
   */
  readonly isBroadcast: boolean
  /**
   * Calls the listener after each time that the link is connected again: messages of the time before were lost.
   * Returns the function that ends it. Only of a broadcast; an outside broker connects again by itself.
   */
  onReconnected(listener: () => void): () => void
}

/** The link over an outside broker. A sender receives its own messages, too. */
export const linkOverBroker = ({ publish, subscribe }: Broker): ProcessLink => ({
  publish,
  subscribe,
  isBroadcast: false,
  onReconnected: () => () => {},
})

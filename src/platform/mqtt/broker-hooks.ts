import type { Broker } from '../messaging/broker.ts'
import type { GatewayIdentity } from './gateway-root.ts'
import type { ListenOptions } from './listeners.ts'
import type { Login, LoginOutcome } from './logins.ts'
import type { Work } from './receive-window.ts'
import type { Refusal } from './refusals.ts'

/** A message of a gateway, before it is acknowledged. */
export interface GatewayMessage {
  readonly tenantId: number
  readonly gatewayId: string
  /** The common prefix of the gateway's topics; empty when nothing can be sent to the gateway now. */
  readonly root: string
  /** Below the root. */
  readonly topic: string
  readonly payload: Buffer
  /** Other processes receive a part of the gateway's messages. */
  readonly isShared: boolean
  /** The sender has left without an acknowledgement: it will send the message again, so it need not be stored. */
  readonly isGone: () => boolean
}

export interface RetainedMessage {
  readonly topic: string
  readonly payload: Buffer
}

/** The queries and notifications of the broker to the service. */
export interface BrokerHooks {
  login(login: Login, address: string): Promise<LoginOutcome>
  /**
   * Undefined: nothing to wait for. When it resolves the message is acknowledged; when it rejects the connection ends.
   */
  take(message: GatewayMessage): Work
  /** The first session of a gateway has come, or the last one has gone. */
  present(mount: GatewayIdentity, isPresent: boolean): void
  /** Stores a retained message of the service, before it is published; the broker reads them all at its start. */
  keepRetained(message: RetainedMessage): Promise<void>
  readRetained(): Promise<readonly RetainedMessage[]>
}

export interface EmbeddedBroker extends Broker {
  /** Opens a port; rejects with the system's error when it is taken. Port 0 takes a free one. */
  listen(options: ListenOptions): Promise<number>
  /**
   * From here on gateways are served; before, and without it, only the service's own parts. Called again after
   * `suspend`.
   */
  serve(hooks: BrokerHooks): Promise<void>
  /** Ends the sessions of a gateway, whose credentials are no longer right. */
  disconnect(gatewayId: string): void
  isListening(): boolean
  /** Closes the ports and ends every connection, because another process serves the gateways now. */
  suspend(): Promise<void>
  stats(): BrokerStats
  /** Takes nothing new, lets what was received be stored and acknowledged, then ends every connection. */
  close(): Promise<void>
}

export interface BrokerStats {
  readonly sessions: number
  readonly inFlightBytes: number
  readonly heldUp: number
  /** Connections that were refused, by reason. */
  readonly refused: ReadonlyMap<Refusal, number>
}

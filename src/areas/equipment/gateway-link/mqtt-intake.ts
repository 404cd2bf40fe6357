/** A message of a gateway that is to be processed again. */
export interface KeptMessage {
  readonly tenantId: number
  readonly gatewayId: string
  /** Below the gateway's root. */
  readonly topic: string
  readonly payload: Buffer
  /** Time of the first attempt, epoch milliseconds. */
  readonly receivedAt: number
  /** True when the attempt has to end, because the process stops; never by default. */
  readonly isGone?: () => boolean
}

/**
 * The reason why a message could not be used as a whole or in part: a code of docs/integrate/mqtt.md, and a
 * sentence.
 */
export interface Unused {
  readonly reason: string
  readonly detail: string
  /** Names without a device, of an `unknown_device`; an empty name is the gateway itself. */
  readonly unknownDevices?: readonly string[]
}

/** The intake for messages of gateways for callers without a broker, such as the retry of dead letters. */
export interface MqttIntake {
  /**
   * Stores the samples of a message after the first attempt; returns undefined when all parts were usable. It
   * creates no dead letter. What the message says about the gateway itself is out of date and is ignored.
   */
  retake(message: KeptMessage): Promise<Unused | undefined>
}

declare module '../../../platform/runtime/deps.ts' {
  interface Deps {
    /** The intake for messages of gateways, independent of the broker. */
    readonly mqtt: MqttIntake
  }
}

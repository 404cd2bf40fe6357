/** A message of a gateway that is to be processed again. */
export interface KeptMessage {
  readonly tenantId: number
  readonly gatewayId: string
  /** Below the gateway's root. */
  readonly topic: string
  readonly payload: Buffer
  /** Time of the first attempt, epoch milliseconds. */
  readonly receivedAt: number
}

/**
 * The reason why a message could not be used as a whole or in part: a code of docs/integrate/mqtt.md, and a
 * sentence.
 */
export interface Unused {
  readonly reason: string
  readonly detail: string
}

/** The intake for messages of gateways for callers without a broker, such as the retry of dead letters. */
export interface MqttIntake {
  /**
   * Stores the usable parts of a message; returns undefined when all parts were usable. It creates no dead
   * letter.
   */
  retake(message: KeptMessage): Promise<Unused | undefined>
}

declare module '../../../platform/runtime/deps.ts' {
  interface Deps {
    /** The intake for messages of gateways, independent of the broker. */
    readonly mqtt: MqttIntake
  }
}

/** A message of a gateway that is to be tried once more. */
export interface KeptMessage {
  readonly tenantId: number
  readonly gatewayId: string
  /** Below the gateway's root. */
  readonly topic: string
  readonly payload: Buffer
  /** Epoch milliseconds, of the first time. */
  readonly receivedAt: number
}

/** Why a message could not be used, as a whole or in part: a word of docs/integrate/mqtt.md, and a sentence. */
export interface Unused {
  readonly reason: string
  readonly detail: string
}

/** The way in for messages of gateways, for those who have one in hand and no broker. */
export interface MqttIntake {
  /** Stores what can be used of a message; undefined when that was all of it. Makes no dead letter. */
  retake(message: KeptMessage): Promise<Unused | undefined>
}

declare module '../../../platform/runtime/deps.ts' {
  interface Deps {
    /** The intake for messages of gateways, whatever broker they came by. */
    readonly mqtt: MqttIntake
  }
}

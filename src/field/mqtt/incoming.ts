import type { GatewayRef } from './directory.ts'

export interface IncomingMessage extends GatewayRef {
  /** Below the gateway's root. */
  readonly topic: string
  readonly payload: Buffer
  /** Other processes take a part of the gateway's messages. */
  readonly isShared: boolean
  /** Its sender is gone and was not answered: it will send the message again. */
  readonly isGone: () => boolean
}

import { createHmac, randomBytes } from 'node:crypto'
import { WEBHOOK_SECRET_BYTES } from '../limits.ts'

/**
 * The prefix of secrets in the Standard Webhooks specification, whose libraries can verify the signatures.
 */
const PREFIX = 'whsec_'

export const newSecret = (): string => PREFIX + randomBytes(WEBHOOK_SECRET_BYTES).toString('base64')

export interface Signed {
  /** The id of the delivery, which is the same for every attempt. */
  readonly id: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly body: string
}

/**
 * Returns the headers by which a receiver verifies the sender and the time of a delivery and detects
 * duplicates.
 */
export function signedHeaders(secret: string, { id, at, body }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000))
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}

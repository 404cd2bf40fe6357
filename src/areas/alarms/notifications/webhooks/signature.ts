import { createHmac, randomBytes } from 'node:crypto'
import { WEBHOOK_SECRET_BYTES } from '../limits.ts'

/** As the Standard Webhooks specification writes them, so that its libraries verify what we send. */
const PREFIX = 'whsec_'

export const newSecret = (): string => PREFIX + randomBytes(WEBHOOK_SECRET_BYTES).toString('base64')

export interface Signed {
  /** The same whenever the same delivery is sent again. */
  readonly id: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly body: string
}

/** The headers that let a receiver verify who sent this, when, and whether it came before. */
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

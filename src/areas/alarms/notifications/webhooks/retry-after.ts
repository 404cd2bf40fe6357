import type { IncomingMessage } from 'node:http'
import { isRecord } from '../../../../kernel/checked.ts'
import { CALL_BODY_MAX_BYTES, RETRY_AFTER_MAX_MS } from '../limits.ts'

/**
 * Returns the pause that a 429 response requests: the header Retry-After in seconds (RFC 9110, 10.2.3), or
 * `parameters.retry_after` of the Telegram Bot API (https://core.telegram.org/bots/api#responseparameters).
 * Undefined when there is none. At most CALL_BODY_MAX_BYTES of the body are read.
 */
export async function readRetryAfter(response: IncomingMessage): Promise<number | undefined> {
  const header = pauseOf(response.headers['retry-after'])
  if (header !== undefined) {
    response.destroy()
    return header
  }
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      if (length > CALL_BODY_MAX_BYTES) return undefined
    }
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    const parameters = isRecord(body) ? body['parameters'] : undefined
    return isRecord(parameters) ? pauseOf(parameters['retry_after']) : undefined
  } catch {
    // A body that ends early or is no JSON requests no pause.
    return undefined
  }
}

function pauseOf(seconds: unknown): number | undefined {
  if (!/^\d{1,9}$/.test(String(seconds))) return undefined
  return Math.min(RETRY_AFTER_MAX_MS, Number(seconds) * 1000)
}

import { MARKET_RESPONSE_BYTES_MAX } from './limits.ts'

/** A complete response of the platform. */
export interface PlatformResponse {
  readonly status: number
  readonly text: string
  readonly location: string | null
  readonly retryAfter: string | null
}

export type CallFailure = 'refused' | 'timeout' | 'cut' | 'too_large' | 'unreachable'

/**
 * No complete response was received. The error has no cause, because an error of the network stack may quote
 * the request.
 */
export class NoResponseError extends Error {
  readonly kind: CallFailure
  constructor(kind: CallFailure) {
    super(kind)
    this.kind = kind
  }
}

export interface CallOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
  /** Aborts the call when the service stops; the reason of the signal is thrown. */
  readonly signal: AbortSignal
}

/**
 * Sends one POST, bounded by time and response size. A redirect is returned as a response, so that no
 * credential is sent to another address.
 */
export async function callOnce({
  url,
  headers,
  body,
  timeoutMs,
  signal,
}: CallOptions): Promise<PlatformResponse> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const progress = { hasBegun: false }
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    })
    progress.hasBegun = true
    return {
      status: response.status,
      text: await readBounded(response),
      location: response.headers.get('location'),
      retryAfter: response.headers.get('retry-after'),
    }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof NoResponseError) throw error
    if (timeout.aborted) throw new NoResponseError('timeout')
    const { code } = ((error as Error).cause ?? {}) as { code?: string }
    if (code === 'ECONNREFUSED') throw new NoResponseError('refused')
    throw new NoResponseError(progress.hasBegun || code === 'UND_ERR_SOCKET' ? 'cut' : 'unreachable')
  }
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MARKET_RESPONSE_BYTES_MAX) throw new NoResponseError('too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

import { MARKET_ANSWER_BYTES_MAX } from './limits.ts'

/** An answer of the platform, whole. */
export interface PlatformAnswer {
  readonly status: number
  readonly text: string
  readonly location: string | null
  readonly retryAfter: string | null
}

export type Trouble = 'refused' | 'timeout' | 'cut' | 'too_large' | 'unreachable'

/** No whole answer came. It carries no cause: an error of the network stack may quote what was to be sent. */
export class NoAnswer extends Error {
  readonly trouble: Trouble
  constructor(trouble: Trouble) {
    super(trouble)
    this.trouble = trouble
  }
}

export interface CallOrder {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
  /** The service stops: its reason is thrown. */
  readonly signal: AbortSignal
}

/** One POST: within its time, its size and this address; a redirect is an answer, so that no credential is sent on. */
export async function callOnce({
  url,
  headers,
  body,
  timeoutMs,
  signal,
}: CallOrder): Promise<PlatformAnswer> {
  const late = AbortSignal.timeout(timeoutMs)
  const progress = { hasBegun: false }
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, late]),
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
    if (error instanceof NoAnswer) throw error
    if (late.aborted) throw new NoAnswer('timeout')
    const { code } = ((error as Error).cause ?? {}) as { code?: string }
    if (code === 'ECONNREFUSED') throw new NoAnswer('refused')
    throw new NoAnswer(progress.hasBegun || code === 'UND_ERR_SOCKET' ? 'cut' : 'unreachable')
  }
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MARKET_ANSWER_BYTES_MAX) throw new NoAnswer('too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Sends one GET over and over from a few connections, in a process of its own; answers its parent what it measured. */
import autocannon from 'autocannon'

export interface HttpLoad {
  readonly url: string
  readonly token: string
  readonly connections: number
  readonly seconds: number
}

export interface HttpLoadResult {
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers that were not 2xx, and requests without one. */
  readonly failed: number
}

async function run({ url, token, connections, seconds }: HttpLoad): Promise<HttpLoadResult> {
  const headers = { authorization: `Bearer ${token}` }
  const result = await autocannon({ url, headers, connections, duration: seconds })
  return {
    requestsPerSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failed: result.non2xx + result.errors + result.timeouts,
  }
}

process.on('message', (load: HttpLoad) => void run(load).then((result) => process.send?.(result)))
process.once('disconnect', () => process.exit(0))

/**
 * Sends one GET repeatedly over a few connections, as fast as it is answered or at a given rate, in a separate
 * process; reports the measurements to its parent.
 */
import autocannon from 'autocannon'

export interface HttpLoad {
  readonly url: string
  readonly token: string
  readonly connections: number
  readonly seconds: number
  /** Requests per second; as many as are answered when absent. */
  readonly perSecond?: number
}

export interface HttpLoadResult {
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Responses other than 2xx, and requests without a response. */
  readonly failed: number
}

async function run({ url, token, connections, seconds, perSecond }: HttpLoad): Promise<HttpLoadResult> {
  const headers = { authorization: `Bearer ${token}` }
  const rate = perSecond === undefined ? {} : { overallRate: perSecond }
  const result = await autocannon({ url, headers, connections, duration: seconds, ...rate })
  return {
    requestsPerSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failed: result.non2xx + result.errors + result.timeouts,
  }
}

process.on('message', (load: HttpLoad) => void run(load).then((result) => process.send?.(result)))
process.once('disconnect', () => process.exit(0))

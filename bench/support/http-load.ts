/**
 * Sends one GET repeatedly, or samples of devices, over a few connections, as fast as it is answered or at a given
 * rate, in a separate process; reports the measurements to its parent.
 */
import autocannon from 'autocannon'
import { makeSample } from './samples.ts'

export interface HttpLoad {
  readonly url: string
  readonly token: string
  readonly connections: number
  readonly seconds: number
  /** Requests per second; as many as are answered when absent. */
  readonly perSecond?: number
  /** Each request posts the next sample of every device instead, from `firstStep` on. */
  readonly samples?: {
    readonly deviceIds: readonly string[]
    readonly startAt: number
    readonly stepMs: number
    readonly firstStep: number
  }
}

export interface HttpLoadResult {
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Responses other than 2xx, and requests without a response. */
  readonly failed: number
}

function postSamples(samples: NonNullable<HttpLoad['samples']>) {
  let step = samples.firstStep
  const nextBody = (): string => {
    const list = samples.deviceIds.map((device_id, device) => {
      const { at, values } = makeSample(samples, device, step)
      return { device_id, timestamp: new Date(at).toISOString(), values }
    })
    step += 1
    return JSON.stringify({ samples: list })
  }
  return {
    method: 'POST' as const,
    setupRequest: (request: autocannon.Request) => ({ ...request, body: nextBody() }),
  }
}

async function run({
  url,
  token,
  connections,
  seconds,
  perSecond,
  samples,
}: HttpLoad): Promise<HttpLoadResult> {
  const headers = { authorization: `Bearer ${token}`, ...(samples && { 'content-type': 'application/json' }) }
  const rate = perSecond === undefined ? {} : { overallRate: perSecond }
  const requests = samples ? { requests: [postSamples(samples)] } : {}
  const result = await autocannon({ url, headers, connections, duration: seconds, ...rate, ...requests })
  return {
    requestsPerSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failed: result.non2xx + result.errors + result.timeouts,
  }
}

process.on('message', (load: HttpLoad) => void run(load).then((result) => process.send?.(result)))
process.once('disconnect', () => process.exit(0))

/** Makes the bodies of requests with samples and posts them, in a process of its own (`runSender`). */
import { postBodies } from './post-bodies.ts'
import { onTask } from './run-sender.ts'
import { makeSample } from './samples.ts'

export interface SendTask {
  readonly url: string
  readonly token: string
  readonly deviceIds: readonly string[]
  readonly startAt: number
  readonly stepMs: number
  /** Requests, each with one sample of every device. */
  readonly requests: number
  readonly connections: number
}

onTask<SendTask>((task) => {
  const { url, token, deviceIds, requests, connections } = task
  const bodies = Array.from({ length: requests }, (_, step) =>
    Buffer.from(
      JSON.stringify({
        samples: deviceIds.map((device_id, device) => {
          const { at, values } = makeSample(task, device, step)
          return { device_id, timestamp: new Date(at).toISOString(), values }
        }),
      }),
    ),
  )
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return () => postBodies({ url: `${url}/api/measurements`, headers, connections, bodies })
})

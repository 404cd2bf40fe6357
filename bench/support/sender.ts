/**
 * Sends prepared requests over a few connections, in a separate process. Reads one task from its parent,
 * sends `ready` when the bodies are prepared, starts on `go` and reports the duration.
 */
import { Agent, request } from 'node:http'
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

function post(agent: Agent, { url, token }: SendTask, body: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': body.length,
    }
    const sent = request(`${url}/api/measurements`, { method: 'POST', agent, headers }, (answer) => {
      answer.resume()
      answer.on('end', () =>
        answer.statusCode === 201 ? resolve() : reject(new Error(`answered ${answer.statusCode}`)),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

async function sendAll(task: SendTask): Promise<void> {
  const bodies = Array.from({ length: task.requests }, (_, step) =>
    Buffer.from(
      JSON.stringify({
        samples: task.deviceIds.map((device_id, device) => {
          const { at, values } = makeSample(task, device, step)
          return { device_id, timestamp: new Date(at).toISOString(), values }
        }),
      }),
    ),
  )
  const agent = new Agent({ keepAlive: true, maxSockets: task.connections })
  process.send?.('ready')
  await new Promise((resolve) => process.once('message', resolve))
  const started = performance.now()
  let next = 0
  const worker = async (): Promise<void> => {
    for (let body = bodies[next++]; body; body = bodies[next++]) await post(agent, task, body)
  }
  await Promise.all(Array.from({ length: task.connections }, worker))
  const tookMs = performance.now() - started
  agent.destroy()
  process.send?.({ tookMs }, () => process.exit(0))
}

process.once('message', (task: SendTask) => void sendAll(task))

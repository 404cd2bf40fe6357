/**
 * Reads the paths that its parent names, one response at a time over one connection, and reports the duration
 * of each.
 */
import { Agent, get } from 'node:http'

export interface ReadTask {
  readonly url: string
  readonly token: string
}
export interface ReadReport {
  readonly tookMs: number
  readonly bytes: number
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

process.on('message', ({ url, token }: ReadTask) => {
  const started = performance.now()
  get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
    let bytes = 0
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    answer.on('end', () => {
      const isGood = answer.statusCode === 200
      process.send?.({ tookMs: performance.now() - started, bytes: isGood ? bytes : 0 })
    })
  })
})

import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket, { type ClientOptions } from 'ws'
import type { Sample } from '../../../src/areas/metering/intake-contract/index.ts'
import type { TestApi } from '../api.ts'
import type { Json } from '../json.ts'
import type { TestDevice } from './measurements.ts'

const WAIT_MAX_MS = 60_000

export interface LiveClient {
  readonly socket: WebSocket
  /** All messages received so far. */
  readonly messages: readonly Json[]
  /** Samples received so far. */
  samples(): Json[]
  /** The first matching message, received already or later. */
  find(fits: (message: Json) => boolean): Promise<Json>
  send(message: unknown): void
  /** The close by the server, or by us after `end`. */
  closed(): Promise<{ code: number; reason: string }>
  end(): Promise<void>
}

export interface LiveClientOptions {
  readonly token?: string
  readonly ticket?: string
  readonly devices?: readonly (TestDevice | string)[]
  readonly since?: string | number
  readonly options?: ClientOptions
}

export const liveUrl = (base: string, { token, ticket, devices, since }: LiveClientOptions): string => {
  const url = new URL('/ws/telemetry', base.replace(/^http/, 'ws'))
  if (token !== undefined) url.searchParams.set('token', token)
  if (ticket !== undefined) url.searchParams.set('ticket', ticket)
  if (devices) url.searchParams.set('devices', devices.map(idOf).join(','))
  if (since !== undefined) {
    url.searchParams.set('since', typeof since === 'string' ? since : new Date(since).toISOString())
  }
  return url.href
}
const idOf = (device: TestDevice | string) => (typeof device === 'string' ? device : device.id)

/** A socket that has opened; it may be closed again at once. */
export function openLive(base: string, options: LiveClientOptions): LiveClient {
  const socket = new WebSocket(liveUrl(base, options), options.options)
  const messages: Json[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data))))
  socket.on('error', () => {})
  const closing = once(socket, 'close').then(([code, reason]) => ({ code, reason: String(reason) }))
  const closed = () => closing
  return {
    socket,
    messages,
    samples: () => messages.filter(({ type }) => type === 'sample'),
    async find(fits) {
      const until = performance.now() + WAIT_MAX_MS
      while (performance.now() < until) {
        const found = messages.find(fits)
        if (found) return found
        await Promise.race([once(socket, 'message'), closing, sleep(WAIT_MAX_MS)])
        if (socket.readyState === WebSocket.CLOSED && !messages.some(fits)) break
      }
      throw new Error(`no such message; there are ${JSON.stringify(messages.slice(-20))}`)
    },
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    closed,
    async end() {
      socket.terminate()
      await closed()
    },
  }
}

/** A socket that has received the greeting. */
export async function joinLive(base: string, options: LiveClientOptions): Promise<LiveClient> {
  const client = openLive(base, options)
  await client.find(({ type }) => type === 'hello')
  return client
}

/** Emits the event that ingest emits after a commit, without a commit. */
export const emitSamples = ({ deps }: Pick<TestApi, 'deps'>, tenantId: number, samples: readonly Sample[]) =>
  deps.bus.emit('samples_stored', { tenantId, samples })

/** The identity of samples, for comparing sets of them. */
export const sampleNames = (samples: readonly Json[]): string[] =>
  samples.map(({ device_id, timestamp }) => `${device_id} ${timestamp}`)

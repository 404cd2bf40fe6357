import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import type { OcppVersion } from '../../../src/kernel/ocpp.ts'
import type { TestApi } from '../api.ts'
import type { Json } from '../json.ts'
import type { TestCharger } from './ocpp.ts'

const ANSWER_MAX_MS = 60_000

/** The result of a call: the payload of a CALLRESULT, or a CALLERROR. */
export interface CallOutcome {
  readonly result?: Json
  readonly error?: { readonly code: string; readonly description: string; readonly details: unknown }
}

/** A station as a bare socket: it writes the frames of the specification (part 4, 4.2) itself. */
export interface BareStation {
  readonly socket: WebSocket
  /** Sends a CALL and waits for its response. */
  send(action: string, payload: object): Promise<CallOutcome>
  /** The payload of the CALLRESULT; throws at a CALLERROR. */
  call(action: string, payload: object): Promise<Json>
  /** Sends the text unchanged. */
  raw(text: string): void
  /** Calls of the service, in order; `onCall` returns their responses. */
  readonly called: { readonly action: string; readonly payload: Json }[]
  onCall: (action: string, payload: Json) => object
  end(): Promise<void>
}

export async function openStation(
  api: Pick<TestApi, 'url'>,
  charger: TestCharger,
  version: OcppVersion = '2.0.1',
): Promise<BareStation> {
  const socket = new WebSocket(
    `${api.url.replace(/^http/, 'ws')}/ocpp/${version}/${encodeURIComponent(charger.cpid)}`,
    [`ocpp${version}`],
    {
      headers: {
        authorization: `Basic ${Buffer.from(`${charger.cpid}:${charger.password}`).toString('base64')}`,
      },
    },
  )
  const waiting = new Map<string, (outcome: CallOutcome) => void>()
  // When either side closes the socket, pending calls are rejected; without one the rejection is ignored.
  const closed = new Promise<never>((_, reject) => {
    socket.once('close', () => reject(new Error('the socket was closed')))
  })
  closed.catch(() => {})
  const station: BareStation = {
    socket,
    called: [],
    onCall: () => ({ status: 'Accepted' }),
    raw: (text) => socket.send(text),
    async send(action, payload) {
      const id = randomUUID()
      const response = new Promise<CallOutcome>((resolve) => waiting.set(id, resolve))
      socket.send(JSON.stringify([2, id, action, payload]))
      const late = sleep(ANSWER_MAX_MS, undefined, { ref: false }).then(() => {
        throw new Error(`no answer to ${action}`)
      })
      return Promise.race([response, late, closed])
    },
    async call(action, payload) {
      const { result, error } = await station.send(action, payload)
      if (error) throw new Error(`${action} was refused: ${JSON.stringify(error)}`)
      return result
    },
    async end() {
      if (socket.readyState === WebSocket.CLOSED) return
      const closed = once(socket, 'close')
      socket.terminate()
      await closed
    },
  }
  socket.on('message', (data) => {
    const [type, id, third, fourth, fifth] = JSON.parse(String(data))
    if (type === 2) {
      station.called.push({ action: third, payload: fourth })
      socket.send(JSON.stringify([3, id, station.onCall(third, fourth)]))
      return
    }
    waiting.get(id)?.(
      type === 3 ? { result: third } : { error: { code: third, description: fourth, details: fifth } },
    )
    waiting.delete(id)
  })
  await once(socket, 'open')
  return station
}

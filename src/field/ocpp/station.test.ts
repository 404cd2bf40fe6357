import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { waitFor } from '../../../test/support/wait-for.ts'
import { OcppCallError, OcppClosed, OcppTimeout } from './errors.ts'
import { OCPP_MALFORMED_MAX, OCPP_MESSAGES_BURST, OCPP_QUEUE_MAX } from './limits.ts'
import { readSchemas } from './schemas.ts'
import { StationSocket, type StationSocketOptions } from './station.ts'

const schemas = readSchemas('1.6')
const opened: WebSocketServer[] = []
afterEach(async () => {
  for (const server of opened.splice(0)) {
    for (const client of server.clients) client.terminate()
    await new Promise((resolve) => server.close(resolve))
  }
})

/** Both ends of a connection, the remote one a bare WebSocket. */
async function connect(response: StationSocketOptions['respond'] = async () => undefined) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  opened.push(server)
  await once(server, 'listening')
  const far = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const received: unknown[] = []
  const throttled = { count: 0 }
  far.on('message', (data) => void received.push(JSON.parse(String(data))))
  const [socket] = (await once(server, 'connection')) as [WebSocket]
  const station = new StationSocket({
    identity: { tenantId: 1, chargerId: 'c', cpid: 'CP', version: '1.6', connectionId: 'x', address: '::1' },
    socket,
    schemas,
    respond: response,
    onActivity: () => {},
    onCallEnded: () => {},
    onExpelled: () => {},
    onThrottled: () => {
      throttled.count += 1
    },
  })
  if (far.readyState !== far.OPEN) await once(far, 'open')
  const closed = once(far, 'close').then(([code]) => code as number)
  return { station, far, received, closed, socket, throttled }
}

const heartbeat = (id: number | string) => JSON.stringify([2, String(id), 'Heartbeat', {}])

describe('messages of a station', () => {
  it('are handled one after the other, in order', async () => {
    const log: string[] = []
    let running = 0
    const { far, received } = await connect(async (_station, message) => {
      running += 1
      log.push(`${message.id} ${running}`)
      await sleep(Math.random() * 3)
      running -= 1
      return JSON.stringify([3, message.id, {}])
    })
    for (let id = 0; id < 30; id += 1) far.send(heartbeat(id))
    await waitFor(() => received.length === 30)
    expect(log).toEqual(Array.from({ length: 30 }, (_, id) => `${id} 1`))
    expect(received.map((frame) => (frame as string[])[1])).toEqual(log.map((line) => line.split(' ')[0]))
  })

  it('are not read while too many of them wait, and are read again afterwards', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const { far, received, socket } = await connect(async (_station, message) => {
      await held
      return JSON.stringify([3, message.id, {}])
    })
    for (let id = 0; id < 40; id += 1) {
      far.send(heartbeat(id))
      await sleep(1)
    }
    await waitFor(() => socket.isPaused)
    release()
    await waitFor(() => received.length === 40)
    expect(socket.isPaused).toBe(false)
  })

  it('are delayed and reported when the station sends too many, and none is lost', async () => {
    const { far, received, throttled } = await connect(async (_station, message) =>
      JSON.stringify([3, message.id, {}]),
    )
    // While the clock stands still, no further messages become free, however slow the machine is.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    onTestFinished(() => clock.mockRestore())
    const total = OCPP_MESSAGES_BURST + 5
    for (let id = 0; id < total; id += 1) far.send(heartbeat(id))
    await waitFor(() => received.length === total, 60_000)
    expect(throttled.count).toBe(5)
  })

  it('close the socket when a thousand arrive before the first is answered', async () => {
    const { far, closed } = await connect(() => new Promise(() => {}))
    far.on('error', () => {})
    const frame = heartbeat(1)
    for (let id = 0; id < OCPP_QUEUE_MAX * 30; id += 1) far.send(frame)
    expect(await Promise.race([closed, waitUntilPaused(far)])).toBeOneOf([1008, 'held up'])
  })

  it('close the socket after too many malformed ones in a row, which a valid one interrupts', async () => {
    const { far, closed, received } = await connect(async (_station, message) =>
      message.kind === 'call' ? JSON.stringify([3, message.id, {}]) : undefined,
    )
    for (let round = 0; round < 3; round += 1) {
      for (let bad = 0; bad < OCPP_MALFORMED_MAX; bad += 1) far.send('{')
      far.send(heartbeat(round))
      await waitFor(() => received.length === round + 1)
    }
    for (let bad = 0; bad <= OCPP_MALFORMED_MAX; bad += 1) far.send('[4,"unknown","GenericError","",{}]')
    expect(await closed).toBe(1008)
  })

  it('are answered completely before the socket may close', async () => {
    let started = false
    const { far, station, received } = await connect(async (_station, message) => {
      started = true
      await sleep(50)
      return JSON.stringify([3, message.id, {}])
    })
    far.send(heartbeat('last'))
    far.send(heartbeat('never'))
    await waitFor(() => started)
    await station.finish()
    station.close(1012, 'Service restart')
    await once(far, 'close')
    expect(received).toEqual([[3, 'last', {}]])
  })

  it('that cannot be stored close the socket', async () => {
    const { far, closed, received } = await connect(async () => ({ closes: true }))
    far.send(heartbeat(1))
    expect(await closed).toBe(1013)
    expect(received).toEqual([])
  })
})

/** A sender whose bytes are not read any more. */
async function waitUntilPaused(far: WebSocket): Promise<string> {
  let before = -1
  while (far.bufferedAmount !== before || before === 0) {
    before = far.bufferedAmount
    await sleep(500)
  }
  return 'held up'
}

describe('calls of the service', () => {
  const responseTo = (far: WebSocket, frame: unknown, payload: object) =>
    far.send(JSON.stringify([3, (frame as string[])[1], payload]))

  it('are sent one at a time', async () => {
    const { far, station, received } = await connect()
    const calls = ['Soft', 'Hard'].map((type) => station.call('Reset', { type }))
    await waitFor(() => received.length === 1)
    await sleep(50)
    expect(received).toEqual([[2, expect.any(String), 'Reset', { type: 'Soft' }]])
    responseTo(far, received[0], { status: 'Accepted' })
    await waitFor(() => received.length === 2)
    responseTo(far, received[1], { status: 'Rejected' })
    expect(await Promise.all(calls)).toEqual([{ status: 'Accepted' }, { status: 'Rejected' }])
  })

  it('time out, and a late response is ignored', async () => {
    const { far, station, received } = await connect()
    await expect(station.call('ClearCache', {}, { timeoutMs: 50 })).rejects.toThrow(OcppTimeout)
    await waitFor(() => received.length === 1)
    responseTo(far, received[0], { status: 'Accepted' })
    const next = station.call('ClearCache', {})
    await waitFor(() => received.length === 2)
    responseTo(far, received[1], { status: 'Rejected' })
    expect(await next).toEqual({ status: 'Rejected' })
  })

  it('reject with the code of the station, for an invalid response, and for a closed socket', async () => {
    const { far, station, received } = await connect()
    const refused = station.call('ClearCache', {})
    await waitFor(() => received.length === 1)
    far.send(JSON.stringify([4, (received[0] as string[])[1], 'VendorsOwn', 'because', {}]))
    await expect(refused).rejects.toEqual(new OcppCallError('VendorsOwn', 'because'))
    const odd = station.call('ClearCache', {})
    await waitFor(() => received.length === 2)
    responseTo(far, received[1], { status: 'Perhaps' })
    await expect(odd).rejects.toThrow('PropertyConstraintViolation')
    const lost = station.call('ClearCache', {})
    await waitFor(() => received.length === 3)
    far.terminate()
    await expect(lost).rejects.toThrow(OcppClosed)
    await expect(station.call('ClearCache', {})).rejects.toThrow(OcppClosed)
  })

  it('that violate the schema are never sent', async () => {
    const { station, received } = await connect()
    await expect(station.call('Reset', { type: 'Sideways' })).rejects.toThrow(OcppCallError)
    expect(received).toEqual([])
  })
})

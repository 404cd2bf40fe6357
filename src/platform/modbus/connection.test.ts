import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { LOOPBACK_GUARD } from '../../../test/support/field/loopback-guard.ts'
import {
  framed,
  type ReceivedRequest,
  respondWithException,
  respondWithWords,
  serveModbus,
  spanOf,
  type TestServer,
  wordsPdu,
} from '../../../test/support/field/modbus-server.ts'
import { type ConnectionOptions, ModbusConnection } from './connection.ts'
import { ModbusError } from './modbus-error.ts'

const open: { stop(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop()
})

async function serve(handle: (request: ReceivedRequest) => void, port?: number): Promise<TestServer> {
  const server = await serveModbus(handle, port)
  open.push(server)
  return server
}

function connectTo(port: number, options: Partial<ConnectionOptions> = {}): ModbusConnection {
  const connection = new ModbusConnection({
    ...{ host: '127.0.0.1', port, guard: LOOPBACK_GUARD, reconnectFirstMs: 20 },
    ...options,
  })
  open.push(connection)
  return connection
}

const honest = (request: ReceivedRequest) =>
  respondWithWords(request, (address, unit) => unit * 100 + address)
const read = (connection: ModbusConnection, unit: number, address = 0, timeoutMs = 2_000) =>
  connection.request({ unit, request: { function: 3, address, count: 2 }, timeoutMs })
const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: unknown) => (error instanceof ModbusError ? error.kind : error),
  )

/** A timer may fire early on a machine that paused the process, because it counts from the start of the loop. */
async function untilAttemptAllowed(connection: ModbusConnection): Promise<void> {
  while (connection.waitMs > 0) await setTimeout(connection.waitMs)
}

describe('ModbusConnection', () => {
  it('sends one request at a time, to any unit, over one socket', async () => {
    let under = 0
    let most = 0
    const server = await serve((request) => {
      under += 1
      most = Math.max(most, under)
      setImmediate(() => {
        under -= 1
        honest(request)
      })
    })
    const connection = connectTo(server.port)
    const responses = await Promise.all([1, 2, 3, 255].map((unit) => read(connection, unit, unit)))
    expect(responses).toEqual([1, 2, 3, 255].map((unit) => [unit * 101, unit * 101 + 1]))
    expect([most, server.connections]).toEqual([1, 1])
    expect(new Set(server.requests.map(({ transaction }) => transaction)).size).toBe(4)
  })

  it('refuses requests when its queue is full', async () => {
    const server = await serve(() => {})
    const connection = connectTo(server.port)
    const ends = Array.from({ length: 40 }, () => kindOf(read(connection, 1, 0, 5_000)))
    expect(await ends[39]).toBe('connect')
    connection.stop()
    expect((await Promise.all(ends)).filter((kind) => kind === 'stopped').length).toBe(33)
  })

  it('never uses a late response for the next request', async () => {
    const server = await serve((request) => {
      if (request.unit !== 7) return honest(request)
      // Sent together with the next request's response, before that one.
    })
    const connection = connectTo(server.port)
    expect(await kindOf(read(connection, 7, 0, 30))).toBe('timeout')
    const late = server.requests[0]
    const next = read(connection, 8)
    if (late) honest(late)
    expect(await next).toEqual([800, 801])
    expect(server.connections).toBe(1)
  })

  it('stays open beside a silent slave, but closes when all are silent', async () => {
    const server = await serve((request) => request.unit < 100 && honest(request))
    const connection = connectTo(server.port)
    for (let round = 0; round < 8; round++) {
      expect(await kindOf(read(connection, 100, 0, 5))).toBe('timeout')
      expect(await read(connection, 1)).toEqual([100, 101])
    }
    expect(server.connections).toBe(1)
    for (let round = 0; round < 5; round++) expect(await kindOf(read(connection, 100, 0, 5))).toBe('timeout')
    expect(connection.isOpen).toBe(false)
    expect(await read(connection, 1)).toEqual([100, 101])
    expect(server.connections).toBe(2)
  })

  it('reports a rejection of the device', async () => {
    const server = await serve((request) => respondWithException(request, 2))
    await expect(read(connectTo(server.port), 1)).rejects.toMatchObject({
      kind: 'exception',
      exceptionCode: 2,
    })
  })

  it.each<[string, (request: ReceivedRequest) => Buffer, number]>([
    [
      'a response of another unit',
      ({ transaction, pdu }) => framed(transaction, 9, wordsPdu(pdu[0] ?? 0, [1, 2])),
      1,
    ],
    [
      'a response with another function',
      ({ transaction, unit }) => framed(transaction, unit, wordsPdu(4, [1, 2])),
      1,
    ],
    [
      'a response with too few words',
      ({ transaction, unit }) => framed(transaction, unit, wordsPdu(3, [1])),
      1,
    ],
    [
      'a response with too many words',
      ({ transaction, unit }) => framed(transaction, unit, wordsPdu(3, [1, 2, 3])),
      1,
    ],
    ['a response with another protocol id', () => Buffer.from('0001beef0005030401020304', 'hex'), 2],
    ['a response with an excessive length', () => Buffer.from('00010000ffff0103', 'hex'), 2],
  ])('ignores %s, and continues', async (_, wrong, connections) => {
    const server = await serve((request) => {
      if (request.unit === 1) request.socket.write(wrong(request))
      else honest(request)
    })
    const connection = connectTo(server.port)
    expect(await read(connection, 2)).toEqual([200, 201])
    expect(await kindOf(read(connection, 1))).toBe('malformed')
    expect(await read(connection, 3)).toEqual([300, 301])
    expect(server.connections).toBe(connections)
  })

  it('closes after a partial frame, whose rest would be read as the next response', async () => {
    const server = await serve((request) => {
      if (request.unit === 1)
        request.socket.write(framed(request.transaction, 1, wordsPdu(3, [1, 2])).subarray(0, 9))
      else honest(request)
    })
    const connection = connectTo(server.port)
    expect(await read(connection, 3)).toEqual([300, 301])
    // The part may arrive after a short timeout on a slow machine.
    for (let timeoutMs = 20; connection.isOpen && timeoutMs < 30_000; timeoutMs *= 4)
      expect(await kindOf(read(connection, 1, 0, timeoutMs))).toBe('timeout')
    expect(await read(connection, 2)).toEqual([200, 201])
    expect(server.connections).toBe(2)
  })

  it('closes after a flood of unsolicited frames, also between two requests', async () => {
    const server = await serve((request) => {
      const unsolicited = framed(60_000, request.unit, wordsPdu(3, [1, 2]))
      if (request.unit === 1)
        request.socket.write(Buffer.concat(Array.from({ length: 40 }, () => unsolicited)))
      honest(request)
      if (request.unit === 2) for (let sent = 0; sent < 40; sent += 1) request.socket.write(unsolicited)
    })
    const connection = connectTo(server.port)
    expect(await read(connection, 4)).toEqual([400, 401])
    expect(await kindOf(read(connection, 1))).toBe('malformed')
    expect(await read(connection, 2)).toEqual([200, 201])
    while (connection.isOpen) await setTimeout(1)
    expect(await read(connection, 3)).toEqual([300, 301])
    expect(server.connections).toBe(3)
  })

  it('reconnects when the server is back, with pauses while it is away', async () => {
    const server = await serve(honest)
    const { port } = server
    let nowMs = 0
    const connection = connectTo(port, { random: () => 0, now: () => nowMs })
    await read(connection, 1)
    await server.stop()
    expect(['closed', 'connect']).toContain(await kindOf(read(connection, 1)))
    const pauses: number[] = []
    while (pauses.length < 4) {
      nowMs += connection.waitMs
      expect(await kindOf(read(connection, 1))).toBe('connect')
      pauses.push(connection.waitMs)
    }
    // The first attempt fails with the request that notices the loss, or with the next one.
    const first = pauses[0] ?? 0
    expect([20, 40]).toContain(first)
    expect(pauses).toEqual([first, first * 2, first * 4, first * 8])
    expect(await kindOf(read(connection, 1))).toBe('connect')
    await serve(honest, port)
    nowMs += connection.waitMs - 1
    expect(await kindOf(read(connection, 1))).toBe('connect')
    nowMs += 1
    expect(await read(connection, 1)).toEqual([100, 101])
  })

  it('ends an attempt to connect at its timeout, or at once when it is stopped', async () => {
    // Reserved for documentation (RFC 5737): no host responds.
    const connection = connectTo(502, { host: '192.0.2.1', connectTimeoutMs: 30 })
    expect(await kindOf(read(connection, 1))).toBe('connect')
    const other = connectTo(502, { host: '192.0.2.1' })
    const end = kindOf(read(other, 1))
    setImmediate(() => other.stop())
    expect(['connect', 'stopped']).toContain(await end)
  })

  it('can be released after each use', async () => {
    const server = await serve(honest)
    const connection = connectTo(server.port)
    await read(connection, 1)
    connection.release()
    expect(await read(connection, 2)).toEqual([200, 201])
    expect(server.connections).toBe(2)
  })
})

describe('any bytes of a server', () => {
  it('lead to a ModbusError or a response, and correct responses are read again', async () => {
    let garbage: Uint8Array = new Uint8Array()
    let isInFrame = false
    const server = await serve((request) => {
      if (request.unit !== 1) return honest(request)
      request.socket.write(isInFrame ? framed(request.transaction, 1, garbage) : garbage)
    })
    const connection = connectTo(server.port, { reconnectFirstMs: 1 })
    await read(connection, 2)
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 253 })
    await fc.assert(
      fc.asyncProperty(bytes, fc.boolean(), async (sent, framing) => {
        garbage = sent
        isInFrame = framing
        const kind = await kindOf(read(connection, 1, 0, 15))
        expect(['answered', 'malformed', 'timeout', 'exception', 'closed']).toContain(kind)
        if (kind === 'answered') expect([...sent.subarray(0, 2)]).toEqual([3, 4])
        await untilAttemptAllowed(connection)
        // Bytes that arrive only after the timeout corrupt the response that they run into, and no other.
        const next = await read(connection, 2, 5).catch(async (error: unknown) => {
          expect(error).toBeInstanceOf(ModbusError)
          await untilAttemptAllowed(connection)
          return read(connection, 2, 5)
        })
        expect(next).toEqual([205, 206])
        expect(spanOf(server.requests.at(-1) as ReceivedRequest).address).toBe(5)
      }),
      { numRuns: 80 },
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeWebhook } from './decode-webhook.ts'
import { applyEvent, isOpen, NO_SESSION, type SessionEvent } from './session-state.ts'

const stateAfter = (events: readonly SessionEvent[]) => events.reduce(applyEvent, NO_SESSION)

/** An event decoded from a body of EMQX. */
function emqx(kind: 'connected' | 'disconnected', body: object): SessionEvent {
  const read = decodeWebhook({
    kind,
    body: { event: `client.${kind}`, clientid: 'gw', ...body },
    hook: undefined,
    receivedAt: 2_000_000_000_000,
  })
  if (!read) throw new Error('the body was not read')
  return read.event
}

interface SessionSpec {
  readonly node: string
  readonly durationMs: number
  readonly pauseMs: number
  /** The next session takes over; the end of this one is reported `delay` ms later. */
  readonly isTakenOver: boolean
  readonly delay: number
}

/** Events of consecutive sessions in a cluster; the last session may still be open. */
function eventsOf(
  sessions: readonly SessionSpec[],
  isLastOpen: boolean,
  hasConnectedAt: boolean,
): SessionEvent[] {
  const events: SessionEvent[] = []
  let now = 1_800_000_000_000
  for (const [index, { node, durationMs: lasts, pauseMs: pause, isTakenOver, delay }] of sessions.entries()) {
    const connected_at = now
    events.push(emqx('connected', { node, connected_at, timestamp: connected_at + 1 }))
    const isLast = index === sessions.length - 1
    now += lasts
    if (isLast && isLastOpen) break
    const takeover = isTakenOver && !isLast
    const disconnected_at = takeover ? now + delay : now
    const reason = takeover ? 'takenover' : 'tcp_closed'
    const began = hasConnectedAt ? { connected_at } : {}
    events.push(emqx('disconnected', { node, disconnected_at, timestamp: disconnected_at, reason, ...began }))
    if (!takeover) now += pause
  }
  return events
}

const sessionSpec = fc.record({
  node: fc.constantFrom('emqx@1', 'emqx@2'),
  durationMs: fc.integer({ min: 1, max: 100_000 }),
  pauseMs: fc.integer({ min: 1, max: 100_000 }),
  isTakenOver: fc.boolean(),
  delay: fc.integer({ min: 0, max: 5_000 }),
})

describe('sessions of a gateway', () => {
  it('depend on the set of events, not on their order or repetition', () => {
    const scenario = fc.record({
      sessions: fc.array(sessionSpec, { minLength: 1, maxLength: 3 }),
      isLastOpen: fc.boolean(),
      hasConnectedAt: fc.boolean(),
    })
    const shuffledEvents = scenario.chain(({ sessions, isLastOpen, hasConnectedAt }) => {
      const events = eventsOf(sessions, isLastOpen, hasConnectedAt)
      const twice = [...events, ...events]
      return fc
        .shuffledSubarray(twice, { minLength: twice.length })
        .map((events) => ({ events: events, isLastOpen }))
    })
    fc.assert(
      fc.property(shuffledEvents, ({ events, isLastOpen }) => {
        expect(isOpen(stateAfter(events))).toBe(isLastOpen)
      }),
      { numRuns: 2000 },
    )
  })

  it('ignore the end of an older session: by its start, its node or the takeover', () => {
    const first = emqx('connected', { connected_at: 1_800_000_000_000, node: 'a' })
    const second = emqx('connected', { connected_at: 1_800_000_010_000, node: 'a' })
    const end = (body: object) =>
      emqx('disconnected', { disconnected_at: 1_800_000_010_005, node: 'a', ...body })
    expect(isOpen(stateAfter([first, second, end({ connected_at: 1_800_000_000_000 })]))).toBe(true)
    expect(isOpen(stateAfter([first, second, end({ reason: 'discarded' })]))).toBe(true)
    expect(isOpen(stateAfter([first, second, end({ node: 'b' })]))).toBe(true)
    expect(isOpen(stateAfter([first, second, end({ reason: 'keepalive_timeout' })]))).toBe(false)
    expect(isOpen(stateAfter([first, end({}), second]))).toBe(false)
  })

  it('use the time of arrival when the broker reports no times, also for a takeover', () => {
    const vernemq = (hook: string, at: number, body: object = {}): SessionEvent => {
      const read = decodeWebhook({
        kind: 'connected',
        body: { client_id: 'gw', mountpoint: '', ...body },
        hook,
        receivedAt: at,
      })
      if (!read) throw new Error('the body was not read')
      return read.event
    }
    const peer = (peer_port: number) => ({ peer_addr: '10.0.0.1', peer_port, username: 'u' })
    const first = vernemq('on_register', 1000, peer(1))
    const second = vernemq('on_register', 2000, peer(2))
    const gone = (at: number) => vernemq('on_client_gone', at)
    expect(isOpen(stateAfter([first, second, gone(2005)]))).toBe(true)
    expect(isOpen(stateAfter([first, second, gone(2005), gone(9000)]))).toBe(false)
    expect(isOpen(stateAfter([first, gone(1500), second]))).toBe(true)
    expect(isOpen(stateAfter([first, first, gone(1500)]))).toBe(false)
    expect(isOpen(stateAfter([first, second, gone(40_000)]))).toBe(false)
  })

  it('stay bounded', () => {
    const many = Array.from({ length: 100 }, (_, index) =>
      emqx('disconnected', { disconnected_at: 1_800_000_000_000 + index, node: `n${index}` }),
    )
    expect(stateAfter(many).ends.length).toBeLessThan(10)
  })
})

describe('webhook bodies', () => {
  const at = Date.UTC(2026, 10, 20)
  const read = (body: unknown, hook?: string, kind: 'connected' | 'disconnected' = 'connected') =>
    decodeWebhook({ kind, body, hook, receivedAt: at })

  it('of EMQX 5', () => {
    const body = {
      ...{ username: 'u', timestamp: at - 5, sockname: '127.0.0.1:1883', reason: 'kicked', proto_ver: 5 },
      ...{ peername: '127.0.0.1:51416', node: 'emqx@127.0.0.1', event: 'client.disconnected' },
      ...{ disconnected_at: at - 6, clientid: 'c', disconn_props: { 'User-Property': {} } },
    }
    expect(read(body)).toEqual({
      client: { clientId: 'c', username: 'u', mountpoint: undefined },
      event: {
        ...{ kind: 'disconnected', at: at - 6, isTimed: true, connectedAt: undefined, reason: 'kicked' },
        ...{ node: 'emqx@127.0.0.1', peer: '127.0.0.1:51416' },
      },
    })
  })

  it('of EMQX 4, with seconds and the text "undefined"', () => {
    const body = {
      action: 'client_connected',
      clientid: 'C_1',
      username: 'undefined',
      connected_at: at / 1000,
    }
    expect(read({ ...body, keepalive: 60, ipaddress: '127.0.0.1', proto_ver: 4, conn_ack: 0 })).toMatchObject(
      {
        client: { clientId: 'C_1', username: undefined },
        event: { kind: 'connected', at, isTimed: true },
      },
    )
    expect(read({ action: 'message_publish', clientid: 'C_1' })).toBeUndefined()
  })

  it('of our own format, with milliseconds or text; the kind follows from the path', () => {
    expect(
      read({ clientid: 'c', timestamp: '2026-11-19T23:59:00Z' }, undefined, 'disconnected')?.event,
    ).toMatchObject({
      kind: 'disconnected',
      at: at - 60_000,
    })
  })

  it('without a client, and with a time far in the future', () => {
    expect(read([])).toBeUndefined()
    expect(read('x')).toBeUndefined()
    expect(read({ timestamp: 1 })).toBeUndefined()
    expect(read({ clientid: 'c', connected_at: at + 1e12 })?.event).toMatchObject({ at, isTimed: false })
  })
})

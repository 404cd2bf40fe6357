import { beforeEach, describe, expect, it } from 'vitest'
import { makeMemory, message, RECEIVED_AT } from '../../../../test/support/field/dialects.ts'
import { sparkplugPayload, type TestMetric } from '../../../../test/support/field/sparkplug.ts'
import { sparkplug } from './sparkplug.ts'
import { decodePayload } from './sparkplug-payload.ts'
import { type DecoderMemory, type Message, Undecodable } from './types.ts'

const T = RECEIVED_AT - 1000
const FLOAT = 9
const DOUBLE = 10
const BOOLEAN = 11
const INT8 = 1
const INT16 = 2
const INT32 = 3
const INT64 = 4
const REBIRTH_TOPIC = 'spBv1.0/plant/NCMD/edge'

let memory: DecoderMemory
let seq: number
beforeEach(() => {
  memory = makeMemory()
  seq = -1
})

type Extra = Partial<Message> & { seq?: number }

function send(kind: string, metrics: readonly TestMetric[], { seq: own, ...extra }: Extra = {}) {
  seq = own ?? (kind === 'NBIRTH' ? 0 : (seq + 1) % 256)
  const topic = `spBv1.0/plant/${kind}/edge${kind.startsWith('D') ? '/meter' : ''}`
  return sparkplug.decode(
    message(topic, sparkplugPayload(metrics, { timestamp: T, seq }), { memory, ...extra }),
  )
}

const makeBirth = (bdSeq = 1) => send('NBIRTH', [{ name: 'bdSeq', datatype: INT64, long: String(bdSeq) }])
const POWER: TestMetric = { name: 'Active Power', alias: 7, datatype: DOUBLE, engUnit: 'W', double: 1500 }
const ENERGY: TestMetric = { name: 'import_active_energy', alias: 8, datatype: FLOAT, float: 230.1 }

const caught = (work: () => unknown): Undecodable => {
  try {
    work()
  } catch (error) {
    if (error instanceof Undecodable) return error
    throw error
  }
  throw new Error('it did not throw')
}

describe('Sparkplug B dialect', () => {
  it('decodes births by name, data by alias, units by the birth', () => {
    makeBirth()
    const birth = send('DBIRTH', [POWER, ENERGY, { name: 'state', alias: 9, text: 'ON' }])
    expect(birth.readings).toEqual([
      {
        device: 'edge/meter',
        at: T,
        values: { active_power: 1.5, import_active_energy: 230.1 },
        raw: { 'Active Power': 1500, import_active_energy: 230.1, state: 'ON' },
      },
    ])
    expect(birth.availability).toEqual([{ device: 'edge/meter', isOnline: true }])
    const data = send('DDATA', [
      { alias: 7, timestamp: T + 5, double: 500 },
      { alias: 8, float: 231 },
    ])
    expect(data.readings?.map(({ at, values }) => [at, values])).toEqual([
      [T + 5, { active_power: 0.5 }],
      [T, { import_active_energy: 231 }],
    ])
    expect(data.replies).toEqual([])
  })

  it('decodes signed numbers by the type of the birth, and flags as 1 and 0', () => {
    makeBirth()
    const types: TestMetric[] = [
      { name: 'a', alias: 1, datatype: INT8, int: 0xff },
      { name: 'b', alias: 2, datatype: INT16, int: 0xfffe },
      { name: 'c', alias: 3, datatype: INT32, int: 0xffff_fffd },
      { name: 'd', alias: 4, datatype: INT64, long: '18446744073709551612' },
      { name: 'e', alias: 5, datatype: BOOLEAN, boolean: true },
      { name: 'f', alias: 6, datatype: DOUBLE, isNull: true },
    ]
    const expected = { a: -1, b: -2, c: -3, d: -4, e: 1 }
    expect(send('DBIRTH', types).readings?.[0]?.values).toEqual(expected)
    const data = types.slice(0, 3).map(({ alias = 0, int = 0 }) => ({ alias, int }))
    expect(send('DDATA', data).readings?.[0]?.values).toEqual({ a: -1, b: -2, c: -3 })
  })

  it('stores historical values at their own time', () => {
    makeBirth()
    send('DBIRTH', [POWER])
    const old = { alias: 7, timestamp: T - 86_400_000, isHistorical: true, double: 100 }
    expect(send('DDATA', [old]).readings).toMatchObject([
      { at: T - 86_400_000, values: { active_power: 0.1 } },
    ])
  })

  it('accepts the sequence from 255 to 0 without a gap', () => {
    makeBirth()
    send('DBIRTH', [POWER])
    for (let count = 2; count < 600; count += 1) {
      expect(send('DDATA', [{ alias: 7, double: count }]).replies).toEqual([])
    }
  })

  it('requests a rebirth after a gap, at a limited rate, and uses no alias until it arrived', () => {
    makeBirth()
    send('DBIRTH', [POWER])
    const gap = caught(() => send('DDATA', [{ alias: 7, double: 1 }], { seq: 9 }))
    expect(gap.reason).toBe('unknown_alias')
    expect(gap.replies.map(({ topic }) => topic)).toEqual([REBIRTH_TOPIC])
    const request = decodePayload(Buffer.from(gap.replies[0]?.payload ?? ''))
    expect(request.metrics).toMatchObject([{ name: 'Node Control/Rebirth', datatype: BOOLEAN, value: true }])
    const soon = caught(() => send('DDATA', [{ alias: 7, double: 1 }], { receivedAt: RECEIVED_AT + 29_999 }))
    expect(soon.replies).toEqual([])
    const later = caught(() => send('DDATA', [{ alias: 7, double: 1 }], { receivedAt: RECEIVED_AT + 30_000 }))
    expect(later.replies).toHaveLength(1)
    // A metric with a name needs no birth.
    const named = send('DDATA', [{ name: 'voltage', double: 230 }], { receivedAt: RECEIVED_AT + 30_001 })
    expect(named.readings?.[0]?.values).toEqual({ voltage: 230 })
  })

  it('decodes a dead letter again after the birth, and keeps no state from it', () => {
    const early = () => send('DDATA', [{ alias: 7, double: 1 }], { seq: 200, receivedAt: RECEIVED_AT - 10 })
    expect(caught(early).replies).toHaveLength(1)
    makeBirth()
    send('DBIRTH', [POWER])
    expect(early().readings?.[0]?.values).toEqual({ active_power: 0.001 })
    expect(send('DDATA', [{ alias: 7, double: 2 }], { seq: 2 }).replies).toEqual([])
  })

  it('requests no rebirth when other processes receive a part of the messages', () => {
    makeBirth()
    send('DBIRTH', [POWER])
    const data = send('DDATA', [{ alias: 7, double: 1 }], { seq: 99, isShared: true })
    expect(data.readings?.[0]?.values).toEqual({ active_power: 0.001 })
    expect(data.replies).toEqual([])
    const unknown = caught(() => send('DDATA', [{ alias: 1, double: 1 }], { seq: 120, isShared: true }))
    expect(unknown.replies).toHaveLength(1)
  })

  it('treats a repeated birth as one, and another birth as a restart', () => {
    makeBirth()
    send('DBIRTH', [POWER])
    makeBirth()
    expect(send('DDATA', [{ alias: 7, double: 3 }], { seq: 2 }).readings).toHaveLength(1)
    makeBirth(2)
    expect(caught(() => send('DDATA', [{ alias: 7, double: 3 }])).reason).toBe('unknown_alias')
  })

  it('marks a node offline with its devices, but not by the will of an older session', () => {
    makeBirth(4)
    send('DBIRTH', [POWER])
    const will = (bdSeq: number) => send('NDEATH', [{ name: 'bdSeq', long: String(bdSeq) }])
    expect(will(3)).toEqual({})
    expect(will(4).availability).toEqual([
      { device: 'edge', isOnline: false },
      { device: 'edge/meter', isOnline: false },
    ])
    expect(caught(() => send('DDATA', [{ alias: 7, double: 1 }])).reason).toBe('unknown_alias')
    expect(send('DDEATH', []).availability).toEqual([{ device: 'edge/meter', isOnline: false }])
  })

  it('remembers a bounded number of edge nodes, the most recent ones', () => {
    const decodeMessage = (edge: string, kind: string, metrics: readonly TestMetric[], own: number) =>
      sparkplug.decode(
        message(`spBv1.0/plant/${kind}/${edge}`, sparkplugPayload(metrics, { timestamp: T, seq: own }), {
          memory,
        }),
      )
    for (let edge = 0; edge < 150; edge += 1) decodeMessage(`edge${edge}`, 'NBIRTH', [POWER], 0)
    expect(caught(() => decodeMessage('edge0', 'NDATA', [{ alias: 7, double: 1 }], 1)).reason).toBe(
      'unknown_alias',
    )
    expect(decodeMessage('edge149', 'NDATA', [{ alias: 7, double: 1 }], 1).readings).toHaveLength(1)
  })

  it('ignores commands and hosts, and rejects a malformed topic', () => {
    const decode = (topic: string, payload: unknown) => sparkplug.decode(message(topic, payload))
    expect(decode('spBv1.0/STATE/host', '{"online":true}')).toEqual({})
    expect(decode('spBv1.0/plant/NCMD/edge', '')).toEqual({})
    expect(caught(() => decode('spBv1.0/plant/DDATA/edge', '')).reason).toBe('unknown_topic')
    expect(caught(() => decode('spBv1.0/plant/NDATA/edge', 'text')).reason).toBe('not_protobuf')
    expect(caught(() => decode('spBv1.0/plant/NDATA/edge', '')).reason).toBe('not_protobuf')
    const packed = sparkplugPayload([], { uuid: 'SPBV1.0_COMPRESSED' })
    expect(caught(() => decode('spBv1.0/plant/NDATA/edge', packed)).message).toContain('compress')
  })
})

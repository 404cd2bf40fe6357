import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonical } from './canonical.ts'
import { Undecodable } from './types.ts'

const memory = { get: () => undefined, set: () => {}, delete: () => {} }
const decode = (topic: string, document: unknown) => {
  const payload = Buffer.from(typeof document === 'string' ? document : JSON.stringify(document))
  return canonical.decode({ topic, payload, receivedAt: 0, isShared: false, memory })
}
describe('firmware updates over our own topics', () => {
  const update = '0b7e5d1c-6f0a-4b1e-9a53-0d6d4a7c1f11'
  it('are reported, requested in chunks, and queried', () => {
    const payload = {
      state: 'downloading',
      progress_pct: 12.7,
      sha256: null,
      more: 1,
      attempt: 2,
      sent_at: 5,
    }
    expect(decode(`ota/${update}/progress`, payload)).toEqual({
      firmware: {
        kind: 'progress',
        update,
        state: 'downloading',
        progressPct: 12,
        attempt: 2,
        reportedAt: 5,
      },
    })
    expect(decode(`ota/${update}/chunk/request`, { offset: 0, size: 5 })).toEqual({
      firmware: { kind: 'piece', update, offset: 0, size: 5 },
    })
    expect(decode('ota/ask', '')).toEqual({ firmware: { kind: 'ask' } })
    expect(decode(`ota/${update}/chunk/0`, 'bytes')).toEqual({})
  })

  it.each([
    ['progress', { state: 7 }],
    ['progress', { progress_pct: 101 }],
    ['progress', { error: 'x'.repeat(2_001) }],
    ['progress', { attempt: 1.5 }],
    ['progress', { sent_at: 'soon' }],
    ['chunk/request', { offset: -1, size: 5 }],
    ['chunk/request', { offset: 0 }],
  ])('%s rejects %o', (topic, payload) => {
    expect(() => decode(`ota/${update}/${topic}`, payload)).toThrow(Undecodable)
  })
})

const reasonOf = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (error instanceof Undecodable) return error.reason
    throw error
  }
  return 'decoded'
}

describe('text in place of a number', () => {
  const of = (v: object) => {
    const { readings, refused } = decode('telemetry', { devices: { a: { v } } })
    return { values: readings?.[0]?.values, refused }
  }

  it('is parsed under canonical and short names of metrics', () => {
    const v = { active_power: '12.5', voltage: ' -230.1 ', import_energy: '1e3', state: 'on', salt: '5' }
    const values = { active_power: 12.5, voltage: -230.1, import_active_energy: 1000 }
    expect(of(v)).toEqual({ values, refused: [] })
  })

  it.each(['12,5', 'n/a', '', '0x10', 'NaN', '1e999'])('is refused when it is %j', (text) => {
    expect(of({ active_power: text, power_factor: 0.9 })).toEqual({
      values: { power_factor: 0.9 },
      refused: [{ reason: 'bad_value', detail: expect.stringMatching(/^active_power: /) }],
    })
    expect(of({ power: text }).refused).toHaveLength(1)
  })

  it('is not stated by null, which means that there is no value', () => {
    expect(of({ active_power: null, power_factor: 0.9 })).toEqual({
      values: { power_factor: 0.9 },
      refused: [],
    })
  })
})

describe('canonical topics', () => {
  it('carry numbered batches of several devices, in short names or our own', () => {
    const v = { import_energy: 1234.5, active_power: 12.3, phases: { l1: 1 } }
    const decoded = decode('telemetry', {
      seq: 123,
      sent_at: '2026-11-20T09:30:00Z',
      devices: { a: [{ ts: 1700000000000, v, q: 'good' }], b: { ts: '2026-11-20T12:30:00', v: { soc: 50 } } },
    })
    expect(decoded).toEqual({
      sequence: { seq: 123, sentAt: Date.parse('2026-11-20T09:30:00Z') },
      refused: [],
      readings: [
        {
          device: 'a',
          at: 1700000000000,
          values: { import_active_energy: 1234.5, active_power: 12.3, 'phases.l1': 1 },
          raw: v,
        },
        {
          device: 'b',
          // Without an offset: Turkey-local time.
          at: Date.parse('2026-11-20T09:30:00Z'),
          values: { state_of_charge: 50 },
          raw: { soc: 50 },
        },
      ],
    })
  })

  it('omit unusable samples and keep the rest', () => {
    const good = { ts: 1, v: { voltage: 230 } }
    const { readings, refused } = decode('telemetry', {
      devices: { a: [good, { ts: 'soon', v: { voltage: 1 } }, { ts: 2, v: { voltage: 1 }, q: 'bad' }, 7] },
    })
    expect(readings).toHaveLength(1)
    expect(refused?.map(({ reason }) => reason)).toEqual(['bad_time', 'bad_quality', 'wrong_shape'])
  })

  it('reject a message without any usable sample', () => {
    expect(reasonOf(() => decode('telemetry', 'not json'))).toBe('not_json')
    expect(reasonOf(() => decode('telemetry', []))).toBe('wrong_shape')
    expect(reasonOf(() => decode('telemetry', { devices: {}, seq: 1.5 }))).toBe('wrong_shape')
    const list = Array.from({ length: 10_001 }, (_, ts) => ({ ts, v: { voltage: 1 } }))
    expect(reasonOf(() => decode('telemetry', { devices: { a: list } }))).toBe('too_many_readings')
  })

  it('report the state of the gateway, as a word or an object', () => {
    for (const word of ['online', '"online"', 'true', '{"online":true}', '{"state":"online"}'])
      expect(decode('status', word).status).toEqual({ isOnline: true })
    for (const word of ['offline', '', '{"status":"offline"}'])
      expect(decode('status', word).status).toEqual({ isOnline: false })
    expect(reasonOf(() => decode('status', 'perhaps'))).toBe('not_json')
  })

  it('decode or reject any bytes, without any other error', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.json(), fc.string(), fc.constant('{"devices":{"__proto__":[{"v":{}}]}}')),
        (text) => {
          expect(typeof reasonOf(() => decode('telemetry', text))).toBe('string')
          expect(typeof reasonOf(() => decode('status', text))).toBe('string')
        },
      ),
    )
  })
})

import { describe, expect, it } from 'vitest'
import { makeMemory, message } from '../../../../test/support/field/dialects.ts'
import { thingsboard } from './thingsboard.ts'
import { Undecodable } from './types.ts'

const decode = (topic: string, payload: unknown) => thingsboard.decode(message(topic, payload))

describe('ThingsBoard dialect', () => {
  it('decodes plain values at the server time, on the long topic and the short ones', () => {
    for (const topic of ['v1/devices/me/telemetry', 'v2/t', 'v2/t/j']) {
      const { readings } = decode(topic, { active_power: 1.2, stringKey: 'value1', booleanKey: true })
      expect(readings).toEqual([
        {
          device: null,
          values: { active_power: 1.2, booleanKey: 1 },
          raw: { active_power: 1.2, stringKey: 'value1', booleanKey: true },
        },
      ])
    }
  })

  it('decodes one sample with its time, and an array of both kinds', () => {
    const timed = { ts: 1_451_649_600_512, values: { key1: 'value1', import_active_energy: 12.5 } }
    expect(decode('v1/devices/me/telemetry', timed).readings).toMatchObject([
      { device: null, at: 1_451_649_600_512, values: { import_active_energy: 12.5 } },
    ])
    const { readings } = decode('v1/devices/me/telemetry', [timed, { voltage: 230 }])
    expect(readings?.map(({ at, values }) => [at, values])).toEqual([
      [1_451_649_600_512, { import_active_energy: 12.5 }],
      [undefined, { voltage: 230 }],
    ])
  })

  it("decodes a gateway's devices, and keeps valid samples beside an invalid one", () => {
    const { readings, refused } = decode('v1/gateway/telemetry', {
      'Device A': [
        { ts: 1_483_228_800_000, values: { temperature: 42, humidity: 80 } },
        { ts: '1483228801000', values: { temperature: 43 } },
      ],
      'Device B': [{ ts: 1_483_228_800_000, values: { temperature: 42 } }],
    })
    expect(readings?.map(({ device, at, values }) => [device, at, values])).toEqual([
      ['Device A', 1_483_228_800_000, { temperature: 42, humidity: 80 }],
      ['Device B', 1_483_228_800_000, { temperature: 42 }],
    ])
    expect(refused).toEqual([
      { reason: 'bad_time', detail: 'ts of a sample of Device A is not in whole milliseconds' },
    ])
  })

  it('reports devices that connect and disconnect', () => {
    expect(decode('v1/gateway/connect', { device: 'Device A', type: 'meter' })).toEqual({
      availability: [{ device: 'Device A', isOnline: true }],
      inventory: [{ device: 'Device A', model: 'meter' }],
    })
    expect(decode('v1/gateway/disconnect', { device: 'Device A' }).availability).toEqual([
      { device: 'Device A', isOnline: false },
    ])
  })

  it('answers attribute requests with the values that the device sent', () => {
    const memory = makeMemory()
    const decodeMessage = (topic: string, payload: unknown) =>
      thingsboard.decode(message(topic, payload, { memory }))
    expect(decodeMessage('v1/devices/me/attributes', { fw: '1.2', location: 'roof' })).toEqual({})
    const long = decodeMessage('v1/devices/me/attributes/request/1', {
      clientKeys: 'fw,unknown',
      sharedKeys: 'limit',
    })
    expect(long.replies).toEqual([
      { topic: 'v1/devices/me/attributes/response/1', payload: '{"client":{"fw":"1.2"}}' },
    ])
    expect(decodeMessage('v2/a/req/7', { sharedKeys: 'limit' }).replies).toEqual([
      { topic: 'v2/a/res/7', payload: '{}' },
    ])
    decodeMessage('v1/gateway/attributes', { 'Device A': { serial: 'x1' } })
    const asked = { id: 3, device: 'Device A', client: true, key: 'serial' }
    expect(decodeMessage('v1/gateway/attributes/request', asked).replies).toEqual([
      {
        topic: 'v1/gateway/attributes/response',
        payload: '{"id":3,"device":"Device A","value":"x1"}',
      },
    ])
  })

  it('ignores RPC calls, claims and provisioning', () => {
    for (const topic of [
      'v1/devices/me/rpc/response/1',
      'v1/devices/me/rpc/request/1',
      'v1/devices/me/claim',
      'v1/gateway/rpc',
      'v2/fw/response/1/chunk/0',
      'v2/r/res/1',
      'provision/request',
    ]) {
      expect(thingsboard.claims(topic)).toBe(true)
      expect(decode(topic, 'anything')).toEqual({})
    }
  })

  it('decodes firmware reports and requests, which are no measurements', () => {
    const { firmware, readings } = decode('v1/devices/me/telemetry', {
      fw_state: 'DOWNLOADING',
      current_fw_version: '1.0.0',
    })
    expect(firmware).toEqual({ kind: 'state', device: null, state: 'DOWNLOADING', version: '1.0.0' })
    expect(readings).toEqual([])
    const both = decode('v1/gateway/telemetry', {
      A: [{ ts: 5, values: { fw_state: 'FAILED', voltage: 1 } }],
    })
    expect(both.firmware).toEqual({ kind: 'state', device: 'A', state: 'FAILED', reportedAt: 5 })
    expect(both.readings).toMatchObject([{ device: 'A', at: 5, values: { voltage: 1 } }])
    expect(decode('v2/fw/request/1/chunk/2', '512').firmware).toEqual({
      kind: 'chunk',
      request: '1',
      chunk: 2,
      size: 512,
    })
    expect(decode('v2/fw/request/1/chunk/0', '').firmware).toMatchObject({ size: undefined })
    expect(() => decode('v2/fw/request/1/chunk/0', 'much')).toThrow(Undecodable)
    const asked = decode('v1/devices/me/attributes/request/3', { sharedKeys: 'fw_title,fw_size' })
    expect(asked).toEqual({
      firmware: {
        kind: 'attributes',
        topic: 'v1/devices/me/attributes/response/3',
        keys: ['fw_title', 'fw_size'],
        client: undefined,
      },
    })
  })

  it('rejects a malformed message with the reason', () => {
    const reasonOf = (topic: string, payload: unknown) => {
      try {
        decode(topic, payload)
      } catch (error) {
        return error instanceof Undecodable ? error.reason : error
      }
      return undefined
    }
    expect(reasonOf('v1/devices/me/telemetry', 'power=3')).toBe('not_json')
    expect(reasonOf('v1/devices/me/telemetry', '3')).toBe('wrong_shape')
    expect(reasonOf('v1/devices/me/telemetry', { ts: 1.5, values: {} })).toBe('bad_time')
    expect(reasonOf('v1/gateway/connect', {})).toBe('wrong_shape')
    expect(reasonOf('v2/t/p', '\u0000')).toBe('unknown_topic')
    expect(
      reasonOf(
        'v1/devices/me/telemetry',
        Array.from({ length: 10_001 }, () => ({ a: 1 })),
      ),
    ).toBe('too_many_readings')
  })

  it('omits a value that cannot be stored, and reports it', () => {
    const { readings, refused } = decode('v2/t', { import_active_energy: 1e12, voltage: 1, far: 1e101 })
    expect(readings?.[0]?.values).toEqual({ voltage: 1 })
    expect(refused?.map(({ reason }) => reason)).toEqual(['bad_value', 'bad_value'])
  })
})

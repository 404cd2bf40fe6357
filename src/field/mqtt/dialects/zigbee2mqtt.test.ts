import { describe, expect, it } from 'vitest'
import { message } from '../../../../test/support/field/dialects.ts'
import { zigbee2mqtt } from './zigbee2mqtt.ts'

const decode = (topic: string, payload: unknown) => zigbee2mqtt.decode(message(topic, payload))

const PLUG = {
  child_lock: 'UNLOCK',
  current: 0.06,
  energy: 1.38,
  linkquality: 156,
  power: 8,
  state: 'ON',
  voltage: 229,
  update: { installed_version: 192, latest_version: 192, state: 'idle' },
}

describe('zigbee2mqtt dialect', () => {
  it('decodes the state of a plug', () => {
    expect(decode('zigbee2mqtt/kitchen/plug', PLUG).readings).toEqual([
      {
        device: 'kitchen/plug',
        values: {
          current: 0.06,
          import_active_energy: 1.38,
          linkquality: 156,
          active_power: 0.008,
          voltage: 229,
        },
        raw: PLUG,
      },
    ])
  })

  it('uses last_seen as the time, as text or milliseconds', () => {
    const at = Date.UTC(2026, 10, 20, 8, 59, 58)
    for (const last_seen of ['2026-11-20T08:59:58.000Z', '2026-11-20T11:59:58+03:00', at]) {
      expect(decode('zigbee2mqtt/plug', { ...PLUG, last_seen }).readings).toMatchObject([{ at }])
    }
  })

  it('decodes a battery voltage in millivolts', () => {
    const sensor = { battery: 97, voltage: 2985, temperature: 21.4, humidity: 44.7, occupancy: false }
    expect(decode('zigbee2mqtt/sensor', sensor).readings?.[0]?.values).toEqual({
      battery: 97,
      voltage: 2.985,
      temperature: 21.4,
      humidity: 44.7,
      occupancy: 0,
    })
  })

  it('decodes properties on separate topics', () => {
    expect(decode('zigbee2mqtt/plug/power', '8').readings).toMatchObject([
      { device: 'plug', values: { active_power: 0.008 } },
    ])
    expect(decode('zigbee2mqtt/plug/name', '"x"')).toEqual({})
  })

  it('reports availability, as JSON and as a word', () => {
    expect(decode('zigbee2mqtt/a/b/availability', { state: 'online' }).availability).toEqual([
      { device: 'a/b', isOnline: true },
    ])
    expect(decode('zigbee2mqtt/plug/availability', 'offline').availability).toEqual([
      { device: 'plug', isOnline: false },
    ])
  })

  it('reports the state of the bridge', () => {
    expect(decode('zigbee2mqtt/bridge/state', { state: 'offline' }).status).toEqual({ isOnline: false })
    const info = {
      commit: 'a1b2c3',
      coordinator: { ieee_address: '0x00124b00120144ae', type: 'zStack3x0', meta: {} },
      network: { channel: 15, pan_id: 5674 },
      permit_join: false,
      version: '2.1.3',
    }
    expect(decode('zigbee2mqtt/bridge/info', info).status).toEqual({
      isOnline: true,
      firmwareVersion: '2.1.3',
      ieeeAddress: '0x00124b00120144ae',
    })
    expect(decode('zigbee2mqtt/bridge/health', { response_time: 1, mqtt: { queued: 0 } })).toEqual({})
    expect(decode('zigbee2mqtt/bridge/logging', { level: 'info' })).toEqual({})
  })

  it('lists the devices without the coordinator', () => {
    const exposes = [{ type: 'numeric', name: 'power', property: 'power', unit: 'W', access: 1 }]
    const devices = [
      {
        ieee_address: '0x00124b00120144ae',
        type: 'Coordinator',
        friendly_name: 'Coordinator',
        supported: true,
      },
      {
        ieee_address: '0x00158d00018255df',
        type: 'Router',
        network_address: 29_159,
        supported: true,
        disabled: false,
        friendly_name: 'my_plug',
        definition: { model: 'ZNCZ02LM', vendor: 'Xiaomi', description: 'Mi smart plug', exposes },
        interview_completed: true,
      },
      {
        ieee_address: '0x001',
        type: 'EndDevice',
        supported: false,
        friendly_name: '0x001',
        definition: null,
      },
    ]
    expect(decode('zigbee2mqtt/bridge/devices', devices)).toEqual({
      isInventoryWhole: true,
      inventory: [
        {
          device: 'my_plug',
          ieeeAddress: '0x00158d00018255df',
          isSupported: true,
          vendor: 'Xiaomi',
          model: 'ZNCZ02LM',
          exposes,
        },
        { device: '0x001', ieeeAddress: '0x001', isSupported: false },
      ],
    })
  })

  it('follows devices that join and leave', () => {
    const event = (type: string) => ({ type, data: { friendly_name: 'plug', ieee_address: '0x1' } })
    expect(decode('zigbee2mqtt/bridge/event', event('device_leave')).availability).toEqual([
      { device: 'plug', isOnline: false },
    ])
    expect(decode('zigbee2mqtt/bridge/event', event('device_announce')).availability).toEqual([
      { device: 'plug', isOnline: true },
    ])
    expect(decode('zigbee2mqtt/bridge/event', event('device_interview'))).toEqual({})
  })

  it('ignores commands, responses and cleared states', () => {
    for (const topic of [
      'zigbee2mqtt/plug/set',
      'zigbee2mqtt/plug/set/state',
      'zigbee2mqtt/bridge/request/permit_join',
    ]) {
      expect(decode(topic, '{"time": 60}')).toEqual({})
    }
    expect(decode('zigbee2mqtt/plug', '')).toEqual({})
  })

  it('rejects a list that is too long, and plain text in place of JSON', () => {
    const many = Array.from({ length: 501 }, () => ({}))
    expect(() => decode('zigbee2mqtt/bridge/devices', many)).toThrowError('at most 500 devices')
    expect(() => decode('zigbee2mqtt/plug', 'ON')).toThrowError('not JSON')
    expect(() => decode('zigbee2mqtt/plug', '5')).toThrowError('not a JSON object')
  })
})

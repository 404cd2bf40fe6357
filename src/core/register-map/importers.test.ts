import { describe, expect, it } from 'vitest'
import { textOf } from '../../kernel/messages.ts'
import { decodeRegisters, makeWordReader } from './decode.ts'
import type { Fault } from './fields.ts'
import { findNotes } from './map-notes.ts'
import { decodeMessage } from './message.ts'
import { readRegisterMap } from './read.ts'
import { importSunspec } from './sunspec.ts'
import { importZigbee } from './zigbee2mqtt.ts'

function checked(document: unknown) {
  const result = readRegisterMap(document)
  if ('faults' in result) throw new Error(JSON.stringify(result.faults))
  return result
}

const point = (name: string, type: string, more: object = {}) => ({ name, type, size: 1, ...more })
const inverter = {
  id: 103,
  group: {
    name: 'inverter',
    points: [
      point('ID', 'uint16'),
      point('L', 'uint16'),
      point('A', 'uint16', { sf: 'A_SF', units: 'A', label: 'Amps' }),
      point('A_SF', 'sunssf'),
      point('W', 'int16', { sf: 'W_SF', units: 'W' }),
      point('W_SF', 'sunssf'),
      point('WH', 'acc32', { size: 2, sf: 'WH_SF', units: 'Wh' }),
      point('WH_SF', 'sunssf'),
      point('PF', 'int16', { sf: -2, units: 'Pct' }),
      point('Spare_SF', 'sunssf'),
      point('St', 'enum16', {
        symbols: [
          { name: 'OFF', value: 1 },
          { name: 'MPPT', value: 4 },
        ],
      }),
      point('Pad', 'pad'),
    ],
    groups: [{ name: 'string', count: 0 }],
  },
}

describe('SunSpec importer', () => {
  const faults: Fault[] = []
  const { document, notes } = importSunspec(inverter, faults, { baseAddress: 40_069 })
  const { map } = checked(document)

  it('continues addresses across models, and omits points without a value', () => {
    expect(faults).toEqual([])
    expect(map.registers.map(({ key, modbusRange: range }) => [key, range?.address])).toEqual([
      ['A', 40_071],
      ['A_SF', 40_072],
      ['W', 40_073],
      ['W_SF', 40_074],
      ['WH', 40_075],
      ['WH_SF', 40_077],
      ['PF', 40_078],
      ['St', 40_080],
    ])
    expect(notes.map(({ key, note }) => [key, textOf(note)])).toEqual([
      [null, expect.stringContaining('string of model 103')],
    ])
  })

  it('decodes a response of a device with these models', () => {
    const sf = (power: number) => power & 0xffff
    const words = [2174, sf(-2), 5000, sf(1), 0x00bc, 0x614e, 0, 9980, 0x8000, 4]
    const read = makeWordReader([{ function: 3, address: 40_071, words }])
    expect(decodeRegisters(map, read)).toEqual({
      values: {
        current: 21.74,
        active_power: -50,
        production_active_energy: 12_345.678,
        power_factor: 0.998,
      },
      states: { operating_state: 'MPPT' },
      problems: [],
    })
  })

  it('places models one after another, and reports invalid ones', () => {
    const two = importSunspec([inverter, inverter], [], { baseAddress: 0 })
    const { document: created } = checked(two.document)
    expect(created.registers.find(({ key }) => key === 'A_2')).toMatchObject({
      address: 15,
      metric: 'current_2',
    })
    const wrong: Fault[] = []
    importSunspec([{ id: 'x' }], wrong)
    importSunspec('none', wrong)
    expect(wrong.map(({ path }) => path)).toEqual([[0], []])
  })

  it('does not shift addresses for invalid sizes and types', () => {
    const points = [
      point('A', 'int16', { size: -5 }),
      point('B', 'constructor'),
      point('C', 'int16', { size: 0 }),
      point('D', 'int16'),
    ]
    const created = importSunspec({ id: 1, group: { points } }, [], { baseAddress: 100 }).document
    const { map: odd } = checked(created)
    expect(odd.registers.map(({ key, modbusRange: range }) => [key, range?.address])).toEqual([
      ['A', 100],
      ['C', 102],
      ['D', 103],
    ])
  })
})

describe('zigbee2mqtt importer', () => {
  const plug = {
    vendor: 'Someone',
    model: 'PLUG-1',
    exposes: [
      { type: 'switch', features: [{ type: 'binary', property: 'state', access: 7, value_on: 'ON' }] },
      { type: 'numeric', property: 'power', unit: 'W', access: 1 },
      { type: 'numeric', property: 'energy', unit: 'kWh', access: 1 },
      { type: 'numeric', property: 'energy_today', unit: 'kWh', access: 1 },
      { type: 'numeric', property: 'voltage', unit: 'mW', access: 1 },
      { type: 'numeric', property: 'countdown', unit: 's', access: 2 },
      { type: 'enum', property: 'power_outage_memory', access: 7, values: ['on', 'off'] },
      { type: 'composite', property: 'schedule', features: [] },
    ],
  }
  const faults: Fault[] = []
  const { document, notes } = importZigbee({ definition: plug }, faults)
  const { map } = checked(document)

  it('assigns a path to each published value, and notes what it omitted', () => {
    expect(faults).toEqual([])
    const message = { state: 'ON', power: 42.5, energy: 12.3, voltage: 230, power_outage_memory: 'on' }
    expect(decodeMessage(map, { topic: 'zigbee2mqtt/plug', document: message })).toEqual({
      values: { active_power: 0.0425, import_active_energy: 12.3, voltage: 230 },
      states: { state: 'ON', power_outage_memory: 'on' },
      problems: [],
    })
    expect(notes.map(({ key }) => key)).toEqual(['energy_today', 'voltage', 'schedule'])
  })

  it('rejects a device without exposes', () => {
    const none: Fault[] = []
    importZigbee({ model: 'x' }, none)
    expect(none).toMatchObject([{ path: ['exposes'] }])
  })
})

it('notes a counter that sends only increments', () => {
  const register = { key: 'e', metric: 'import_active_energy', type: 'u16', kind: 'interval_delta' }
  const { map } = checked({
    format: 'ems-register-map/1',
    transports: ['modbus_tcp'],
    registers: [{ ...register, address: 0, function: 3 }],
  })
  expect(findNotes(map).map(({ key, note }) => [key, textOf(note)])).toEqual([
    ['e', expect.stringContaining('cumulative_counter')],
  ])
})

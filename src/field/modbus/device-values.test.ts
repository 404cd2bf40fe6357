import { describe, expect, it } from 'vitest'
import { type MapRegister, mapDocument } from '../../../test/support/field/modbus-map.ts'
import { planDeviceReads } from '../../areas/equipment/gateways/index.ts'
import { openRegisterMap } from '../../core/register-map/read.ts'
import { DeviceValues } from './device-values.ts'

function valuesOf(registers: readonly MapRegister[], offlineThresholdS = 3_600): DeviceValues {
  const map = openRegisterMap(mapDocument(registers))
  const reads = planDeviceReads({ slaveId: 1, templateId: 't', map }, {})
  if ('problem' in reads) throw new Error(reads.problem.code)
  return new DeviceValues({ ...reads, offlineThresholdS })
}
const read = (values: DeviceValues, words: readonly number[], at = 0) =>
  values.decode('normal', [{ function: 3, address: 0, words }], at)

describe('DeviceValues', () => {
  it('omits unread registers and decodes the rest', () => {
    const values = valuesOf([
      { key: 'a', address: 0, metric: 'voltage' },
      { key: 'b', address: 1, metric: 'current' },
    ])
    expect(read(values, [230])).toEqual({ voltage: 230 })
  })

  it('stores states as numbers and omits texts', () => {
    const values = valuesOf([
      { key: 'on', address: 0, type: 'bool', kind: 'state', metric: 'is_running' },
      { key: 'mode', address: 1, type: 'enum', kind: 'state', metric: 'mode', enum: { 1: 'auto' } },
      { key: 'v', address: 2, metric: 'voltage' },
    ])
    expect(read(values, [1, 1, 230])).toEqual({ is_running: 1, voltage: 230 })
    expect(read(values, [0, 7, 231])).toEqual({ is_running: 0, mode: 7, voltage: 231 })
  })

  it('repeats a value within the deadband before the device counts as silent', () => {
    const registers = [{ key: 'v', address: 0, metric: 'voltage', deadband: 5 }]
    const values = valuesOf(registers, 60)
    expect(read(values, [230], 0)).toEqual({ voltage: 230 })
    expect(read(values, [234], 1_000)).toEqual({})
    expect(read(values, [235], 2_000)).toEqual({ voltage: 235 })
    expect(read(values, [233], 21_999)).toEqual({})
    expect(read(values, [233], 22_000)).toEqual({ voltage: 233 })
    // A clock that was set back does not silence it either.
    expect(read(values, [233], 5_000)).toEqual({ voltage: 233 })
  })

  it('never withholds a counter', () => {
    const counter = { key: 'e', address: 0, type: 'u32', unit: 'kWh', kind: 'cumulative_counter' }
    const values = valuesOf([{ ...counter, metric: 'import_active_energy', deadband: 5 }])
    expect(read(values, [0, 100])).toEqual({ import_active_energy: 100 })
    expect(read(values, [0, 101])).toEqual({ import_active_energy: 101 })
  })
})

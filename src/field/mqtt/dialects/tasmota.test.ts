import { describe, expect, it } from 'vitest'
import { message } from '../../../../test/support/field/dialects.ts'
import { tasmota } from './tasmota.ts'

const decode = (topic: string, payload: unknown) => tasmota.decode(message(topic, payload))

/** As in the documentation of Tasmota for a Sonoff Pow. */
const POW = {
  Time: '2018-01-17T18:59:50',
  ENERGY: {
    TotalStartTime: '2018-01-01T00:00:00',
    Total: 1.956,
    Yesterday: 0.054,
    Today: 0.049,
    Period: 0,
    Power: 9,
    ApparentPower: 21,
    ReactivePower: 19,
    Factor: 0.43,
    Voltage: 231,
    Current: 0.089,
  },
}

describe('Tasmota dialect', () => {
  it('decodes a plug: local time, Total as the register, powers in kW', () => {
    expect(decode('tele/tasmota_plug/SENSOR', POW).readings).toEqual([
      {
        device: 'tasmota_plug',
        at: Date.UTC(2018, 0, 17, 15, 59, 50),
        values: {
          import_active_energy: 1.956,
          active_power: 0.009,
          apparent_power: 0.021,
          reactive_power: 0.019,
          power_factor: 0.43,
          voltage: 231,
          current: 0.089,
        },
        raw: POW,
      },
    ])
  })

  it('decodes arrays by phase, and their sums', () => {
    const { readings } = decode('tele/meter/SENSOR', {
      Time: '2026-11-20T12:00:00+03:00',
      ENERGY: {
        Total: [100.1, 200.2, 300.3],
        ExportActive: 5,
        Today: [1, 2, 3],
        Power: [100, 200, 300.5],
        Factor: [0.9, 0.8, 0.7],
        Frequency: [50, 50, 49],
        Voltage: [230, 231, 232],
        Current: [1, 2, 3],
      },
    })
    expect(readings?.[0]).toMatchObject({ at: Date.UTC(2026, 10, 20, 9) })
    expect(readings?.[0]?.values).toEqual({
      import_active_energy: 600.6,
      export_active_energy: 5,
      active_power: 0.6005,
      active_power_l1: 0.1,
      active_power_l2: 0.2,
      active_power_l3: 0.3005,
      frequency: 50,
      voltage_l1: 230,
      voltage_l2: 231,
      voltage_l3: 232,
      current_l1: 1,
      current_l2: 2,
      current_l3: 3,
      'ENERGY.Total.0': 100.1,
      'ENERGY.Total.1': 200.2,
      'ENERGY.Total.2': 300.3,
      'ENERGY.Factor.0': 0.9,
      'ENERGY.Factor.1': 0.8,
      'ENERGY.Factor.2': 0.7,
      'ENERGY.Frequency.0': 50,
      'ENERGY.Frequency.1': 50,
      'ENERGY.Frequency.2': 49,
    })
  })

  it('keeps other sensors under their own names', () => {
    const { readings } = decode('tele/hall/sensors/SENSOR', {
      Time: '2026-11-20T12:00:00',
      AM2301: { Temperature: 15.5, Humidity: 50.6 },
      TempUnit: 'C',
    })
    expect(readings?.[0]).toMatchObject({
      device: 'hall/sensors',
      values: { 'AM2301.Temperature': 15.5, 'AM2301.Humidity': 50.6 },
    })
  })

  it('converts temperatures in °F to °C, in every sensor', () => {
    const { readings } = decode('tele/hall/SENSOR', {
      Time: '2026-11-20T12:00:00',
      AM2301: { Temperature: 59.9, Humidity: 50.6, DewPoint: 41 },
      MLX90614: { OBJTMP: 86, AMBTMP: 68.2 },
      ANALOG: { Temperature1: 32 },
      'DS18B20-1': { Id: '3C01F09620CB', Temperature: 100.94 },
      TempUnit: 'F',
    })
    expect(readings?.[0]?.values).toEqual({
      'AM2301.Temperature': 15.5,
      'AM2301.Humidity': 50.6,
      'AM2301.DewPoint': 5,
      'MLX90614.OBJTMP': 30,
      'MLX90614.AMBTMP': 20.111,
      'ANALOG.Temperature1': 0,
      'DS18B20-1.Temperature': 38.3,
    })
  })

  it('decodes a current transformer at an analog input: energy in kWh, power from W to kW', () => {
    const transformer = { Energy: 2.882, Power: 49, Voltage: 230, Current: 0.215 }
    const values = {
      import_active_energy: 2.882,
      active_power: 0.049,
      voltage: 230,
      current: 0.215,
    }
    const valuesOf = (ANALOG: object, more: object = {}) =>
      decode('tele/heater/SENSOR', { Time: '2026-11-20T12:00:00', ANALOG, ...more }).readings?.[0]?.values
    // The firmware numbers the inputs, and older versions do not.
    expect(valuesOf({ CTEnergy: transformer })).toEqual(values)
    expect(valuesOf({ CTEnergy1: transformer, Range5: 188 })).toEqual({ ...values, 'ANALOG.Range5': 188 })
    expect(valuesOf(transformer)).toEqual(values)
    // Several inputs are circuits of their own, and the meter of the device counts before an input.
    const named = (name: string) => ({
      [`ANALOG.${name}.Energy`]: 2.882,
      [`ANALOG.${name}.Power`]: 49,
      [`ANALOG.${name}.Voltage`]: 230,
      [`ANALOG.${name}.Current`]: 0.215,
    })
    expect(valuesOf({ CTEnergy1: transformer, CTEnergy2: transformer })).toEqual({
      ...named('CTEnergy1'),
      ...named('CTEnergy2'),
    })
    expect(valuesOf({ CTEnergy1: transformer }, { ENERGY: { Power: 9 } })).toEqual({
      active_power: 0.009,
      ...named('CTEnergy1'),
    })
  })

  it('decodes the response to Status 8 and the last will, and ignores the rest', () => {
    expect(decode('stat/plug/STATUS8', { StatusSNS: POW }).readings?.[0]?.values).toHaveProperty(
      'import_active_energy',
      1.956,
    )
    expect(decode('tele/plug/LWT', 'Online')).toEqual({ availability: [{ device: 'plug', isOnline: true }] })
    expect(decode('tele/plug/LWT', 'Offline')).toEqual({
      availability: [{ device: 'plug', isOnline: false }],
    })
    for (const topic of [
      'tele/plug/STATE',
      'stat/plug/POWER',
      'cmnd/plug/POWER',
      'tasmota/discovery/A1/config',
    ]) {
      expect(tasmota.claims(topic)).toBe(true)
      expect(decode(topic, 'ON')).toEqual({})
    }
  })

  it('rejects an invalid time', () => {
    expect(() => decode('tele/plug/SENSOR', { ...POW, Time: 'soon' })).toThrowError('Time is not an instant')
  })
})

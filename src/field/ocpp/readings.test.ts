import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { METRICS } from './measurands.ts'
import { type MeterValue, readMeterValues, type SampledValue, stationInstant } from './readings.ts'

const AT = '2026-11-20T10:00:00Z'
const meterValue = (...sampledValue: SampledValue[]): MeterValue => ({ timestamp: AT, sampledValue })
const valuesOf = (...sampled: SampledValue[]) => readMeterValues([meterValue(...sampled)]).readings[0]?.values
const power = (value: string, more: Partial<SampledValue> = {}): SampledValue => ({
  value,
  measurand: 'Power.Active.Import',
  ...more,
})

describe('a sampled value', () => {
  it('is an import register in Wh by default', () => {
    expect(valuesOf({ value: '12345' })).toEqual({ import_active_energy: 12.345 })
  })

  it.each([
    ['1234567', 'Wh', 1234.567],
    ['1234.567', 'kWh', 1234.567],
    ['0.1', 'Wh', 0.0001],
    ['1,5', 'kWh', 1.5],
    [' 7 ', 'kWh', 7],
    ['1e3', 'Wh', 1],
  ])('of %s %s is %d kWh', (value, unit, kwh) => {
    expect(valuesOf({ value, unit })).toEqual({ import_active_energy: kwh })
  })

  it.each([
    ['Energy.Active.Export.Register', 'Wh', { export_active_energy: 0.005 }],
    ['Energy.Reactive.Import.Register', 'varh', { inductive_reactive_energy: 0.005 }],
    ['Energy.Reactive.Export.Register', 'kvarh', { capacitive_reactive_energy: 5 }],
    ['Energy.Active.Import.Interval', 'Wh', { energy_active_import_interval: 0.005 }],
    ['Power.Active.Import', 'kW', { active_power: 5 }],
    ['Power.Active.Import', undefined, { active_power: 0.005 }],
    ['Power.Active.Export', 'W', { active_power: -0.005 }],
    ['Power.Reactive.Import', 'var', { reactive_power: 0.005 }],
    ['Power.Reactive.Export', 'var', { reactive_power: -0.005 }],
    ['Power.Offered', 'W', { power_offered: 0.005 }],
    ['Power.Factor', undefined, { power_factor: 5 }],
    ['Current.Import', 'A', { current: 5 }],
    ['Current.Export', 'A', { current_export: 5 }],
    ['Current.Offered', 'A', { current_offered: 5 }],
    ['Voltage', 'V', { voltage: 5 }],
    ['Frequency', undefined, { frequency: 5 }],
    ['Temperature', 'Celsius', { temperature: 5 }],
    ['Temperature', 'Celcius', { temperature: 5 }],
    ['Temperature', 'K', { temperature: -268.15 }],
    ['Temperature', 'Fahrenheit', { temperature: -15 }],
    ['SoC', 'Percent', { state_of_charge: 5 }],
    ['RPM', undefined, { rpm: 5 }],
  ])('of %s in %s has its name and unit', (measurand, unit, values) => {
    expect(valuesOf({ value: '5', measurand, ...(unit !== undefined && { unit }) })).toEqual(values)
  })

  it('may be a number with a unit of measure and a power of ten, as in 2.0.1', () => {
    expect(valuesOf({ value: 12.5, unitOfMeasure: { unit: 'Wh', multiplier: 3 } })).toEqual({
      import_active_energy: 12.5,
    })
    expect(
      valuesOf({ value: 230, measurand: 'Voltage', unitOfMeasure: { unit: 'Wh', multiplier: 0 } }),
    ).toEqual({
      voltage: 230,
    })
    expect(
      valuesOf({ value: 2931.5, measurand: 'Temperature', unitOfMeasure: { unit: 'K', multiplier: -1 } }),
    ).toEqual({ temperature: 20 })
  })

  it.each([
    { value: 'many' },
    { value: '' },
    { value: '0x10' },
    { value: 'NaN' },
    { value: 'Infinity' },
    { value: '1e400' },
    { value: '5', unit: 'V' },
    { value: '5', measurand: 'Power.Active.Import', unit: 'Wh' },
    { value: 5, unitOfMeasure: { multiplier: 1_000_000 } },
  ])('that is unreadable is rejected alone: %j', (bad) => {
    const { readings, refused } = readMeterValues([meterValue(bad, power('7', { unit: 'kW' }))])
    expect(readings).toMatchObject([{ at: Date.parse(AT), values: { active_power: 7 } }])
    expect(refused).toHaveLength(1)
  })

  it('of an unknown measurand is stored under its own name', () => {
    expect(valuesOf({ value: '5', measurand: 'Vendor.Thing', unit: 'bananas' })).toEqual({ vendor_thing: 5 })
    expect(valuesOf({ value: '5', measurand: 'Voltage', phase: 'L4' })).toEqual({ voltage_l4: 5 })
    expect(valuesOf({ value: '5', measurand: 'Voltage', location: 'Roof' })).toEqual({ voltage_roof: 5 })
  })

  it('that is signed is left to external verification', () => {
    const { readings, refused } = readMeterValues([meterValue({ value: 'OCMF|{}', format: 'SignedData' })])
    expect({ readings, refused }).toEqual({ readings: [], refused: [] })
  })
})

describe('phases of a sampled value', () => {
  it('have names of their own, with or without the neutral', () => {
    const current = (value: string, phase: string): SampledValue => ({
      value,
      measurand: 'Current.Import',
      phase,
    })
    expect(valuesOf(current('1', 'L1'), current('2', 'L2-N'), current('3', 'L3'), current('4', 'N'))).toEqual(
      {
        current_l1: 1,
        current_l2: 2,
        current_l3: 3,
        current_n: 4,
      },
    )
    expect(valuesOf({ value: '400', measurand: 'Voltage', phase: 'L1-L2' })).toEqual({ voltage_l1_l2: 400 })
  })

  it('are summed to the power where the total is missing', () => {
    expect(valuesOf(power('2300.1', { phase: 'L1' }), power('2300.2', { phase: 'L2' }))).toEqual({
      active_power_l1: 2.3001,
      active_power_l2: 2.3002,
      active_power: 4.6003,
    })
    expect(valuesOf(power('5000'), power('2300', { phase: 'L1' }))).toMatchObject({ active_power: 5 })
  })

  it('are summed to a register only where the sum cannot decrease', () => {
    const register = (value: string, phase: string): SampledValue => ({ value, phase })
    const three = valuesOf(register('1', 'L1'), register('2', 'L2'), register('3', 'L3'))
    expect(three).toMatchObject({ import_active_energy: 0.006, import_active_energy_l3: 0.003 })
    expect(valuesOf(register('1', 'L1'))).toMatchObject({ import_active_energy: 0.001 })
    expect(valuesOf(register('1', 'L1'), register('2', 'L2'))).not.toHaveProperty('import_active_energy')
  })

  it('that feed in are subtracted from those that consume', () => {
    const exported = power('1000', { measurand: 'Power.Active.Export', phase: 'L1' })
    expect(valuesOf(exported, power('4000', { phase: 'L1' }))).toEqual({
      active_power_l1: 3,
      active_power: 3,
    })
  })
})

describe('locations of a sampled value', () => {
  it('prefer the outlet; others are stored beside it under their own names', () => {
    expect(valuesOf({ value: '2000', location: 'Inlet' }, { value: '1000', location: 'Outlet' })).toEqual({
      import_active_energy: 1,
      energy_active_import_register_inlet: 2,
    })
  })

  it('are accepted as they are where a station reports only one', () => {
    expect(valuesOf({ value: '2000', location: 'Inlet' })).toEqual({ import_active_energy: 2 })
    expect(valuesOf({ value: '30', measurand: 'Temperature', unit: 'Celsius', location: 'Body' })).toEqual({
      temperature: 30,
    })
  })

  it('include the state of charge from the vehicle, but not its meter', () => {
    expect(valuesOf({ value: '55', measurand: 'SoC', unit: 'Percent', location: 'EV' })).toEqual({
      state_of_charge: 55,
    })
    expect(valuesOf({ value: '1000', location: 'EV' })).toEqual({ energy_active_import_register_ev: 1 })
  })
})

describe('meter values', () => {
  it('of one instant are one reading with its context', () => {
    const { readings } = readMeterValues([
      meterValue({ value: '1000', context: 'Transaction.Begin' }),
      meterValue(power('7000')),
      { timestamp: '2026-11-20T13:05:00+03:00', sampledValue: [{ value: '1100' }] },
    ])
    expect(readings).toEqual([
      {
        at: Date.parse(AT),
        values: { import_active_energy: 1, active_power: 7 },
        context: 'Transaction.Begin',
        moments: ['begin'],
      },
      {
        at: Date.parse('2026-11-20T10:05:00Z'),
        values: { import_active_energy: 1.1 },
        context: undefined,
        moments: [],
      },
    ])
  })

  it('without an offset are UTC, with fractions of any length, and rejected without a time', () => {
    expect(stationInstant('2026-11-20T10:00:00')).toBe(Date.parse(AT))
    expect(stationInstant('2026-11-20T10:00:00.123456Z')).toBe(Date.parse(AT) + 123)
    expect(stationInstant('2026-11-20T13:00:00+03:00')).toBe(Date.parse(AT))
    const { readings, refused } = readMeterValues([
      { timestamp: 'yesterday', sampledValue: [{ value: '1' }] },
    ])
    expect({ readings, refused }).toEqual({
      readings: [],
      refused: [{ what: 'timestamp', value: 'yesterday' }],
    })
  })

  it('never contain an unstorable value, for any input', () => {
    const malformed = fc.oneof(fc.constantFrom('constructor', '__proto__', 'toString', ''), fc.string())
    const word = (...words: string[]) =>
      fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...words) }, malformed)
    const sampled = fc.record(
      {
        value: fc.oneof(fc.string(), fc.double().map(String), fc.integer().map(String)),
        measurand: word(...Object.keys(METRICS), 'Power.Offered', 'RPM', 'Energy.Active.Net'),
        phase: word('L1', 'L2', 'L3', 'N', 'L1-N', 'L2-N', 'L3-N', 'L1-L2', 'L2-L3', 'L3-L1'),
        location: word('Cable', 'EV', 'Inlet', 'Outlet', 'Body'),
        unit: word('Wh', 'kWh', 'W', 'kW', 'A', 'V', 'K', 'Percent'),
      },
      { requiredKeys: ['value'] },
    )
    fc.assert(
      fc.property(fc.array(sampled, { maxLength: 80 }), (list) => {
        for (const { values } of readMeterValues([meterValue(...list)]).readings) {
          const entries = Object.entries(values)
          expect(entries.length).toBeGreaterThan(0)
          expect(entries.length).toBeLessThanOrEqual(64)
          for (const [name, value] of entries) {
            expect(Number.isFinite(value)).toBe(true)
            expect(name.length).toBeLessThanOrEqual(100)
          }
        }
      }),
    )
  })
})

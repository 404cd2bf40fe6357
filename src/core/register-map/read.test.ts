import { expect, it } from 'vitest'
import { textOf } from '../../kernel/messages.ts'
import { readRegisterMap } from './read.ts'

/** The example of the format, with the aliases that real documents use. */
const example = {
  format: 'ems-register-map/1',
  vendor: 'Eastron',
  model: 'SDM630',
  version: '1.2.0',
  transports: ['modbus_tcp', 'modbus_rtu', 'mqtt'],
  defaults: { unit_id: 1, word_order: 'big', byte_order: 'big', max_block: 60, max_gap: 8, timeout_ms: 1000 },
  poll_groups: { fast: { period_ms: 1000 }, normal: { period_ms: 10000 }, slow: { period_ms: 300000 } },
  registers: [
    {
      key: 'import_energy',
      address: 72,
      function: 4,
      type: 'float32',
      count: 2,
      byte_order: 'big',
      word_order: 'big',
      scale: 1,
      offset: 0,
      scale_factor_ref: null,
      unit: 'kWh',
      metric: 'import_active_energy',
      phase: null,
      kind: 'cumulative_counter',
      counter_max: null,
      reset_policy: 'detect',
      na_values: ['nan'],
      min: 0,
      max: null,
      bit: null,
      mask: null,
      enum: null,
      poll_group: 'normal',
      access: 'r',
      deadband: 0,
      precision: 3,
      mqtt_path: '$.ENERGY.Total',
    },
  ],
  tests: [{ frame: '0104044499999A', registers: '72+2', expect: { import_energy: 1228.8 } }],
}

const faultsOf = (input: unknown) => {
  const result = readRegisterMap(input)
  return 'faults' in result ? result.faults : []
}
const withRegister = (changes: object) => ({
  ...example,
  registers: [{ ...example.registers[0], ...changes }],
})
const pathsOf = (input: unknown) => faultsOf(input).map(({ path }) => path.join('.'))

it('reads the example of the format, and fills in defaults', () => {
  const result = readRegisterMap(example)
  expect(result).toMatchObject({
    document: {
      registers: [{ type: 'f32', label: null }],
      defaults: { retries: 1, keep_connection: true },
      tests: [{ name: null }],
    },
  })
})

it('reads its own full form unchanged', () => {
  const first = readRegisterMap(example)
  if ('faults' in first) throw new Error('refused')
  expect(readRegisterMap(first.document)).toMatchObject({ document: first.document })
})

it.each([
  ['a misspelled attribute', { wordorder: 'big' }, 'registers.0.wordorder'],
  ['no transport', { address: null, function: null, count: null, mqtt_path: null }, 'registers.0.address'],
  ['no function', { function: null }, 'registers.0.function'],
  ['a write function', { function: 16 }, 'registers.0.function'],
  ['an address out of range', { address: 65_535 }, 'registers.0.address'],
  ['a count that differs from the type', { count: 4 }, 'registers.0.count'],
  ['an unknown type', { type: 'u24' }, 'registers.0.type'],
  ['a unit of another metric', { unit: 'kW' }, 'registers.0.unit'],
  ['a counter declared as a gauge', { kind: 'gauge' }, 'registers.0.kind'],
  [
    'a narrow counter without a maximum',
    { type: 'u16', count: 1, na_values: [] },
    'registers.0.reset_policy',
  ],
  ['a wrap without a maximum', { reset_policy: 'wrap' }, 'registers.0.counter_max'],
  ['an unknown scale factor', { scale_factor_ref: 'sf' }, 'registers.0.scale_factor_ref'],
  ['an unknown group', { poll_group: 'never' }, 'registers.0.poll_group'],
  ['a bit of a float', { bit: 3 }, 'registers.0.bit'],
  ['a scale of zero', { scale: 0 }, 'registers.0.scale'],
  ['minimum above maximum', { min: 5, max: 1 }, 'registers.0.min'],
  ['absent bits of another width', { na_values: ['0x8000'] }, 'registers.0.na_values'],
  ['an invalid path', { mqtt_path: 'ENERGY.Total' }, 'registers.0.mqtt_path'],
])('rejects %s', (_what, changes, path) => {
  expect(pathsOf(withRegister(changes))).toContain(path)
})

it('lists all faults at once, also of single registers next to unreadable ones', () => {
  const broken = { ...example.registers[0], key: '1x', type: 'what' }
  const other = { ...example.registers[0], key: 'other', unit: 'V' }
  const input = { ...example, transports: [], registers: [broken, other], poll_groups: { fast: {} } }
  expect(pathsOf(input)).toEqual([
    'transports',
    'poll_groups.fast.period_ms',
    'registers.0.key',
    'registers.0.type',
    'registers.1.unit',
  ])
})

it('rejects duplicate keys or metrics, paths within one another, and transports without registers', () => {
  const [first] = example.registers
  const registers = [first, first, { ...first, key: 'b', metric: 'x', address: 73, mqtt_path: null }]
  expect(pathsOf({ ...example, registers })).toEqual([
    'registers.1.key',
    'registers.1.metric',
    'registers.2.address',
  ])
  expect(pathsOf({ ...example, registers: [{ ...first, mqtt_path: null }] })).toEqual(['transports'])
})

it('accepts Modicon addresses (3xxxx, 4xxxx) when declared', () => {
  const at = (changes: object, addressing = 'modicon') => ({
    ...withRegister(changes),
    defaults: { addressing },
  })
  expect(readRegisterMap(at({ address: 30_073, function: null }))).toMatchObject({
    document: { registers: [{ address: 72, function: 4 }] },
  })
  expect(readRegisterMap(at({ address: 73 }, 'one'))).toMatchObject({
    document: { registers: [{ address: 72 }] },
  })
  expect(pathsOf(at({ address: 40_073 }))).toEqual(['registers.0.address'])
  expect(pathsOf(at({ address: 72 }, 'octal'))).toEqual(['defaults.addressing'])
})

const testOf = (test: object) => ({ ...example, tests: [test] })
it.each([
  ['bare registers', '4499999A'],
  ['a frame without unit and checksum', '04044499999A'],
  ['RTU without checksum', '0104044499999A'],
  ['RTU', '0104044499999AD560'],
  ['TCP', '0001000000070104044499999A'],
])('accepts a golden frame as %s', (_what, frame) => {
  expect(faultsOf(testOf({ frame, registers: '72+2', expect: { import_energy: 1228.8 } }))).toEqual([])
})

it.each([
  ['another value', '4499999A', { import_energy: 1228.9 }, 'expected 1228.9, got 1228.8'],
  ['an absent value', '7FC00000', { import_energy: 0 }, 'expected 0, got null'],
  ['a wrong checksum', '0104044499999A0000', {}, 'read as RTU, its checksum is wrong'],
  ['another function', '0103044499999A', {}, 'it is of function 3, not 4'],
  ['another length', '449999', {}, 'has 3 bytes'],
  ['an unknown key', '4499999A', { export: 1 }, 'is no register of this map'],
])('rejects a golden frame with %s', (_what, frame, expected, msg) => {
  const faults = faultsOf(
    testOf({ frame, registers: '72+2', expect: { import_energy: 1228.8, ...expected } }),
  )
  expect(faults.map((fault) => textOf(fault.content)).join()).toContain(msg)
})

it('accepts a message as a golden frame', () => {
  const message = { ENERGY: { Total: 1.956 } }
  expect(faultsOf(testOf({ message, expect: { import_energy: 1.956 } }))).toEqual([])
  expect(faultsOf(testOf({ message, expect: { import_energy: 2 } }))).toMatchObject([
    { path: ['tests', 0, 'expect', 'import_energy'], expected: 2, actual: 1.956 },
  ])
  expect(pathsOf(testOf({ message, frame: '00', expect: { import_energy: 2 } }))).toEqual(['tests.0.frame'])
})

it('does not accept names of Object.prototype as known values', () => {
  const words = ['type', 'kind', 'access', 'phase', 'direction', 'byte_order']
  for (const name of ['constructor', '__proto__', 'hasOwnProperty'])
    for (const attribute of words)
      expect(pathsOf(withRegister({ [attribute]: name }))).toEqual([`registers.0.${attribute}`])
})

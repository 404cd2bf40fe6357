import { expect, it } from 'vitest'
import { runFrames } from './run-frames.ts'

const register = { function: 3, type: 'i16', kind: 'gauge' }
const map = {
  format: 'ems-register-map/1',
  transports: ['modbus_tcp'],
  registers: [
    { ...register, key: 'power', metric: 'active_power', address: 10, unit: 'W', scale_factor_ref: 'factor' },
    { ...register, key: 'factor', address: 11 },
    { ...register, key: 'voltage', metric: 'voltage_l1', address: 20, scale: 0.1, na_values: ['0x8000'] },
  ],
}
const run = (tests: unknown) => runFrames({ ...map, tests })
const pathsOf = (input: unknown) => {
  const result = runFrames(input)
  return 'faults' in result ? result.faults.map(({ path }) => path.join('.')) : []
}

it('decodes every register of a frame, also without expected values', () => {
  expect(run([{ name: 'noon', frame: '04E20001 08FD', registers: '10+2 20+1' }])).toEqual({
    frames: [
      {
        name: 'noon',
        values: [
          expect.objectContaining({ key: 'power', unit: 'kW', actual: 12.5, is_match: null, problem: null }),
          expect.objectContaining({ key: 'factor', metric: null, actual: 1, is_match: null }),
          expect.objectContaining({ key: 'voltage', unit: 'V', actual: 230.1, is_match: null }),
        ],
      },
    ],
  })
})

it('compares with the expected values, also with the absence of one', () => {
  const expected = { power: 12.4, voltage: null }
  expect(run([{ frame: '04E20001 8000', registers: '10+2 20+1', expect: expected }])).toMatchObject({
    frames: [
      {
        values: [
          { key: 'power', actual: 12.5, expected: 12.4, is_match: false },
          { key: 'factor', expected: null, is_match: null },
          { key: 'voltage', actual: null, problem: 'not_available', expected: null, is_match: true },
        ],
      },
    ],
  })
})

it('names registers that a frame lacks only when they are expected', () => {
  expect(run([{ frame: '08FD', registers: '20+1', expect: { factor: 1 } }])).toMatchObject({
    frames: [
      {
        values: [
          { key: 'factor', actual: null, problem: 'not_read', is_match: false },
          { key: 'voltage', actual: 230.1 },
        ],
      },
    ],
  })
})

it('refuses maps and frames that cannot be used, with all positions', () => {
  expect(pathsOf('x')).toEqual([''])
  expect(pathsOf({ ...map, transports: [], tests: [{ frame: 'XY' }] })).toEqual([
    'transports',
    'tests.0.frame',
  ])
  expect(pathsOf({ ...map, tests: [{}, { frame: '08FD', registers: '20+2' }] })).toEqual([
    'tests.0.frame',
    'tests.1.frame',
  ])
  const unknown = { frame: '08FD', registers: '20+1', expect: { current: 1 } }
  expect(pathsOf({ ...map, tests: [unknown] })).toEqual(['tests.0.expect.current'])
  expect(pathsOf({ ...map, tests: Array(51).fill(unknown) })).toEqual(['tests'])
})

import { expect, it } from 'vitest'
import { changeOf } from './change.ts'

it.each([
  ['110.000', '100.000', '10.0'],
  ['99.950', '100.000', '-0.1'],
  ['100.050', '100.000', '0.1'],
  ['100.049', '100.000', '0.0'],
  ['0.000', '12.345', '-100.0'],
  ['1.000', '0.000', undefined],
  [null, '1.000', undefined],
  ['1.000', null, undefined],
])('the change to %s from %s is %s per cent', (today, yesterday, expected) => {
  expect(changeOf(today, yesterday)).toBe(expected)
})

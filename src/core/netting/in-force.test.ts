import { expect, test } from 'vitest'
import { isMonthlyInForce } from './in-force.ts'

test('netting by the month was in force before May 2026, and remains so for homes', () => {
  expect(isMonthlyInForce('standard_hourly', '2026-04-01')).toBe(true)
  expect(isMonthlyInForce('standard_hourly', '2026-05-01')).toBe(false)
  expect(isMonthlyInForce('mesken_monthly', '2026-05-01')).toBe(true)
})

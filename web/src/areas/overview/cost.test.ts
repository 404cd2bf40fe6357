import { expect, it } from 'vitest'
import { costOf } from './cost.ts'

const group = (netted_by: 'hour' | 'month', total_try: string | null) => ({
  netted_by,
  difference: { total_try },
})

it('the cost of hourly netting is what the owners lose, of the groups that are netted by the hour', () => {
  expect(costOf([group('hour', '-1.234567'), group('hour', '0.200000'), group('month', '-9.000000')])).toBe(
    '1.034567',
  )
  expect(costOf([group('hour', '2.500000')])).toBe('-2.500000')
})

it('is unknown while no difference is', () => {
  expect(costOf([])).toBeNull()
  expect(costOf([group('hour', null), group('month', '1.000000')])).toBeNull()
})

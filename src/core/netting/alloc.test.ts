import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Kwh, total, wh } from '../../kernel/decimal.ts'
import { alloc } from './alloc.ts'

const weights = fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }).map(wh), { maxLength: 12 })
const whole = fc.bigInt({ min: 0n, max: 10n ** 12n }).map(wh)

test('allocated parts sum to the whole and lie within one unit of their exact share', () => {
  fc.assert(
    fc.property(whole, weights, (quantity, list) => {
      const parts = alloc(quantity, list)
      const sum = total(list)
      if (sum === 0n) return parts.every((part) => part === 0n)
      expect(total(parts)).toBe(quantity)
      return parts.every((part, index) => {
        const distance = part * sum - quantity * (list[index] ?? 0n)
        return distance > -sum && distance < sum
      })
    }),
  )
})

test('no part exceeds its weight while the whole does not exceed the sum of weights', () => {
  fc.assert(
    fc.property(weights, fc.nat(1000), (list, permille) => {
      const quantity = wh((total(list) * BigInt(permille)) / 1000n)
      return alloc(quantity, list).every((part, index) => part >= 0n && part <= (list[index] ?? 0n))
    }),
  )
})

test('equal remainders go to the lower index', () => {
  const equal: Kwh[] = [wh(1n), wh(1n), wh(1n)]
  expect(alloc(wh(2n), equal)).toEqual([1n, 1n, 0n])
  expect(alloc(wh(1000n), equal)).toEqual([334n, 333n, 333n])
})

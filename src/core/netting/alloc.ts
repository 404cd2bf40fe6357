import assert from 'node:assert/strict'
import { at } from '../../kernel/checked.ts'
import { add, type Kwh, total, wh } from '../../kernel/decimal.ts'

/**
 * Splits a quantity in proportion to weights >= 0 by the largest remainder method. The parts sum exactly to
 * the whole. Equal remainders go to the lower index, so callers sort their parties by facility id, which
 * makes the result independent of the order of the input. If all weights are zero, all parts are zero. No
 * part exceeds its weight while the whole does not exceed their sum.
 *
 * [inferred] This is the rule for matched energy and for paid surplus alike; practice differs and the
 * official text was not at hand. This function is its only implementation.
 */
export function alloc(whole: Kwh, weights: readonly Kwh[]): Kwh[] {
  const weightSum = total(weights)
  if (weightSum === 0n || whole === 0n) return weights.map(() => wh(0n))
  if (whole === weightSum) return [...weights]
  assert(whole > 0n, 'only a positive quantity can be split')
  const remainders: bigint[] = []
  const parts = weights.map((weight) => {
    const scaled = whole * weight
    remainders.push(scaled % weightSum)
    return wh(scaled / weightSum)
  })
  distributeRemainder(parts, remainders, whole - total(parts))
  return parts
}

function distributeRemainder(parts: Kwh[], remainders: readonly bigint[], remainder: bigint): void {
  if (remainder === 0n) return
  const indexes = remainders.map((_, index) => index)
  indexes.sort((a, b) => compareBig(at(remainders, b), at(remainders, a)) || a - b)
  for (const index of indexes.slice(0, Number(remainder))) parts[index] = add(at(parts, index), wh(1n))
}

const compareBig = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

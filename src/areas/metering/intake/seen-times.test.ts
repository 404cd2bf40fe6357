import { expect, it } from 'vitest'
import { SeenTimes } from './seen-times.ts'

it('keeps one instant for each key, also at the borders of pages', () => {
  const times = new SeenTimes()
  const keys = [0, 1, 1_023, 1_024, 2_147_483_647]
  for (const key of keys) expect(times.get(key)).toBeUndefined()
  for (const [index, key] of keys.entries()) times.set(key, index)
  expect(keys.map((key) => times.get(key))).toEqual([0, 1, 2, 3, 4])
  expect(times.get(2)).toBeUndefined()
  times.set(1_024, 9)
  times.delete(1)
  times.delete(5_000)
  expect(keys.map((key) => times.get(key))).toEqual([0, undefined, 2, 9, 4])
})

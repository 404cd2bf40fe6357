import { expect, test } from 'vitest'
import { makeLru } from './lru.ts'

test('the least recently used entry is forgotten beyond the maximum, and freed positions are used again', () => {
  const cache = makeLru<string>(2)
  cache.set('a', '1')
  cache.set('b', '2')
  cache.get('a')
  cache.set('c', '3')
  expect([...cache.keys()]).toEqual(['c', 'a'])
  cache.set('c', '4')
  expect(cache.size).toBe(2)
  cache.delete('a')
  cache.delete('c')
  cache.set('d', '5')
  cache.set('e', '6')
  cache.set('f', '7')
  expect([...cache.keys()]).toEqual(['f', 'e'])
})

test('counts an entry for its size, and forgets entries once the sizes of all exceed the limit', () => {
  const cache = makeLru<{ readonly size: number }>(10, ({ size }) => size)
  cache.set('a', { size: 4 })
  cache.set('b', { size: 4 })
  cache.get('a')
  cache.set('c', { size: 5 })
  expect([...cache.keys()].sort()).toEqual(['a', 'c'])
  cache.set('d', { size: 10 })
  expect([...cache.keys()]).toEqual(['d'])
})

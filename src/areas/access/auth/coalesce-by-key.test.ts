import { expect, test } from 'vitest'
import { coalesceByKey } from './coalesce-by-key.ts'

/** Reads that end when the test says so; `started` lists their keys. */
function setUp() {
  const started: string[] = []
  const ends: { resolve: (value: string) => void; reject: (error: Error) => void }[] = []
  const read = coalesceByKey(
    (key) =>
      new Promise<string>((resolve, reject) => {
        started.push(key)
        ends.push({ resolve, reject })
      }),
  )
  return { started, ends, read }
}

test('reads of a key that arrive while one runs share the next one', async () => {
  const { started, ends, read } = setUp()
  const first = read('a')
  const second = read('a')
  const third = read('a')
  expect(started).toEqual(['a'])
  ends[0]?.resolve('old')
  expect(await first).toBe('old')
  expect(started).toEqual(['a', 'a'])
  const fourth = read('a')
  ends[1]?.resolve('new')
  expect(await Promise.all([second, third])).toEqual(['new', 'new'])
  ends[2]?.resolve('newest')
  expect(await fourth).toBe('newest')
  expect(started).toHaveLength(3)
})

test('reads of different keys run side by side', () => {
  const { started, read } = setUp()
  void read('a')
  void read('b')
  expect(started).toEqual(['a', 'b'])
})

test('a read that fails rejects its calls only', async () => {
  const { ends, read } = setUp()
  const first = read('a')
  const second = read('a')
  ends[0]?.reject(new Error('no connection'))
  await expect(first).rejects.toThrow('no connection')
  ends[1]?.resolve('value')
  expect(await second).toBe('value')
})

test('a read that arrives after the end of another one starts at once', async () => {
  const { started, ends, read } = setUp()
  const first = read('a')
  ends[0]?.resolve('old')
  await first
  void read('a')
  expect(started).toEqual(['a', 'a'])
})

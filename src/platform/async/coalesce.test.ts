import pg from 'pg'
import { expect, it } from 'vitest'
import { makeCoalescer } from './coalesce.ts'

it('coalesce merges calls that arrive during a running one, and continues after a failure', async () => {
  const calls: number[][] = []
  let release = () => {}
  const ask = makeCoalescer(async (items: readonly number[]) => {
    calls.push([...items])
    await new Promise<void>((resolve) => {
      release = resolve
    })
    if (items.includes(13)) throw new Error('thirteen')
    return items.length
  })
  const first = ask([1])
  await Promise.resolve()
  const rest = [ask([2, 3]), ask([13])]
  await Promise.resolve()
  release()
  expect(await first).toBe(1)
  await Promise.resolve()
  await Promise.resolve()
  release()
  expect((await Promise.allSettled(rest)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const last = ask([4])
  await Promise.resolve()
  await Promise.resolve()
  release()
  expect(await last).toBe(1)
  expect(calls).toEqual([[1], [2, 3, 13], [4]])
})

it('coalesce executes each call by itself when a node of a distributed database is lost', async () => {
  const calls: number[][] = []
  const ask = makeCoalescer(async (items: readonly number[]) => {
    calls.push([...items])
    const lost = new pg.DatabaseError('connection to the remote node failed', 0, 'error')
    lost.code = '08006'
    if (items.includes(13)) throw lost
    return items.length
  })
  const ends = await Promise.allSettled([ask([1, 2]), ask([13]), ask([3])])
  expect(ends).toMatchObject([{ value: 2 }, { reason: { code: '08006' } }, { value: 1 }])
  expect(calls).toEqual([[1, 2, 13, 3], [1, 2], [13], [3]])
})

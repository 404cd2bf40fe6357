import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { makeBackground } from './background.ts'
import { makeConcurrencyLimit } from './concurrency-limit.ts'

const refuse = () => new Error('full')

it('concurrency limit never runs more at once than allowed, and runs everything it accepted', async () => {
  const turns = makeConcurrencyLimit({ atOnce: 3, waitingMax: 100, refuse })
  let running = 0
  let highest = 0
  let done = 0
  const work = async () => {
    running += 1
    highest = Math.max(highest, running)
    await setTimeout(1)
    running -= 1
    done += 1
    if (done % 7 === 0) throw new Error('some work fails')
  }
  await Promise.allSettled(Array.from({ length: 50 }, () => turns.run(work)))
  expect({ highest, done, running }).toEqual({ highest: 3, done: 50, running: 0 })
  await expect(turns.run(async () => 'the place is free again')).resolves.toBe('the place is free again')
})

it('concurrency limit rejects work beyond its queue', async () => {
  const turns = makeConcurrencyLimit({ atOnce: 1, waitingMax: 1, refuse })
  const first = turns.run(() => setTimeout(5, 'first'))
  const second = turns.run(async () => 'second')
  expect(turns.hasRoom()).toBe(false)
  await expect(turns.run(async () => 'third')).rejects.toThrow('full')
  expect(await Promise.all([first, second])).toEqual(['first', 'second'])
})

it('drain waits for background work, also work that it starts, and survives its failures', async () => {
  const logged: unknown[] = []
  const log = { error: (fields: unknown) => logged.push(fields), warn: () => {} }
  const background = makeBackground(log as never)
  const done: string[] = []
  background.run('outer', async () => {
    await setTimeout(2)
    background.run('inner', async () => {
      await setTimeout(2)
      done.push('inner')
    })
    done.push('outer')
  })
  background.run('bad', async () => {
    throw Object.assign(new Error('no mail server'), { text: 'the token is 123' })
  })
  await background.drain()
  expect(done).toEqual(['outer', 'inner'])
  expect(logged).toEqual([{ task: 'bad', reason: 'no mail server' }])
})

import { expect, it } from 'vitest'
import { testClock } from '../../../test/support/clock.ts'
import { makeLog } from './log.ts'
import { makeThrottledLog } from './throttled-log.ts'

it('throttled log writes a line at once, and then once a minute with its count', () => {
  const clock = testClock()
  const lines: { level: number; msg: string; times: number; topic?: string }[] = []
  const log = makeThrottledLog(makeLog('info', { write: (line) => void lines.push(JSON.parse(line)) }), clock)
  for (let times = 0; times < 500; times++) log.warn({ topic: `t${times}` }, 'poison')
  log.error({}, 'another', 7)
  expect(lines.map(({ msg, times }) => [msg, times])).toEqual([
    ['poison', 1],
    ['another', 7],
  ])
  clock.advance(59_999)
  log.warn({}, 'poison', 10)
  expect(lines).toHaveLength(2)
  clock.advance(1)
  log.warn({ topic: 'last' }, 'poison')
  log.warn({}, 'poison')
  expect(lines).toHaveLength(3)
  expect(lines[2]).toMatchObject({ msg: 'poison', times: 510, topic: 'last' })
  clock.advance(60_000)
  log.warn({}, 'poison')
  expect(lines[3]).toMatchObject({ times: 2 })
})

it('throttled log writes again after the clock was set back', () => {
  const clock = testClock()
  const lines: string[] = []
  const log = makeThrottledLog(makeLog('info', { write: (line) => void lines.push(line) }), clock)
  log.warn({}, 'poison')
  clock.advance(-3 * 3_600_000)
  log.warn({}, 'poison')
  expect(lines).toHaveLength(2)
})

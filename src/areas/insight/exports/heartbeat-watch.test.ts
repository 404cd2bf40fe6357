import { describe, expect, it } from 'vitest'
import { makeHeartbeatWatch } from './heartbeat-watch.ts'

const DEAD_MS = 60_000
const HOUR = 3_600_000

describe('heartbeat watch', () => {
  it('finds an export dead when its heartbeat stays the same for long enough', () => {
    const findDead = makeHeartbeatWatch(DEAD_MS)
    const silent = [{ id: 'a', beatAt: 5 }]
    expect(findDead(silent, 0)).toEqual([])
    expect(findDead(silent, DEAD_MS - 1)).toEqual([])
    expect(findDead(silent, DEAD_MS)).toEqual(silent)
  })

  it('finds an export alive when its heartbeat changes, whatever the time of day in it is', () => {
    const findDead = makeHeartbeatWatch(DEAD_MS)
    for (const [step, beatAt] of [HOUR, 9 * HOUR, 2 * HOUR, 0].entries()) {
      expect(findDead([{ id: 'a', beatAt }], step * DEAD_MS)).toEqual([])
    }
  })

  it('begins again with an export that was not running in between', () => {
    const findDead = makeHeartbeatWatch(DEAD_MS)
    const silent = [{ id: 'a', beatAt: undefined }]
    findDead(silent, 0)
    findDead([], 1)
    expect(findDead(silent, DEAD_MS)).toEqual([])
    expect(findDead(silent, 2 * DEAD_MS)).toEqual(silent)
  })
})

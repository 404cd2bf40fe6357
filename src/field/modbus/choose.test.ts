import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mapDocument } from '../../../test/support/field/modbus-map.ts'
import { readsOf } from '../../areas/equipment/gateways/index.ts'
import { openRegisterMap } from '../../core/register-map/read.ts'
import { chooseNext } from './choose.ts'
import { Slave } from './slave.ts'

const GROUPS = { fast: 1000, slow: 10_000 }
const map = openRegisterMap(
  mapDocument(
    [
      { key: 'a', address: 0, metric: 'voltage', poll_group: 'fast' },
      { key: 'b', address: 100, metric: 'current', poll_group: 'slow' },
    ],
    { groups: GROUPS },
  ),
)

function slave(unit: number, { now = 0, isGood = true } = {}): Slave {
  const reads = readsOf({ slaveId: unit, templateId: 't', map }, {})
  if ('problem' in reads) throw new Error(reads.problem)
  const made = new Slave(
    { ...reads, deviceId: `${unit}`, offlineThresholdS: 60, digest: '' },
    { now, phase: 0 },
  )
  if (isGood) made.answered(now)
  return made
}

const at = (now: number) => ({ now, riskyFrom: 0, newFrom: 0 })
const chosen = (slaves: readonly Slave[], now: number, more = {}) => {
  const choice = chooseNext(slaves, { ...at(now), ...more })
  return 'waitMs' in choice ? choice.waitMs : `${choice.slave.order.deviceId} ${choice.poll.name}`
}
/** A round that took so long. */
function serve(slaves: readonly Slave[], now: number, tookMs: number) {
  const choice = chooseNext(slaves, at(now))
  if ('waitMs' in choice) return undefined
  const { slave: served, poll } = choice
  poll.begin(now, now)
  poll.end(now + tookMs)
  served.spend(tookMs, now + tookMs)
  return served.order.deviceId
}

describe('what is next', () => {
  it('is the round that must be through first, in a stable order', () => {
    const slaves = [slave(1), slave(2)]
    const order = []
    for (let turn = 0; turn < 4; turn++) {
      order.push(chosen(slaves, 5))
      serve(slaves, 5, 1)
    }
    expect(order).toEqual(['1 fast', '2 fast', '1 slow', '2 slow'])
    expect(chosen(slaves, 5)).toBe(995)
  })

  it('is on the grid: the next place after a round, and none for those that were missed', () => {
    const one = slave(1, { now: 3_400 })
    expect(one.polls.map(({ dueAt }) => dueAt)).toEqual([3_000, 0])
    const [fast] = one.polls
    fast?.begin(0, 3_400)
    expect([fast?.end(3_450), fast?.dueAt]).toEqual([0, 4_000])
    fast?.begin(0, 4_000)
    expect([fast?.end(7_100), fast?.dueAt]).toEqual([3, 8_000])
  })

  it('is a new slave, but for those that are due when the last new one was silent', () => {
    const slaves = [slave(1), slave(2, { isGood: false })]
    expect(chosen(slaves, 0)).toBe('2 fast')
    expect(chosen(slaves, 0, { newFrom: 100 })).toBe('1 fast')
    for (let turn = 0; turn < 2; turn++) {
      const choice = chooseNext([slaves[0] as Slave], at(0))
      if ('poll' in choice) choice.poll.end(0)
    }
    expect(chosen(slaves, 0, { newFrom: 100 })).toBe('2 fast')
  })

  it('is a silent slave only when nobody is due, within its share, and in the end in any case', () => {
    const silent = slave(2)
    silent.silent('no answer')
    silent.giveUp(0, 0)
    const slaves = [slave(1), silent]
    expect(chosen(slaves, 2_000)).toBe('1 fast')
    expect(chosen([silent], 999)).toBe(1)
    expect(chosen([silent], 1_000)).toBe('2 fast')
    expect(chosen([silent], 1_000, { riskyFrom: 1_600 })).toBe(600)
    expect(chosen(slaves, 31_001)).toBe('2 fast')
  })

  it('asks a silent slave ever more rarely, up to half a minute', () => {
    const silent = slave(1)
    const pauses = Array.from({ length: 10 }, () => {
      silent.silent('no answer')
      silent.giveUp(0, 0)
      return silent.probeAt / 1000
    })
    expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30, 30, 30, 30])
  })

  it('starves nobody, however long each takes', () => {
    const costs = fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 2, maxLength: 12 })
    fc.assert(
      fc.property(costs, (tookMs) => {
        const slaves = tookMs.map((_, index) => slave(index))
        const served = new Map<string, number>()
        let now = 0
        const until = 30 * tookMs.reduce((sum, took) => sum + took, 0) + 60_000
        while (now < until) {
          const id = serve(slaves, now, 0)
          if (id === undefined) now += 100
          else {
            const took = tookMs[Number(id)] ?? 0
            slaves[Number(id)]?.spend(took, now + took)
            now += took
            served.set(id, (served.get(id) ?? 0) + 1)
          }
        }
        expect(served.size).toBe(slaves.length)
      }),
      { numRuns: 50 },
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mapDocument } from '../../../test/support/field/modbus-map.ts'
import { planDeviceReads } from '../../areas/equipment/gateways/index.ts'
import { openRegisterMap } from '../../core/register-map/read.ts'
import { nextRequest } from './request-scheduler.ts'
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
  const reads = planDeviceReads({ slaveId: unit, templateId: 't', map }, {})
  if ('problem' in reads) throw new Error(reads.problem.code)
  const created = new Slave(
    { ...reads, deviceId: `${unit}`, offlineThresholdS: 60, digest: '' },
    { now, phase: 0 },
  )
  if (isGood) created.recordResponse(now)
  return created
}

const at = (now: number) => ({ now, silentProbesFrom: 0, newProbesFrom: 0 })
const selected = (slaves: readonly Slave[], now: number, more = {}) => {
  const next = nextRequest(slaves, { ...at(now), ...more })
  return 'waitMs' in next ? next.waitMs : `${next.slave.config.deviceId} ${next.poll.name}`
}
/** Runs the next round, which takes `tookMs`. */
function serve(slaves: readonly Slave[], now: number, tookMs: number) {
  const next = nextRequest(slaves, at(now))
  if ('waitMs' in next) return undefined
  const { slave: served, poll } = next
  poll.start(now, now)
  poll.finish(now + tookMs)
  served.addLineTime(tookMs, now + tookMs)
  return served.config.deviceId
}

describe('nextRequest', () => {
  it('selects the round with the earliest deadline, in a stable order', () => {
    const slaves = [slave(1), slave(2)]
    const order = []
    for (let turn = 0; turn < 4; turn++) {
      order.push(selected(slaves, 5))
      serve(slaves, 5, 1)
    }
    expect(order).toEqual(['1 fast', '2 fast', '1 slow', '2 slow'])
    expect(selected(slaves, 5)).toBe(995)
  })

  it('schedules on a grid: the next point after a round, and none for missed ones', () => {
    const one = slave(1, { now: 3_400 })
    expect(one.polls.map(({ dueAt }) => dueAt)).toEqual([3_000, 0])
    const [fast] = one.polls
    fast?.start(0, 3_400)
    expect([fast?.finish(3_450), fast?.dueAt]).toEqual([0, 4_000])
    fast?.start(0, 4_000)
    expect([fast?.finish(7_100), fast?.dueAt]).toEqual([3, 8_000])
  })

  it('prefers an unproven slave, but not over due ones after a timeout of an unproven one', () => {
    const slaves = [slave(1), slave(2, { isGood: false })]
    expect(selected(slaves, 0)).toBe('2 fast')
    expect(selected(slaves, 0, { newProbesFrom: 100 })).toBe('1 fast')
    for (let turn = 0; turn < 2; turn++) {
      const next = nextRequest([slaves[0] as Slave], at(0))
      if ('poll' in next) next.poll.finish(0)
    }
    expect(selected(slaves, 0, { newProbesFrom: 100 })).toBe('2 fast')
  })

  it('selects a silent slave when no other is due, within its share, or after its maximum wait', () => {
    const silent = slave(2)
    silent.recordTimeout('no answer')
    silent.scheduleProbe(0, 0)
    const slaves = [slave(1), silent]
    expect(selected(slaves, 2_000)).toBe('1 fast')
    expect(selected([silent], 999)).toBe(1)
    expect(selected([silent], 1_000)).toBe('2 fast')
    expect(selected([silent], 1_000, { silentProbesFrom: 1_600 })).toBe(600)
    expect(selected(slaves, 31_001)).toBe('2 fast')
  })

  it('probes a silent slave with exponential back-off up to half a minute', () => {
    const silent = slave(1)
    const pauses = Array.from({ length: 10 }, () => {
      silent.recordTimeout('no answer')
      silent.scheduleProbe(0, 0)
      return silent.probeAt / 1000
    })
    expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30, 30, 30, 30])
  })

  it('starves no slave, however long each request takes', () => {
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
            slaves[Number(id)]?.addLineTime(took, now + took)
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

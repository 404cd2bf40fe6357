import { describe, expect, it } from 'vitest'
import type { OptimisationWork, Task } from '../../../src/areas/netting/optimisation/compute-work.ts'
import { computeInThread } from '../../../src/areas/netting/optimisation/threads.ts'
import { packInput } from '../../../src/core/netting/input-pack.ts'
import type { PeriodInput } from '../../../src/core/netting/types.ts'
import { makeCandidate, makeGroupInput } from '../../support/netting/eligibility-input.ts'
import { makeGroupMonth, type OptimisedFacility } from '../../support/netting/optimised-groups.ts'

const HOURS = 200
const ENOUGH = { timeMs: 60_000, memoryMb: 512 }
const GROUPS = ['A', 'B', 'C']

/** The same values in every run: neither all alike nor in a simple pattern. */
const energyOf = (seed: number, hour: number): bigint => BigInt(((seed + 3) * 7_919 + hour * 104_729) % 9_001)

/** Three groups of one plant and three consumers, whose limits are short. */
function makeInputs(hours = HOURS): PeriodInput[] {
  return GROUPS.map((groupId, group) => {
    const names = ['p', 'c1', 'c2', 'c3'].map((name) => `${name}${groupId}`)
    const facilities = names.map((id, index): [string, OptimisedFacility] => {
      const values = Array.from({ length: hours }, (_, hour) => energyOf(group * 5 + index, hour))
      return index === 0
        ? [id, { role: 'production', values: values.map((one) => one * 3n) }]
        : [id, { role: 'consumption', values, opening: BigInt(index * 90_000) }]
    })
    return makeGroupMonth(groupId, '2026-06-01', { hours, facilities: Object.fromEntries(facilities) })
  })
}

const assignment = (inputs: readonly PeriodInput[]): Task => {
  const members = inputs.map((input) =>
    input.members.map(({ facilityId, role }) => makeCandidate(facilityId, role)),
  )
  const facilityIdsWithAccount = members.flat().map(({ facilityId }) => facilityId)
  return {
    ...{ kind: 'assignment', facilityIds: [], sameRegion: true, sameVoltage: false },
    groups: inputs.map(({ groupId }, index) => ({
      groupId,
      eligibility: makeGroupInput({ members: members[index] ?? [], facilityIdsWithAccount }),
    })),
    facilities: members.flat().map((member) => ({ member, regionId: null, voltageLevel: null })),
  }
}

const compute = (
  { inputs, task }: { readonly inputs: readonly PeriodInput[]; readonly task: Task },
  solver: OptimisationWork['solver'],
  signal = new AbortController().signal,
) => {
  const months = { from: '2026-06-01', to: '2026-06-01' }
  const base = { ...months, inputs: inputs.map(packInput), others: [], solarShape: [], marketPrices: [] }
  const work = { base: { ...base, changes: [] }, task, solver }
  return computeInThread(work, { onProgress: () => undefined, signal })
}

describe('the solver in its thread', () => {
  it('gives the same proposal for the same work', async () => {
    const work = { inputs: makeInputs(24), task: { kind: 'limit_transfers' } as const }
    const [first, second] = [await compute(work, ENOUGH), await compute(work, ENOUGH)]
    expect(second).toEqual(first)
    expect(first).toMatchObject({ outcome: { result: { solver: { status: 'optimal' } } } })
  })

  it('ends with what it has when its time is over, with the gap, or says that it has nothing', async () => {
    const inputs = makeInputs()
    const answer = await compute({ inputs, task: assignment(inputs) }, { ...ENOUGH, timeMs: 1 })
    if ('fault' in answer) expect(answer.fault.content.code).toBe('OPTIMISATION_NO_SOLUTION')
    else {
      const { result } = answer.outcome
      expect(result.solver.status).toBe('limit')
      expect(Number(result.gap_try)).toBeGreaterThanOrEqual(0)
    }
  })

  it('fails when the solver exceeds its memory, and the next one works', async () => {
    const inputs = makeInputs()
    const work = { inputs, task: assignment(inputs) }
    await expect(compute(work, { ...ENOUGH, memoryMb: 1 })).rejects.toThrow()
    const small = { inputs: makeInputs(24), task: { kind: 'limit_transfers' } as const }
    expect(await compute(small, ENOUGH)).toHaveProperty('outcome')
  })

  it('is ended while it computes', async () => {
    const inputs = makeInputs()
    const stopped = new AbortController()
    const answer = compute({ inputs, task: assignment(inputs) }, ENOUGH, stopped.signal)
    stopped.abort(new Error('cancelled'))
    await expect(answer).rejects.toThrow('cancelled')
  })

  it('refuses groups whose results have different hours', async () => {
    const [first, ...others] = makeInputs(24)
    const inputs = [
      ...(first ? [{ ...first, window: { ...first.window, to: first.window.to - 3_600_000 } }] : []),
      ...others,
    ]
    const answer = await compute({ inputs, task: assignment(inputs) }, ENOUGH)
    expect(answer).toMatchObject({
      fault: { field: 'group_ids', content: { code: 'OPTIMISATION_HOURS_DIFFER' } },
    })
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isEmpty, type OpenIncident, type PlannedChange, planAlarms } from './plan.ts'

const raised = (message: string, over: object = {}): PlannedChange => ({
  policy: 'netting_group_blocked',
  cause: 'group:a',
  isOpen: true,
  message,
  payload: { group_id: 'a' },
  ...over,
})
const cleared: PlannedChange = {
  policy: 'netting_group_blocked',
  cause: 'group:a',
  isOpen: false,
  reason: { code: 'VALID', parameters: {} },
}
const incident = (over: Partial<OpenIncident> = {}): OpenIncident => ({
  id: '1',
  policy: 'netting_group_blocked',
  policySeverity: 'critical',
  cause: 'group:a',
  severity: 'critical',
  message: 'blocked',
  lastValue: null,
  payload: { group_id: 'a' },
  ...over,
})

describe('planAlarms', () => {
  it('opens a cause that is not open, and not a second time', () => {
    expect(planAlarms([raised('blocked')], []).raises).toHaveLength(1)
    expect(isEmpty(planAlarms([raised('blocked')], [incident()]))).toBe(true)
  })

  it('raises an open incident again when message, value, payload or severity differ', () => {
    const changes: [PlannedChange, Partial<OpenIncident>][] = [
      [raised('by R001'), {}],
      [raised('blocked', { lastValue: '2' }), { lastValue: '1.000000' }],
      [raised('blocked', { payload: { group_id: 'a', group_name: 'A' } }), {}],
      [raised('blocked', { severity: 'info' }), {}],
      [raised('blocked'), { severity: 'info' }],
    ]
    for (const [change, before] of changes) {
      const { raises, updates, closes } = planAlarms([change], [incident(before)])
      expect([raises.length, updates.length, closes.length]).toEqual([0, 1, 0])
    }
    const same = planAlarms([raised('blocked', { lastValue: '1' })], [incident({ lastValue: '1.000000' })])
    expect(isEmpty(same)).toBe(true)
  })

  it('closes open causes only', () => {
    expect(planAlarms([cleared], [incident()]).closes).toMatchObject([{ id: '1', reason: { code: 'VALID' } }])
    expect(isEmpty(planAlarms([cleared], []))).toBe(true)
  })

  it('uses the last of several changes of a cause', () => {
    expect(isEmpty(planAlarms([raised('blocked'), cleared], []))).toBe(true)
    expect(planAlarms([cleared, raised('one'), raised('two')], []).raises).toMatchObject([{ message: 'two' }])
  })

  it('leaves open exactly the causes whose last change was to open, after random changes', () => {
    const causes = fc.constantFrom('group:a', 'group:b', 'facility:c', 'group:a|2026-11-01')
    const changes = fc.array(fc.tuple(causes, fc.boolean()))
    fc.assert(
      fc.property(changes, fc.uniqueArray(causes), (list, before) => {
        const plan = planAlarms(
          list.map(([cause, isOpen]) => (isOpen ? raised('blocked', { cause }) : { ...cleared, cause })),
          before.map((cause) => incident({ id: cause, cause })),
        )
        const after = new Set([...before, ...plan.raises.map(({ cause }) => cause)])
        for (const { id } of plan.closes) after.delete(id)
        const last = new Map([...before.map((cause) => [cause, true] as const), ...list])
        expect([...after].sort()).toEqual([...last.keys()].filter((cause) => last.get(cause)).sort())
      }),
    )
  })
})

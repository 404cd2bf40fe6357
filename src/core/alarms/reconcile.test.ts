import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Checkpoint,
  checkpointFor,
  Evaluation,
  firstCheckpoint,
  initialState,
  type State,
} from './evaluate.ts'
import { reconcile, type StoredIncident } from './reconcile.ts'
import type { Rule, RuleSample, Violation } from './rule.ts'

const MINUTE = 60_000
const START = Date.parse('2026-11-20T09:00:00Z')
const masks = { schedule: undefined, maintenance: [] }

/** A store of incidents as the database keeps them, and the samples as they arrive. */
class IncidentStore {
  readonly incidents: { -readonly [Key in keyof StoredIncident]: StoredIncident[Key] }[] = []
  private readonly rule: Rule
  private stored: RuleSample[] = []
  private state: State = initialState(START)
  private checkpoints: readonly Checkpoint[] = [firstCheckpoint(START)]
  constructor(rule: Rule) {
    this.rule = rule
  }

  arrive(batch: readonly RuleSample[]): void {
    this.stored = [...this.stored, ...batch].sort((a, b) => a.at - b.at)
    const from = Math.min(...batch.map(({ at }) => at))
    const late = from <= this.state.at ? checkpointFor(this.checkpoints, from) : undefined
    const after = late ? late.upTo - 1 : this.state.at
    const checkpoints = late ? this.checkpoints.filter(({ upTo }) => upTo <= late.upTo) : this.checkpoints
    const fold = new Evaluation({
      rule: this.rule,
      masks,
      begin: late?.state ?? this.state,
      after,
      checkpoints,
    })
    fold.add(this.stored.filter(({ at }) => at > after))
    const result = fold.result()
    this.state = result.state
    this.checkpoints = result.checkpoints
    this.write(result.violations, after)
    expect(reconcile({ violations: result.violations, begin: after }, this.known(after))).toEqual({
      opens: [],
      ends: [],
      amends: [],
      withdrawals: [],
    })
  }

  known = (since: number): StoredIncident[] =>
    this.incidents
      .filter(({ from, to }) => to === null || (to > since && to > from))
      .sort((a, b) => a.from - b.from)
      .map((incident) => ({ ...incident }))

  private write(violations: readonly Violation[], begin: number): void {
    const plan = reconcile({ violations, begin }, this.known(begin))
    const of = (id: string) => {
      const incident = this.incidents.find((one) => one.id === id)
      if (!incident) throw new Error('an unknown incident')
      return incident
    }
    for (const { incident, violation: spell } of plan.ends)
      Object.assign(of(incident.id), { to: spell.to, isClosed: true, peak: spell.peak })
    for (const { incident, from, to, begins, ends } of plan.amends) {
      const mergedSpans = { ...(begins && { since: begins.since }), ...(ends && { peak: ends.peak }) }
      Object.assign(of(incident.id), { from, to, ...mergedSpans })
    }
    for (const { id, from } of plan.withdrawals) Object.assign(of(id), { to: from, isClosed: true })
    for (const { from, to, since, peak } of plan.opens) {
      const id = String(this.incidents.length)
      this.incidents.push({ id, from, to, isClosed: to !== null, since, peak: to === null ? null : peak })
    }
    expect(this.incidents.filter(({ isClosed }) => !isClosed).length).toBeLessThanOrEqual(1)
  }

  facts = () => this.known(Number.NEGATIVE_INFINITY).map(({ since, peak }) => [since, peak])

  /** Incidents that were not withdrawn, with their parts joined. */
  spans(): [number, number | null][] {
    const spans: [number, number | null][] = []
    for (const { from, to } of this.known(Number.NEGATIVE_INFINITY)) {
      const last = spans.at(-1)
      if (last && last[1] === from) last[1] = to
      else spans.push([from, to])
    }
    return spans
  }
}

const rules = fc.record({
  kind: fc.constantFrom('threshold' as const, 'counter_reset' as const, 'offline' as const),
  delayOnMs: fc.constantFrom(0, 3 * MINUTE),
  delayOffMs: fc.constantFrom(0, 3 * MINUTE),
})
const toRule = (of: { kind: Rule['kind']; delayOnMs: number; delayOffMs: number }): Rule => ({
  ...of,
  metric: of.kind === 'offline' ? null : 'active_power',
  operator: 'gt',
  threshold: 6,
  clearThreshold: 4,
  ratePerMs: MINUTE,
  silenceMs: 20 * MINUTE,
  schedule: undefined,
})
/** Samples at distinct minutes in a random order, in random batches. */
const arrivals = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 0, max: 10 })), {
    selector: ([minute]) => minute,
    minLength: 1,
    maxLength: 40,
  })
  .chain((list) =>
    fc.tuple(
      fc.constant(list.map(([minute, value]): RuleSample => ({ at: START + minute * MINUTE, value }))),
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: list.length, maxLength: list.length }),
    ),
  )

describe('incidents from samples in any order and batches', () => {
  it('equal those of the sorted samples, with none lost or added, and one open at a time', () => {
    fc.assert(
      fc.property(rules, arrivals, (of, [samples, sizes]) => {
        const rule = toRule(of)
        const store = new IncidentStore(rule)
        let rest = samples
        for (const size of sizes) {
          if (rest.length === 0) break
          store.arrive(rest.slice(0, size))
          rest = rest.slice(size)
        }
        const sorted = new IncidentStore(rule)
        sorted.arrive(samples)
        expect(store.spans()).toEqual(sorted.spans())
        // A violation split over several incidents has a start and an end in each.
        if (store.spans().length === store.known(Number.NEGATIVE_INFINITY).length)
          expect(store.facts()).toEqual(sorted.facts())
      }),
      { numRuns: 400 },
    )
  })

  it('are not changed by the same samples again', () => {
    const store = new IncidentStore(toRule({ kind: 'threshold', delayOnMs: 0, delayOffMs: 0 }))
    const batch = [0, 1, 2].map((minute) => ({ at: START + minute * MINUTE, value: minute === 1 ? 9 : 1 }))
    store.arrive(batch)
    const before = structuredClone(store.incidents)
    store.arrive([])
    expect(store.incidents).toEqual(before)
  })
})

it('stay closed when a user closed them, until the condition has cleared', () => {
  const open: Violation = { from: 10, to: null, since: 10, value: 1, peak: 1, last: 1 }
  const byHand: StoredIncident = { id: 'a', from: 10, to: null, isClosed: true, since: 10, peak: null }
  expect(reconcile({ violations: [open], begin: 5 }, [byHand]).opens).toEqual([])
  const over = { ...open, to: 20 }
  const next = { ...open, from: 30 }
  expect(reconcile({ violations: [over, next], begin: 5 }, [byHand])).toMatchObject({
    ends: [{ incident: byHand, violation: { to: 20 } }],
    opens: [{ from: 30 }],
  })
})

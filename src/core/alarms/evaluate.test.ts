import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../kernel/time.ts'
import {
  type Checkpoint,
  checkpointFor,
  Evaluation,
  evaluateSilence,
  firstCheckpoint,
  initialState,
} from './evaluate.ts'
import type { Rule, RuleSample, Violation } from './rule.ts'
import type { Masks } from './schedule.ts'

const START = Date.parse('2026-11-20T09:00:00Z')
const MINUTE = 60_000
const ALWAYS: Masks = { schedule: undefined, maintenance: [] }

const rule = (over: Partial<Rule> = {}): Rule => ({
  kind: 'threshold',
  metric: 'active_power',
  operator: 'gt',
  threshold: 10,
  clearThreshold: 8,
  delayOnMs: 0,
  delayOffMs: 0,
  ratePerMs: MINUTE,
  silenceMs: 10 * MINUTE,
  schedule: undefined,
  ...over,
})

const samples = (values: readonly (number | undefined)[], stepMs = MINUTE): RuleSample[] =>
  values.map((value, index) => ({ at: START + index * stepMs, value }))

function violationsOf(of: Rule, seen: readonly RuleSample[], masks = ALWAYS): readonly Violation[] {
  const begin = initialState(START)
  const evaluation = new Evaluation({
    rule: of,
    masks,
    begin,
    after: begin.at,
    checkpoints: [firstCheckpoint(START)],
  })
  evaluation.add(seen)
  return evaluation.result().violations
}
/** Minutes from the start. */
const minutes = (violations: readonly Violation[]) =>
  violations.map(({ from, to }) => [(from - START) / MINUTE, to === null ? null : (to - START) / MINUTE])

describe('alarm levels', () => {
  it('open beyond the trip level and close beyond the clear level only', () => {
    expect(minutes(violationsOf(rule(), samples([5, 11, 9, 10, 8, 9, 12])))).toEqual([
      [1, 4],
      [6, null],
    ])
  })

  it('wait for their delays in sample time, and wait again when the condition is interrupted', () => {
    const slow = rule({ delayOnMs: 2 * MINUTE, delayOffMs: 2 * MINUTE })
    expect(minutes(violationsOf(slow, samples([11, 11, 9, 11, 11, 11, 5, 9, 5, 5, 5])))).toEqual([[5, 10]])
  })

  it('support the other operators', () => {
    expect(
      minutes(violationsOf(rule({ operator: 'lt', threshold: 3, clearThreshold: 4 }), samples([2, 3, 4]))),
    ).toEqual([[0, 2]])
    expect(
      minutes(violationsOf(rule({ operator: 'ne', threshold: 1, clearThreshold: 1 }), samples([1, 0, 1]))),
    ).toEqual([[1, 2]])
  })

  it('skip samples without the metric', () => {
    expect(minutes(violationsOf(rule(), samples([11, undefined, undefined, 5])))).toEqual([[0, 3]])
  })

  it('report the value that tripped, the peak and the last one', () => {
    expect(violationsOf(rule(), samples([11, 30, 5]))).toMatchObject([
      { value: 11, peak: 30, last: 5, since: START },
    ])
  })
})

describe('rate and counter policies', () => {
  it('use the change per time since the previous sample', () => {
    const rate = rule({ kind: 'rate_of_change', threshold: 3, clearThreshold: 3 })
    expect(violationsOf(rate, samples([0, 2, 6, 6]))).toMatchObject([{ value: 4, from: START + 2 * MINUTE }])
  })

  it('give no rate for a counter that restarts', () => {
    const fall = rule({
      kind: 'rate_of_change',
      metric: 'import_active_energy',
      operator: 'lt',
      threshold: -1,
      clearThreshold: -1,
    })
    expect(violationsOf(fall, samples([100, 5]))).toEqual([])
    expect(violationsOf({ ...fall, metric: 'active_power' }, samples([100, 5]))).toHaveLength(1)
  })

  it('detect a counter that decreased', () => {
    const reset = rule({ kind: 'counter_reset', metric: 'import_active_energy' })
    expect(violationsOf(reset, samples([100, 101, 3, 4]))).toMatchObject([
      { from: START + 2 * MINUTE, to: START + 3 * MINUTE, value: -98 },
    ])
  })
})

describe('alarm on silence', () => {
  const silent = rule({ kind: 'offline', metric: null })

  it('opens for a gap between two samples that is longer than allowed', () => {
    const seen = [0, 9, 25, 30].map((minute) => ({ at: START + minute * MINUTE, value: 0 }))
    expect(minutes(violationsOf(silent, seen))).toEqual([[19, 25]])
  })

  it('opens by the clock, and is withdrawn when samples of that time arrive later', () => {
    const evaluation = new Evaluation({
      rule: silent,
      masks: ALWAYS,
      begin: initialState(START),
      after: START - 1,
      checkpoints: [],
    })
    evaluation.add([{ at: START, value: 0 }])
    const { state } = evaluation.result()
    expect(evaluateSilence(silent, ALWAYS, { state, now: START + 9 * MINUTE })).toBeUndefined()
    const open = evaluateSilence(silent, ALWAYS, { state, now: START + 30 * MINUTE })
    expect(open?.open).toMatchObject({ from: START + 10 * MINUTE, since: START })
    if (!open) throw new Error('it is open')
    const spansAt = (at: number) => {
      const next = new Evaluation({ rule: silent, masks: ALWAYS, begin: open, after: START, checkpoints: [] })
      next.add([{ at, value: 0 }])
      return minutes(next.result().violations)
    }
    expect(spansAt(START + 31 * MINUTE)).toEqual([[10, 31]])
    expect(spansAt(START + MINUTE)).toEqual([])
  })

  it('of a metric continues while only other metrics arrive', () => {
    const noPower = rule({ kind: 'no_data' })
    expect(minutes(violationsOf(noPower, samples([1, ...Array<undefined>(14).fill(undefined), 1])))).toEqual([
      [10, 15],
    ])
  })
})

describe('suppression masks', () => {
  const maintenance = (from: number, to: number): Masks => ({
    schedule: undefined,
    maintenance: [{ from: START + from * MINUTE, to: START + to * MINUTE }],
  })

  it('prevent opening, and let open violations close', () => {
    expect(minutes(violationsOf(rule(), samples([11, 11, 5, 11, 11, 11]), maintenance(1, 5)))).toEqual([
      [0, 2],
      [5, null],
    ])
  })

  it('postpone silence to their end', () => {
    const silent = rule({ kind: 'offline', metric: null })
    const seen = [0, 40].map((minute) => ({ at: START + minute * MINUTE, value: 0 }))
    expect(minutes(violationsOf(silent, seen, maintenance(5, 30)))).toEqual([[30, 40]])
    expect(violationsOf(silent, seen, maintenance(5, 40))).toEqual([])
  })
})

const kinds = fc.record({
  kind: fc.constantFrom('threshold', 'rate_of_change', 'counter_reset', 'no_data', 'offline'),
  delayOnMs: fc.constantFrom(0, MINUTE, 7 * MINUTE),
  delayOffMs: fc.constantFrom(0, MINUTE, 7 * MINUTE),
})
const series = fc
  .array(
    fc.tuple(fc.integer({ min: 1, max: 90 }), fc.option(fc.integer({ min: 0, max: 14 }), { nil: undefined })),
    {
      maxLength: 60,
    },
  )
  .map((steps) => {
    let at = START
    return steps.map(([wait, value]): RuleSample => {
      at += wait * MINUTE
      return { at, value }
    })
  })
const ruleFrom = ({ kind, ...delays }: { kind: Rule['kind']; delayOnMs: number; delayOffMs: number }) =>
  rule({ kind, ...delays, metric: kind === 'offline' ? null : 'active_power' })

describe('evaluation of the same samples', () => {
  it('gives the same violations and state in any batches, with the state stored in between', () => {
    fc.assert(
      fc.property(
        kinds,
        series,
        fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 }),
        (kind, seen, cuts) => {
          const of = ruleFrom(kind)
          const ended: Violation[] = []
          let begin = initialState(START)
          let checkpoints: readonly Checkpoint[] = [firstCheckpoint(START)]
          let rest = [...seen]
          for (const size of [...cuts, seen.length + 1]) {
            const evaluation = new Evaluation({
              rule: of,
              masks: ALWAYS,
              begin,
              after: begin.at,
              checkpoints,
            })
            evaluation.add(rest.slice(0, size))
            rest = rest.slice(size)
            const result = JSON.parse(JSON.stringify(evaluation.result()))
            ended.push(...result.violations.filter(({ to }: Violation) => to !== null))
            begin = result.state
            checkpoints = result.checkpoints
          }
          const violations = begin.open ? [...ended, { ...begin.open, to: null }] : ended
          expect(violations).toEqual(violationsOf(of, seen))
        },
      ),
    )
  })

  it('can be repeated from any checkpoint', () => {
    fc.assert(
      fc.property(kinds, series, fc.nat({ max: 60 * 90 }), (kind, seen, late) => {
        const of = ruleFrom(kind)
        const whole = new Evaluation({
          rule: of,
          masks: ALWAYS,
          begin: initialState(START),
          after: START - 1,
          checkpoints: [firstCheckpoint(START)],
        })
        whole.add(seen)
        const { checkpoints, state, violations } = whole.result()
        const from = checkpointFor(checkpoints, START + late * MINUTE)
        if (!from) throw new Error('there is always one')
        const again = new Evaluation({
          rule: of,
          masks: ALWAYS,
          begin: from.state,
          after: from.upTo - 1,
          checkpoints: checkpoints.filter(({ upTo }) => upTo <= from.upTo),
        })
        again.add(seen)
        expect(again.result().state).toEqual(state)
        expect(again.result().violations).toEqual(
          violations.filter(({ to }) => to === null || to >= from.upTo),
        )
      }),
    )
  })

  it('keeps few checkpoints', () => {
    const seen = samples(Array<number>(24 * 20).fill(1), HOUR_MS)
    const evaluation = new Evaluation({
      rule: rule(),
      masks: ALWAYS,
      begin: initialState(START),
      after: START - 1,
      checkpoints: [firstCheckpoint(START)],
    })
    evaluation.add(seen)
    expect(evaluation.result().checkpoints.length).toBeLessThanOrEqual(13)
  })
})

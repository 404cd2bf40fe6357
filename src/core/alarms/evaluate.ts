import { DAY_MS, floorHour, HOUR_MS } from '../../kernel/time.ts'
import { comparedValue, furthestBeyond, inputOf, type Point } from './level.ts'
import { isOpenPhase, nextPhase, type Phase } from './machine.ts'
import { isSilenceRule, type Rule, type RuleSample, type Violation } from './rule.ts'
import { firstUnmasked, isMasked, type Masks } from './schedule.ts'

/** All that is known of a rule and a device after the samples up to `at`. Plain data: it is stored. */
export interface State {
  readonly phase: Phase
  /** Of the wait in `pending` and `clearing`; else when the phase was last confirmed. */
  readonly since: number
  readonly at: number
  /** The last sample with the metric; of silence, the last sign of life (its value means nothing). */
  readonly last: Point | null
  /** What is open. */
  readonly open: Omit<Violation, 'to'> | null
}

/** The state after all samples before `upTo`, to begin again from. */
export interface Checkpoint {
  readonly upTo: number
  readonly state: State
}

/** Nothing is known. Silence counts from here. */
export const initialState = (from: number): State => ({
  phase: 'clear',
  since: from,
  at: from - 1,
  last: null,
  open: null,
})

export const firstCheckpoint = (from: number): Checkpoint => ({ upTo: from, state: initialState(from) })

/** How far back samples that come late are judged. */
export const LATE_EVALUATION_MS = 8 * DAY_MS
const HOURS_KEPT = 3

/** The last three hours, before that the first of each UTC day, as far back as late samples are judged. */
function thinCheckpoints(checkpoints: readonly Checkpoint[]): Checkpoint[] {
  const newest = checkpoints.at(-1)?.upTo ?? 0
  const hourly = newest - HOURS_KEPT * HOUR_MS
  const days = new Set<number>()
  const kept = checkpoints.filter(({ upTo }, index) => {
    if (upTo > hourly || index === checkpoints.length - 1) return true
    if (upTo < newest - LATE_EVALUATION_MS) return false
    const day = Math.floor(upTo / DAY_MS)
    if (days.has(day)) return false
    days.add(day)
    return true
  })
  return kept
}

/** Where to begin when samples from an instant on have changed: the newest checkpoint before it, or the oldest. */
export const checkpointFor = (checkpoints: readonly Checkpoint[], from: number): Checkpoint | undefined =>
  checkpoints.findLast(({ upTo }) => upTo <= from) ?? checkpoints[0]

export interface EvaluationInput {
  readonly rule: Rule
  readonly masks: Masks
  readonly begin: State
  /** Samples up to here are in `begin`. */
  readonly after: number
  readonly checkpoints: readonly Checkpoint[]
}

/** What came of judging: of spells those that were open at the beginning and those that opened since. */
export interface EvaluationResult {
  readonly state: State
  readonly checkpoints: readonly Checkpoint[]
  readonly violations: readonly Violation[]
}

/** Folds samples, ascending by time, into a state. It is the same whatever pieces the samples are given in. */
export class Evaluation {
  private readonly rule: Rule
  private readonly masks: Masks
  private readonly after: number
  private state: State
  private checkpoints: Checkpoint[]
  private readonly ended: Violation[] = []

  constructor({ rule, masks, begin, after, checkpoints }: EvaluationInput) {
    this.rule = rule
    this.masks = masks
    this.after = after
    this.state = begin
    this.checkpoints = [...checkpoints]
  }

  add(samples: readonly RuleSample[]): void {
    const step = isSilenceRule(this.rule) ? this.addSilenceSample : this.addLevelSample
    for (const sample of samples) {
      if (sample.at <= this.after || sample.at <= this.state.at) continue
      const hour = floorHour(sample.at)
      if (this.state.at < hour && (this.checkpoints.at(-1)?.upTo ?? Number.NEGATIVE_INFINITY) < hour) {
        this.checkpoints.push({ upTo: hour, state: this.state })
      }
      if (sample.value === undefined && this.rule.metric !== null)
        this.state = { ...this.state, at: sample.at }
      else step.call(this, sample.at, sample.value ?? 0)
    }
    this.checkpoints = thinCheckpoints(this.checkpoints)
  }

  result(): EvaluationResult {
    const { state, checkpoints, ended } = this
    return { state, checkpoints, violations: state.open ? [...ended, { ...state.open, to: null }] : ended }
  }

  /** A sample of a rule of silence: was the time before it too long? */
  private addSilenceSample(at: number, value: number): void {
    const violation = silenceUntil(this.rule, this.masks, { state: this.state, until: at })
    if (violation) this.ended.push({ ...violation, to: at })
    this.state = { phase: 'clear', since: at, at, last: { at, value }, open: null }
  }

  /** A value of a rule of levels. */
  private addLevelSample(at: number, value: number): void {
    const { rule, state } = this
    const point = { at, value }
    const compared = comparedValue(rule, point, state.last)
    this.state = { ...state, at, last: point }
    if (compared === undefined) return
    const isQuiet = !isOpenPhase(state.phase) && isMasked(this.masks, at)
    const input = isQuiet ? 'clears' : inputOf(rule, compared)
    const { phase, since } = nextPhase(state, { input, at }, rule)
    this.state = {
      phase,
      since,
      at,
      last: point,
      open: this.openAfter(phase, since, { at, value: compared }),
    }
  }

  private openAfter(phase: Phase, since: number, { at, value }: Point): State['open'] {
    const { open } = this.state
    if (!isOpenPhase(phase)) {
      if (open) this.ended.push({ ...open, last: value, to: at })
      return null
    }
    if (!open) return { from: at, since, value, peak: value, last: value }
    return { ...open, peak: furthestBeyond(this.rule, open.peak ?? value, value), last: value }
  }
}

/** The silence that has lasted too long at `until`, if it has; while nothing is known of the device it has not begun. */
export function silenceUntil(
  { silenceMs }: Rule,
  masks: Masks,
  { state, until }: { readonly state: State; readonly until: number },
): Omit<Violation, 'to'> | undefined {
  const since = state.last?.at ?? state.since
  const from = firstUnmasked(masks, since + silenceMs, until)
  return from === undefined ? undefined : { from, since, value: null, peak: null, last: null }
}

/** Judges silence by the clock: the state with what is open at `now`, or undefined when nothing is too long. */
export function evaluateSilence(
  rule: Rule,
  masks: Masks,
  options: { state: State; now: number },
): State | undefined {
  const { state, now } = options
  if (state.open) return undefined
  const open = silenceUntil(rule, masks, { state, until: now + 1 })
  return open && { ...state, phase: 'open', open }
}

/**
 * Evaluation of one rule for one device: a pure fold of samples into a small state, and the violations found
 * on the way.
 *
 * Purpose. Incidents are a function of the samples sorted by their own time, whenever and in whatever batches
 * they arrive. The state is plain JSON and is stored between batches; splitting a series of samples anywhere,
 * storing the state and continuing gives the same violations and the same final state.
 *
 * Two kinds of rules:
 * - Level rules (threshold, rate_of_change, counter_reset) feed each value to the state machine of
 *   machine.ts, with hysteresis and delays. Delays are measured between samples and end with a sample:
 *   without one nothing shows that the value still holds.
 * - Silence rules (no_data, offline) look at the gap before each sample. A gap that lasts is opened by the
 *   clock, with evaluateSilence().
 *
 * Late samples. A sample that is older than the state takes evaluation back to a checkpoint, a state stored
 * earlier, from which all later samples are evaluated again. Checkpoints are kept for the last three hours
 * and for the first hour of each of the last eight days. Trade-off: a state for each sample would cost more
 * than the samples; without checkpoints every late sample would mean evaluating from the beginning of the
 * policy. Samples older than the oldest checkpoint open nothing.
 *
 * Masks (schedule, maintenance) keep violations from opening; a violation that is open closes as usual.
 *
 * See docs/understand/alarms.md and ADR 0033. The comparison with the stored incidents is in reconcile.ts.
 */
import { DAY_MS, floorHour, HOUR_MS } from '../../kernel/time.ts'
import { comparedValue, furthestBeyond, inputOf, type Point } from './comparison.ts'
import { isOpenPhase, nextPhase, type Phase } from './machine.ts'
import { isSilenceRule, type Rule, type RuleSample, type Violation } from './rule.ts'
import { firstUnmasked, isMasked, type Masks } from './schedule.ts'

/**
 * State of a rule and a device after the samples up to `at`. It is stored as JSON, so its field names must
 * not change.
 */
export interface State {
  readonly phase: Phase
  /** Begin of the delay in `pending` and `clearing`; otherwise the last sample that confirmed the phase. */
  readonly since: number
  readonly at: number
  /**
   * The last sample with the metric; of a silence rule the last sample that counts, whose value has no
   * meaning.
   */
  readonly last: Point | null
  /** The open violation, without its end. */
  readonly open: Omit<Violation, 'to'> | null
}

/** The state after all samples before `upTo`, from which evaluation can start again. Stored as JSON. */
export interface Checkpoint {
  readonly upTo: number
  readonly state: State
}

/** The state before any sample. Silence counts from `from`. */
export const initialState = (from: number): State => ({
  phase: 'clear',
  since: from,
  at: from - 1,
  last: null,
  open: null,
})

export const firstCheckpoint = (from: number): Checkpoint => ({ upTo: from, state: initialState(from) })

/**
 * Age of the oldest checkpoint, before the newest one, milliseconds: older late samples are not evaluated.
 */
export const LATE_EVALUATION_MS = 8 * DAY_MS
const HOURS_KEPT = 3

/**
 * Keeps the checkpoints of the last three hours and the first one of each UTC day within LATE_EVALUATION_MS.
 */
function thinCheckpoints(checkpoints: readonly Checkpoint[]): Checkpoint[] {
  const newest = checkpoints.at(-1)?.upTo ?? 0
  const hourly = newest - HOURS_KEPT * HOUR_MS
  const days = new Set<number>()
  return checkpoints.filter(({ upTo }, index) => {
    if (upTo > hourly || index === checkpoints.length - 1) return true
    if (upTo < newest - LATE_EVALUATION_MS) return false
    const day = Math.floor(upTo / DAY_MS)
    if (days.has(day)) return false
    days.add(day)
    return true
  })
}

/**
 * The checkpoint to restart from when samples since `from` have changed: the newest one before it, or the
 * oldest.
 */
export const checkpointFor = (checkpoints: readonly Checkpoint[], from: number): Checkpoint | undefined =>
  checkpoints.findLast(({ upTo }) => upTo <= from) ?? checkpoints[0]

export interface EvaluationInput {
  readonly rule: Rule
  readonly masks: Masks
  readonly begin: State
  /** Samples up to this instant are contained in `begin`. */
  readonly after: number
  readonly checkpoints: readonly Checkpoint[]
}

/**
 * `violations` holds the one that was open at the beginning, if any, and all that opened since, ascending.
 */
export interface EvaluationResult {
  readonly state: State
  readonly checkpoints: readonly Checkpoint[]
  readonly violations: readonly Violation[]
}

/** Folds samples into a state. The result does not depend on how the samples are split into batches. */
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

  /** Adds samples, ascending by time. Samples that the state already contains are skipped. */
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

  /** Silence rule: the gap before the sample is a violation when it was too long. */
  private addSilenceSample(at: number, value: number): void {
    const violation = silenceUntil(this.rule, this.masks, { state: this.state, until: at })
    if (violation) this.ended.push({ ...violation, to: at })
    this.state = { phase: 'clear', since: at, at, last: { at, value }, open: null }
  }

  /** Level rule: the value drives the state machine. */
  private addLevelSample(at: number, value: number): void {
    const { rule, state } = this
    const point = { at, value }
    const compared = comparedValue(rule, point, state.last)
    this.state = { ...state, at, last: point }
    if (compared === undefined) return
    const isSuppressed = !isOpenPhase(state.phase) && isMasked(this.masks, at)
    const input = isSuppressed ? 'clears' : inputOf(rule, compared)
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

/** The violation of a silence rule at `until`; undefined while the silence is not too long. */
export function silenceUntil(
  { silenceMs }: Rule,
  masks: Masks,
  { state, until }: { readonly state: State; readonly until: number },
): Omit<Violation, 'to'> | undefined {
  const since = state.last?.at ?? state.since
  const from = firstUnmasked(masks, since + silenceMs, until)
  return from === undefined ? undefined : { from, since, value: null, peak: null, last: null }
}

/**
 * Evaluates a silence rule by the clock: the state with the violation opened; undefined when nothing changes.
 */
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

import {
  checkpointFor,
  Evaluation,
  type EvaluationResult,
  evaluateSilence,
  firstCheckpoint,
  LATE_EVALUATION_MS,
} from '../../../core/alarms/evaluate.ts'
import { type Correction, type Reconciliation, reconcile } from '../../../core/alarms/reconcile.ts'
import { isSilenceRule, type Rule, type RuleSample, type Violation } from '../../../core/alarms/rule.ts'
import type { Masks } from '../../../core/alarms/schedule.ts'
import {
  type Amendment,
  beginPayload,
  type DeviceIncident,
  decimalOf,
  type Ending,
  endPayload,
  endReason,
  type IncidentKey,
  messageOf,
  type Opening,
  pairKey,
  payloadOf,
  withdrawnReason,
} from '../incidents/index.ts'
import type { MaintenancePeriod } from '../maintenance/index.ts'
import { ruleOf } from '../policies/index.ts'
import type { Pair, PairState } from './store.ts'

/** The evaluation of a policy and a device in progress. */
export interface PairEvaluation {
  readonly pair: Pair
  readonly rule: Rule
  readonly masks: Masks
  readonly evaluation: Evaluation
  /** Samples up to this instant are contained in the start state. */
  readonly after: number
  /**
   * True when samples arrived that are older than the state, so that evaluation restarts from a checkpoint.
   */
  readonly isLate: boolean
  /** The earliest instant of a new sample. */
  readonly from: number
  /** True once a new sample has the metric of the rule. Only such a sample ends a silence. */
  hasNewData: boolean
}

export function masksOf(pair: Pair, rule: Rule, maintenance: readonly MaintenancePeriod[]): Masks {
  return {
    schedule: rule.schedule,
    maintenance: maintenance.filter(
      ({ policyId, deviceId, subregionId }) =>
        policyId === pair.policyId ||
        deviceId === pair.deviceId ||
        (subregionId !== null && subregionId === pair.subregionId),
    ),
  }
}

/** `from` is the earliest instant of a new sample of the device. */
export function beginPair(
  pair: Pair,
  from: number,
  maintenance: readonly MaintenancePeriod[],
): PairEvaluation {
  const rule = ruleOf(pair, pair)
  const masks = masksOf(pair, rule, maintenance)
  // The silence of a device that has never sent does not begin before its first sample. A device that joins
  // the scope of a policy is evaluated as far back as late samples are.
  const first = Math.max(pair.watchedFrom, isSilenceRule(rule) ? from : from - LATE_EVALUATION_MS)
  const known = pair.checkpoints?.length ? pair.checkpoints : [firstCheckpoint(first)]
  const isLate = pair.state !== null && from <= pair.state.at
  const checkpoint = isLate ? checkpointFor(known, from) : undefined
  const begin = checkpoint?.state ?? pair.state ?? known[0]?.state ?? firstCheckpoint(first).state
  const after = checkpoint ? checkpoint.upTo - 1 : begin.at
  const checkpoints = checkpoint ? known.filter(({ upTo }) => upTo <= checkpoint.upTo) : known
  const evaluation = new Evaluation({ rule, masks, begin, after, checkpoints })
  return { pair, rule, masks, evaluation, after, isLate, from, hasNewData: pair.state === null }
}

/** Adds samples. `value` is the value of the rule's metric, or any number where every sample counts. */
export function addSamples(pairEvaluation: PairEvaluation, samples: readonly RuleSample[]): void {
  pairEvaluation.evaluation.add(samples)
  pairEvaluation.hasNewData ||= samples.some(
    ({ at, value }) => at >= pairEvaluation.from && value !== undefined,
  )
}

interface CompletedPair {
  readonly pairEvaluation: PairEvaluation
  readonly result: EvaluationResult
}

/**
 * Keeps a silence open that the clock opened and that still lasts, because older late samples do not end it.
 */
function keepOpenSilence(
  { pair, rule, masks, isLate }: PairEvaluation,
  result: EvaluationResult,
  now: number,
): EvaluationResult {
  const wasOpen = pair.state?.open ?? null
  if (!isLate || !isSilenceRule(rule) || wasOpen === null) return result
  const state = evaluateSilence(rule, masks, { state: result.state, now })
  if (!state?.open) return result
  return { ...result, state, violations: [...result.violations, { ...state.open, to: null }] }
}

export interface PairResults {
  readonly states: readonly PairState[]
  readonly completed: readonly CompletedPair[]
  /** The pairs whose incidents may have to change. */
  readonly affected: readonly IncidentKey[]
}

const mayChange = ({ pair, isLate }: PairEvaluation, { violations }: EvaluationResult): boolean => {
  const open = pair.state?.open ?? null
  if (isLate) return true
  if (violations.length !== (open === null ? 0 : 1)) return true
  return open !== null && (violations[0]?.to !== null || violations[0]?.from !== open.from)
}

/** `suppressed` are the devices whose silence is expected. */
export function completePairs(
  pairs: readonly PairEvaluation[],
  { now, suppressed }: { readonly now: number; readonly suppressed: ReadonlySet<string> },
): PairResults {
  const states: PairState[] = []
  const completed: CompletedPair[] = []
  const affected: IncidentKey[] = []
  for (const pairEvaluation of pairs) {
    const { pair, after } = pairEvaluation
    let result = pairEvaluation.evaluation.result()
    if (isSilenceRule(pairEvaluation.rule) && suppressed.has(pair.deviceId)) {
      result = { ...result, violations: result.violations.filter(({ from }) => from <= after) }
    }
    // This includes suppressed devices: a silence that is already open stays open, because otherwise no
    // notification of it would follow.
    result = keepOpenSilence(pairEvaluation, result, now)
    states.push({
      policyId: pair.policyId,
      deviceKey: pair.deviceKey,
      state: result.state,
      checkpoints: result.checkpoints,
      lastReceivedAt: pairEvaluation.hasNewData ? now : undefined,
    })
    if (!mayChange(pairEvaluation, result)) continue
    completed.push({ pairEvaluation, result })
    affected.push({ policyId: pair.policyId, deviceId: pair.deviceId, since: after })
  }
  return { states, completed, affected }
}

/** The changes to write. */
export interface IncidentChanges {
  readonly openings: Opening[]
  readonly endings: (Ending & { readonly incident: DeviceIncident })[]
  readonly amendments: Amendment[]
}

/** Compares the violations with the stored incidents of each pair. */
export function incidentChangesOf(
  completed: readonly CompletedPair[],
  recorded: ReadonlyMap<string, readonly DeviceIncident[]>,
  now: number,
): IncidentChanges {
  const changes: IncidentChanges = { openings: [], endings: [], amendments: [] }
  for (const { pairEvaluation, result } of completed) {
    const { pair, after } = pairEvaluation
    const known = recorded.get(pairKey(pair.policyId, pair.deviceId)) ?? []
    const plan = reconcile({ violations: result.violations, begin: after }, known)
    addChanges(changes, pairEvaluation, { plan, known, now })
  }
  return changes
}

export const openingOf = (pair: Pair, rule: Rule, violation: Violation): Opening => ({
  policyId: pair.policyId,
  deviceId: pair.deviceId,
  severity: pair.severity,
  message: messageOf(rule, violation, pair),
  from: violation.from,
  to: violation.to,
  reason: endReason(rule, violation.last),
  lastValue: decimalOf(violation.to === null ? violation.value : violation.last),
  payload: payloadOf(rule, violation, pair),
})

/** Corrects the times, message and payload of an incident by late samples. */
function amendmentOf(pair: Pair, rule: Rule, { incident, from, to, begins, ends }: Correction): Amendment {
  const value = ends ? ends.last : to === null && begins ? begins.value : null
  return {
    id: incident.id,
    from,
    to,
    message: begins && messageOf(rule, begins, pair),
    lastValue: decimalOf(value),
    payload: { ...(begins && beginPayload(begins)), ...(ends && endPayload(ends)) },
    reason: null,
  }
}

function addChanges(
  { openings, endings, amendments }: IncidentChanges,
  { pair, rule }: PairEvaluation,
  { plan, known, now }: { plan: Reconciliation; known: readonly DeviceIncident[]; now: number },
): void {
  const byId = new Map(known.map((incident) => [incident.id, incident]))
  for (const violation of plan.opens) openings.push(openingOf(pair, rule, violation))
  for (const correction of plan.amends) amendments.push(amendmentOf(pair, rule, correction))
  for (const { incident: found, violation } of plan.ends) {
    const incident = byId.get(found.id)
    if (!incident) continue
    const { id } = incident
    const reason = endReason(rule, violation.last)
    const lastValue = decimalOf(violation.last)
    endings.push({
      id,
      to: violation.to,
      closedAt: violation.to,
      reason,
      lastValue,
      payload: endPayload(violation),
      incident,
    })
  }
  for (const found of plan.withdrawals) {
    const incident = byId.get(found.id)
    if (!incident) continue
    const { id, from, to } = incident
    const reason = withdrawnReason(rule)
    const withdrawal = { id, to: from, lastValue: null, payload: { is_withdrawn: true }, reason }
    if (to === null) endings.push({ ...withdrawal, closedAt: now, incident })
    else amendments.push({ ...withdrawal, from, message: null })
  }
}

import {
  checkpointFor,
  Fold,
  firstCheckpoint,
  hearNothing,
  type Judged,
  LATE_JUDGED_MS,
} from '../../../core/alarms/evaluate.ts'
import { type Correction, type Reconciliation, reconcile } from '../../../core/alarms/reconcile.ts'
import { isSilence, type Rule, type Seen, type Spell } from '../../../core/alarms/rule.ts'
import type { Masks } from '../../../core/alarms/schedule.ts'
import {
  type Amendment,
  beginPayload,
  decimalOf,
  type Ending,
  endPayload,
  endReason,
  messageOf,
  type Opening,
  pairKey,
  payloadOf,
  type RecordedIncident,
  type RecordedKey,
  withdrawnReason,
} from '../incidents/index.ts'
import type { MaintenancePeriod } from '../maintenance/index.ts'
import { ruleOf } from '../policies/index.ts'
import type { Pair, Standing } from './store.ts'

/** A pair on its way through new samples. */
export interface Course {
  readonly pair: Pair
  readonly rule: Rule
  readonly masks: Masks
  readonly fold: Fold
  /** Samples up to here are known to it. */
  readonly after: number
  /** Samples came that lie before what was judged: it begins again from a checkpoint. */
  readonly isLate: boolean
  /** The first instant at which something new may lie. */
  readonly from: number
  /** Whether what is new has what the rule looks for: only then its silence is broken. */
  isHeard: boolean
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

/** `from` is the first instant at which the device has something new. */
export function beginCourse(pair: Pair, from: number, maintenance: readonly MaintenancePeriod[]): Course {
  const rule = ruleOf(pair, pair)
  const masks = masksOf(pair, rule, maintenance)
  // Of a device that was never heard silence has not begun before its first sample.
  // Of one that came into the scope late no more is judged than of late samples.
  const first = Math.max(pair.watchedFrom, isSilence(rule) ? from : from - LATE_JUDGED_MS)
  const known = pair.checkpoints?.length ? pair.checkpoints : [firstCheckpoint(first)]
  const isLate = pair.state !== null && from <= pair.state.at
  const checkpoint = isLate ? checkpointFor(known, from) : undefined
  const begin = checkpoint?.state ?? pair.state ?? known[0]?.state ?? firstCheckpoint(first).state
  const after = checkpoint ? checkpoint.upTo - 1 : begin.at
  const checkpoints = checkpoint ? known.filter(({ upTo }) => upTo <= checkpoint.upTo) : known
  const fold = new Fold({ rule, masks, begin, after, checkpoints })
  return { pair, rule, masks, fold, after, isLate, from, isHeard: pair.state === null }
}

/** Folds samples in; `value` is the one of the rule's metric, or anything where every sample counts. */
export function takeSeen(course: Course, samples: readonly Seen[]): void {
  course.fold.take(samples)
  course.isHeard ||= samples.some(({ at, value }) => at >= course.from && value !== undefined)
}

interface Ended {
  readonly course: Course
  readonly judged: Judged
}

/** What was open by the clock and is still silent stays open: late samples of before do not end it. */
function keepSilence({ pair, rule, masks, isLate }: Course, judged: Judged, now: number): Judged {
  const wasOpen = pair.state?.open ?? null
  if (!isLate || !isSilence(rule) || wasOpen === null) return judged
  const state = hearNothing(rule, masks, { state: judged.state, now })
  if (!state?.open) return judged
  return { ...judged, state, spells: [...judged.spells, { ...state.open, to: null }] }
}

export interface Outcome {
  readonly standings: readonly Standing[]
  readonly ended: readonly Ended[]
  /** Whose incidents may have to change. */
  readonly asked: readonly RecordedKey[]
}

const mayChange = ({ pair, isLate }: Course, { spells }: Judged): boolean => {
  const open = pair.state?.open ?? null
  if (isLate) return true
  if (spells.length !== (open === null ? 0 : 1)) return true
  return open !== null && (spells[0]?.to !== null || spells[0]?.from !== open.from)
}

/** `suppressed`: devices that are meant to be silent. */
export function endCourses(
  courses: readonly Course[],
  { now, suppressed }: { readonly now: number; readonly suppressed: ReadonlySet<string> },
): Outcome {
  const standings: Standing[] = []
  const ended: Ended[] = []
  const asked: RecordedKey[] = []
  for (const course of courses) {
    const { pair, after } = course
    let judged = course.fold.result()
    if (isSilence(course.rule) && suppressed.has(pair.deviceId)) {
      judged = { ...judged, spells: judged.spells.filter(({ from }) => from <= after) }
    }
    // Also of a suppressed device: what was open before stays, or nothing would tell of it afterwards.
    judged = keepSilence(course, judged, now)
    standings.push({
      policyId: pair.policyId,
      deviceKey: pair.deviceKey,
      state: judged.state,
      checkpoints: judged.checkpoints,
      heardAt: course.isHeard ? now : undefined,
    })
    if (!mayChange(course, judged)) continue
    ended.push({ course, judged })
    asked.push({ policyId: pair.policyId, deviceId: pair.deviceId, since: after })
  }
  return { standings, ended, asked }
}

/** What is to be written about incidents. */
export interface IncidentChanges {
  readonly openings: Opening[]
  readonly endings: (Ending & { readonly incident: RecordedIncident })[]
  readonly amendments: Amendment[]
}

/** Compares what the samples say with what is recorded. */
export function changesOf(
  ended: readonly Ended[],
  recorded: ReadonlyMap<string, readonly RecordedIncident[]>,
  now: number,
): IncidentChanges {
  const changes: IncidentChanges = { openings: [], endings: [], amendments: [] }
  for (const { course, judged } of ended) {
    const { pair, after } = course
    const known = recorded.get(pairKey(pair.policyId, pair.deviceId)) ?? []
    const plan = reconcile({ spells: judged.spells, begin: after }, known)
    addChanges(changes, course, { plan, known, now })
  }
  return changes
}

export const openingOf = (pair: Pair, rule: Rule, spell: Spell): Opening => ({
  policyId: pair.policyId,
  deviceId: pair.deviceId,
  severity: pair.severity,
  message: messageOf(rule, spell, pair),
  from: spell.from,
  to: spell.to,
  reason: endReason(rule, spell.last),
  lastValue: decimalOf(spell.to === null ? spell.value : spell.last),
  payload: payloadOf(rule, spell, pair),
})

/** What the incident says of its beginning and its end follows the samples. */
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
  { pair, rule }: Course,
  { plan, known, now }: { plan: Reconciliation; known: readonly RecordedIncident[]; now: number },
): void {
  const byId = new Map(known.map((incident) => [incident.id, incident]))
  for (const spell of plan.opens) openings.push(openingOf(pair, rule, spell))
  for (const correction of plan.amends) amendments.push(amendmentOf(pair, rule, correction))
  for (const { incident: found, spell } of plan.ends) {
    const incident = byId.get(found.id)
    if (!incident) continue
    const { id } = incident
    const reason = endReason(rule, spell.last)
    const lastValue = decimalOf(spell.last)
    endings.push({
      id,
      to: spell.to,
      closedAt: spell.to,
      reason,
      lastValue,
      payload: endPayload(spell),
      incident,
    })
  }
  for (const found of plan.withdrawals) {
    const incident = byId.get(found.id)
    if (!incident) continue
    const { id, from, to } = incident
    const reason = withdrawnReason(rule)
    const taken = { id, to: from, lastValue: null, payload: { is_withdrawn: true }, reason }
    if (to === null) endings.push({ ...taken, closedAt: now, incident })
    else amendments.push({ ...taken, from, message: null })
  }
}

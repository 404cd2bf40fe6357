import type { Language } from '../../../../platform/pdf/language.ts'
import type { SessionDetail } from '../sessions/service.ts'
import type { LotoEventDetails, LotoEventType } from '../sessions/trail-store.ts'
import { orderedValues } from '../sessions/verification.ts'
import type { RecordLabels } from './labels.ts'

export interface RecordEvent {
  readonly event_type: string
  readonly occurred_at: Date
  readonly by_name: string
  readonly details: LotoEventDetails
}

/** The content of a printed record. */
export interface RecordContent {
  readonly session: SessionDetail
  /** Ascending by time; the latest events are left out beyond LOTO_RECORD_EVENTS_MAX. */
  readonly events: readonly RecordEvent[]
  readonly isComplete: boolean
}

/** The texts and number formats of the record's language. */
export interface RecordLanguage {
  readonly labels: RecordLabels
  readonly language: Language
}

const timeOf = ({ language }: RecordLanguage, at: Date | string | null): string =>
  at === null ? '' : language.time(new Date(at).getTime())

const lines = (...parts: readonly (string | null | undefined)[]): string => parts.filter(Boolean).join('\n')

export interface Step {
  readonly title: string
  /** The person who did the step; empty while the step has not been done. */
  readonly name: string
  readonly at: string
}

/** The steps of a session with person and time; of a repeated step the last time. */
export function stepsOf(texts: RecordLanguage, { session, events }: RecordContent): Step[] {
  const { labels } = texts
  const step = (title: string, type: LotoEventType): Step => {
    const event = events.findLast(({ event_type }) => event_type === type)
    return { title, name: event?.by_name ?? '', at: event ? timeOf(texts, event.occurred_at) : '' }
  }
  const requested = step(labels.steps.requested, 'requested')
  const approved = step(labels.steps.approved, 'approved')
  if (session.status === 'rejected') return [requested, approved, step(labels.rejectedBy, 'rejected')]
  return [requested, approved, step(labels.steps.applied, 'applied'), step(labels.steps.released, 'released')]
}

/** Rows of the points: number, name and subregion, energy, isolation method, verification. */
export function pointRows(texts: RecordLanguage, { session }: RecordContent): string[][] {
  const { labels } = texts
  return session.points.map((point, index) => [
    String(index + 1),
    lines(
      point.name,
      [point.subregion_name, point.location].filter(Boolean).join(' · '),
      point.device_name && `[${point.device_name}]`,
    ),
    labels.energies[point.energy_type] ?? point.energy_type,
    point.isolation_method,
    verificationText(texts, point.verification),
  ])
}

type Verification = SessionDetail['points'][number]['verification']

function verificationText(texts: RecordLanguage, verification: Verification): string {
  const { labels } = texts
  if (verification === null) return labels.notYet
  const { method, measured_at, values, note, verified_at } = verification
  if (method === 'manual') return lines(labels.manual, timeOf(texts, verified_at), note)
  return lines(labels.measured, timeOf(texts, measured_at), valuesText(texts, values ?? {}), note)
}

/** Formats values such as `P 0,000 kW, I L1 0,020 A`; the symbols are the same in every language. */
const valuesText = ({ language }: RecordLanguage, values: Readonly<Record<string, number>>): string =>
  orderedValues(values)
    .map(({ name, value, unit }) => {
      const symbol = name.replace('active_power', 'P').replace('current', 'I').replace('_l', '\u00a0L')
      return `${symbol}\u00a0${language.number(value, 3)}\u00a0${unit}`
    })
    .join(', ')

const numberOfPoint = ({ session }: RecordContent, pointId: string): number =>
  session.points.findIndex(({ id }) => id === pointId) + 1

/**
 * Rows of the locks: lock number, point number, owner, time of placement, and whether and how it was removed.
 */
export function lockRows(texts: RecordLanguage, content: RecordContent): string[][] {
  const { labels } = texts
  return content.session.locks.map((lock) => [
    lock.lock_number ?? '–',
    String(numberOfPoint(content, lock.point_id)),
    lock.owner_name,
    timeOf(texts, lock.placed_at),
    lock.removed_at === null
      ? labels.hangs
      : lines(
          timeOf(texts, lock.removed_at),
          lock.is_forced ? `${labels.forced}: ${lock.removed_by_name}` : null,
          lock.removal_reason,
        ),
  ])
}

/** The signers: the person of each step, and each owner of a lock once. */
export function signersOf(texts: RecordLanguage, content: RecordContent): Step[] {
  // Owners are distinguished by id, because two people with the same name must both sign.
  const owners = new Map(content.session.locks.map(({ owner_id, owner_name }) => [owner_id, owner_name]))
  const workers = [...owners.values()].map((name) => ({ title: texts.labels.worker, name, at: '' }))
  return [...stepsOf(texts, content), ...workers]
}

/** Rows of the audit trail: time, event, person, details. */
export function eventRows(texts: RecordLanguage, content: RecordContent): string[][] {
  return content.events.map((event) => [
    timeOf(texts, event.occurred_at),
    texts.labels.events[event.event_type as LotoEventType],
    event.by_name,
    detailsText(texts, content, event),
  ])
}

function detailsText({ labels }: RecordLanguage, content: RecordContent, { details }: RecordEvent): string {
  const { point_id: pointId, lock_number: number, owner_name: owner, title, reason, note } = details
  const lockTexts = [
    number && labels.lockNo(number),
    pointId && labels.pointNo(numberOfPoint(content, pointId)),
    owner && labels.ofOwner(owner),
  ]
  return lines(title, lockTexts.filter(Boolean).join(', '), reason, note)
}

import type { Language } from '../../../../platform/pdf/language.ts'
import type { SessionDetail } from '../sessions/service.ts'
import type { LotoEventType } from '../sessions/trail-store.ts'
import { inOrder } from '../sessions/verification.ts'
import type { RecordLabels } from './labels.ts'

export interface RecordEvent {
  readonly event_type: string
  readonly occurred_at: Date
  readonly by_name: string
  readonly details: unknown
}

/** What a record says. */
export interface RecordContent {
  readonly session: SessionDetail
  /** The first first; the last ones are missing where there are too many. */
  readonly events: readonly RecordEvent[]
  readonly isWhole: boolean
}

/** How a record says it. */
export interface RecordVoice {
  readonly labels: RecordLabels
  readonly language: Language
}

const timeOf = ({ language }: RecordVoice, at: Date | string | null): string =>
  at === null ? '' : language.time(new Date(at).getTime())

const lines = (...parts: readonly (string | null | undefined)[]): string => parts.filter(Boolean).join('\n')

export interface Step {
  readonly title: string
  /** Empty while it has not happened. */
  readonly name: string
  readonly at: string
}

/** Who took which step, and when. A step that came twice is told by its last time. */
export function stepsOf(voice: RecordVoice, { session, events }: RecordContent): Step[] {
  const { labels } = voice
  const step = (title: string, type: LotoEventType): Step => {
    const event = events.findLast(({ event_type }) => event_type === type)
    return { title, name: event?.by_name ?? '', at: event ? timeOf(voice, event.occurred_at) : '' }
  }
  const requested = step(labels.steps.requested, 'requested')
  const approved = step(labels.steps.approved, 'approved')
  if (session.status === 'rejected') return [requested, approved, step(labels.rejectedBy, 'rejected')]
  return [requested, approved, step(labels.steps.applied, 'applied'), step(labels.steps.released, 'released')]
}

/** Number, point and place, energy, method, verification. */
export function pointRows(voice: RecordVoice, { session }: RecordContent): string[][] {
  const { labels } = voice
  return session.points.map((point, place) => [
    String(place + 1),
    lines(
      point.name,
      [point.subregion_name, point.location].filter(Boolean).join(' · '),
      point.device_name && `[${point.device_name}]`,
    ),
    labels.energies[point.energy_type] ?? point.energy_type,
    point.isolation_method,
    verificationText(voice, point.verification),
  ])
}

type Verification = SessionDetail['points'][number]['verification']

function verificationText(voice: RecordVoice, verification: Verification): string {
  const { labels } = voice
  if (verification === null) return labels.notYet
  const { method, measured_at, values, note, verified_at } = verification
  if (method === 'manual') return lines(labels.manual, timeOf(voice, verified_at), note)
  return lines(labels.measured, timeOf(voice, measured_at), valuesText(voice, values ?? {}), note)
}

/** P 0,000 kW, I L1 0,020 A: symbols that read alike in every language. */
const valuesText = ({ language }: RecordVoice, values: Readonly<Record<string, number>>): string =>
  inOrder(values)
    .map(({ name, value, unit }) => {
      const symbol = name.replace('active_power', 'P').replace('current', 'I').replace('_l', '\u00a0L')
      return `${symbol}\u00a0${language.number(value, 3)}\u00a0${unit}`
    })
    .join(', ')

const placeOf = ({ session }: RecordContent, pointId: string): number =>
  session.points.findIndex(({ id }) => id === pointId) + 1

/** Number of the lock, of the point, owner, when it was placed, and how it went. */
export function lockRows(voice: RecordVoice, content: RecordContent): string[][] {
  const { labels } = voice
  return content.session.locks.map((lock) => [
    lock.lock_number ?? '–',
    String(placeOf(content, lock.point_id)),
    lock.owner_name,
    timeOf(voice, lock.placed_at),
    lock.removed_at === null
      ? labels.hangs
      : lines(
          timeOf(voice, lock.removed_at),
          lock.is_forced ? `${labels.forced}: ${lock.removed_by_name}` : null,
          lock.removal_reason,
        ),
  ])
}

/** Everybody who signs: who took a step, and each owner of a lock once. */
export function signersOf(voice: RecordVoice, content: RecordContent): Step[] {
  // Two people may be called the same, and each has to sign.
  const owners = new Map(content.session.locks.map(({ owner_id, owner_name }) => [owner_id, owner_name]))
  const workers = [...owners.values()].map((name) => ({ title: voice.labels.worker, name, at: '' }))
  return [...stepsOf(voice, content), ...workers]
}

/** Time, event, who, details. */
export function eventRows(voice: RecordVoice, content: RecordContent): string[][] {
  return content.events.map((event) => [
    timeOf(voice, event.occurred_at),
    voice.labels.events[event.event_type as LotoEventType],
    event.by_name,
    detailsText(voice, content, event),
  ])
}

function detailsText({ labels }: RecordVoice, content: RecordContent, { details }: RecordEvent): string {
  const told = details as Readonly<Record<string, unknown>>
  const text = (key: string): string | null => (typeof told[key] === 'string' ? told[key] : null)
  const pointId = text('point_id')
  const number = text('lock_number')
  const owner = text('owner_name')
  const hung = [
    number && labels.lockNo(number),
    pointId && labels.pointNo(placeOf(content, pointId)),
    owner && labels.ofOwner(owner),
  ]
  return lines(text('title'), hung.filter(Boolean).join(', '), text('reason'), text('note'))
}

import { formatKwh } from '../../../kernel/decimal.ts'
import type { Message } from '../../../kernel/messages.ts'
import { FORECAST_TEXTS } from './messages.ts'
import type { FoundLimit, ReadingsSource } from './readings-source.ts'

/** Percent with two decimals; 0 of nothing. */
export const percentOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.floor((part / whole) * 10_000) / 100

export const membersOf = ({ members }: ReadingsSource) =>
  members.map(({ facilityId, facilityName, role }) => ({
    facility_id: facilityId,
    name: facilityName ?? null,
    role,
  }))

export const limitsOf = (limits: readonly FoundLimit[]) =>
  limits.map(({ facilityId, year, limitKwh, basis }) => ({
    facility_id: facilityId,
    year,
    limit_kwh: limitKwh === null ? null : formatKwh(limitKwh),
    limit_basis: basis,
  }))

interface NotedResult {
  readonly source: ReadingsSource
  readonly limits: readonly FoundLimit[]
  readonly hoursExpected: number
  readonly hoursCompared: number
}

/** The assumptions of every result on readings alone, and what limits it. */
export function readingsNotes({ source, limits, hoursExpected, hoursCompared }: NotedResult): Message[] {
  const notes: Message[] = [FORECAST_TEXTS.READINGS_ASSUMED_GROUP(), FORECAST_TEXTS.READINGS_FULL_LIMIT()]
  const nameOf = new Map(
    source.members.map(({ facilityId, facilityName }) => [facilityId, facilityName ?? facilityId]),
  )
  const named = (basis: FoundLimit['basis']): string[] => [
    ...new Set(
      limits.filter((limit) => limit.basis === basis).map((limit) => nameOf.get(limit.facilityId) ?? ''),
    ),
  ]
  const [derived, unlimited] = [named('previous_year_consumption'), named('unlimited')]
  if (derived.length > 0) notes.push(FORECAST_TEXTS.READINGS_LIMIT_FROM_CONSUMPTION({ facilities: derived }))
  if (unlimited.length > 0) notes.push(FORECAST_TEXTS.READINGS_LIMIT_UNKNOWN({ facilities: unlimited }))
  if (source.withoutMeters.length > 0) {
    notes.push(FORECAST_TEXTS.READINGS_WITHOUT_METERS({ facilities: source.withoutMeters }))
  }
  if (hoursCompared < hoursExpected) {
    notes.push(
      FORECAST_TEXTS.READINGS_HOURS_LEFT_OUT({
        hours: hoursExpected - hoursCompared,
        of_hours: hoursExpected,
      }),
    )
  }
  return notes
}

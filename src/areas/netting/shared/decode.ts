import assert from 'node:assert/strict'
import { iso, type LocalDate, parseInstant, parseLocalDate } from '../../../kernel/time.ts'

type Decoders<T> = { readonly [K in keyof T]?: (value: NonNullable<T[K]>) => NonNullable<T[K]> }

/** Brings the named fields of a validated body into the form that is stored; absent and null stay as they are. */
export function decodeFields<T extends object>(body: T, decoders: Decoders<T>): T {
  const copy = { ...body }
  for (const field of Object.keys(decoders) as (keyof T)[]) {
    const value = copy[field]
    const decode = decoders[field]
    if (decode && value !== undefined && value !== null) copy[field] = decode(value)
  }
  return copy
}

/** The Turkey-local date of a text that the schema's format `date` has let in. */
export function dateOf(text: string): LocalDate {
  const date = parseLocalDate(text)
  assert(date, 'the schema lets only dates in')
  return date
}

/** The instant, as ISO 8601 in UTC, of a text that the schema's format `date-time` has let in. */
export function instantOf(text: string): string {
  const instant = parseInstant(text)
  assert(instant, 'the schema lets only instants in')
  return iso(instant.at)
}

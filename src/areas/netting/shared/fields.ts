import assert from 'node:assert/strict'
import { Type } from 'typebox'
import { iso, type LocalDate, parseInstant, parseLocalDate } from '../../../kernel/time.ts'
import { Nullable, Word } from '../../../platform/http/fields.ts'

/** A field that may be absent or null. */
export const optional = <T extends Type.TSchema>(schema: T) => Type.Optional(Nullable(schema))

/** The loader that entered a record; null for a record that a route created. */
export const Origin = Nullable(
  Type.String({
    description:
      'null for a record created through the API; otherwise the loader that created it, such as demo.',
  }),
)

export const EligibilityStatus = Word(['not_checked', 'valid', 'blocked'])

type Decoders<T> = { readonly [K in keyof T]?: (value: NonNullable<T[K]>) => NonNullable<T[K]> }

/**
 * A copy of a validated body whose named fields have their stored form. Absent and null fields stay as they
 * are.
 */
export function decodeFields<T extends object>(body: T, decoders: Decoders<T>): T {
  const copy = { ...body }
  for (const field of Object.keys(decoders) as (keyof T)[]) {
    const value = copy[field]
    const decode = decoders[field]
    if (decode && value !== undefined && value !== null) copy[field] = decode(value)
  }
  return copy
}

/** The Turkey-local date of a text that satisfies the schema format `date`. */
export function dateOf(text: string): LocalDate {
  const date = parseLocalDate(text)
  assert(date, 'the schema lets only dates in')
  return date
}

/** The epoch milliseconds of a text that satisfies the schema format `date-time`. */
export function epochMsOf(text: string): number {
  const instant = parseInstant(text)
  assert(instant, 'the schema lets only instants in')
  return instant.at
}

/** The same instant as ISO 8601 in UTC. */
export const isoInstantOf = (text: string): string => iso(epochMsOf(text))

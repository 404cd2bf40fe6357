import { Type } from 'typebox'
import { Nullable, Word } from '../../../platform/http/fields.ts'

/** A field that may be absent or null. */
export const optional = <T extends Type.TSchema>(schema: T) => Type.Optional(Nullable(schema))

/** The loader that entered a record; null for a record that a route created. */
export const Origin = Nullable(
  Type.String({
    description:
      'Null for a record made through the API; otherwise the loader that entered it, such as demo.',
  }),
)

export const EligibilityStatus = Word(['not_checked', 'valid', 'blocked'])

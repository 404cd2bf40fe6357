import { Type } from 'typebox'
import { Nullable, Word } from '../../../platform/http/fields.ts'

/** What the schemas of the netting registry share. */
export const described = <T extends Type.TSchema>(schema: T, description: string): T => ({
  ...schema,
  description,
})
/** May be absent or null. */
export const optional = <T extends Type.TSchema>(schema: T) => Type.Optional(Nullable(schema))

/** How a record came here when not through a route. */
export const Origin = Nullable(
  Type.String({
    description:
      'Null for a record made through the API; otherwise the loader that entered it, such as demo.',
  }),
)

export const EligibilityStatus = Word(['not_checked', 'valid', 'blocked'])

import type { ReactNode } from 'react'
import type { JsonSchema } from './schema.ts'

/** What a control needs besides the schema of its field. */
export interface ControlProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly isRequired: boolean
}

/** A control of a field that is not the one for its schema, such as a choice among records. */
export type Control = (props: ControlProps, schema: JsonSchema) => ReactNode

/** What is wrong with fields, by their names; within lists by positions such as `levels.0.recipients`. */
export type Errors = Readonly<Record<string, string>>

/** The errors below a name, by what follows it. */
export function errorsBelow(errors: Errors, name: string): Errors {
  const prefix = `${name}.`
  return Object.fromEntries(
    Object.entries(errors).flatMap(([path, text]) =>
      path.startsWith(prefix) ? [[path.slice(prefix.length), text]] : [],
    ),
  )
}

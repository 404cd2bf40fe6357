/** A value that consists of others: an object has the controls of its fields, a list of objects those of each row. */
import { type ReactNode, useState } from 'react'
import { useText } from '../kernel/text.tsx'
import { Button } from '../ui/controls.tsx'
import { type ControlProps, type Errors, errorsBelow } from './control.ts'
import {
  bodyOf,
  defaultTextsOf,
  type FieldValues,
  isList,
  type JsonSchema,
  NotJsonError,
  partsOfSchema,
  textsOf,
} from './schema.ts'
import { FORM_TEXTS } from './texts.ts'

interface PartsFieldProps extends ControlProps {
  readonly schema: JsonSchema
  readonly errors: Errors
  /** The controls of the fields of an object. */
  readonly fieldsOf: (part: Part) => ReactNode
}

interface Part {
  readonly schema: JsonSchema
  readonly values: FieldValues
  readonly errors: Errors
  readonly onChange: (values: FieldValues) => void
}

type Row = Readonly<Record<string, unknown>>

const withoutEmpty = (texts: FieldValues): FieldValues =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))

/** The checkboxes that are on although the row does not say so. */
const onByDefault = ({ properties = {} }: JsonSchema, row: object): FieldValues =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([name, schema]) => schema.default === true && !(name in row))
      .map(([name]) => [name, 'true']),
  )

/** The checkboxes that are on by default and were taken away. */
const offByChoice = ({ properties = {} }: JsonSchema, row: FieldValues): Row =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([name, schema]) => schema.default === true && (row[name] ?? '') === '')
      .map(([name]) => [name, false]),
  )

/** The texts of the rows of a value in JSON; an object has one row. */
function rowsOf(value: string, parts: JsonSchema): readonly FieldValues[] {
  if (value === '') return []
  const parsed = JSON.parse(value) as unknown
  const rows = Array.isArray(parsed) ? parsed : [parsed]
  return rows.map((row) => ({
    ...onByDefault(parts, row as object),
    ...withoutEmpty(textsOf(parts, row as Row)),
  }))
}

/** The body of a row. What is no JSON stays a text, so that the service refuses it at its field. */
function valueOfRow(parts: JsonSchema, row: FieldValues): Row {
  try {
    return { ...offByChoice(parts, row), ...bodyOf(parts, row) }
  } catch (error) {
    if (!(error instanceof NotJsonError)) throw error
    return { ...valueOfRow(parts, { ...row, [error.field]: '' }), [error.field]: row[error.field] }
  }
}

/** The text of a value from its rows; empty for no row, and for an object without any value. */
function jsonOf(rows: readonly FieldValues[], schema: JsonSchema, parts: JsonSchema): string {
  const bodies = rows.map((row) => valueOfRow(parts, row))
  if (isList(schema)) return bodies.length === 0 ? '' : JSON.stringify(bodies)
  const [body = {}] = bodies
  return Object.keys(body).length === 0 ? '' : JSON.stringify(body)
}

export function PartsField({ label, value, onChange, schema, errors, fieldsOf }: PartsFieldProps) {
  const t = useText()
  const parts = partsOfSchema(schema) ?? {}
  // What is typed is kept as it is: a number that is not complete yet has no other form.
  const [typed, setTyped] = useState(() => ({ rows: rowsOf(value, parts), value }))
  const rows = typed.value === value ? typed.rows : rowsOf(value, parts)
  const change = (next: readonly FieldValues[]) => {
    const text = jsonOf(next, schema, parts)
    setTyped({ rows: next, value: text })
    onChange(text)
  }
  if (!isList(schema))
    return (
      <fieldset className="parts">
        <legend>{label}</legend>
        {fieldsOf({
          schema: parts,
          values: rows[0] ?? onByDefault(parts, {}),
          errors,
          onChange: (next) => change([next]),
        })}
      </fieldset>
    )
  return (
    <fieldset className="parts">
      <legend>{label}</legend>
      {rows.map((row, index) => {
        const name = `${label} ${index + 1}`
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row has no identity besides its position
          <fieldset key={index} className="parts">
            <legend>{name}</legend>
            {fieldsOf({
              schema: parts,
              values: row,
              errors: errorsBelow(errors, String(index)),
              onChange: (next) => change(rows.map((one, at) => (at === index ? next : one))),
            })}
            {errors[String(index)] !== undefined && (
              <p className="field-error" role="alert">
                {errors[String(index)]}
              </p>
            )}
            <div>
              <Button
                aria-label={t(FORM_TEXTS.FORM_REMOVE({ name }))}
                onPress={() => change(rows.filter((_one, at) => at !== index))}
              >
                {t(FORM_TEXTS.FORM_REMOVE_ROW())}
              </Button>
            </div>
          </fieldset>
        )
      })}
      <div>
        <Button
          aria-label={t(FORM_TEXTS.FORM_ADD_TO({ name: label }))}
          onPress={() => change([...rows, defaultTextsOf(parts)])}
        >
          {t(FORM_TEXTS.FORM_ADD())}
        </Button>
      </div>
    </fieldset>
  )
}

/**
 * Forms from the JSON schemas of the API document, so that a command of a newer service needs no change here. Choices,
 * numbers, truth values and lists have their controls; everything else is entered as JSON.
 */
import { useText } from '../../kernel/text.tsx'
import { Select } from '../../ui/controls.tsx'
import { Checkbox, NativeField, TextArea } from '../../ui/inputs.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { commandText } from './command-texts.ts'
import { CHARGING_TEXTS } from './texts.ts'

export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly oneOf?: readonly JsonSchema[]
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
}

/** Texts of the controls by the names of the parameters. */
export type FieldValues = Readonly<Record<string, string>>

type Kind = 'choice' | 'boolean' | 'number' | 'list' | 'text' | 'json'

function kindOf({ type, enum: values, items }: JsonSchema): Kind {
  if (values) return 'choice'
  if (type === 'boolean') return 'boolean'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'array' && items && kindOf(items) !== 'json') return 'list'
  const types = typeof type === 'string' ? [type] : (type ?? [])
  return types.includes('string') ? 'text' : 'json'
}

export class NotJsonError extends Error {
  readonly field: string
  constructor(field: string) {
    super(field)
    this.field = field
  }
}

/** The value of a parameter from the text of its control; undefined when nothing was entered. */
function parsedValue(field: string, schema: JsonSchema, text: string): unknown {
  if (text === '') return undefined
  switch (kindOf(schema)) {
    case 'boolean':
      return text === 'true'
    case 'number':
      return Number(text)
    case 'list': {
      const { items = {} } = schema
      const parts = text.split(',').map((part) => part.trim())
      return parts.filter((part) => part !== '').map((part) => parsedValue(field, items, part))
    }
    case 'json':
      try {
        return JSON.parse(text) as unknown
      } catch {
        throw new NotJsonError(field)
      }
    default:
      return text
  }
}

/** The body of a request from the texts of its controls. */
export function bodyOf({ properties = {} }: JsonSchema, values: FieldValues): Record<string, unknown> {
  const entries = Object.entries(properties).map(([name, schema]): [string, unknown] => [
    name,
    parsedValue(name, schema, values[name] ?? ''),
  ])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

interface SchemaFieldsProps {
  readonly schema: JsonSchema
  readonly values: FieldValues
  readonly onChange: (values: FieldValues) => void
}

export function SchemaFields({ schema, values, onChange }: SchemaFieldsProps) {
  const { properties = {}, required = [] } = schema
  // What must be given comes first.
  const rank = (name: string): number => (required.includes(name) ? 0 : 1)
  const fields = Object.entries(properties).toSorted(([a], [b]) => rank(a) - rank(b))
  return (
    <>
      {fields.map(([name, field]) => (
        <SchemaField
          key={name}
          name={name}
          schema={field}
          isRequired={required.includes(name)}
          value={values[name] ?? ''}
          onChange={(value) => onChange({ ...values, [name]: value })}
        />
      ))}
    </>
  )
}

interface SchemaFieldProps {
  readonly name: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
  readonly value: string
  readonly onChange: (value: string) => void
}

function SchemaField({ name, schema, isRequired, value, onChange }: SchemaFieldProps) {
  const t = useText()
  const label = commandText(`FIELD_${name}`, t)
  const common = { label, value, onChange, isRequired }
  switch (kindOf(schema)) {
    case 'choice':
      return (
        <Select
          label={label}
          value={value}
          onChange={onChange}
          options={[
            ...(isRequired && value !== ''
              ? []
              : [{ value: '', text: t(CHARGING_TEXTS.CHARGING_NO_VALUE()) }]),
            ...(schema.enum ?? []).map((one) => ({ value: String(one), text: String(one) })),
          ]}
        />
      )
    case 'boolean':
      return (
        <Checkbox
          label={`${label} (${t(UI_TEXTS.UI_YES())})`}
          isChecked={value === 'true'}
          onChange={(isChecked) => onChange(isChecked ? 'true' : '')}
        />
      )
    case 'number':
      return (
        <NativeField
          {...common}
          type="number"
          step={schema.type === 'integer' ? 1 : 'any'}
          {...(schema.minimum !== undefined && { min: schema.minimum })}
          {...(schema.maximum !== undefined && { max: schema.maximum })}
        />
      )
    case 'list':
      return <NativeField {...common} type="text" description={t(CHARGING_TEXTS.CHARGING_LIST_HINT())} />
    case 'text':
      return <NativeField {...common} type="text" />
    case 'json':
      return <TextArea {...common} description={t(CHARGING_TEXTS.CHARGING_JSON_HINT())} />
  }
}

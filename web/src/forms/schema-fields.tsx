/** The controls of a form from the JSON schema of its body. What has no control of its own is entered as JSON. */
import type { ReactNode } from 'react'
import { useText } from '../kernel/text.tsx'
import { Select } from '../ui/controls.tsx'
import { Checkbox, NativeField, TextArea } from '../ui/inputs.tsx'
import { choicesOf, type FieldValues, type JsonSchema, kindOf } from './schema.ts'
import { FORM_TEXTS } from './texts.ts'

/** What a control needs besides the schema of its field. */
export interface ControlProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly isRequired: boolean
}

interface SchemaFieldsProps {
  readonly schema: JsonSchema
  readonly values: FieldValues
  readonly onChange: (values: FieldValues) => void
  readonly labelOf: (name: string) => string
  /** The text of a value that may be chosen. */
  readonly choiceText?: ((value: string) => string) | undefined
  /** The controls of fields that have one of their own, such as references to records. */
  readonly controls?: Readonly<Record<string, (props: ControlProps) => ReactNode>> | undefined
  /** What is wrong with fields, by their names. */
  readonly errors?: Readonly<Record<string, string>> | undefined
}

export function SchemaFields({ schema, values, onChange, errors = {}, ...rest }: SchemaFieldsProps) {
  const { properties = {}, required = [] } = schema
  // What must be given comes first.
  const rank = (name: string): number => (required.includes(name) ? 0 : 1)
  const fields = Object.entries(properties).toSorted(([a], [b]) => rank(a) - rank(b))
  return (
    <>
      {fields.map(([name, field]) => (
        <div key={name} className="schema-field" data-invalid={errors[name] !== undefined || undefined}>
          <SchemaField
            {...rest}
            name={name}
            schema={field}
            isRequired={required.includes(name)}
            value={values[name] ?? ''}
            onChange={(value) => onChange({ ...values, [name]: value })}
          />
          {errors[name] !== undefined && (
            <p className="field-error" role="alert">
              {errors[name]}
            </p>
          )}
        </div>
      ))}
    </>
  )
}

interface SchemaFieldProps extends Pick<SchemaFieldsProps, 'labelOf' | 'choiceText' | 'controls'> {
  readonly name: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
  readonly value: string
  readonly onChange: (value: string) => void
}

function SchemaField({ name, schema, value, onChange, ...props }: SchemaFieldProps) {
  const t = useText()
  const { labelOf, choiceText = (text) => text, controls = {}, isRequired } = props
  const label = labelOf(name)
  const common = { label, value, onChange, isRequired }
  const own = controls[name]
  if (own) return own(common)
  switch (kindOf(schema)) {
    case 'choice':
      return (
        <Select
          label={label}
          value={value}
          onChange={onChange}
          options={[
            ...(isRequired && value !== '' ? [] : [{ value: '', text: t(FORM_TEXTS.FORM_NO_VALUE()) }]),
            ...choicesOf(schema).map((one) => ({ value: one, text: choiceText(one) })),
          ]}
        />
      )
    case 'choices':
      return <Choices {...common} choices={choicesOf(schema)} choiceText={choiceText} />
    case 'boolean':
      return (
        <Checkbox
          label={label}
          isChecked={value === 'true'}
          onChange={(isChecked) => onChange(isChecked ? 'true' : '')}
        />
      )
    default:
      return <TypedField {...common} schema={schema} />
  }
}

/** A field whose value is typed. */
function TypedField({ schema, ...common }: ControlProps & { readonly schema: JsonSchema }) {
  const t = useText()
  switch (kindOf(schema)) {
    case 'number':
      return (
        <NativeField
          {...common}
          type="number"
          step={schema.type === 'number' || !String(schema.type).includes('integer') ? 'any' : 1}
          {...(schema.minimum !== undefined && { min: schema.minimum })}
          {...(schema.maximum !== undefined && { max: schema.maximum })}
        />
      )
    case 'date':
      return <NativeField {...common} type="date" />
    case 'instant':
      return <NativeField {...common} type="datetime-local" />
    case 'list':
      return <NativeField {...common} type="text" description={t(FORM_TEXTS.FORM_LIST_HINT())} />
    case 'longText':
      return <TextArea {...common} />
    case 'json':
      return <TextArea {...common} description={t(FORM_TEXTS.FORM_JSON_HINT())} />
    default:
      return <NativeField {...common} type="text" />
  }
}

interface ChoicesProps extends ControlProps {
  readonly choices: readonly string[]
  readonly choiceText: (value: string) => string
}

/** Any number of the values. */
function Choices({ label, value, onChange, choices, choiceText }: ChoicesProps) {
  const selected = new Set(value.split(', ').filter((one) => one !== ''))
  const toggle = (choice: string, isChecked: boolean) =>
    onChange(choices.filter((one) => (one === choice ? isChecked : selected.has(one))).join(', '))
  return (
    <fieldset className="choices">
      <legend>{label}</legend>
      {choices.map((choice) => (
        <Checkbox
          key={choice}
          label={choiceText(choice)}
          isChecked={selected.has(choice)}
          onChange={(isChecked) => toggle(choice, isChecked)}
        />
      ))}
    </fieldset>
  )
}

/** The controls of a form from the JSON schema of its body. What has no control of its own is entered as JSON. */
import { useId } from 'react'
import { useText } from '../kernel/text.tsx'
import { Select } from '../ui/controls.tsx'
import { DateField, DateTimeField, MonthField, TimeField } from '../ui/date-field.tsx'
import { FieldErrorProvider } from '../ui/field-error.ts'
import { Checkbox, NativeField, TextArea } from '../ui/inputs.tsx'
import { type Control, type ControlProps, type Errors, errorsBelow } from './control.ts'
import { PartsField } from './parts-field.tsx'
import { choicesOf, type FieldValues, type JsonSchema, kindOf, partsOfSchema } from './schema.ts'
import { FORM_TEXTS } from './texts.ts'

interface SchemaFieldsProps {
  readonly schema: JsonSchema
  readonly values: FieldValues
  readonly onChange: (values: FieldValues) => void
  readonly labelOf: (name: string) => string
  /** The text of a value that may be chosen in a field. */
  readonly choiceText?: ((value: string, name: string) => string) | undefined
  /** The controls of fields that have one of their own, such as references to records. */
  readonly controls?: Readonly<Record<string, Control>> | undefined
  readonly errors?: Errors | undefined
  /** Fields that are left out for the present values. */
  readonly isHidden?: ((name: string, values: FieldValues) => boolean) | undefined
  /** Whether objects and lists of objects have controls for their parts; otherwise they are entered as JSON. */
  readonly hasParts?: boolean | undefined
}

export function SchemaFields(props: SchemaFieldsProps) {
  const { schema, values, onChange, errors = {}, isHidden = () => false, ...rest } = props
  const { properties = {}, required = [] } = schema
  const id = useId()
  // What must be given comes first.
  const rank = (name: string): number => (required.includes(name) ? 0 : 1)
  const fields = Object.entries(properties)
    .filter(([name]) => !isHidden(name, values))
    .toSorted(([a], [b]) => rank(a) - rank(b))
  return (
    <>
      {fields.map(([name, field]) => {
        const below = errorsBelow(errors, name)
        const hasParts = hasPartsOf(name, field, rest)
        // Faults of single values of a list without controls of their own belong to the list.
        const error = errors[name] ?? (hasParts ? undefined : Object.values(below)[0])
        const errorId = error === undefined ? undefined : `${id}-${name}`
        return (
          <div key={name} className="schema-field" data-invalid={error !== undefined || undefined}>
            {/* The error of a value with controls for its parts belongs to all of them. */}
            <FieldErrorProvider value={hasParts ? undefined : errorId}>
              <SchemaField
                {...rest}
                name={name}
                schema={field}
                errors={below}
                isRequired={required.includes(name)}
                value={values[name] ?? ''}
                onChange={(value) => onChange({ ...values, [name]: value })}
              />
            </FieldErrorProvider>
            {error !== undefined && (
              <p className="field-error" role="alert" id={errorId}>
                {error}
              </p>
            )}
          </div>
        )
      })}
    </>
  )
}

type Common = Pick<SchemaFieldsProps, 'labelOf' | 'choiceText' | 'controls' | 'hasParts'>

const hasPartsOf = (name: string, schema: JsonSchema, { controls, hasParts }: Common): boolean =>
  hasParts === true && controls?.[name] === undefined && partsOfSchema(schema) !== undefined

interface SchemaFieldProps extends Common {
  readonly name: string
  readonly schema: JsonSchema
  readonly errors: Errors
  readonly isRequired: boolean
  readonly value: string
  readonly onChange: (value: string) => void
}

function SchemaField({ name, schema, value, onChange, ...props }: SchemaFieldProps) {
  const t = useText()
  const { labelOf, choiceText = (text) => text, controls = {}, hasParts, isRequired, errors } = props
  const label = labelOf(name)
  const common = { label, value, onChange, isRequired }
  const own = controls[name]
  if (own) return own(common, schema)
  if (hasPartsOf(name, schema, props))
    return (
      <PartsField
        {...common}
        schema={schema}
        errors={errors}
        fieldsOf={(part) => <SchemaFields {...part} {...{ labelOf, choiceText, controls, hasParts }} />}
      />
    )
  switch (kindOf(schema)) {
    case 'choice':
      return (
        <Select
          label={label}
          value={value}
          onChange={onChange}
          options={[
            ...(isRequired && value !== '' ? [] : [{ value: '', text: t(FORM_TEXTS.FORM_NO_VALUE()) }]),
            ...choicesOf(schema).map((one) => ({ value: one, text: choiceText(one, name) })),
          ]}
        />
      )
    case 'choices':
      return <Choices {...common} choices={choicesOf(schema)} choiceText={(one) => choiceText(one, name)} />
    case 'boolean':
      return (
        <Checkbox
          label={label}
          isChecked={value === 'true'}
          onChange={(isChecked) => onChange(isChecked ? 'true' : '')}
        />
      )
    default:
      return <TypedField {...common} name={name} schema={schema} />
  }
}

/** Fields whose text is not shown while it is typed. */
const SECRET = /^(?:bot_token|client_secret|portal_password|subscription_key|token)$/

interface TypedFieldProps extends ControlProps {
  readonly name: string
  readonly schema: JsonSchema
}

/** A field whose value is typed. */
function TypedField({ name, schema, ...common }: TypedFieldProps) {
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
      return <DateField {...common} />
    case 'instant':
      return <DateTimeField {...common} />
    case 'month':
      return <MonthField {...common} />
    case 'time':
      return <TimeField {...common} />
    case 'list':
      return <NativeField {...common} type="text" description={t(FORM_TEXTS.FORM_LIST_HINT())} />
    case 'longText':
      if (SECRET.test(name) || name.endsWith('_id')) break
      return <TextArea {...common} />
    case 'json':
      return <TextArea {...common} description={t(FORM_TEXTS.FORM_JSON_HINT())} />
    default:
      break
  }
  return <NativeField {...common} type={SECRET.test(name) ? 'password' : 'text'} />
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

/**
 * The fields of a widget's config, made from the schema that the service checks it with. Fields that name records offer
 * these records; a field of a newer service that is none of the known kinds is left as it is.
 */
import { useText } from '../../kernel/text.tsx'
import { GROUP, INSTALLATION } from '../../records/netting-resources.ts'
import { RecordPicker } from '../../records/record-picker.tsx'
import type { Reference } from '../../records/resource.ts'
import { Select } from '../../ui/controls.tsx'
import { MonthField } from '../../ui/date-field.tsx'
import { Checkbox, NativeField } from '../../ui/inputs.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { DeviceField, DevicesField } from './device-fields.tsx'
import { INSIGHT_TEXTS } from './texts.ts'
import { fieldText, valueText } from './widget-texts.ts'

export interface FieldSchema {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly items?: FieldSchema
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}
export interface ConfigSchema {
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly required?: readonly string[]
}

export type Config = Readonly<Record<string, unknown>>

interface FieldProps {
  readonly name: string
  readonly schema: FieldSchema
  readonly isRequired: boolean
  readonly value: unknown
  /** Undefined leaves the field out. */
  readonly onChange: (value: unknown) => void
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

/** The fields in the order of the schema. */
export function ConfigFields({
  schema: { properties = {}, required = [] },
  config,
  onChange,
}: {
  readonly schema: ConfigSchema
  readonly config: Config
  readonly onChange: (config: Config) => void
}) {
  return (
    <>
      {Object.entries(properties).map(([name, schema]) => (
        <ConfigField
          key={name}
          name={name}
          schema={schema}
          isRequired={required.includes(name)}
          value={config[name]}
          onChange={(value) => onChange({ ...config, [name]: value })}
        />
      ))}
    </>
  )
}

/** Fields that name records. */
const REFERENCES: Readonly<Record<string, Reference | undefined>> = {
  group_id: GROUP,
  installation_id: INSTALLATION,
}

function ConfigField(props: FieldProps) {
  const t = useText()
  const { name, schema, isRequired, value, onChange } = props
  const label = fieldText(name, t)
  const text = { label, value: textOf(value), isRequired }
  if (name === 'device_id') return <DeviceField {...text} onChange={(id) => onChange(id || undefined)} />
  if (name === 'device_ids')
    return (
      <DevicesField
        label={label}
        selected={textsOf(value)}
        onChange={(ids) => onChange(ids.length === 0 ? undefined : ids)}
      />
    )
  const reference = REFERENCES[name]
  if (reference)
    return <RecordPicker {...text} reference={reference} onChange={(id) => onChange(id || undefined)} />
  if (schema.enum || schema.type === 'boolean') return <ChoiceField {...props} />
  if (schema.items?.enum) return <ChoicesField {...props} />
  if (schema.type === 'number' || schema.type === 'integer')
    return (
      <NativeField
        {...text}
        type="number"
        step={schema.type === 'integer' ? 1 : 'any'}
        {...(schema.minimum !== undefined && { min: schema.minimum })}
        {...(schema.maximum !== undefined && { max: schema.maximum })}
        onChange={(entered) => onChange(entered === '' ? undefined : Number(entered))}
      />
    )
  const typed = { ...text, onChange: (entered: string) => onChange(entered === '' ? undefined : entered) }
  return schema.format === 'billing-period' ? (
    <MonthField {...typed} />
  ) : (
    <NativeField {...typed} type="text" />
  )
}

/** One of some words, or yes and no, or what the service does without the field. */
function ChoiceField({ name, schema, isRequired, value, onChange }: FieldProps) {
  const t = useText()
  const isBoolean = schema.type === 'boolean'
  const words = isBoolean
    ? [
        { value: 'true', text: t(UI_TEXTS.UI_YES()) },
        { value: 'false', text: t(UI_TEXTS.UI_NO()) },
      ]
    : (schema.enum ?? []).map((word) => ({ value: word, text: valueText(word, t) }))
  const parsed = (word: string) => (word === '' ? undefined : isBoolean ? word === 'true' : word)
  return (
    <Select
      label={fieldText(name, t)}
      value={isBoolean && typeof value === 'boolean' ? String(value) : textOf(value)}
      onChange={(word) => onChange(parsed(word))}
      options={[...(isRequired ? [] : [{ value: '', text: t(INSIGHT_TEXTS.INSIGHT_DEFAULT()) }]), ...words]}
    />
  )
}

/** Several of some words; none leaves the field out. */
function ChoicesField({ name, schema, value, onChange }: FieldProps) {
  const t = useText()
  const selected = textsOf(value)
  const words = schema.items?.enum ?? []
  const toggle = (word: string, isChecked: boolean) => {
    const next = words.filter((one) => (one === word ? isChecked : selected.includes(one)))
    onChange(next.length === 0 ? undefined : next)
  }
  return (
    <fieldset className="choices">
      <legend>{fieldText(name, t)}</legend>
      {words.map((word) => (
        <Checkbox
          key={word}
          label={valueText(word, t)}
          isChecked={selected.includes(word)}
          onChange={(isChecked) => toggle(word, isChecked)}
        />
      ))}
    </fieldset>
  )
}

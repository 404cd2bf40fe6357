/** Values of an enumeration with their texts: as a tag, and as the choices of a filter. */
import type { Message } from '../../../src/kernel/messages.ts'
import { useText } from '../kernel/text.tsx'
import { Select, Tag, type Tone } from './controls.tsx'
import { UI_TEXTS } from './texts.ts'

interface State {
  readonly text: () => Message
  readonly tone?: Tone
}
export type States<Value extends string> = Readonly<Record<Value, State>>

interface StateTagProps<Value extends string> {
  readonly states: States<Value>
  /** A value that a newer service may have is shown as it is. */
  readonly value: Value
}

export function StateTag<Value extends string>({ states, value }: StateTagProps<Value>) {
  const t = useText()
  const state = (states as Readonly<Record<string, State | undefined>>)[value]
  return <Tag tone={state?.tone ?? 'neutral'}>{state ? t(state.text()) : value}</Tag>
}

interface StateFilterProps<Value extends string> {
  readonly label: string
  readonly states: States<Value>
  readonly value: Value | undefined
  readonly onChange: (value: Value | undefined) => void
}

/** A filter by one value, or none. */
export function StateFilter<Value extends string>(props: StateFilterProps<Value>) {
  const { label, states, value, onChange } = props
  const t = useText()
  const entries = Object.entries(states) as [Value, State][]
  return (
    <Select<Value | ''>
      label={label}
      value={value ?? ''}
      onChange={(next) => onChange(next === '' ? undefined : next)}
      options={[
        { value: '', text: t(UI_TEXTS.UI_ALL()) },
        ...entries.map(([one, { text }]) => ({ value: one, text: t(text()) })),
      ]}
    />
  )
}

import { useText } from '../../kernel/text.tsx'
import { FieldValue } from '../../records/field-value.tsx'
import { messageFieldText } from './command-texts.ts'

type Values = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields of a message of a station with their names, also of the objects in it, in the order of the message. */
export function NamedValues({ values }: { readonly values: unknown }) {
  const t = useText()
  if (!isObject(values)) return <FieldValue field="" value={values} />
  const entries = Object.entries(values).filter(([, value]) => value !== null && value !== undefined)
  if (entries.length === 0) return null
  return (
    <ul className="plain">
      {entries.map(([name, value]) => (
        <li key={name}>
          <span className="muted">{messageFieldText(name, t)}:</span> <OneValue name={name} value={value} />
        </li>
      ))}
    </ul>
  )
}

function OneValue({ name, value }: { readonly name: string; readonly value: unknown }) {
  if (isObject(value)) return <NamedValues values={value} />
  if (!Array.isArray(value) || !value.some(isObject)) return <FieldValue field={name} value={value} />
  return (
    <ol>
      {value.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an element has no identity besides its position
        <li key={index}>
          <OneValue name={name} value={one} />
        </li>
      ))}
    </ol>
  )
}

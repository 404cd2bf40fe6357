import { type Message, messages } from '../../../src/kernel/messages.ts'
import { VALUE_NAMES } from '../../../src/kernel/value-names.ts'

/** The values of enumerations. The codes end in the values of the API. */
const VALUE_TEXTS: Texts = messages(
  Object.fromEntries(Object.entries(VALUE_NAMES).map(([name, texts]) => [`VALUE_${name}`, texts])),
)

type Texts = Readonly<Record<string, (() => Message) | undefined>>

/** The text of a value; the value itself when it is none of an enumeration. */
export function valueText(value: string, t: (message: Message) => string): string {
  const text = VALUE_TEXTS[`VALUE_${value}`]
  return text ? t(text()) : value
}

import { FIELD_NAMES } from '../../../src/kernel/field-names.ts'
import { type Message, messages } from '../../../src/kernel/messages.ts'

/** The names of the fields of the API. The codes end in the names of the API. */
const FIELD_TEXTS: Texts = messages(
  Object.fromEntries(Object.entries(FIELD_NAMES).map(([name, texts]) => [`FIELD_${name}`, texts])),
)

type Texts = Readonly<Record<string, (() => Message) | undefined>>

/** The name of a field; that of the API when a newer service has it. */
export function fieldText(name: string, t: (message: Message) => string): string {
  const text = FIELD_TEXTS[`FIELD_${name}`]
  return text ? t(text()) : name
}

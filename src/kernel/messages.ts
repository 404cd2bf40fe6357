import { TURKEY_OFFSET_MS } from './time.ts'

/**
 * Messages to people: errors, warnings, reasons, notes and alarms.
 *
 * The code below the edge returns a `Message`: a stable code and its parameters, which is plain data and can be
 * stored. The text is composed where a response, a mail or a file is written, in the language of its reader.
 * Each area declares its texts in a `messages.ts`:
 *
 *     export const LIMITS = messages({
 *       LIMIT_YEARS_DIFFER: {
 *         en: 'a limit belongs to its year: {source_year} and {target_year} differ',
 *         tr: '…',
 *       },
 *     })
 *     throw unprocessable('BUSINESS_RULE_VIOLATION', LIMITS.LIMIT_YEARS_DIFFER({ source_year, target_year }))
 *
 * A missing language, a missing parameter, and parameters that differ between the languages do not compile.
 *
 * A placeholder is `{name}` or `{name:format}`. English texts have the formats of the API (ISO 8601, decimal
 * point); Turkish texts have those of Turkey. Instants are shown in Turkish time.
 *
 *     {name}              the value; a list is joined by commas
 *     {name:number}       a decimal: 1.234,5
 *     {name:date}         a local date: 01.05.2026
 *     {name:month}        a month, in English YYYY-MM: Mayıs 2026
 *     {name:period}       a month, in English YYYY-MM-01: Mayıs 2026
 *     {name:time}         an instant (ISO 8601): 01.05.2026 03:00
 *     {name:word}         a term declared with `declareWords`: `limit account` is limit hesabı
 *     {name:names}        a list: a, b and c; in Turkish a, b ve c
 *     {name?is:are}       the first word for the number 1 (or a list with one entry), else the second
 *
 * A parameter may be a message, whose text is inserted in the same language.
 */
export const LANGUAGES = ['tr', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/** The language of texts of the API for a client that asks for none. */
export const DEFAULT_LANGUAGE: Language = 'en'

export type Parameter = string | number | null | readonly string[] | Message
export type Parameters = Readonly<Record<string, Parameter>>

/** What is to be said: `textOf` composes the text. Snake_case keys, because clients receive both. */
export interface Message {
  readonly code: string
  readonly parameters: Parameters
}

export type Texts = Readonly<Record<Language, string>>

type Name<T extends string> = T extends `${infer N}:${string}` | `${infer N}?${string}`
  ? N extends `${infer Short}?${string}`
    ? Short
    : N
  : T
type Names<T extends string> = T extends `${string}{${infer N}}${infer Rest}` ? Name<N> | Names<Rest> : never
/** Names in `{name?one:many}`, which one of the languages may not need. */
type PluralNames<T extends string> = T extends `${string}{${infer N}}${infer Rest}`
  ? (N extends `${infer P}?${string}` ? P : never) | PluralNames<Rest>
  : never
type IsSame<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
type AllNames<T extends Texts> = Names<T['en']> | Names<T['tr']>
type Checked<T extends Texts> =
  IsSame<
    Exclude<Names<T['en']>, PluralNames<T['en'] | T['tr']>>,
    Exclude<Names<T['tr']>, PluralNames<T['en'] | T['tr']>>
  > extends true
    ? Texts
    : { readonly en: string; readonly tr: 'the parameters of this text differ from those of the other' }
type Maker<T extends Texts> = [AllNames<T>] extends [never]
  ? () => Message
  : (parameters: { readonly [K in AllNames<T>]: Parameter }) => Message

const catalogue = new Map<string, Texts>()

/**
 * Declares messages by their codes, which are unique in the whole service and are never renamed. Returns a
 * function for each, which makes the message from its parameters.
 */
export function messages<const T extends Readonly<Record<string, Texts>>>(
  table: T & { readonly [K in keyof T]: Checked<T[K]> },
): { readonly [K in keyof T]: Maker<T[K]> } {
  const makers: Record<string, (parameters?: Parameters) => Message> = {}
  for (const [code, texts] of Object.entries(table as Readonly<Record<string, Texts>>)) {
    if (catalogue.has(code)) throw new Error(`the message ${code} is declared twice`)
    catalogue.set(code, texts)
    makers[code] = (parameters = {}) => ({ code, parameters })
  }
  return makers as { readonly [K in keyof T]: Maker<T[K]> }
}

/** All declared messages, for the tests and the documents. */
export const declaredMessages = (): ReadonlyMap<string, Texts> => catalogue

const words = new Map<string, string>()

/** Declares the Turkish terms of the format `word`. */
export function declareWords(table: Readonly<Record<string, string>>): void {
  for (const [english, turkish] of Object.entries(table)) words.set(english, turkish)
}

const MONTHS = [
  ...['Ocak', 'Şubat', 'Mart', 'Nisan', 'Mayıs', 'Haziran'],
  ...['Temmuz', 'Ağustos', 'Eylül', 'Ekim', 'Kasım', 'Aralık'],
]

const turkishDate = (date: string): string => date.slice(0, 10).split('-').toReversed().join('.')
const turkishMonth = (period: string): string =>
  `${MONTHS[Number(period.slice(5, 7)) - 1] ?? period.slice(5, 7)} ${period.slice(0, 4)}`

function turkishTime(instant: string): string {
  const at = Date.parse(instant)
  if (Number.isNaN(at)) return instant
  const local = new Date(at + TURKEY_OFFSET_MS).toISOString()
  return `${turkishDate(local)} ${local.slice(11, 16)}`
}

function turkishNumber(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (!match) return text
  const [, sign = '', whole = '', places] = match
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, '.')
  return `${sign}${grouped}${places === undefined ? '' : `,${places}`}`
}

const asGiven = (text: string): string => text
type Format = (text: string) => string
const FORMATS: Readonly<Record<string, Readonly<Record<Language, Format>>>> = {
  number: { en: asGiven, tr: turkishNumber },
  date: { en: asGiven, tr: turkishDate },
  month: { en: (period) => period.slice(0, 7), tr: turkishMonth },
  period: { en: asGiven, tr: turkishMonth },
  time: { en: asGiven, tr: turkishTime },
  word: { en: asGiven, tr: (text) => words.get(text) ?? text },
}

const isMessage = (value: Parameter): value is Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const AND: Readonly<Record<Language, string>> = { en: 'and', tr: 've' }

/** `a, b and c` */
const listed = (texts: readonly string[], language: Language): string =>
  texts.length < 2
    ? texts.join('')
    : `${texts.slice(0, -1).join(', ')} ${AND[language]} ${texts[texts.length - 1]}`

function valueText(value: Parameter | undefined, format: string, language: Language): string {
  if (value === undefined || value === null) return ''
  const formatted = FORMATS[format]?.[language] ?? asGiven
  if (typeof value !== 'object') return formatted(String(value))
  if (isMessage(value)) return textOf(value, language)
  return format === 'names' ? listed(value, language) : value.map(formatted).join(', ')
}

const isOne = (value: Parameter | undefined): boolean =>
  Array.isArray(value) ? value.length === 1 : Number(value) === 1

/** The text of a message in a language. A code that is not declared (of a newer version) stands for itself. */
export function textOf({ code, parameters }: Message, language: Language = DEFAULT_LANGUAGE): string {
  const template = catalogue.get(code)?.[language]
  if (template === undefined) return code
  return template.replaceAll(/\{(\w+)(?::(\w+)|\?([^:}]*):([^}]*))?\}/g, (_all, ...groups: string[]) => {
    const [name = '', format = '', one, many] = groups
    const value = parameters[name]
    if (typeof one === 'string') return (isOne(value) ? one : many) ?? ''
    return valueText(value, format, language)
  })
}

/** A message as fields of a stored record; `storedMessage` reads them. */
export const contentFields = ({ code, parameters }: Message) => ({
  message_code: code,
  message_parameters: parameters,
})

/** The message in the fields of `contentFields`; undefined for a record without them. */
export function storedMessage(record: unknown): Message | undefined {
  const { message_code: code, message_parameters: parameters } = (record ?? {}) as Partial<
    ReturnType<typeof contentFields>
  >
  return typeof code === 'string' ? { code, parameters: parameters ?? {} } : undefined
}

/** Changes of a scenario as forms have them: the texts of their controls, and the bodies of the API. */
import { bodyOf, type FieldValues, type JsonSchema, textsOf, variantOf } from '../../../forms/schema.ts'
import { parseCsv } from '../../../kernel/csv.ts'

/** A change as the API has it. */
export type Change = Readonly<Record<string, unknown>> & { readonly type: string }

/** Fields that are profiles: objects with a form of their own, whose texts are the JSON text of the field. */
const PROFILES = ['profile', 'production', 'consumption'] as const
export const isProfile = (name: string): boolean => (PROFILES as readonly string[]).includes(name)

/** The fields of a type of change. The id of an added facility is made here and has no control. */
export function changeSchema(schema: JsonSchema, type: string): JsonSchema {
  const { properties = {}, ...rest } = variantOf(schema, type)
  const isShown = (name: string) => name !== 'type' && !(type === 'add_facility' && name === 'facility_id')
  const entries = Object.entries(properties).filter(([name]) => isShown(name))
  return { ...rest, properties: Object.fromEntries(entries), required: (rest.required ?? []).filter(isShown) }
}

/** The texts of a profile in the JSON text of its field. */
export const profileTexts = (text: string): FieldValues =>
  text === '' ? {} : (JSON.parse(text) as FieldValues)

/** The texts of the controls for a change. */
export function textsOfChange(schema: JsonSchema, change: Change): FieldValues {
  const own = changeSchema(schema, change.type)
  const texts = textsOf(own, change)
  const profiles = PROFILES.flatMap((name) => {
    const [field, value] = [own.properties?.[name], change[name]]
    if (!field || typeof value !== 'object' || value === null) return []
    return [[name, JSON.stringify(textsOf(field, value as Readonly<Record<string, unknown>>))] as const]
  })
  return { ...texts, ...Object.fromEntries(profiles) }
}

/** The change from the texts of the controls. */
export function changeOf(schema: JsonSchema, type: string, values: FieldValues): Change {
  const own = changeSchema(schema, type)
  const { properties = {} } = own
  const plain = Object.fromEntries(Object.entries(properties).filter(([name]) => !isProfile(name)))
  const profiles = PROFILES.flatMap((name) => {
    const texts = profileTexts(values[name] ?? '')
    const field = properties[name]
    if (!field || !texts['kind']) return []
    return [[name, bodyOf(variantOf(field, texts['kind']), texts)] as const]
  })
  return { type, ...bodyOf({ properties: plain }, values), ...Object.fromEntries(profiles) }
}

/** Required fields that are empty, also those of profiles. */
export function missingFields(schema: JsonSchema, type: string, values: FieldValues): string[] {
  const { properties = {}, required = [] } = changeSchema(schema, type)
  return Object.entries(properties).flatMap(([name, field]) => {
    const text = values[name] ?? ''
    if (!isProfile(name) || text === '') return text === '' && required.includes(name) ? [name] : []
    const texts = profileTexts(text)
    const isRequired = required.includes(name) || (texts['kind'] ?? '') !== ''
    const wanted = variantOf(field, texts['kind'] ?? '').required ?? []
    return isRequired && wanted.some((one) => (texts[one] ?? '') === '') ? [name] : []
  })
}

/** The last number of each row of a CSV file: headings are skipped, a comma may be the decimal sign. */
export function profileValues(text: string): string[] {
  return parseCsv(text).flatMap((row) => {
    const cell = (row.findLast((one) => one.trim() !== '') ?? '').trim()
    const number = cell.includes(',') ? cell.replaceAll('.', '').replace(',', '.') : cell
    return /^-?\d+(\.\d+)?$/.test(number) ? [number] : []
  })
}

/** A random identifier (version 4). `crypto.randomUUID` exists only on pages over HTTPS. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The list with the entry at an index moved by a step. */
export function moved<T>(list: readonly T[], index: number, step: -1 | 1): T[] {
  const [next, entry] = [[...list], list[index]]
  const target = index + step
  if (entry === undefined || target < 0 || target >= list.length) return next
  next.splice(index, 1)
  next.splice(target, 0, entry)
  return next
}

/** What is wrong with a document, and where: the path from its root. */
export interface Fault {
  readonly path: Path
  readonly msg: string
  readonly type: string
  /** Of a golden frame: what it was meant to say, and what it said. */
  readonly expected?: unknown
  readonly actual?: unknown
}
export type Path = readonly (string | number)[]

/** A value is read into its written form, or refused with what it must be. */
export type ReadValue = (value: unknown) => { readonly value: unknown } | { readonly must: string }

/** What a field may hold. */
export interface ValueKind {
  /** How a cell of a table writes it; `json` is JSON in the cell, `list` its items with blanks between. */
  readonly cell: 'text' | 'number' | 'flag' | 'list' | 'json'
  readonly read: ReadValue
  /** For the description of the API, as JSON Schema. */
  readonly schema: object
}

export interface Field extends ValueKind {
  readonly name: string
  /** What counts when the field is absent or null; left out, the field is required. */
  readonly fallback?: unknown
  /** How the field is described to people who read the API. */
  readonly description: string
}

const refuse = (what: string) => ({ must: what })

export const text = (maxLength: number, pattern?: RegExp, form?: string): ValueKind => ({
  cell: 'text',
  schema: { type: 'string', minLength: 1, maxLength, ...(pattern && { pattern: pattern.source }) },
  read: (value) => {
    if (typeof value !== 'string') return refuse('must be string')
    if (value.length === 0 || value.length > maxLength)
      return refuse(`must have 1 to ${maxLength} characters`)
    return pattern && !pattern.test(value) ? refuse(form ?? `must match ${pattern.source}`) : { value }
  },
})

const readNumber = (value: unknown, min: number, max: number) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return refuse('must be a finite number')
  if (value < min) return refuse(`must be >= ${min}`)
  return value > max ? refuse(`must be <= ${max}`) : { value: value + 0 }
}

export const number = (min = -Infinity): ValueKind => ({
  cell: 'number',
  schema: { type: 'number', ...(Number.isFinite(min) && { minimum: min }) },
  read: (value) => readNumber(value, min, Infinity),
})

export const integer = (min: number, max: number): ValueKind => ({
  cell: 'number',
  schema: { type: 'integer', minimum: min, maximum: max },
  read: (value) =>
    typeof value === 'number' && !Number.isInteger(value)
      ? refuse('must be integer')
      : readNumber(value, min, max),
})

export const boolean: ValueKind = {
  cell: 'flag',
  schema: { type: 'boolean' },
  read: (value) => (typeof value === 'boolean' ? { value } : refuse('must be true or false')),
}

/** One of fixed words; `aliases` are other spellings of them. */
export const oneOf = (
  words: readonly string[],
  aliases: Readonly<Record<string, string>> = {},
): ValueKind => ({
  cell: 'text',
  schema: { type: 'string', enum: [...words] },
  read: (value) => {
    if (typeof value !== 'string') return refuse('must be string')
    const alias = value.toLowerCase()
    const meant = words.includes(value) ? value : Object.hasOwn(aliases, alias) ? aliases[alias] : undefined
    return meant === undefined ? refuse(`must be one of ${words.join(', ')}`) : { value: meant }
  },
})

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Reads an object by its fields: the answer has every field, in the order of the list. Each fault goes to `faults`; a
 * field that is not known is one, since it may be a misspelled one.
 */
export function readFields(
  value: unknown,
  fields: readonly Field[],
  { path, faults }: { readonly path: Path; readonly faults: Fault[] },
): Record<string, unknown> {
  if (!isRecord(value)) {
    faults.push({ path, msg: 'must be object', type: 'type' })
    return {}
  }
  const known = new Set(fields.map(({ name }) => name))
  for (const name of Object.keys(value))
    if (!known.has(name))
      faults.push({ path: [...path, name], msg: 'is not known', type: 'additionalProperties' })
  return Object.fromEntries(
    fields.map((field) => [field.name, readField(field, value[field.name], { path, faults })]),
  )
}

function readField(
  field: Field,
  value: unknown,
  { path, faults }: { readonly path: Path; readonly faults: Fault[] },
): unknown {
  const at = [...path, field.name]
  if (value === undefined || value === null) {
    if ('fallback' in field) return field.fallback
    faults.push({ path: at, msg: `must have required property '${field.name}'`, type: 'missing' })
    return null
  }
  const result = field.read(value)
  if ('value' in result) return result.value
  faults.push({ path: at, msg: result.must, type: 'value_error' })
  return null
}

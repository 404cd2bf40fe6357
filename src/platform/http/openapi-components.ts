/**
 * Named schemas of the OpenAPI document.
 *
 * A schema with a `title` is a named shape: the document contains it once in `components.schemas`, and each use is a
 * reference. Generated clients receive one type for each name. The schemas of the routes stay whole, so that
 * validation and serialization resolve no references.
 *
 * The description of a schema belongs to its use, because the same shape is described differently in different
 * fields. Two different shapes with one title are an error.
 *
 * Texts with a format (identifiers, instants, dates, months) are named shapes too, without a title. Their description
 * is in the components; a use has one only if it says more.
 */
type Json = unknown
type Schema = Readonly<Record<string, Json>>

const REFERENCE = '#/components/schemas/'
export const referenceTo = (name: string) => ({ $ref: `${REFERENCE}${name}` })

/** Follows the references of schemas to the components. */
export const resolverOf =
  (components: ReadonlyMap<string, object>) =>
  <S extends { readonly $ref?: string }>(schema: S): S =>
    schema.$ref === undefined ? schema : ((components.get(schema.$ref.slice(REFERENCE.length)) ?? {}) as S)

const isObject = (value: Json): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Moves the titled schemas of a part of the document to `components`, and returns the part with references. */
export function extractComponents(part: Json, components: Map<string, object>): Json {
  if (Array.isArray(part)) return part.map((item) => extractComponents(item, components))
  if (!isObject(part)) return part
  const extracted = Object.fromEntries(
    Object.entries(part).map(([key, value]) => [
      key,
      // Values of enums, defaults and examples are data and no schemas.
      DATA_KEYS.has(key) ? value : extractComponents(value, components),
    ]),
  )
  if (isTitledSchema(extracted)) return useComponent(extracted, components)
  return isFormattedText(extracted) ? useFormattedText(extracted, components) : withoutTypeText(extracted)
}

interface FormattedText {
  readonly name: string
  readonly description: string
  /** The description of the building block, which says no more than that of the component. */
  readonly usual?: string
}
const FORMATTED_TEXTS: Readonly<Record<string, FormattedText>> = {
  uuid: { name: 'Uuid', description: 'Identifier (UUID).', usual: 'Identifier (UUID).' },
  'date-time': {
    name: 'Instant',
    description:
      'Instant in ISO 8601. Responses contain UTC; a request may contain any offset, is Turkey-local without one, ' +
      'and a bare date is the start of that day.',
    usual: 'ISO 8601, UTC.',
  },
  date: {
    name: 'LocalDate',
    description:
      'Turkey-local date (YYYY-MM-DD). A request may also contain an instant, whose local date is taken.',
  },
  'billing-period': {
    name: 'BillingPeriod',
    description: 'First day of a Turkey-local month (YYYY-MM-DD). A request may also contain YYYY-MM.',
  },
}
const USUAL_TEXTS = new Set(Object.values(FORMATTED_TEXTS).flatMap(({ usual }) => usual ?? []))
const TEXT_KEYS = new Set(['type', 'format', 'description'])

/** A text with a format and no further rule. */
const isFormattedText = (part: Schema): part is Schema & { readonly format: string } =>
  typeof part['format'] === 'string' &&
  part['format'] in FORMATTED_TEXTS &&
  Object.keys(part).every((key) => TEXT_KEYS.has(key))

function useFormattedText(
  schema: Schema & { readonly format: string },
  components: Map<string, object>,
): Schema {
  const { format, type, description } = schema
  const { name, description: text } = FORMATTED_TEXTS[format] as FormattedText
  register(name, { type: 'string', format, description: text }, components)
  const reference = referenceTo(name)
  return withoutTypeText({
    ...(Array.isArray(type) ? { anyOf: [reference, { type: 'null' }] } : reference),
    ...(description !== undefined && { description }),
  })
}

/** Removes a description that only repeats that of the type, also from parameters. */
function withoutTypeText(part: Schema): Schema {
  const { description, ...rest } = part
  return typeof description === 'string' && USUAL_TEXTS.has(description) ? rest : part
}

const DATA_KEYS = new Set(['enum', 'const', 'default', 'example', 'examples'])

/** A property that is called `title` is a schema itself, and no text. */
const isTitledSchema = (part: Schema): part is Schema & { readonly title: string } =>
  typeof part['title'] === 'string'

function useComponent(schema: Schema & { readonly title: string }, components: Map<string, object>): Schema {
  const { title, description, ...shape } = schema
  const isNullable = Array.isArray(shape['type']) && shape['type'].includes('null')
  register(title, isNullable ? withoutNull(shape) : shape, components)
  const reference = referenceTo(title)
  return {
    ...(isNullable ? { anyOf: [reference, { type: 'null' }] } : reference),
    ...(description !== undefined && { description }),
  }
}

function register(name: string, shape: Schema, components: Map<string, object>): void {
  const known = components.get(name)
  if (known && JSON.stringify(known) !== JSON.stringify(shape))
    throw new Error(`two different schemas have the title ${name}`)
  components.set(name, shape)
}

/** The same shape where null is not allowed. */
function withoutNull(shape: Schema): Schema {
  const types = (shape['type'] as readonly string[]).filter((type) => type !== 'null')
  const words = shape['enum'] as readonly Json[] | undefined
  return {
    ...shape,
    type: types.length === 1 ? types[0] : types,
    ...(words && { enum: words.filter((word) => word !== null) }),
  }
}

/** Marks the fields of a request that have a default as optional, because validation fills them in. */
export function withOptionalDefaults(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withOptionalDefaults)
  if (!isObject(schema)) return schema
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      if (DATA_KEYS.has(key)) return [[key, value]]
      if (key !== 'required' || !Array.isArray(value)) return [[key, withOptionalDefaults(value)]]
      const needed = value.filter((name: string) => !hasDefault(properties[name]))
      return needed.length > 0 ? [[key, needed]] : []
    }),
  )
}

const hasDefault = (schema: Json): boolean => isObject(schema) && 'default' in schema

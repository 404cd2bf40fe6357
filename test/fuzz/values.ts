import fc from 'fast-check'
import type { Schema } from './document.ts'
import type { FuzzRandom } from './random.ts'

/** Generates values that satisfy a schema. */
export interface ValueContext {
  readonly random: FuzzRandom
  /** Percentage of the optional properties that are present. */
  readonly density: number
  /** Ids of existing records to which a field may refer. */
  idsOf(field: string): readonly string[]
  /** Start of the current day, in milliseconds: a run with the same seed on the same day sends the same instants. */
  readonly today: number
}

const WORDS = [
  'a',
  'Mağaza 3',
  'Çatı GES',
  'sayaç-1',
  'İı Şş',
  'x'.repeat(40),
  '½ kWh ☀',
  '0',
  ' padded ',
  'a,b;c"d',
] as const

const METRICS = ['active_energy_import', 'active_power', 'voltage_l1']

/**
 * Values that the schema does not narrow down far enough. Addresses lie in networks and domains that are reserved for
 * documentation, so that no run sends anything to a real host.
 */
const BY_NAME: Readonly<Record<string, readonly unknown[]>> = {
  host: ['192.0.2.10', '10.255.255.1', 'gateway.invalid'],
  url: ['https://hook.invalid/netsaat', 'wss://ocpp.invalid/'],
  location: ['ftp://files.invalid/', 'https://files.invalid/upload'],
  metric: METRICS,
  device_role: ['inverter', 'charger', 'main_meter'],
  device_type: ['energy_analyzer', 'inverter', 'charger', 'other'],
  gateway_type: ['modbus', 'mqtt', 'zigbee'],
  timezone: ['Europe/Istanbul', 'UTC'],
  certificate_pem: ['-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----'],
}

const pick = <T>(context: ValueContext, list: readonly T[]): T => context.random.choose(list) as T

function textOf(schema: Schema, name: string, context: ValueContext): string {
  const { random } = context
  const { minLength = 0, maxLength = 200 } = schema
  if (schema.pattern !== undefined) return matching(schema, random)
  if (random.chance(5) && maxLength <= 10_000) return 'ğ'.repeat(maxLength)
  const word = random.chance(60) ? `${name || 'text'} ${random.between(1, 9999)}` : pick(context, WORDS)
  return word.padEnd(minLength, 'x').slice(0, Math.max(minLength, maxLength))
}

/** A text that matches the pattern, of the smallest length that is allowed. */
function matching({ pattern = '', minLength = 0, maxLength = 200 }: Schema, random: FuzzRandom): string {
  // The generator knows no negative assertions, which may contain groups; what they exclude is improbable.
  const regex = new RegExp(pattern.replaceAll(/\(\?!(?:[^()]|\([^()]*\))*\)/g, ''))
  const [text = ''] = fc.sample(fc.stringMatching(regex), {
    seed: random.between(0, 2 ** 31 - 1),
    numRuns: 1,
  })
  return text.padEnd(minLength, text.at(-1) ?? 'x').slice(0, Math.max(minLength, maxLength))
}

/** Names of the end of a period, which has to be later than its begin and is often required to be in the future. */
const END = /^(end|to|until|valid_to|to_hour|expires_at|date_to)$/

function instantOf(name: string, { random, today }: ValueContext): string {
  const hours = END.test(name) ? random.between(25, 20 * 24) : -random.between(0, 40 * 24)
  const at = today + hours * 3_600_000
  const text = new Date(at).toISOString()
  return random.chance(25) ? text.replace('.000Z', '+03:00') : text
}

const dayOf = (name: string, context: ValueContext): string => instantOf(name, context).slice(0, 10)

function formatted(schema: Schema, name: string, context: ValueContext): string | undefined {
  const { random } = context
  switch (schema.format) {
    case 'uuid': {
      const ids = context.idsOf(name)
      return ids.length > 0 && random.chance(92) ? pick(context, ids) : random.uuid()
    }
    case 'date-time':
      return instantOf(name, context)
    case 'date':
      return dayOf(name, context)
    case 'billing-period':
      return `${dayOf(name, context).slice(0, 7)}-01`
    case 'email':
      return `fuzz-${random.between(1, 1_000_000)}@example.test`
    case 'binary':
      return 'Tarih;Çekiş\n01.11.2026 01:00;1\n'
    default:
      return undefined
  }
}

function numberOf(schema: Schema, { random }: ValueContext): number {
  const { minimum = 0, maximum = Math.max(1000, minimum + 1000) } = schema
  if (random.chance(10)) return minimum
  if (random.chance(5)) return maximum
  const whole = random.between(Math.ceil(minimum), Math.floor(Math.min(maximum, minimum + 1000)))
  return schema.type === 'number' && random.chance(50) ? Math.min(maximum, whole + 0.25) : whole
}

function decimalOf({ places, sign }: { places: number; sign: string }, { random }: ValueContext): unknown {
  const text = `${random.between(1, 5000)}.${'123456'.slice(0, random.between(1, places))}`
  const signed = (sign === 'any' || sign === 'nonzero') && random.chance(30) ? `-${text}` : text
  return random.chance(50) ? signed : Number(signed)
}

function arrayOf(schema: Schema, name: string, context: ValueContext): unknown[] {
  const { minItems = 0, maxItems = 1000 } = schema
  const length = context.random.between(minItems, Math.min(maxItems, minItems + 2))
  const items = Array.from({ length }, () => generateValue(schema.items ?? {}, name, context))
  if (!schema.uniqueItems) return items
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]
}

function objectOf(schema: Schema, context: ValueContext): Record<string, unknown> {
  const { random } = context
  const { properties = {}, required = [], additionalProperties } = schema
  const entries = Object.entries(properties)
    .filter(([key, property]) => {
      // The service fills in defaults, also where the document calls the property required.
      const isNeeded = required.includes(key) && !('default' in property)
      return isNeeded || random.chance(context.density)
    })
    .map(([key, property]) => [key, generateValue(property, key, context)])
  if (typeof additionalProperties === 'object' && (entries.length === 0 || random.chance(context.density)))
    entries.push([
      random.chance(70) ? pick(context, METRICS) : 'key',
      generateValue(additionalProperties, 'key', context),
    ])
  return Object.fromEntries(entries)
}

function anything({ random }: ValueContext): unknown {
  return random.choose([null, 1, 'text', true, [1, 2], { key: 'value' }, { nested: { list: [{}] } }])
}

/** Returns a value that satisfies the schema; `name` is that of the property or parameter. */
export function generateValue(schema: Schema, name: string, context: ValueContext): unknown {
  const { random } = context
  const branches = schema.oneOf ?? schema.anyOf
  if (branches) {
    const branch = generateValue(pick(context, branches), name, context)
    const isObject = typeof branch === 'object' && branch !== null && !Array.isArray(branch)
    return isObject ? { ...objectOf(schema, context), ...branch } : branch
  }
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return pick(context, schema.enum)
  const types = [schema.type ?? []].flat()
  if (types.includes('null') && random.chance(10)) return null
  const named = name === 'id_tag' ? context.idsOf(name) : BY_NAME[name]
  if (named && named.length > 0 && types.includes('string') && random.chance(85)) return pick(context, named)
  const rule = schema['x-decimal']
  if (rule) return decimalOf(rule, context)
  if (schema.format !== undefined) return formatted(schema, name, context) ?? textOf(schema, name, context)
  if ('x-password' in schema) return `Fuzz-Parola-${random.between(10, 99)}`
  const type = types.filter((each) => each !== 'null')
  switch (pick(context, type)) {
    case 'string':
      return /template_id$/.test(name)
        ? (random.choose(context.idsOf(name)) ?? '')
        : textOf(schema, name, context)
    case 'integer':
    case 'number':
      return numberOf(schema, context)
    case 'boolean':
      return random.chance(50)
    case 'array':
      return arrayOf(schema, name, context)
    case 'object':
      return objectOf(schema, context)
    default:
      return anything(context)
  }
}

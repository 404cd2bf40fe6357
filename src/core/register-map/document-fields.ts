import { isRecord } from '../../kernel/is-record.ts'
import { METRIC_NAME_MAX_LENGTH, MODBUS_WORDS_MAX } from '../../kernel/limits.ts'
import { boolean, type Field, integer, number, oneOf, text, type ValueKind } from './fields.ts'
import { FORMAT, REGISTER_KINDS, REGISTER_TYPES, RESET_POLICIES, TRANSPORTS } from './types.ts'

/**
 * The attributes of a document in canonical order. This list defines the validation, the columns of the CSV
 * and the JSON Schema of the API.
 */
const field = (name: string, kind: ValueKind, description: string): Field => ({
  ...kind,
  name,
  description,
})
const optional = (name: string, kind: ValueKind, description: string, fallback: unknown = null): Field => ({
  ...kind,
  name,
  description,
  fallback,
})

const KEY = /^[A-Za-z]\w{0,63}$/
const KEY_FORM = 'must begin with a letter and have 1 to 64 letters, digits or _'
const METRIC = /^[A-Za-z][\w.-]*$/
const ORDERS = ['big', 'little']
const key = text(64, KEY, KEY_FORM)
const anyNumber = number()

const transports: ValueKind = {
  cell: 'list',
  schema: { type: 'array', items: { type: 'string', enum: [...TRANSPORTS] }, minItems: 1, uniqueItems: true },
  read: (value) => {
    if (!Array.isArray(value) || value.length === 0)
      return { must: 'must be a list of at least one transport' }
    if (value.some((item) => !TRANSPORTS.includes(item)))
      return { must: `must hold only ${TRANSPORTS.join(', ')}` }
    return new Set(value).size === value.length ? { value } : { must: 'must NOT have duplicate items' }
  },
}

/** Type names of other tools, mapped to ours. */
const TYPE_ALIASES: Readonly<Record<string, string>> = {
  bool8: 'bool',
  boolean: 'bool',
  bit: 'bool',
  int8: 'i8',
  uint8: 'u8',
  int16: 'i16',
  uint16: 'u16',
  int32: 'i32',
  uint32: 'u32',
  int64: 'i64',
  uint64: 'u64',
  float: 'f32',
  float32: 'f32',
  double: 'f64',
  float64: 'f64',
  bitfield16: 'bitfield',
  bitfield32: 'bitfield',
  enum16: 'enum',
  enum32: 'enum',
}

const NA_VALUES_MAX = 8
const HEX = /^0x[0-9a-f]{1,16}$/i
const naValues: ValueKind = {
  cell: 'list',
  schema: { type: 'array', items: { type: ['string', 'number'] } },
  read: (value) => {
    if (!Array.isArray(value) || value.length > NA_VALUES_MAX)
      return { must: `must be a list of at most ${NA_VALUES_MAX} values` }
    const read = value.map((item) => {
      if (typeof item === 'number') return Number.isFinite(item) ? item + 0 : undefined
      if (typeof item !== 'string') return undefined
      return item.toLowerCase() === 'nan' || HEX.test(item) ? item.toLowerCase() : undefined
    })
    return read.includes(undefined)
      ? { must: 'must hold numbers, "nan" or bits such as "0x8000"' }
      : { value: read }
  },
}

const mask: ValueKind = {
  cell: 'text',
  schema: { type: 'string' },
  read: (value) => {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0)
      return { value: `0x${value.toString(16)}` }
    return typeof value === 'string' && HEX.test(value) && BigInt(value) > 0n
      ? { value: `0x${BigInt(value).toString(16)}` }
      : { must: 'must be bits such as "0x00ff"' }
  },
}

const LABELS_MAX = 100
const LABEL_LENGTH_MAX = 100
const enumLabels: ValueKind = {
  cell: 'json',
  schema: { type: 'object', additionalProperties: { type: 'string' } },
  read: (value) => {
    const wanted = `must be an object of at most ${LABELS_MAX} words by whole number`
    if (!isRecord(value)) return { must: wanted }
    const entries = Object.entries(value)
    const isWord = ([number, name]: [string, unknown]) =>
      /^(0|[1-9]\d{0,9})$/.test(number) &&
      typeof name === 'string' &&
      name.length > 0 &&
      name.length <= LABEL_LENGTH_MAX
    return entries.length > 0 && entries.length <= LABELS_MAX && entries.every(isWord)
      ? { value: Object.fromEntries(entries) }
      : { must: wanted }
  },
}

export const MAP_FIELDS: readonly Field[] = [
  field('format', oneOf([FORMAT]), `The format: "${FORMAT}".`),
  optional('vendor', text(100), 'Who makes the device.'),
  optional('model', text(100), 'Which devices the map is for.'),
  optional('version', text(50), 'Of the map.'),
  optional('notes', text(4_000), 'What somebody who uses the map should know.'),
  field('transports', transports, 'How the device can be read.'),
]

export const SOURCE_FIELDS: readonly Field[] = [
  field('title', text(300), 'The document that the addresses come from.'),
  optional('version', text(100), 'Its version or date.'),
  optional('url', text(500), 'Where it can be found.'),
  optional('checked_against', text(1_000), 'What the addresses were compared with.'),
]

export const BUS_FIELDS: readonly Field[] = [
  optional('unit_id', integer(0, 255), 'Unit (slave) of a device that names none itself.', 1),
  optional('word_order', oneOf(ORDERS), 'big: the first register holds the high word.', 'big'),
  optional('byte_order', oneOf(ORDERS), 'big: the first byte of a register is the high one.', 'big'),
  optional('max_block', integer(1, MODBUS_WORDS_MAX), 'Registers of one request, at most.', 60),
  optional('max_gap', integer(0, MODBUS_WORDS_MAX), 'Registers read in vain to join two blocks, at most.', 8),
  optional('timeout_ms', integer(10, 60_000), 'How long an answer may take.', 1000),
  optional('retries', integer(0, 10), 'Further tries after a timeout.', 1),
  optional('inter_request_ms', integer(0, 10_000), 'Pause after each answer.', 20),
  optional('connect_delay_ms', integer(0, 60_000), 'Pause after a connection is made.', 0),
  optional('keep_connection', boolean, 'false: the connection is closed after each round.', true),
  optional('baud_rate', integer(300, 1_000_000), 'Of a serial line behind a gateway.'),
]

export const GROUP_FIELDS: readonly Field[] = [
  field('period_ms', integer(100, 86_400_000), 'How often the group is read.'),
]

export const REGISTER_FIELDS: readonly Field[] = [
  field('key', key, 'Unique in the map.'),
  optional('label', text(200), 'For people.'),
  optional(
    'metric',
    text(METRIC_NAME_MAX_LENGTH, METRIC, 'must begin with a letter and have letters, digits, _ . or -'),
    'The name of the value; null: read for others only (a scale factor).',
  ),
  optional('phase', oneOf(['l1', 'l2', 'l3', 'n', 'total']), 'Of a value of one phase.'),
  optional('direction', oneOf(['import', 'export']), 'Of an energy or power.'),
  optional('quadrant', integer(1, 4), 'Of a reactive energy.'),
  optional('address', integer(0, 65_535), 'From 0, as on the wire; null when only MQTT has it.'),
  optional('function', integer(1, 16), 'Modbus function: 1 to 4 read; 5, 6, 15, 16 write.'),
  field('type', oneOf(REGISTER_TYPES, TYPE_ALIASES), 'How the bits are read.'),
  optional('count', integer(1, MODBUS_WORDS_MAX), 'Registers; null: what the type takes.'),
  optional('byte_order', oneOf(ORDERS), 'null: as the defaults say.'),
  optional('word_order', oneOf(ORDERS), 'null: as the defaults say.'),
  optional('scale', anyNumber, 'value = raw × scale + offset, in unit.', 1),
  optional('offset', anyNumber, 'Added after the scale.', 0),
  optional('scale_factor_ref', key, 'Key of the register that holds a power of ten (SunSpec).'),
  optional('unit', text(20), 'What the device speaks, after the scale; stored in the metric’s unit.'),
  field('kind', oneOf(REGISTER_KINDS), 'What the value is.'),
  optional('counter_max', number(0), 'Where a counter begins at 0 again, in the metric’s unit.'),
  optional('reset_policy', oneOf(RESET_POLICIES), 'What a falling counter means.', 'detect'),
  optional('na_values', naValues, 'Raw numbers or bits that mean: no value.', []),
  optional('min', anyNumber, 'Below it a value is misread; in the metric’s unit.'),
  optional('max', anyNumber, 'Above it a value is misread; in the metric’s unit.'),
  optional('bit', integer(0, 63), 'One bit of the raw word, 0 the lowest.'),
  optional('mask', mask, 'Laid over the raw bits, and shifted down.'),
  optional('enum', enumLabels, 'Words by raw number; for a bitfield, by bit.'),
  optional('poll_group', text(32), 'A group of this map.', 'normal'),
  optional('access', oneOf(['r', 'w', 'rw']), 'Whether it can be read, written or both.', 'r'),
  optional('deadband', number(0), 'Smaller changes need not be sent; in the metric’s unit.', 0),
  optional('precision', integer(0, 9), 'Decimals of the value, in the metric’s unit; null leaves them.'),
  optional('mqtt_path', text(300), 'Where a message has it: $.ENERGY.Total, or status/em:0 $.a_voltage.'),
]

const EXPECTED_MAX = 200
const expected: ValueKind = {
  cell: 'json',
  schema: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } },
  read: (value) => {
    const isPlain = (item: unknown) => item === null || ['string', 'number', 'boolean'].includes(typeof item)
    if (!isRecord(value) || !Object.values(value).every(isPlain))
      return { must: 'must be an object of numbers, texts, true, false or null by key' }
    const count = Object.keys(value).length
    return count > 0 && count <= EXPECTED_MAX
      ? { value: { ...value } }
      : { must: `must name 1 to ${EXPECTED_MAX} keys` }
  },
}

const json: ValueKind = {
  cell: 'json',
  schema: {},
  read: (value) => ({ value }),
}

export const TEST_FIELDS: readonly Field[] = [
  optional('name', text(200), 'For people.'),
  optional('frame', text(8_000, /^[0-9A-Fa-f ]+$/, 'must be hex'), 'Answers of the device in hex.'),
  optional('registers', text(500), 'What each frame holds: 72+2, or 3:72+2 with the function.'),
  optional('topic', text(300), 'Of a message.'),
  optional('message', json, 'A message of the device.'),
  field('expect', expected, 'Values by key, in the metric’s unit; null: no value.'),
]

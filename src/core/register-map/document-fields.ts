import { isRecord } from '../../kernel/checked.ts'
import { METRIC_NAME_MAX_LENGTH, MODBUS_WORDS_MAX } from '../../kernel/limits.ts'
import { boolean, type Field, integer, number, oneOf, text, type ValueKind } from './fields.ts'
import { VALUE_FAULTS } from './messages.ts'
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
const KEY_FORM = VALUE_FAULTS.MAP_KEY_FORM()
const METRIC = /^[A-Za-z][\w.-]*$/
const ORDERS = ['big', 'little']
const key = text(64, KEY, KEY_FORM)
const anyNumber = number()

const transports: ValueKind = {
  cell: 'list',
  schema: { type: 'array', items: { type: 'string', enum: [...TRANSPORTS] }, minItems: 1, uniqueItems: true },
  read: (value) => {
    if (!Array.isArray(value) || value.length === 0) return { must: VALUE_FAULTS.MAP_NO_TRANSPORT() }
    if (value.some((item) => !TRANSPORTS.includes(item)))
      return { must: VALUE_FAULTS.MAP_TRANSPORT_UNKNOWN({ allowed: TRANSPORTS }) }
    return new Set(value).size === value.length ? { value } : { must: VALUE_FAULTS.MAP_ITEM_TWICE() }
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
      return { must: VALUE_FAULTS.MAP_LIST_TOO_LONG({ max: NA_VALUES_MAX }) }
    const read = value.map((item) => {
      if (typeof item === 'number') return Number.isFinite(item) ? item + 0 : undefined
      if (typeof item !== 'string') return undefined
      return item.toLowerCase() === 'nan' || HEX.test(item) ? item.toLowerCase() : undefined
    })
    return read.includes(undefined) ? { must: VALUE_FAULTS.MAP_NA_VALUE_FORM() } : { value: read }
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
      : { must: VALUE_FAULTS.MAP_MASK_FORM() }
  },
}

const LABELS_MAX = 100
const LABEL_LENGTH_MAX = 100
const enumLabels: ValueKind = {
  cell: 'json',
  schema: { type: 'object', additionalProperties: { type: 'string' } },
  read: (value) => {
    const wanted = VALUE_FAULTS.MAP_LABELS_FORM({ max: LABELS_MAX })
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
  field('format', oneOf([FORMAT]), `Format: "${FORMAT}".`),
  optional('vendor', text(100), 'Manufacturer of the device.'),
  optional('model', text(100), 'Device models to which the map applies.'),
  optional('version', text(50), 'Version of the map.'),
  optional('notes', text(4_000), 'Notes for users of the map.'),
  field('transports', transports, 'Transports over which the device can be read.'),
]

export const SOURCE_FIELDS: readonly Field[] = [
  field('title', text(300), 'Title of the source document of the addresses.'),
  optional('version', text(100), 'Version or date of the source document.'),
  optional('url', text(500), 'URL of the source document.'),
  optional('checked_against', text(1_000), 'Reference with which the addresses were compared.'),
]

export const BUS_FIELDS: readonly Field[] = [
  optional('unit_id', integer(0, 255), 'Unit id (slave address) for devices without one of their own.', 1),
  optional('word_order', oneOf(ORDERS), 'big: the first register contains the high word.', 'big'),
  optional('byte_order', oneOf(ORDERS), 'big: the first byte of a register is the high one.', 'big'),
  optional('max_block', integer(1, MODBUS_WORDS_MAX), 'Maximum number of registers per request.', 60),
  optional(
    'max_gap',
    integer(0, MODBUS_WORDS_MAX),
    'Maximum number of unused registers that are read to merge two blocks.',
    8,
  ),
  optional('timeout_ms', integer(10, 60_000), 'Response timeout in ms.', 1000),
  optional('retries', integer(0, 10), 'Number of retries after a timeout.', 1),
  optional('inter_request_ms', integer(0, 10_000), 'Pause after each response in ms.', 20),
  optional('connect_delay_ms', integer(0, 60_000), 'Pause after a connection is established in ms.', 0),
  optional('keep_connection', boolean, 'false: the connection is closed after each round.', true),
  optional('baud_rate', integer(300, 1_000_000), 'Baud rate of a serial line behind a gateway.'),
]

export const GROUP_FIELDS: readonly Field[] = [
  field('period_ms', integer(100, 86_400_000), 'Polling period of the group in ms.'),
]

export const REGISTER_FIELDS: readonly Field[] = [
  field('key', key, 'Key of the register, unique in the map.'),
  optional('label', text(200), 'For people.'),
  optional(
    'metric',
    text(METRIC_NAME_MAX_LENGTH, METRIC, VALUE_FAULTS.MAP_METRIC_FORM()),
    'Name of the metric; null: the register is read only for other registers (a scale factor).',
  ),
  optional('phase', oneOf(['l1', 'l2', 'l3', 'n', 'total']), 'Phase, for a value of one phase.'),
  optional('direction', oneOf(['import', 'export']), 'Direction of an energy or power.'),
  optional('quadrant', integer(1, 4), 'Quadrant of a reactive energy.'),
  optional(
    'address',
    integer(0, 65_535),
    'Register address from 0, as on the wire; null when the value is available only over MQTT.',
  ),
  optional('function', integer(1, 16), 'Modbus function: 1 to 4 read; 5, 6, 15, 16 write.'),
  field('type', oneOf(REGISTER_TYPES, TYPE_ALIASES), 'Data type of the raw value.'),
  optional('count', integer(1, MODBUS_WORDS_MAX), 'Number of registers; null: the size of the type.'),
  optional('byte_order', oneOf(ORDERS), 'null: the value of the defaults applies.'),
  optional('word_order', oneOf(ORDERS), 'null: the value of the defaults applies.'),
  optional('scale', anyNumber, 'Scale: value = raw × scale + offset, in unit.', 1),
  optional('offset', anyNumber, 'Offset, added after the scale is applied.', 0),
  optional(
    'scale_factor_ref',
    key,
    'Key of the register that contains the exponent of the power of ten (SunSpec).',
  ),
  optional(
    'unit',
    text(20),
    'Unit of the value after scaling; the value is stored in the unit of the metric.',
  ),
  field('kind', oneOf(REGISTER_KINDS), 'Kind of value.'),
  optional(
    'counter_max',
    number(0),
    'Value at which the counter wraps around to 0, in the unit of the metric.',
  ),
  optional('reset_policy', oneOf(RESET_POLICIES), 'Interpretation of a decreasing counter value.', 'detect'),
  optional('na_values', naValues, 'Raw numbers or bit patterns that represent a missing value.', []),
  optional(
    'min',
    anyNumber,
    'Minimum plausible value; a lower value is a read error; in the unit of the metric.',
  ),
  optional(
    'max',
    anyNumber,
    'Maximum plausible value; a higher value is a read error; in the unit of the metric.',
  ),
  optional('bit', integer(0, 63), 'Bit of the raw word; 0 is the least significant.'),
  optional(
    'mask',
    mask,
    'Bit mask applied to the raw value; the result is shifted to the least significant bit.',
  ),
  optional('enum', enumLabels, 'Texts by raw number; for a bitfield, by bit.'),
  optional('poll_group', text(32), 'Name of a poll group of this map.', 'normal'),
  optional('access', oneOf(['r', 'w', 'rw']), 'Access: read, write or both.', 'r'),
  optional('deadband', number(0), 'Deadband: smaller changes are not sent; in the unit of the metric.', 0),
  optional(
    'precision',
    integer(0, 9),
    'Number of decimals of the value in the unit of the metric; null: no rounding.',
  ),
  optional(
    'mqtt_path',
    text(300),
    'Path of the value in a message: $.ENERGY.Total, or status/em:0 $.a_voltage.',
  ),
]

const EXPECTED_MAX = 200
const expected: ValueKind = {
  cell: 'json',
  schema: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } },
  read: (value) => {
    const isPlain = (item: unknown) => item === null || ['string', 'number', 'boolean'].includes(typeof item)
    if (!isRecord(value) || !Object.values(value).every(isPlain))
      return { must: VALUE_FAULTS.MAP_EXPECTED_FORM() }
    const count = Object.keys(value).length
    return count > 0 && count <= EXPECTED_MAX
      ? { value: { ...value } }
      : { must: VALUE_FAULTS.MAP_EXPECTED_COUNT({ max: EXPECTED_MAX }) }
  },
}

const expectedOrNone: ValueKind = {
  ...expected,
  read: (value) =>
    isRecord(value) && Object.keys(value).length === 0 ? { value: {} } : expected.read(value),
}

const json: ValueKind = {
  cell: 'json',
  schema: {},
  read: (value) => ({ value }),
}

export const TEST_FIELDS: readonly Field[] = [
  optional('name', text(200), 'For people.'),
  optional(
    'frame',
    text(8_000, /^[0-9A-Fa-f ]+$/, VALUE_FAULTS.MAP_NOT_HEX()),
    'Response frames of the device in hex.',
  ),
  optional('registers', text(500), 'Registers contained in each frame: 72+2, or 3:72+2 with the function.'),
  optional('topic', text(300), 'Topic of a message.'),
  optional('message', json, 'Example message of the device.'),
  field('expect', expected, 'Expected values by key, in the unit of the metric; null: no value.'),
]

/** A frame that is only decoded may have no expected values. */
export const FRAME_FIELDS: readonly Field[] = TEST_FIELDS.map((one) =>
  one.name === 'expect'
    ? { ...one, ...expectedOrNone, fallback: {}, description: `${one.description} Absent: only decoded.` }
    : one,
)

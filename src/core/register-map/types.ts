/**
 * A compiled register map: validated, with all defaults filled in and units folded into the scale.
 * `readRegisterMap` makes it from the document of a template; docs/integrate/register-maps.md describes the document.
 */
export const FORMAT = 'ems-register-map/1'

export const TRANSPORTS = ['modbus_tcp', 'modbus_rtu', 'mqtt', 'zigbee'] as const
export type Transport = (typeof TRANSPORTS)[number]

export const REGISTER_TYPES = [
  'bool',
  'u8',
  'i8',
  'u16',
  'i16',
  'u32',
  'i32',
  'u64',
  'i64',
  'f32',
  'f64',
  'string',
  'bitfield',
  'enum',
  'bcd16',
  'bcd32',
  'mod10k32',
  'mod10k64',
] as const
export type RegisterType = (typeof REGISTER_TYPES)[number]

/**
 * `cumulative_counter`: a total that only grows; `interval_delta`: the amount since the last reading;
 * `gauge`: an instantaneous value; `state`: a label, a flag or a set of labels.
 */
export const REGISTER_KINDS = ['cumulative_counter', 'interval_delta', 'gauge', 'state'] as const
export type RegisterKind = (typeof REGISTER_KINDS)[number]

/** `detect`: a falling counter was replaced; `wrap`: the counter restarts at 0 after `counterMax`. */
export const RESET_POLICIES = ['detect', 'wrap'] as const
export type ResetPolicy = (typeof RESET_POLICIES)[number]

export type Endianness = 'big' | 'little'

/** Modbus read functions: coils, discrete inputs, holding registers, input registers. */
export type ReadFunction = 1 | 2 | 3 | 4

/** Address range of a register in a Modbus device; addresses count from 0 as on the wire. */
export interface ModbusRange {
  readonly function: ReadFunction
  readonly address: number
  /** Number of 16-bit registers; of bits for functions 1 and 2. */
  readonly count: number
}

/** A decimal factor, `mantissa × 10^exponent`, so that 0.01 is exact. */
export interface Scale {
  readonly mantissa: number
  readonly exponent: number
}

/** Raw values that a device sends when it has no value. */
export interface NotAvailable {
  /** Raw bytes as hex, in the order in which the type is read. */
  readonly bits: readonly string[]
  /** Raw numbers before scaling. */
  readonly numbers: readonly number[]
}

export interface RegisterDef {
  readonly key: string
  /** Name under which the value is stored; null for a register that others refer to (a scale factor). */
  readonly metric: string | null
  /** Null for a register that only MQTT carries. */
  readonly modbusRange: ModbusRange | null
  /** Null for a register that only Modbus carries. */
  readonly mqttPath: MqttPath | null
  readonly type: RegisterType
  readonly kind: RegisterKind
  readonly byteOrder: Endianness
  readonly wordOrder: Endianness
  /** value = raw × scale × 10^(scale factor register) + offset, in `unit`. */
  readonly scale: Scale
  readonly offset: number
  /** Key of the register with the power of ten (SunSpec), which must be read together with this one. */
  readonly scaleFactorRef: string | null
  /** Canonical unit of the stored value (kWh, kW, V …); null when it has none. */
  readonly unit: string | null
  /** Value at which the counter restarts at 0, in the unit of the value. */
  readonly counterMax: number | null
  readonly resetPolicy: ResetPolicy
  readonly notAvailable: NotAvailable
  /** Values outside `min` and `max` are misreadings and are discarded. */
  readonly min: number | null
  readonly max: number | null
  /** Index of a single bit of the raw word; 0 is the lowest. */
  readonly bit: number | null
  /**
   * Applied to the raw bits before anything else; the result is shifted to the lowest set bit of the mask.
   */
  readonly mask: bigint | null
  /** Labels by raw value, or by bit for a bitfield. */
  readonly labels: ReadonlyMap<number, string> | null
  readonly pollGroup: string
  /** Smaller changes need not be stored; 0 stores all. */
  readonly deadband: number
  /** Number of decimals; null keeps all. */
  readonly precision: number | null
}

/** `topic` is the required end of the message's topic (below the gateway root); null accepts any. */
export interface MqttPath {
  readonly topic: string | null
  /** Names and indexes, from the root of the JSON document. */
  readonly steps: readonly (string | number)[]
}

export interface PollGroup {
  readonly name: string
  readonly periodMs: number
}

/** Communication parameters of a device. */
export interface BusRules {
  readonly unitId: number
  /** Maximum number of registers of one request. */
  readonly maxBlock: number
  /** Maximum number of unused registers that are read to join two blocks. */
  readonly maxGap: number
  readonly timeoutMs: number
  readonly retries: number
  /** Pause after each response. */
  readonly interRequestMs: number
  /** Pause after connecting. */
  readonly connectDelayMs: number
  readonly keepConnection: boolean
  /** Speed of the serial line behind the gateway, for the bus-time budget; null without one. */
  readonly baudRate: number | null
}

export interface RegisterMap {
  readonly vendor: string | null
  readonly model: string | null
  readonly version: string | null
  readonly transports: readonly Transport[]
  readonly bus: BusRules
  readonly pollGroups: ReadonlyMap<string, PollGroup>
  /** Readable registers in the order of the document; write-only registers are omitted. */
  readonly registers: readonly RegisterDef[]
  readonly byKey: ReadonlyMap<string, RegisterDef>
}

/** Returns the word (or bit, as 0 or 1) at an address; undefined when it was not read. */
export type WordReader = (fn: ReadFunction, address: number) => number | undefined

export type StateValue = string | number | boolean

export const DECODE_PROBLEMS = [
  'not_read',
  'not_available',
  'not_a_number',
  'not_representable',
  'out_of_range',
  'scale_factor_missing',
] as const
export type DecodeProblem = (typeof DECODE_PROBLEMS)[number]

/** Decoded numbers and states by metric, and problems by register key. */
export interface Decoded {
  readonly values: Readonly<Record<string, number>>
  readonly states: Readonly<Record<string, StateValue>>
  readonly problems: readonly { readonly key: string; readonly reason: DecodeProblem }[]
}

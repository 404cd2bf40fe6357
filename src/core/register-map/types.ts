/**
 * A register map as the code works with it: checked, with every default filled in, units already folded into the
 * factor. `readRegisterMap` (check) makes it from the document that a template holds; docs/register-maps.md explains
 * the document.
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
 * `cumulative_counter`: a reading that only grows; `interval_delta`: what was counted since the last reading; `gauge`:
 * a value of the moment; `state`: a word, a flag or a set of them.
 */
export const REGISTER_KINDS = ['cumulative_counter', 'interval_delta', 'gauge', 'state'] as const
export type RegisterKind = (typeof REGISTER_KINDS)[number]

/** `detect`: a counter that falls was replaced; `wrap`: it begins at 0 again after `counterMax`. */
export const RESET_POLICIES = ['detect', 'wrap'] as const
export type ResetPolicy = (typeof RESET_POLICIES)[number]

export type Endianness = 'big' | 'little'

/** Reading functions of Modbus: coils, discrete inputs, holding registers, input registers. */
export type ReadFunction = 1 | 2 | 3 | 4

/** Where a register stands in a Modbus device; addresses count from 0, as they are on the wire. */
export interface ModbusRange {
  readonly function: ReadFunction
  readonly address: number
  /** Registers of 16 bits; for functions 1 and 2, bits. */
  readonly count: number
}

/** A number of ten: `mantissa × 10^exponent`, so that a scale such as 0.01 is exact. */
export interface Scale {
  readonly mantissa: number
  readonly exponent: number
}

/** What a device sends in place of a value that it does not have. */
export interface NotAvailable {
  /** Raw bits as hex, in the order in which the type is read. */
  readonly bits: readonly string[]
  /** Raw numbers, before the scale. */
  readonly numbers: readonly number[]
}

export interface RegisterDef {
  readonly key: string
  /** Under which name the value is given out; null: read for others only (a scale factor). */
  readonly metric: string | null
  /** Null for one that only MQTT carries. */
  readonly modbusRange: ModbusRange | null
  /** Null for one that only Modbus carries. */
  readonly mqttPath: MqttPath | null
  readonly type: RegisterType
  readonly kind: RegisterKind
  readonly byteOrder: Endianness
  readonly wordOrder: Endianness
  /** value = raw × scale × 10^(scale factor register) + offset, in `unit`. */
  readonly scale: Scale
  readonly offset: number
  /** The key of the register that holds the power of ten (SunSpec); it must be read for this one. */
  readonly scaleFactorRef: string | null
  /** Canonical unit of the value (kWh, kW, V …), whatever the device speaks; null when it has none. */
  readonly unit: string | null
  /** In the value's unit: where a counter begins at 0 again. */
  readonly counterMax: number | null
  readonly resetPolicy: ResetPolicy
  readonly notAvailable: NotAvailable
  /** A value outside is a misread one and is not given out. */
  readonly min: number | null
  readonly max: number | null
  /** One bit of the raw word, 0 the lowest. */
  readonly bit: number | null
  /** Laid over the raw bits before anything else, and shifted down to its lowest bit. */
  readonly mask: bigint | null
  /** Words by raw value; for a bitfield, by bit. */
  readonly labels: ReadonlyMap<number, string> | null
  readonly pollGroup: string
  /** A change of less than this need not be stored; 0 stores all. */
  readonly deadband: number
  /** Decimals of the value; null leaves them. */
  readonly precision: number | null
}

/** `topic`: what the message's topic (below the gateway's root) ends with; null for any. */
export interface MqttPath {
  readonly topic: string | null
  /** From the root of the JSON document: names and indexes. */
  readonly steps: readonly (string | number)[]
}

export interface PollGroup {
  readonly name: string
  readonly periodMs: number
}

/** How a device wants to be spoken to. */
export interface BusRules {
  readonly unitId: number
  /** Registers of one request, at most. */
  readonly maxBlock: number
  /** Registers that nobody asked for, read to join two blocks. */
  readonly maxGap: number
  readonly timeoutMs: number
  readonly retries: number
  /** Pause after each answer. */
  readonly interRequestMs: number
  /** Pause after a connection is made. */
  readonly connectDelayMs: number
  readonly keepConnection: boolean
  /** Of the serial line behind the gateway, for the bus-time budget; null where there is none. */
  readonly baudRate: number | null
}

export interface RegisterMap {
  readonly vendor: string | null
  readonly model: string | null
  readonly version: string | null
  readonly transports: readonly Transport[]
  readonly bus: BusRules
  readonly pollGroups: ReadonlyMap<string, PollGroup>
  /** Those that can be read, in the order of the document; registers that are only written are left out. */
  readonly registers: readonly RegisterDef[]
  readonly byKey: ReadonlyMap<string, RegisterDef>
}

/** What was read: the word (or bit, as 0 or 1) at an address; undefined where nothing was read. */
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

/** What registers said: numbers and states by metric, and what could not be taken, by key. */
export interface Decoded {
  readonly values: Readonly<Record<string, number>>
  readonly states: Readonly<Record<string, StateValue>>
  readonly problems: readonly { readonly key: string; readonly reason: DecodeProblem }[]
}

import type { MapDocument, RegisterDocument } from './document.ts'
import { parseMqttPath } from './mqtt-path.ts'
import { countOf } from './register-rules.ts'
import { parseScale, SCALE_ONE, shiftExponent } from './scale.ts'
import type { ModbusRange, NotAvailable, ReadFunction, RegisterDef, RegisterMap } from './types.ts'
import { canonicalUnit } from './units.ts'

/** Converts a checked document to the form that decoding and planning use. */
export function compileMap(document: MapDocument): RegisterMap {
  const registers = document.registers
    .filter(({ access }) => access !== 'w')
    .map((register) => compileRegister(register, document))
  const { defaults } = document
  return {
    vendor: document.vendor,
    model: document.model,
    version: document.version,
    transports: document.transports,
    bus: {
      unitId: defaults.unit_id,
      maxBlock: defaults.max_block,
      maxGap: defaults.max_gap,
      timeoutMs: defaults.timeout_ms,
      retries: defaults.retries,
      interRequestMs: defaults.inter_request_ms,
      connectDelayMs: defaults.connect_delay_ms,
      keepConnection: defaults.keep_connection,
      baudRate: defaults.baud_rate,
    },
    pollGroups: new Map(
      Object.entries(document.poll_groups).map(([name, { period_ms }]) => [
        name,
        { name, periodMs: period_ms },
      ]),
    ),
    registers,
    byKey: new Map(registers.map((register) => [register.key, register])),
  }
}

function compileRegister(register: RegisterDocument, { defaults }: MapDocument): RegisterDef {
  const { unit, power } = canonicalUnit(register.metric, register.unit) ?? { unit: null, power: 0 }
  return {
    key: register.key,
    metric: register.metric,
    modbusRange: modbusRangeOf(register),
    mqttPath: register.mqtt_path === null ? null : (parseMqttPath(register.mqtt_path) ?? null),
    type: register.type,
    kind: register.kind,
    byteOrder: register.byte_order ?? defaults.byte_order,
    wordOrder: register.word_order ?? defaults.word_order,
    scale: shiftExponent(parseScale(register.scale) ?? SCALE_ONE, power),
    offset: Number(`${register.offset}e${power}`) || register.offset * 10 ** power,
    scaleFactorRef: register.scale_factor_ref,
    unit,
    counterMax: register.counter_max,
    resetPolicy: register.reset_policy,
    notAvailable: notAvailableOf(register),
    min: register.min,
    max: register.max,
    bit: register.bit,
    mask: register.mask === null ? null : BigInt(register.mask),
    labels: register.enum && new Map(Object.entries(register.enum).map(([raw, word]) => [Number(raw), word])),
    pollGroup: register.poll_group,
    deadband: register.deadband,
    precision: register.precision,
  }
}

const modbusRangeOf = (register: RegisterDocument): ModbusRange | null =>
  register.address === null
    ? null
    : { function: register.function as ReadFunction, address: register.address, count: countOf(register) }

/** NaN is never a value, so it needs no entry. */
const notAvailableOf = ({ na_values }: RegisterDocument): NotAvailable => ({
  bits: na_values.flatMap((value) => (typeof value === 'string' && value !== 'nan' ? [value.slice(2)] : [])),
  numbers: na_values.filter((value) => typeof value === 'number'),
})

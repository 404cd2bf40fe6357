import { createRequire } from 'node:module'
import type protobuf from 'protobufjs'
import { Undecodable } from './types.ts'

/**
 * Field numbers and types of the Sparkplug B payload, as the Eclipse Sparkplug specification 3.0 gives them
 * (6.4.1).
 */
const DESCRIPTOR = {
  nested: {
    Payload: {
      // Absent fields must be distinguishable from zeros: alias 0 and seq 0 are valid.
      edition: 'proto2',
      fields: {
        timestamp: { type: 'uint64', id: 1 },
        metrics: { rule: 'repeated', type: 'Metric', id: 2 },
        seq: { type: 'uint64', id: 3 },
        uuid: { type: 'string', id: 4 },
      },
    },
    Metric: {
      edition: 'proto2',
      oneofs: {
        value: {
          oneof: ['intValue', 'longValue', 'floatValue', 'doubleValue', 'booleanValue', 'stringValue'],
        },
      },
      fields: {
        name: { type: 'string', id: 1 },
        alias: { type: 'uint64', id: 2 },
        timestamp: { type: 'uint64', id: 3 },
        datatype: { type: 'uint32', id: 4 },
        isHistorical: { type: 'bool', id: 5 },
        isNull: { type: 'bool', id: 7 },
        properties: { type: 'PropertySet', id: 9 },
        intValue: { type: 'uint32', id: 10 },
        longValue: { type: 'uint64', id: 11 },
        floatValue: { type: 'float', id: 12 },
        doubleValue: { type: 'double', id: 13 },
        booleanValue: { type: 'bool', id: 14 },
        stringValue: { type: 'string', id: 15 },
      },
    },
    PropertySet: {
      edition: 'proto2',
      fields: {
        keys: { rule: 'repeated', type: 'string', id: 1 },
        values: { rule: 'repeated', type: 'PropertyValue', id: 2 },
      },
    },
    PropertyValue: { edition: 'proto2', fields: { stringValue: { type: 'string', id: 8 } } },
  },
} satisfies protobuf.INamespace

const require = createRequire(import.meta.url)

let loaded: protobuf.Type | undefined

/** The package, which compiles WebAssembly when it is loaded, is loaded with the first message (ADR 0170). */
function payloadType(): protobuf.Type {
  if (!loaded) {
    const { Root } = require('protobufjs') as typeof protobuf
    loaded = Root.fromJSON(DESCRIPTOR).lookupType('Payload')
  }
  return loaded
}

export interface Metric {
  readonly name: string | undefined
  readonly alias: string | undefined
  /** Epoch milliseconds. */
  readonly timestamp: number | undefined
  readonly datatype: number | undefined
  /** Undefined when the metric is null or of a type without a single value (datasets, templates, bytes). */
  readonly value: number | boolean | string | undefined
  /** The unit in the properties of a birth. */
  readonly engUnit: string | undefined
}

export interface Payload {
  readonly timestamp: number | undefined
  readonly seq: number | undefined
  readonly metrics: readonly Metric[]
}

/** A decoded protobuf object; 64-bit numbers are text. */
type DecodedObject = Readonly<Record<string, unknown>>

const toNumber = (value: unknown): number | undefined =>
  typeof value === 'string' || typeof value === 'number' ? Number(value) : undefined
const toText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const INT8 = 1
const INT16 = 2
const INT32 = 3
const INT64 = 4

/**
 * Signed numbers are sent as unsigned ones of 32 or 64 bits; the data type, possibly from the birth,
 * distinguishes them.
 */
export function toSigned(value: number | boolean | string | undefined, datatype: number | undefined) {
  if (typeof value !== 'number') return value
  if (datatype === INT8) return (value << 24) >> 24
  if (datatype === INT16) return (value << 16) >> 16
  if (datatype === INT32) return value | 0
  return value
}

/** Converts a 64-bit value to a number; beyond 2^53 to the nearest one. */
const toLong = (value: unknown, datatype: number | undefined): number => {
  const long = BigInt(String(value))
  return Number(datatype === INT64 ? BigInt.asIntN(64, long) : long)
}

function readValue(metric: DecodedObject, datatype: number | undefined): Metric['value'] {
  if (metric['isNull'] === true) return undefined
  const { intValue, longValue, floatValue, doubleValue, booleanValue, stringValue } = metric
  if (longValue !== undefined) return toLong(longValue, datatype)
  const number = intValue ?? doubleValue ?? floatValue
  if (typeof number === 'number') return floatValue === undefined ? number : shortestDecimal(number)
  return typeof booleanValue === 'boolean' ? booleanValue : toText(stringValue)
}

/** The shortest decimal with the same float32 representation, such as 230.1. */
function shortestDecimal(value: number): number {
  for (let digits = 6; digits < 10; digits += 1) {
    const rounded = Number(value.toPrecision(digits))
    if (Math.fround(rounded) === value) return rounded
  }
  return value
}

function readUnit(properties: unknown): string | undefined {
  const { keys, values } = (properties ?? {}) as { keys?: unknown[]; values?: DecodedObject[] }
  const index = keys?.indexOf('engUnit') ?? -1
  return index < 0 ? undefined : toText(values?.[index]?.['stringValue'])
}

function toMetric(metric: DecodedObject): Metric {
  const datatype = toNumber(metric['datatype'])
  return {
    // Some senders set an empty name together with the alias.
    name: toText(metric['name']) || undefined,
    alias: toText(metric['alias']),
    timestamp: toNumber(metric['timestamp']),
    datatype,
    value: readValue(metric, datatype),
    engUnit: readUnit(metric['properties']),
  }
}

const COMPRESSED = 'SPBV1.0_COMPRESSED'

/**
 * Decodes a payload; throws Undecodable for bytes that are no Sparkplug B payload, and for a compressed
 * one.
 */
export function decodePayload(bytes: Buffer): Payload {
  const type = payloadType()
  let wire: DecodedObject
  try {
    wire = type.toObject(type.decode(bytes), { longs: String, defaults: false })
  } catch {
    throw new Undecodable('not_protobuf', 'the payload is not a Sparkplug B payload')
  }
  if (wire['uuid'] === COMPRESSED) {
    throw new Undecodable('wrong_shape', 'compressed payloads are not read: switch the compression off')
  }
  const metrics = Array.isArray(wire['metrics']) ? (wire['metrics'] as DecodedObject[]) : []
  const timestamp = toNumber(wire['timestamp'])
  const seq = toNumber(wire['seq'])
  if (metrics.length === 0 && timestamp === undefined && seq === undefined) {
    throw new Undecodable('not_protobuf', 'the payload is not a Sparkplug B payload')
  }
  return { timestamp, seq, metrics: metrics.map(toMetric) }
}

const BOOLEAN = 11

/** Encodes the NCMD by which a host requests a new birth. */
export function encodeRebirthRequest(timestamp: number): Buffer {
  const metric = { name: 'Node Control/Rebirth', timestamp, datatype: BOOLEAN, booleanValue: true }
  const type = payloadType()
  return Buffer.from(type.encode(type.fromObject({ timestamp, metrics: [metric] })).finish())
}

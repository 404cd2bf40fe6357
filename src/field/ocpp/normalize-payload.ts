/*
 * Payload normalization: repairs what stations get wrong in a way that has only one meaning, before the
 * schema is applied.
 *
 * Purpose. Stations are written by many vendors and stay for years. A refused message loses every reading in
 * it, and a StartTransaction that is refused loses a whole session; so a payload is repaired first and
 * validated afterwards.
 *
 * The repairs are driven by the schema of the message:
 *
 *   number where text is sent           "12.5" becomes 12.5 where the schema asks for a number
 *   text where a number is sent         `value` of a meter in 1.6 becomes text
 *   null                                means "absent": the property is dropped
 *   date-time without an offset         is UTC, as OCPP demands: "Z" is appended
 *   meterStart, meterStop               are rounded to whole Wh
 *   NUL and lone surrogates             are removed or replaced, since PostgreSQL cannot store them
 *   properties that OCPP does not know  are dropped and reported by name (`unknown`), which becomes an event
 *                                       of the charger
 *   descriptive texts that are too long are cut to their length and reported by name (`truncated`): stations
 *                                       send the names of their models as they are, and a refused boot keeps a
 *                                       station out of service
 *
 * Everything else stays as it was sent, for the schema to accept or to refuse: what is missing or of a wrong
 * type is never invented. Open lists (measurands, units) are a matter of `schemas.ts`.
 *
 * Trade-offs.
 * - Most messages are right, so the payload is copied on write: an object that needs no repair is returned as
 *   it is, without an allocation. This is the hot path of every meter value.
 * - The walk is recursive and bounded by OCPP_DEPTH_MAX; a deeper payload throws TooDeep.
 * - It knows the few JSON Schema keywords that OCPP uses and no others ($ref into definitions, properties,
 *   items, format).
 */
import { OCPP_DEPTH_MAX, OCPP_UNKNOWN_NAMES_MAX } from './limits.ts'

/** The part of JSON Schema that decides about repairs. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly maxLength?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: unknown
  readonly items?: Schema
  readonly definitions?: Readonly<Record<string, Schema>>
}

const NUMERIC = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i
const NO_OFFSET = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?$/
/** Registers in whole Wh, which are rounded. */
const REGISTERS: ReadonlySet<string> = new Set(['meterStart', 'meterStop'])
/** Texts that describe the station and its state; none of them identifies a station, a session or a person. */
const DESCRIPTIONS: ReadonlySet<string> = new Set([
  ...['chargePointVendor', 'chargePointModel', 'chargePointSerialNumber', 'chargeBoxSerialNumber'],
  ...['vendorName', 'model', 'serialNumber', 'firmwareVersion', 'iccid', 'imsi'],
  ...['meterType', 'meterSerialNumber', 'info', 'vendorErrorCode', 'techInfo'],
])
const REF = '#/definitions/'

/** A payload is nested deeper than OCPP_DEPTH_MAX. */
export class TooDeep extends Error {}

export interface NormalizedPayload {
  readonly value: unknown
  /**
   * Paths of dropped properties that the schema does not know, without array indexes; at most
   * OCPP_UNKNOWN_NAMES_MAX.
   */
  readonly unknown: readonly string[]
  /** Paths of the descriptive texts that were cut to the length of the schema. */
  readonly truncated: readonly string[]
}

/**
 * Normalizes a payload by the schema of its message; see above. The payload itself is not changed. Throws
 * TooDeep.
 */
export function normalizePayload(root: Schema, payload: unknown): NormalizedPayload {
  const normalizer = new Normalizer(root)
  const value = normalizer.value(root, payload, 0)
  return { value, unknown: [...normalizer.unknown], truncated: [...normalizer.truncated] }
}

const NAME_NOTED_MAX = 50

class Normalizer {
  readonly unknown = new Set<string>()
  /** At most one path for each property that DESCRIPTIONS names and the schema has. */
  readonly truncated = new Set<string>()
  readonly #root: Schema
  readonly #path: string[] = []
  constructor(root: Schema) {
    this.#root = root
  }

  value(declared: Schema | undefined, value: unknown, depth: number): unknown {
    if (depth > OCPP_DEPTH_MAX) throw new TooDeep()
    const schema = this.#resolve(declared)
    if (typeof value === 'string') return normalizeText(schema, value)
    if (Array.isArray(value)) return this.#array(schema?.items, value, depth)
    if (typeof value === 'object' && value !== null) return this.#object(schema, value, depth)
    return value
  }

  #array(schema: Schema | undefined, items: readonly unknown[], depth: number): readonly unknown[] {
    let copy: unknown[] | undefined
    for (const [index, item] of items.entries()) {
      const normalized = this.value(schema, item, depth + 1)
      if (normalized === item) continue
      copy ??= [...items]
      copy[index] = normalized
    }
    return copy ?? items
  }

  #object(schema: Schema | undefined, value: object, depth: number): object {
    let copy: Map<string, unknown> | undefined
    for (const key of Object.keys(value)) {
      const item = (value as Readonly<Record<string, unknown>>)[key]
      const normalized = this.#property(schema, key, item, depth)
      if (normalized === item) continue
      copy ??= new Map(Object.entries(value))
      if (normalized === undefined) copy.delete(key)
      else copy.set(key, normalized)
    }
    return copy ? Object.fromEntries(copy) : value
  }

  /** The normalized property; undefined for one that means "absent", and for one that OCPP does not know. */
  #property(schema: Schema | undefined, key: string, item: unknown, depth: number): unknown {
    if (item === null) return undefined
    const isKnown = schema?.properties !== undefined && Object.hasOwn(schema.properties, key)
    if (!isKnown && schema?.additionalProperties === false) return this.#drop(key)
    const own = isKnown ? schema.properties?.[key] : undefined
    // In OCPP 1.6 the value of a meter is text, contrary to what implementers expect.
    const isMeterValue = key === 'value' && typeof item === 'number' && own?.type === 'string'
    if (isMeterValue) return String(item)
    this.#path.push(key)
    const normalized = this.value(own, item, depth + 1)
    this.#path.pop()
    if (typeof normalized === 'string' && DESCRIPTIONS.has(key)) return this.#truncate(key, own, normalized)
    return typeof normalized === 'number' && REGISTERS.has(key) ? Math.round(normalized) : normalized
  }

  #drop(key: string): undefined {
    if (this.unknown.size >= OCPP_UNKNOWN_NAMES_MAX) return
    this.unknown.add([...this.#path, storable(key.slice(0, NAME_NOTED_MAX))].join('.'))
  }

  #truncate(key: string, declared: Schema | undefined, text: string): string {
    const maxLength = this.#resolve(declared)?.maxLength
    // JSON Schema counts characters, of which one may be two units of a JavaScript string.
    if (maxLength === undefined || text.length <= maxLength) return text
    const characters = [...text]
    if (characters.length <= maxLength) return text
    this.truncated.add([...this.#path, key].join('.'))
    return characters.slice(0, maxLength).join('')
  }

  #resolve(schema: Schema | undefined): Schema | undefined {
    const name = schema?.$ref?.startsWith(REF) ? schema.$ref.slice(REF.length) : undefined
    return name === undefined ? schema : this.#root.definitions?.[name]
  }
}

function normalizeText(schema: Schema | undefined, text: string): unknown {
  if (schema?.type === 'integer' || schema?.type === 'number') {
    const trimmed = text.trim()
    return NUMERIC.test(trimmed) ? Number(trimmed) : storable(text)
  }
  if (schema?.format !== 'date-time') return storable(text)
  const trimmed = text.trim()
  return NO_OFFSET.test(trimmed) ? `${trimmed.replace(',', '.')}Z` : trimmed
}

const UNSTORABLE = /[\0\p{Surrogate}]/u

/** The text without what PostgreSQL cannot store: NUL characters and lone surrogates. */
export const storable = (text: string): string =>
  UNSTORABLE.test(text) ? text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\ufffd') : text

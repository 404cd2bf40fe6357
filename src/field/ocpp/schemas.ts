import { createRequire } from 'node:module'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { OcppVersion } from '../../kernel/ocpp.ts'
import { parseAnyInstant } from '../../kernel/time.ts'
import { OcppCallError, type OcppErrorCode } from './errors.ts'
import { type NormalizedPayload, normalizePayload, type Schema, TooDeep } from './normalize-payload.ts'
import type { Messages, MessagesByVersion } from './types.ts'

/** The schemas of the Open Charge Alliance, as `ocpp-rpc` ships them; one document per message. */
const FILES: Readonly<Record<OcppVersion, string>> = {
  '1.6': 'ocpp-rpc/lib/schemas/ocpp1_6.json',
  '2.0.1': 'ocpp-rpc/lib/schemas/ocpp2_0_1.json',
}

/** Properties of a message that were changed before its validation. */
export type ChangedProperties = Omit<NormalizedPayload, 'value'>

/**
 * Validation of the messages of one version. A payload is normalized first (normalize-payload.ts) and then
 * checked against its schema; the result has the generated type of the action. Each schema is compiled when
 * its first message arrives.
 */
export interface Schemas<M extends Messages = Messages> {
  has(action: string): boolean
  /**
   * The request of a station's call. Throws the OcppCallError that names the violation. Properties that OCPP does not
   * know are dropped, and descriptive texts that are too long are cut; `onChanged` receives their names. Manufacturers
   * deviate in both, and a refused message would lose a session or keep a station out of service.
   */
  request<Action extends keyof M & string>(
    action: Action,
    payload: unknown,
    onChanged?: (changed: ChangedProperties) => void,
  ): M[Action]['request']
  /** The same for a station's response to a call of ours. */
  response<Action extends keyof M & string>(action: Action, payload: unknown): M[Action]['response']
  /** A call of ours, which must not have properties that OCPP does not know. */
  ownRequest<Action extends keyof M & string>(action: Action, payload: object): M[Action]['request']
}

export function readSchemas<Version extends OcppVersion>(
  version: Version,
): Schemas<MessagesByVersion[Version]> {
  const compiled = new Map<string, ValidateFunction>()
  let loaded: { readonly documents: ReadonlyMap<string, Schema>; readonly ajv: Ajv } | undefined
  /** Read with the first message, because many services have no stations of this version (ADR 0170). */
  const load = () => {
    loaded ??= { documents: readDocuments(version), ajv: makeAjv() }
    return loaded
  }

  /**
   * Only here does a payload get its type: by the schema of its message, which the types are generated
   * from.
   */
  function check<T>(id: string, payload: unknown, onChanged?: (changed: ChangedProperties) => void): T {
    const { documents, ajv } = load()
    const document = documents.get(id)
    if (!document) throw new OcppCallError('NotImplemented')
    let validate = compiled.get(id)
    if (!validate) {
      validate = ajv.compile(document)
      compiled.set(id, validate)
    }
    const { value, ...changed } = normalizeOrThrow(document, payload)
    if (!validate(value)) throw callErrorOf(validate.errors?.[0])
    if (changed.unknown.length + changed.truncated.length > 0) onChanged?.(changed)
    return value as T
  }

  return {
    has: (action) => load().documents.has(`urn:${action}.req`),
    request: (action, payload, onChanged) => check(`urn:${action}.req`, payload, onChanged),
    response: (action, payload) => check(`urn:${action}.conf`, payload),
    ownRequest: (action, payload) =>
      check(`urn:${action}.req`, payload, ({ unknown: [name] }) => {
        if (name !== undefined) throw new OcppCallError('FormationViolation', `${name} is not of OCPP`)
      }),
  }
}

function normalizeOrThrow(document: Schema, payload: unknown): NormalizedPayload {
  try {
    return normalizePayload(document, payload)
  } catch (error) {
    throw error instanceof TooDeep ? new OcppCallError('FormationViolation', 'nested too deep') : error
  }
}

/**
 * The schema documents by id, such as `urn:Heartbeat.req`. The ids are removed from them: Ajv does not accept
 * these URNs.
 */
export function readDocuments(version: OcppVersion): ReadonlyMap<string, Schema> {
  const documents = createRequire(import.meta.url)(FILES[version]) as readonly { readonly $id: string }[]
  return new Map(documents.map(({ $id, ...document }) => [$id, relaxEnums(document) as Schema]))
}

/**
 * Lists that stay open: every vendor has its own measurands and units, and refusing one would lose the
 * readings beside it.
 */
const OPEN_ENUMS = ['measurand', 'unit', 'context', 'location', 'phase', 'format']
const OPEN_TYPES = ['MeasurandEnumType', 'ReadingContextEnumType', 'LocationEnumType', 'PhaseEnumType']
const ANY_TEXT = { type: 'string', maxLength: 50 }

/** The document with these enumerations removed below `sampledValue`. */
function relaxEnums(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(relaxEnums)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]: [string, unknown]) => {
      if (key === 'sampledValue') return [key, withoutEnums(value)]
      if (OPEN_TYPES.includes(key)) return [key, ANY_TEXT]
      return [key, relaxEnums(value)]
    }),
  )
}

function withoutEnums(sampled: unknown): unknown {
  const { items } = sampled as { items?: { properties?: Readonly<Record<string, object>> } }
  if (!items?.properties) return sampled
  const properties = Object.entries(items.properties).map(([key, value]) => [
    key,
    OPEN_ENUMS.includes(key) ? ANY_TEXT : value,
  ])
  return { ...(sampled as object), items: { ...items, properties: Object.fromEntries(properties) } }
}

function makeAjv(): Ajv {
  const ajv = new Ajv({ strict: false, validateFormats: true })
  ajv.addFormat('date-time', (text: string) => parseAnyInstant(text)?.hasOffset === true)
  ajv.addFormat('uri', (text: string) => URL.canParse(text))
  // In binary floating point 16.1 is no multiple of 0.1.
  ajv.removeKeyword('multipleOf')
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    compile: (step: number) => (value: number) => Math.abs(Math.round(value / step) - value / step) < 1e-6,
  })
  return ajv
}

const CODES: Readonly<Record<string, OcppErrorCode>> = {
  type: 'TypeConstraintViolation',
  required: 'OccurrenceConstraintViolation',
  minItems: 'OccurrenceConstraintViolation',
  maxItems: 'OccurrenceConstraintViolation',
}

/** The CALLERROR for the first violation: its path and the rule, and none of its content. */
function callErrorOf(violation: ErrorObject | undefined): OcppCallError {
  const path = violation?.instancePath ?? ''
  const isWhole = path === '' && violation?.keyword === 'type'
  const code = isWhole
    ? 'FormationViolation'
    : (CODES[violation?.keyword ?? ''] ?? 'PropertyConstraintViolation')
  return new OcppCallError(code, `${path.slice(1).replaceAll('/', '.')} ${violation?.message ?? ''}`.trim())
}

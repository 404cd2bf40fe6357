import {
  type Fault,
  findNotes,
  type MapDocument,
  openDocument,
  readRegisterMap,
  type Transport,
} from '../../../core/register-map/index.ts'
import type { AppError } from '../../../kernel/errors.ts'
import { freeFormFault, unstorableIn } from '../../../platform/http/json-text.ts'
import { invalidInput, invalidInputs, ruleFailure } from '../../../platform/http/validation.ts'
import { TEMPLATE_TEXTS } from './messages.ts'

/** A 422 that lists every fault with its path below `basePath`. */
export const invalidRegisterMap = (
  faults: readonly Fault[],
  basePath: readonly string[] = ['body'],
): AppError =>
  invalidInputs(
    TEMPLATE_TEXTS.REGISTER_MAP_NOT_VALID(),
    faults.map(({ path, content, type, ...values }) => ({
      ...ruleFailure([...basePath, ...path], content, type),
      ...values,
    })),
  )

/** A valid document and the notes for the user. */
export interface CheckedMap {
  readonly document: MapDocument
  readonly notes: ReturnType<typeof findNotes>
}

/** Checks a register map; 422 with all faults. `basePath` is its path in the request. */
export function checkDocument(input: unknown, basePath: readonly string[]): CheckedMap {
  const result = readRegisterMap(input)
  if ('faults' in result) throw invalidRegisterMap(result.faults, basePath)
  const { document, map } = result
  const fault = unstorableIn(JSON.stringify(document)) ?? freeFormFault(document)
  if (fault !== undefined) throw invalidInput([...basePath], fault)
  return { document, notes: findNotes(map) }
}

/** Checks a register map within a template. One without a format is stored unchanged. */
export function checkInlineMap(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return 'format' in input ? { ...checkDocument(input, ['body', 'register_map']).document } : input
}

/**
 * The protocols of a template: the transports of its map, or the requested subset of them; 422 for any other
 * protocol.
 */
export function resolveProtocols(
  map: Readonly<Record<string, unknown>> | null | undefined,
  requested: readonly Transport[] | undefined,
): Transport[] | undefined {
  const document = map ? openDocument(map) : undefined
  if (!document) return requested && [...requested]
  const { transports } = document
  const unsupported = requested?.find((protocol) => !transports.some((transport) => transport === protocol))
  if (unsupported !== undefined)
    throw invalidInput(['body', 'protocols'], TEMPLATE_TEXTS.TRANSPORT_NOT_IN_MAP({ protocol: unsupported }))
  return [...(requested ?? transports)]
}

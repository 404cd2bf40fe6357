import {
  type Fault,
  findNotes,
  type MapDocument,
  openDocument,
  readRegisterMap,
  type Transport,
} from '../../../core/register-map/index.ts'
import { AppError } from '../../../kernel/errors.ts'
import { freeFormFault, unstorableIn } from '../../../platform/http/json-text.ts'
import { invalidInput } from '../../../platform/http/validation.ts'

/** 422 that lists every fault with its place, below `under`. */
export const invalidRegisterMap = (
  faults: readonly Fault[],
  basePath: readonly string[] = ['body'],
): AppError =>
  new AppError(422, 'VALIDATION_ERROR', 'the register map is not valid', {
    shape: 'failures',
    extra: {
      failures: faults.map(({ path, ...fault }) => ({ loc: [...basePath, ...path], ...fault })),
    },
  })

/** A document that may be stored, and what is worth saying about it. */
export interface CheckedMap {
  readonly document: MapDocument
  readonly notes: ReturnType<typeof findNotes>
}

/** 422 when it is no register map that may be stored; `under`: where it stands in the request. */
export function checkDocument(input: unknown, basePath: readonly string[]): CheckedMap {
  const result = readRegisterMap(input)
  if ('faults' in result) throw invalidRegisterMap(result.faults, basePath)
  const { document, map } = result
  const fault = unstorableIn(JSON.stringify(document)) ?? freeFormFault(document)
  if (fault !== undefined) throw invalidRegisterMap([{ path: [], msg: fault, type: 'value_error' }], basePath)
  return { document, notes: findNotes(map) }
}

/** A register map within a record: checked when it names a format, kept as it is when it names none. */
export function checkInlineMap(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return 'format' in input ? { ...checkDocument(input, ['body', 'register_map']).document } : input
}

/** The protocols of a template: the transports of its map, or those of them that the caller names (else 422). */
export function resolveProtocols(
  map: Readonly<Record<string, unknown>> | null | undefined,
  requested: readonly Transport[] | undefined,
): Transport[] | undefined {
  const document = map ? openDocument(map) : undefined
  if (!document) return requested && [...requested]
  const { transports } = document
  const unsupported = requested?.find((protocol) => !transports.some((transport) => transport === protocol))
  if (unsupported !== undefined)
    throw invalidInput(['body', 'protocols'], `${unsupported} is no transport of the register map`)
  return [...(requested ?? transports)]
}

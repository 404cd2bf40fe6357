import { isRecord } from '../../kernel/checked.ts'
import { readTests, type TestDocument } from './document.ts'
import { FRAME_FIELDS } from './document-fields.ts'
import type { Fault } from './fields.ts'
import { FRAME_FAULTS } from './file-messages.ts'
import { type Expected, isSame, type Source, sourceOf, toExpected } from './golden-frames.ts'
import { REGISTER_MAP_FAULTS_MAX } from './limits.ts'
import { readRegisterMap } from './read.ts'
import type { DecodeProblem, RegisterMap } from './types.ts'

/** What a frame yields for one register. */
export interface FrameValue {
  readonly key: string
  readonly metric: string | null
  /** Unit of both values. */
  readonly unit: string | null
  /** Null when the register has no valid value; `problem` is the reason. */
  readonly actual: Expected
  readonly problem: DecodeProblem | null
  /** Null where a value is not expected to exist, and where nothing is expected. */
  readonly expected: Expected
  /** Null where nothing is expected. */
  readonly is_match: boolean | null
}

export interface DecodedFrame {
  readonly name: string | null
  /** In the order of the map: the registers that the frame contains, and those with an expected value. */
  readonly values: readonly FrameValue[]
}

/**
 * Decodes the frames of a document with its map, whether or not the values are the expected ones. Returns the faults
 * of the map and of frames that cannot be read, with their paths.
 */
export function runFrames(
  input: unknown,
): { readonly frames: readonly DecodedFrame[] } | { readonly faults: readonly Fault[] } {
  const { tests, ...document } = isRecord(input) ? input : { tests: undefined }
  const faults: Fault[] = []
  const frames = readTests(tests, faults, FRAME_FIELDS)
  const result = readRegisterMap(isRecord(input) ? document : input)
  if ('faults' in result) return { faults: [...result.faults, ...faults].slice(0, REGISTER_MAP_FAULTS_MAX) }
  const decoded = faults.length > 0 ? [] : frames.map((frame) => decodeFrame(result.map, frame))
  const all = [
    ...faults,
    ...decoded.flatMap((one, index) =>
      'faults' in one ? one.faults.map((fault) => ({ ...fault, path: ['tests', index, ...fault.path] })) : [],
    ),
  ]
  if (all.length > 0) return { faults: all.slice(0, REGISTER_MAP_FAULTS_MAX) }
  return { frames: decoded.flatMap((one) => ('faults' in one ? [] : [one])) }
}

function decodeFrame(
  map: RegisterMap,
  frame: TestDocument,
): DecodedFrame | { readonly faults: readonly Fault[] } {
  const source = sourceOf(map, frame)
  if (Array.isArray(source)) return { faults: source }
  const unknown = Object.keys(frame.expect).filter((key) => !map.byKey.has(key))
  if (unknown.length > 0)
    return {
      faults: unknown.map((key) => ({
        path: ['expect', key],
        content: FRAME_FAULTS.MAP_TEST_KEY_UNKNOWN(),
        type: 'value_error',
      })),
    }
  return { name: frame.name, values: valuesOf(map, frame, source) }
}

function valuesOf(map: RegisterMap, { expect }: TestDocument, source: Source): FrameValue[] {
  return map.registers.flatMap((register) => {
    const { key, metric, unit } = register
    const result = source(map, register)
    const isExpected = Object.hasOwn(expect, key)
    const problem = result?.kind === 'problem' ? result.reason : null
    if (!isExpected && (!result || problem === 'not_read')) return []
    const actual = toExpected(result)
    const expected = isExpected ? (expect[key] ?? null) : null
    const is_match = isExpected ? isSame(expected, actual) : null
    return [{ key, metric, unit, actual, problem: result ? problem : 'not_read', expected, is_match }]
  })
}

import { at } from '../../kernel/checked.ts'
import type { Message } from '../../kernel/messages.ts'
import { decodeRegister, makeWordReader, type RegisterResult, type WordBlock } from './decode.ts'
import type { MapDocument, TestDocument } from './document.ts'
import type { Fault } from './fields.ts'
import { FRAME_FAULTS } from './file-messages.ts'
import { parseSpan, readFrame, type Span } from './frame.ts'
import { decodeRegisterFromMessage } from './message.ts'
import type { ReadFunction, RegisterDef, RegisterMap } from './types.ts'

/** Runs the golden frames of a map and returns a fault for each value that differs from the expected one. */
export const runTests = (map: RegisterMap, tests: MapDocument['tests']): Fault[] =>
  tests.flatMap((test, index) =>
    runTest(map, test).map((fault) => ({ ...fault, path: ['tests', index, ...fault.path] })),
  )

export type Expected = TestDocument['expect'][string]

function runTest(map: RegisterMap, test: TestDocument): Fault[] {
  const source = sourceOf(map, test)
  if (Array.isArray(source)) return source
  return Object.entries(test.expect).flatMap(([key, expected]) => {
    const register = map.byKey.get(key)
    const path = ['expect', key]
    if (!register) return [{ path, content: FRAME_FAULTS.MAP_TEST_KEY_UNKNOWN(), type: 'value_error' }]
    const actual = toExpected(source(map, register))
    if (isSame(expected, actual)) return []
    const content = FRAME_FAULTS.MAP_TEST_DIFFERS({
      expected: JSON.stringify(expected),
      actual: JSON.stringify(actual),
    })
    return [{ path, content, type: 'golden_frame', expected, actual }]
  })
}

/** Decodes registers from the frame or the message of a test; its faults when it cannot be read. */
export function sourceOf(map: RegisterMap, test: TestDocument): Source | Fault[] {
  const hasMessage = test.message !== null
  if ((test.frame !== null) === hasMessage)
    return [{ path: ['frame'], content: FRAME_FAULTS.MAP_TEST_FORM(), type: 'value_error' }]
  return hasMessage ? messageSource(test) : frameSource(map, test)
}

export type Source = (map: RegisterMap, register: RegisterDef) => RegisterResult | undefined

const messageSource =
  ({ topic, message }: TestDocument): Source =>
  (_map, register) =>
    decodeRegisterFromMessage(register, { topic: topic ?? '', document: message })

function frameSource(map: RegisterMap, { frame, registers }: TestDocument): Source | Fault[] {
  const fault = (path: string, content: Message): Fault[] => [{ path: [path], content, type: 'value_error' }]
  const frames = frame?.trim().split(/\s+/) ?? []
  const spans = (registers ?? '').trim().split(/\s+/).map(parseSpan)
  if (spans.includes(undefined)) return fault('registers', FRAME_FAULTS.MAP_TEST_REGISTERS_FORM())
  if (spans.length !== frames.length) return fault('registers', FRAME_FAULTS.MAP_TEST_RANGES())
  const blocks: WordBlock[] = []
  for (const [index, span] of (spans as Span[]).entries()) {
    const result = readFrame(at(frames, index), span, functionOfSpan(map, span))
    if ('fault' in result) return fault('frame', result.fault)
    blocks.push(result.block)
  }
  const read = makeWordReader(blocks)
  return (whole, register) => decodeRegister(whole, register, read)
}

/** The function by which the map reads these addresses; undefined when there is none or more than one. */
function functionOfSpan(map: RegisterMap, { address, count }: Span): ReadFunction | undefined {
  const found = new Set<ReadFunction>()
  for (const { modbusRange: range } of map.registers)
    if (range && range.address >= address && range.address < address + count) found.add(range.function)
  return found.size === 1 ? [...found][0] : undefined
}

/** Null when there is no valid value. */
export function toExpected(result: RegisterResult | undefined): Expected {
  if (!result || result.kind === 'problem') return null
  return result.kind === 'value' ? result.value : result.state
}

/** Relative tolerance for the rounding errors of binary fractions. */
const TOLERANCE = 1e-9

export const isSame = (expected: Expected, actual: Expected): boolean =>
  typeof expected === 'number' && typeof actual === 'number'
    ? Math.abs(expected - actual) <= TOLERANCE * Math.max(1, Math.abs(expected))
    : expected === actual

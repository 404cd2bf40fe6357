import { isRecord } from '../../kernel/checked.ts'
import type { Fault } from './fields.ts'
import { MAP_FAULTS, VALUE_FAULTS } from './messages.ts'

/**
 * The address conventions of uploaded documents: from 0 as on the wire, from 1, or Modicon numbers (3xxxx,
 * 4xxxx).
 */
const ADDRESSINGS = ['zero', 'one', 'modicon'] as const

interface Range {
  readonly first: number
  readonly last: number
  readonly fn: number
}

/** Five digits cover 9,999 registers, six digits cover all 65,536. */
const MODICON: readonly Range[] = [
  { first: 1, last: 9_999, fn: 1 },
  { first: 10_001, last: 19_999, fn: 2 },
  { first: 30_001, last: 39_999, fn: 4 },
  { first: 40_001, last: 49_999, fn: 3 },
  { first: 100_001, last: 165_536, fn: 2 },
  { first: 300_001, last: 365_536, fn: 4 },
  { first: 400_001, last: 465_536, fn: 3 },
]

/**
 * Converts the addresses of an uploaded document to wire addresses (from 0) according to
 * `defaults.addressing`, which is removed. A Modicon number also determines the function. Values that are not
 * addresses stay unchanged; the schema check reports them.
 */
export function toZeroBased(input: unknown, faults: Fault[]): unknown {
  if (!isRecord(input) || !isRecord(input['defaults'])) return input
  const { addressing, ...defaults } = input['defaults']
  if (addressing === undefined || addressing === null) return input
  if (!ADDRESSINGS.some((known) => known === addressing)) {
    const content = VALUE_FAULTS.MAP_NOT_ONE_OF({ allowed: ADDRESSINGS })
    faults.push({ path: ['defaults', 'addressing'], content, type: 'value_error' })
    return { ...input, defaults }
  }
  const { registers } = input
  if (!Array.isArray(registers)) return { ...input, defaults }
  const convert = (register: unknown, index: number): unknown => {
    if (!isRecord(register) || typeof register['address'] !== 'number') return register
    if (addressing === 'zero') return register
    if (addressing === 'one') return { ...register, address: register['address'] - 1 }
    return fromModicon(register, { path: ['registers', index, 'address'], faults })
  }
  return { ...input, defaults, registers: registers.map(convert) }
}

function fromModicon(
  register: Readonly<Record<string, unknown>>,
  { path, faults }: { readonly path: Fault['path']; readonly faults: Fault[] },
): unknown {
  const address = Number(register['address'])
  const range = MODICON.find(({ first, last }) => address >= first && address <= last)
  const named = register['function'] ?? null
  if (!range) faults.push({ path, content: MAP_FAULTS.MAP_NOT_MODICON(), type: 'value_error' })
  else if (named !== null && named !== range.fn && !isWriteOf(named, range.fn))
    faults.push({
      path,
      content: MAP_FAULTS.MAP_MODICON_FUNCTION({ expected: range.fn, function: String(named) }),
      type: 'value_error',
    })
  if (!range) return { ...register, address: 0 }
  return { ...register, address: address - range.first, function: named ?? range.fn }
}

const isWriteOf = (named: unknown, fn: number): boolean =>
  fn === 3 ? named === 6 || named === 16 : fn === 1 && (named === 5 || named === 15)

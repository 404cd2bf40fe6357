import { MODBUS_BITS_MAX, MODBUS_WORDS_MAX } from '../../kernel/limits.ts'
import type { ModbusRange, PollGroup, ReadFunction, RegisterMap } from './types.ts'

/** One read request and the registers that it covers. */
export interface Block {
  readonly function: ReadFunction
  readonly address: number
  /** Number of registers; of bits for functions 1 and 2. */
  readonly count: number
  /** Ordered by address; each key belongs to one block of its poll group. */
  readonly keys: readonly string[]
}

export interface GroupPlan {
  readonly group: PollGroup
  readonly blocks: readonly Block[]
}

interface Span extends ModbusRange {
  readonly key: string
}

const BITS_PER_WORD = 16
const isBits = (fn: ReadFunction): boolean => fn === 1 || fn === 2

/** Maximum length and gap of a request. The map's limits count words, those of functions 1 and 2 bits. */
function limitsOf(map: RegisterMap, fn: ReadFunction) {
  const { maxBlock, maxGap } = map.bus
  return isBits(fn)
    ? { longest: Math.min(maxBlock * BITS_PER_WORD, MODBUS_BITS_MAX), gap: maxGap * BITS_PER_WORD }
    : { longest: Math.min(maxBlock, MODBUS_WORDS_MAX), gap: maxGap }
}

/** Keys of the registers that a poll group stores over Modbus, and of the scale factors that they need. */
function findKeys(map: RegisterMap, group: string): Set<string> {
  const keys = new Set<string>()
  for (const { key, metric, modbusRange: range, pollGroup, scaleFactorRef } of map.registers) {
    if (pollGroup !== group || !range || metric === null) continue
    keys.add(key)
    if (scaleFactorRef) keys.add(scaleFactorRef)
  }
  return keys
}

function findSpans(map: RegisterMap, keys: Iterable<string>): Span[] {
  const spans: Span[] = []
  for (const key of keys) {
    const range = map.byKey.get(key)?.modbusRange
    if (range) spans.push({ ...range, key })
  }
  return spans.sort((a, b) => a.function - b.function || a.address - b.address || a.count - b.count)
}

const endOf = ({ address, count }: Pick<ModbusRange, 'address' | 'count'>): number => address + count

function toBlock(spans: readonly Span[]): Block | undefined {
  const first = spans[0]
  if (!first) return undefined
  const end = Math.max(...spans.map(endOf))
  const { function: fn, address } = first
  return { function: fn, address, count: end - address, keys: spans.map(({ key }) => key) }
}

interface BlockLimits {
  readonly longest: number
  readonly gap: number
}

function fits(block: readonly Span[], next: Span, { longest, gap }: BlockLimits): boolean {
  const whole = toBlock(block)
  if (!whole || whole.function !== next.function || next.address > endOf(whole) + gap) return false
  // A value longer than the maximum block is read alone, because a value must not be split.
  return endOf(next) <= endOf(whole) || endOf(next) - whole.address <= longest
}

/** Groups spans, ordered by address, into requests. */
function groupSpans(map: RegisterMap, spans: readonly Span[], gap?: number): Span[][] {
  const parts: Span[][] = []
  for (const span of spans) {
    const last = parts.at(-1)
    const limits = limitsOf(map, span.function)
    if (last && fits(last, span, { ...limits, gap: gap ?? limits.gap })) last.push(span)
    else parts.push([span])
  }
  return parts
}

const toBlocks = (parts: readonly (readonly Span[])[]): Block[] =>
  parts.flatMap((part) => toBlock(part) ?? [])

/**
 * Plans the read requests of each poll group. Neighbouring registers are joined across at most `maxGap`
 * unused registers; a block never exceeds the maximum length and never splits a value. A scale factor is read
 * in every group that needs it. Groups without Modbus registers are omitted.
 */
export function planReads(map: RegisterMap): readonly GroupPlan[] {
  return [...map.pollGroups.values()].flatMap((group) => {
    const blocks = toBlocks(groupSpans(map, findSpans(map, findKeys(map, group.name))))
    return blocks.length > 0 ? [{ group, blocks }] : []
  })
}

/** The parts of a refused request: first those without unused registers, then halves; empty for a single one. */
function splitSpans(map: RegisterMap, spans: readonly Span[]): readonly (readonly Span[])[] {
  const withoutGaps = groupSpans(map, spans, 0)
  if (withoutGaps.length > 1) return withoutGaps
  if (spans.length < 2) return []
  const half = spans.length >> 1
  return [spans.slice(0, half), spans.slice(half)]
}

/**
 * Splits a block that the device refused: first into blocks without unused registers, then in halves. Empty
 * when the block cannot be split further.
 */
export const splitBlock = (map: RegisterMap, block: Block): readonly Block[] =>
  toBlocks(splitSpans(map, findSpans(map, block.keys)))

/** The requests of a round in which the device refuses every request that can be split. */
export interface FullSplit {
  /** Number of refused requests that were split. */
  readonly refused: number
  /** The requests that cannot be split. */
  readonly parts: readonly Block[]
}

/** Splits a block and its parts until each part stands alone. */
export function splitFully(map: RegisterMap, block: Block): FullSplit {
  const waiting: (readonly Span[])[] = [findSpans(map, block.keys)]
  const single: (readonly Span[])[] = []
  let refused = 0
  for (let spans = waiting.pop(); spans; spans = waiting.pop()) {
    const parts = splitSpans(map, spans)
    if (parts.length === 0) single.push(spans)
    else refused += 1
    waiting.push(...parts)
  }
  return { refused, parts: toBlocks(single) }
}

import { at } from '../../../kernel/checked.ts'

/** Integers as closed ranges, in ascending order and not adjacent. */
export type Ranges = readonly (readonly [from: number, to: number])[]

export function union(one: Ranges, other: Ranges): Ranges {
  if (other.length === 0) return one
  const all = [...one, ...other].toSorted(([a], [b]) => a - b)
  const result: [number, number][] = []
  for (const [from, to] of all) {
    const last = result.at(-1)
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else result.push([from, to])
  }
  return result
}

/** Adds a number. The most frequent case, a number next to the last range, is handled first. */
export function withNumber(ranges: Ranges, number: number): Ranges {
  const last = ranges.at(-1)
  if (last && number >= last[0] && number <= last[1]) return ranges
  if (last && number === last[1] + 1) return [...ranges.slice(0, -1), [last[0], number]]
  return union(ranges, [[number, number]])
}

export const contains = (ranges: Ranges, number: number): boolean =>
  ranges.some(([from, to]) => number >= from && number <= to)

/** The gaps between the ranges. */
export function gapsOf(ranges: Ranges): Ranges {
  const gaps: [number, number][] = []
  for (let index = 1; index < ranges.length; index++) {
    gaps.push([at(ranges, index - 1)[1] + 1, at(ranges, index)[0] - 1])
  }
  return gaps
}

export const countOf = (ranges: Ranges): number => ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0)

/**
 * Limits the number of ranges to `max` by closing the oldest gaps; `givenUp` is the count of their numbers.
 */
export function limitRangeCount(
  ranges: Ranges,
  max: number,
): { readonly ranges: Ranges; readonly givenUp: number } {
  if (ranges.length <= max) return { ranges, givenUp: 0 }
  const closed = ranges.slice(0, ranges.length - max + 1)
  const [first, last] = [closed[0], closed.at(-1)]
  if (!first || !last) return { ranges, givenUp: 0 }
  return {
    ranges: [[first[0], last[1]], ...ranges.slice(ranges.length - max + 1)],
    givenUp: countOf(gapsOf(closed)),
  }
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SEQUENCE_RANGES_MAX } from './limits.ts'
import {
  copySequence,
  type MessageSequence,
  mergeSequences,
  missingNumbers,
  recordNumber,
  tryAppendNumber,
} from './message-sequence.ts'
import {
  contains,
  countOf,
  gapsOf,
  limitRangeCount,
  type Ranges,
  union,
  withNumber,
} from './number-ranges.ts'

const numbersOf = (ranges: Ranges): number[] =>
  ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index))
const small = fc.array(fc.nat(60), { maxLength: 60 })
const rangesOf = (numbers: readonly number[]): Ranges =>
  numbers.reduce<Ranges>((ranges, number) => withNumber(ranges, number), [])

describe('number ranges', () => {
  it('contain exactly the added numbers in any order, and their gaps contain the others', () => {
    fc.assert(
      fc.property(small, small, (one, other) => {
        const sorted = [...new Set([...one, ...other])].toSorted((a, b) => a - b)
        const merged = union(rangesOf(one), rangesOf(other))
        expect(numbersOf(merged)).toEqual(sorted)
        expect(union(rangesOf(other), rangesOf(one))).toEqual(merged)
        const [first = 0, last = -1] = [sorted[0], sorted.at(-1)]
        const between = Array.from({ length: last - first + 1 }, (_, index) => first + index)
        expect(numbersOf(gapsOf(merged))).toEqual(between.filter((number) => !contains(merged, number)))
      }),
    )
  })

  it('are limited in number by closing the oldest gaps, whose numbers are counted', () => {
    fc.assert(
      fc.property(small, fc.integer({ min: 1, max: 10 }), (numbers, max) => {
        const ranges = rangesOf(numbers)
        const cut = limitRangeCount(ranges, max)
        expect(cut.ranges.length).toBeLessThanOrEqual(max)
        expect(countOf(cut.ranges)).toBe(countOf(ranges) + cut.givenUp)
        expect(cut.ranges.at(-1)?.[1]).toBe(ranges.at(-1)?.[1])
      }),
    )
  })
})

/** A message with number `seq`, sent at second `seq`. */
const message = (seq: number, sentAt: number | undefined = seq * 1000) => ({ seq, sentAt, receivedAt: 0 })
const sequenceOf = (...seqs: number[]): MessageSequence | undefined =>
  seqs.reduce<MessageSequence | undefined>((before, seq) => recordNumber(before, message(seq)), undefined)

describe('message sequence of a gateway', () => {
  it('lists missing numbers until they arrive', () => {
    const before = sequenceOf(1, 2, 5)
    expect(before && missingNumbers(before)).toEqual([[3, 4]])
    const after = sequenceOf(1, 2, 5, 4, 3)
    expect(after).toMatchObject({ received: [[1, 5]], lastSeq: 5, restarts: 0 })
  })

  it('does not take a repeated message for a restart', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([1, 1, 2, 2, 3, 3, 4, 4, 5, 5]), (seqs) => {
        const sequence = sequenceOf(...seqs)
        expect(sequence?.restarts ?? 0).toBe(0)
        if (sequence) expect(numbersOf(sequence.received)).toEqual([...new Set(seqs)].toSorted())
      }),
    )
  })

  it('restarts when the gateway does: from 0 or 1, with a newer time', () => {
    const before = sequenceOf(1, 2, 3)
    const after = recordNumber(before, message(1, 60_000))
    expect(after).toMatchObject({ received: [[1, 1]], lastSeq: 1, restarts: 1 })
    expect(recordNumber(after, message(2, 61_000))).toMatchObject({ received: [[1, 2]], restarts: 1 })
    // Without a time a restart cannot be detected, so nothing is discarded.
    expect(recordNumber(before, { ...message(1), sentAt: undefined })).toMatchObject({
      restarts: 0,
      lastSeq: 3,
    })
  })

  it('merges the knowledge of several processes in any order (commutative, idempotent)', () => {
    fc.assert(
      fc.property(small, small, (one, other) => {
        const [a, b] = [sequenceOf(...one.map((n) => n + 2)), sequenceOf(...other.map((n) => n + 2))]
        if (!a || !b) return
        expect(mergeSequences(a, b)).toEqual(mergeSequences(b, a))
        expect(mergeSequences(a, mergeSequences(a, b))).toEqual(mergeSequences(a, b))
      }),
    )
  })

  it('is the same when the next number is appended in place', () => {
    fc.assert(
      fc.property(small, fc.nat(70), (seqs, seq) => {
        const before = sequenceOf(...seqs)
        if (!before) return
        const own = copySequence(before)
        if (tryAppendNumber(own, message(seq))) expect(own).toEqual(recordNumber(before, message(seq)))
        else expect(own).toEqual(before)
        expect(before).toEqual(sequenceOf(...seqs))
      }),
    )
  })

  it('stays bounded for any input', () => {
    const oddNumbers = Array.from({ length: SEQUENCE_RANGES_MAX + 100 }, (_, index) => 2 * index + 2)
    const sequence = sequenceOf(...oddNumbers)
    expect(sequence?.received.length).toBe(SEQUENCE_RANGES_MAX)
    expect(sequence?.givenUp).toBe(100)
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeMember } from '../../../test/support/netting/netting-input.ts'
import { add, type Kwh, smaller, total, wh, ZERO_KWH } from '../../kernel/decimal.ts'
import { type Balances, type NettedSlice, netSlice } from './match.ts'
import type { Slice } from './slices.ts'

const kwh = fc.bigInt({ min: 0n, max: 10n ** 8n }).map(wh)
const maybe = fc.option(kwh, { freq: 8 })
const drawn = fc.record({
  producers: fc.array(fc.record({ productionKwh: maybe, storageExportKwh: kwh }), { maxLength: 4 }),
  consumers: fc.array(
    fc.record({ consumptionKwh: maybe, balance: fc.option(fc.bigInt(-5n, 10n ** 8n).map(wh)) }),
    {
      maxLength: 4,
    },
  ),
})
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never

const sliceOf = ({ producers, consumers }: Drawn): { slice: Slice; balances: Balances } => ({
  slice: {
    hour: 0,
    date: '2026-06-10',
    dataQuality: 'complete',
    producers: producers.map((party, index) => ({ member: makeMember(`p${index}`), ...party })),
    consumers: consumers.map(({ consumptionKwh, balance }, index) => ({
      member: makeMember(`c${index}`),
      accountId: balance === null ? null : `c${index}`,
      consumptionKwh,
      selfConsumptionKwh: null,
      stepRoom: 'none',
    })),
  },
  balances: new Map(consumers.map(({ balance }, index) => [`c${index}`, balance ?? ZERO_KWH])),
})

const check = (property: (netted: NettedSlice, balances: Balances) => void) =>
  fc.assert(
    fc.property(drawn, (candidate) => {
      const { slice, balances } = sliceOf(candidate)
      property(netSlice(slice, balances), balances)
    }),
    { numRuns: 500 },
  )
const sum = (list: readonly Kwh[]): Kwh => total(list)

test('consumers and producers match the same energy: the smaller of both sums', () => {
  check(({ producers, consumers, matchedKwh, productionKwh, consumptionKwh }) => {
    expect(sum(consumers.map((share) => share.matchedKwh))).toBe(matchedKwh)
    expect(sum(producers.map((share) => share.matchedKwh))).toBe(matchedKwh)
    expect(matchedKwh).toBe(smaller(productionKwh, consumptionKwh))
    for (const share of consumers) expect(share.matchedKwh <= share.consumptionKwh).toBe(true)
  })
})

test("each producer's production is split into four non-negative parts that sum to it", () => {
  check(({ producers }) => {
    for (const { productionKwh, matchedKwh, bedelliKwh, skbKwh, bedelsizKwh } of producers) {
      const parts = [matchedKwh, bedelliKwh, skbKwh, bedelsizKwh]
      expect(sum(parts)).toBe(productionKwh)
      expect(parts.every((part) => part >= 0n)).toBe(true)
    }
  })
})

test('surplus is paid up to the limit, and no account is drawn below zero', () => {
  check(({ usage, bedelliKwh, skbKwh }, balances) => {
    let left = 0n
    for (const [account, balance] of balances) {
      const row = usage.find((item) => item.accountId === account)
      const used = row ? add(row.matchedKwh, row.paidSurplusKwh) : ZERO_KWH
      expect(used === 0n || used <= balance).toBe(true)
      if (balance > used) left += balance - used
    }
    expect(sum(usage.map((row) => row.paidSurplusKwh))).toBe(bedelliKwh)
    expect(skbKwh === 0n || left === 0n).toBe(true)
  })
})

test('without balances the surplus is paid without a limit', () => {
  fc.assert(
    fc.property(drawn, (candidate) => {
      const netted = netSlice(sliceOf(candidate).slice)
      expect([netted.skbKwh, netted.usage, netted.matchedOverLimitKwh]).toEqual([0n, [], 0n])
    }),
  )
})

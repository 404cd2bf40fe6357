import assert from 'node:assert/strict'
import { add, type Kwh, larger, smaller, subtract, total, ZERO_KWH } from '../../kernel/decimal.ts'
import { alloc } from './alloc.ts'
import type { ConsumerPart, ProducerPart, Slice } from './slices.ts'
import type { ReasonCode, UsageRow } from './types.ts'

/** The distribution of a producer's energy; the four parts sum to its production. */
export interface ProducerShare {
  readonly party: ProducerPart
  readonly productionKwh: Kwh
  readonly matchedKwh: Kwh
  readonly bedelliKwh: Kwh
  readonly skbKwh: Kwh
  readonly bedelsizKwh: Kwh
}

export interface ConsumerShare {
  readonly party: ConsumerPart
  readonly consumptionKwh: Kwh
  readonly matchedKwh: Kwh
}

/** A netted slice: production = matched + bedelli + skb + bedelsiz, in sum and for each producer. */
export interface NettedSlice {
  readonly slice: Slice
  readonly producers: readonly ProducerShare[]
  readonly consumers: readonly ConsumerShare[]
  readonly productionKwh: Kwh
  readonly consumptionKwh: Kwh
  readonly matchedKwh: Kwh
  readonly bedelliKwh: Kwh
  readonly skbKwh: Kwh
  readonly bedelsizKwh: Kwh
  readonly matchedOverLimitKwh: Kwh
  readonly bedelliReason: ReasonCode
  readonly bedelsizReason: ReasonCode
  readonly usage: readonly UsageRow[]
}

/** Remaining limit by account id. */
export type Balances = ReadonlyMap<string, Kwh>

/**
 * Nets one slice. Production is matched with consumption; matched energy and then paid surplus draw on the
 * limit; surplus without a limit owes the system usage fee. Without `balances` the surplus is paid without
 * limit (homes). Production is free where no consumption is known, which includes a group without consumers.
 */
export function netSlice(slice: Slice, balances?: Balances): NettedSlice {
  const hasConsumption = slice.consumers.some((consumer) => consumer.consumptionKwh !== null)
  return !hasConsumption && slice.producers.some(({ productionKwh }) => (productionKwh ?? 0n) > 0n)
    ? freeSlice(slice, 'missing_consumption_data')
    : splitSlice(slice, balances)
}

/** The whole production goes to the free virtual meter; nothing is matched, and no limit is used. */
export function freeSlice(slice: Slice, reason: ReasonCode): NettedSlice {
  return netted(slice, {
    producers: slice.producers.map((party) => {
      const productionKwh = party.productionKwh ?? ZERO_KWH
      return { party, productionKwh, ...NOTHING, bedelsizKwh: productionKwh }
    }),
    consumers: slice.consumers.map((party) => ({
      party,
      consumptionKwh: party.consumptionKwh ?? ZERO_KWH,
      matchedKwh: ZERO_KWH,
    })),
    draw: NO_DRAW,
    bedelsizReason: reason,
  })
}

const NOTHING = { matchedKwh: ZERO_KWH, bedelliKwh: ZERO_KWH, skbKwh: ZERO_KWH, bedelsizKwh: ZERO_KWH }

function splitSlice(slice: Slice, balances: Balances | undefined): NettedSlice {
  const produced = slice.producers.map((producer) => producer.productionKwh ?? ZERO_KWH)
  const consumed = slice.consumers.map((consumer) => consumer.consumptionKwh ?? ZERO_KWH)
  const matchedKwh = smaller(total(produced), total(consumed))
  const matchedParts = alloc(matchedKwh, produced)
  const consumers = alloc(matchedKwh, consumed).map((part, index) => ({
    party: at(slice.consumers, index),
    consumptionKwh: at(consumed, index),
    matchedKwh: part,
  }))
  const left = produced.map((quantity, index) => subtract(quantity, at(matchedParts, index)))
  const stored = left.map((quantity, index) => smaller(quantity, at(slice.producers, index).storageExportKwh))
  const payable = left.map((quantity, index) => subtract(quantity, at(stored, index)))
  const draw = balances
    ? drawLimit(slice.hour, consumers, { payableKwh: total(payable), balances })
    : { ...NO_DRAW, bedelliKwh: total(payable) }
  const paid = alloc(draw.bedelliKwh, payable)
  const producers = slice.producers.map((party, index) => ({
    party,
    productionKwh: at(produced, index),
    matchedKwh: at(matchedParts, index),
    bedelliKwh: at(paid, index),
    skbKwh: subtract(at(payable, index), at(paid, index)),
    bedelsizKwh: at(stored, index),
  }))
  return netted(slice, { producers, consumers, draw, bedelsizReason: 'group_conditions_not_met' })
}

interface Draw {
  readonly usage: readonly UsageRow[]
  readonly bedelliKwh: Kwh
  readonly matchedOverLimitKwh: Kwh
}
const NO_DRAW: Draw = { usage: [], bedelliKwh: ZERO_KWH, matchedOverLimitKwh: ZERO_KWH }

interface Limit {
  readonly payableKwh: Kwh
  readonly balances: Balances
}

/**
 * Draws on the consumers' accounts: first each for its own matched energy, then all together for the paid
 * surplus, in proportion to what remains. A debit stops at zero; matched energy beyond it is only reported.
 * [inferred]
 */
function drawLimit(hour: number, consumers: readonly ConsumerShare[], limit: Limit): Draw {
  const holders = consumers.flatMap(({ party: { accountId }, matchedKwh }) => {
    if (accountId === null) return []
    const availableKwh = larger(limit.balances.get(accountId) ?? ZERO_KWH, ZERO_KWH)
    const debitKwh = smaller(matchedKwh, availableKwh)
    return [{ accountId, debitKwh, leftKwh: subtract(availableKwh, debitKwh) }]
  })
  const left = holders.map((holder) => holder.leftKwh)
  const bedelliKwh = smaller(limit.payableKwh, total(left))
  const paid = alloc(bedelliKwh, left)
  const usage = holders
    .map(({ accountId, debitKwh }, index) => ({
      accountId,
      hour,
      matchedKwh: debitKwh,
      paidSurplusKwh: at(paid, index),
    }))
    .filter((row) => row.matchedKwh > 0n || row.paidSurplusKwh > 0n)
  const matchedOverLimitKwh = subtract(sum(consumers, 'matchedKwh'), sum(usage, 'matchedKwh'))
  return { usage, bedelliKwh, matchedOverLimitKwh }
}

interface Parts {
  readonly producers: readonly ProducerShare[]
  readonly consumers: readonly ConsumerShare[]
  readonly draw: Draw
  readonly bedelsizReason: ReasonCode
}

function netted(slice: Slice, { producers, consumers, draw, bedelsizReason }: Parts): NettedSlice {
  const result: NettedSlice = {
    slice,
    producers,
    consumers,
    productionKwh: sum(producers, 'productionKwh'),
    consumptionKwh: sum(consumers, 'consumptionKwh'),
    matchedKwh: sum(producers, 'matchedKwh'),
    bedelliKwh: sum(producers, 'bedelliKwh'),
    skbKwh: sum(producers, 'skbKwh'),
    bedelsizKwh: sum(producers, 'bedelsizKwh'),
    matchedOverLimitKwh: draw.matchedOverLimitKwh,
    bedelliReason: 'standard_matched',
    bedelsizReason,
    usage: draw.usage,
  }
  assertBalanced(result)
  return result
}

/** The equation of every hour; broken only by a defect of this file. */
function assertBalanced(result: NettedSlice): void {
  const { matchedKwh, bedelliKwh, skbKwh, bedelsizKwh } = result
  assert(result.productionKwh === add(add(matchedKwh, bedelliKwh), add(skbKwh, bedelsizKwh)))
  assert(matchedKwh === sum(result.consumers, 'matchedKwh') && matchedKwh <= result.consumptionKwh)
}

function sum<K extends string>(list: readonly Readonly<Record<K, Kwh>>[], field: K): Kwh {
  let result = ZERO_KWH
  for (const item of list) result = add(result, item[field])
  return result
}

function at<T>(list: readonly T[], index: number): T {
  const item = list[index]
  assert(item !== undefined, 'lists of one slice are parallel')
  return item
}

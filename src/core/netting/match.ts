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
  const stored: Kwh[] = []
  const payable = produced.map((quantity, index) => {
    const leftKwh = subtract(quantity, at(matchedParts, index))
    const storedKwh = smaller(leftKwh, at(slice.producers, index).storageExportKwh)
    stored.push(storedKwh)
    return subtract(leftKwh, storedKwh)
  })
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
  const holders: { readonly accountId: string; readonly debitKwh: Kwh }[] = []
  const left: Kwh[] = []
  let [matchedKwh, debitedKwh] = [ZERO_KWH, ZERO_KWH]
  for (const share of consumers) {
    const { accountId } = share.party
    matchedKwh = add(matchedKwh, share.matchedKwh)
    if (accountId === null) continue
    const availableKwh = larger(limit.balances.get(accountId) ?? ZERO_KWH, ZERO_KWH)
    const debitKwh = smaller(share.matchedKwh, availableKwh)
    debitedKwh = add(debitedKwh, debitKwh)
    holders.push({ accountId, debitKwh })
    left.push(subtract(availableKwh, debitKwh))
  }
  const bedelliKwh = smaller(limit.payableKwh, total(left))
  const paid = alloc(bedelliKwh, left)
  const usage: UsageRow[] = []
  holders.forEach(({ accountId, debitKwh }, index) => {
    const paidSurplusKwh = at(paid, index)
    if (debitKwh > 0n || paidSurplusKwh > 0n)
      usage.push({ accountId, hour, matchedKwh: debitKwh, paidSurplusKwh })
  })
  return { usage, bedelliKwh, matchedOverLimitKwh: subtract(matchedKwh, debitedKwh) }
}

interface Parts {
  readonly producers: readonly ProducerShare[]
  readonly consumers: readonly ConsumerShare[]
  readonly draw: Draw
  readonly bedelsizReason: ReasonCode
}

function netted(slice: Slice, { producers, consumers, draw, bedelsizReason }: Parts): NettedSlice {
  let [productionKwh, matchedKwh] = [ZERO_KWH, ZERO_KWH]
  let [bedelliKwh, skbKwh, bedelsizKwh] = [ZERO_KWH, ZERO_KWH, ZERO_KWH]
  for (const share of producers) {
    productionKwh = add(productionKwh, share.productionKwh)
    matchedKwh = add(matchedKwh, share.matchedKwh)
    bedelliKwh = add(bedelliKwh, share.bedelliKwh)
    skbKwh = add(skbKwh, share.skbKwh)
    bedelsizKwh = add(bedelsizKwh, share.bedelsizKwh)
  }
  let [consumptionKwh, matchedConsumptionKwh] = [ZERO_KWH, ZERO_KWH]
  for (const share of consumers) {
    consumptionKwh = add(consumptionKwh, share.consumptionKwh)
    matchedConsumptionKwh = add(matchedConsumptionKwh, share.matchedKwh)
  }
  // The equations of every hour; broken only by a defect of this file.
  assert(productionKwh === add(add(matchedKwh, bedelliKwh), add(skbKwh, bedelsizKwh)))
  assert(matchedKwh === matchedConsumptionKwh && matchedKwh <= consumptionKwh)
  return {
    slice,
    producers,
    consumers,
    productionKwh,
    consumptionKwh,
    matchedKwh,
    bedelliKwh,
    skbKwh,
    bedelsizKwh,
    matchedOverLimitKwh: draw.matchedOverLimitKwh,
    bedelliReason: 'standard_matched',
    bedelsizReason,
    usage: draw.usage,
  }
}

function at<T>(list: readonly T[], index: number): T {
  const item = list[index]
  assert(item !== undefined, 'lists of one slice are parallel')
  return item
}

import { add, type Kwh, subtract, type Try, ZERO_KWH } from '../../../kernel/decimal.ts'
import { priceSurplus } from '../amounts/amounts.ts'
import { savingsValue } from '../amounts/estimated-savings.ts'
import type { Pricing } from '../amounts/pricing.ts'
import { figuresOf } from '../figures.ts'
import type { ConsumerShare, NettedSlice } from '../match.ts'
import { type NettingInterval, netParts, openPeriod } from '../period.ts'
import { withValues } from '../slices.ts'
import type { AmountRow, Figures, PeriodInput } from '../types.ts'
import { virtualMetersOf } from '../virtual-meters.ts'
import { UsageColumns } from './balances.ts'
import type { BillCache, BillOf } from './bills.ts'
import { balanceOfParts } from './figures.ts'

/** The sums of a scenario over all groups and months: those of its runs. */
export interface SizingFigures {
  readonly productionKwh: Kwh | null
  readonly consumptionKwh: Kwh | null
  readonly matchedKwh: Kwh | null
  readonly boughtKwh: Kwh | null
  readonly paidKwh: Kwh | null
  readonly overLimitKwh: Kwh | null
  readonly freeKwh: Kwh | null
  readonly limitUsedKwh: Kwh
  readonly balanceTry: Try | null
  /** The first hour with surplus over the limit; undefined while the limit is enough. */
  readonly firstOverLimitHour: number | undefined
}

/** One run of a sizing: what its figures are made of. */
export interface SizingRun extends SizingFigures {
  readonly usage: UsageColumns
}

/**
 * Nets a window and adds up its hours one after the other. No hour is kept: objects that live as long as their month
 * cost the garbage collector more time than the netting takes.
 */
export function sizingRunOf(
  input: PeriodInput,
  interval: NettingInterval | undefined,
  bills: BillCache,
): SizingRun {
  const period = openPeriod(withValues(input), interval)
  const sums = new RunSums(period.pricing, bills.open(input, period.pricing))
  for (const { netted } of netParts(period)) if (netted) sums.add(netted)
  return sums.figures()
}

type Energies = Pick<
  Figures,
  'productionKwh' | 'consumptionKwh' | 'matchedKwh' | 'netImportKwh' | 'bedelliKwh' | 'skbKwh' | 'bedelsizKwh'
>

const plus = (sum: Kwh | null, value: Kwh | null): Kwh | null =>
  value === null ? sum : sum === null ? value : add(sum, value)

/** The amount of an energy, which is unknown unless all of the energy has a price. */
class Amount {
  #energyKwh: Kwh = ZERO_KWH
  #pricedKwh: Kwh = ZERO_KWH
  #amount = 0n

  addEnergy(quantityKwh: Kwh): void {
    this.#energyKwh = add(this.#energyKwh, quantityKwh)
  }

  addRow({ amountTry, quantityKwh }: AmountRow): void {
    if (amountTry === null) return
    this.#pricedKwh = add(this.#pricedKwh, quantityKwh)
    this.#amount += amountTry
  }

  get value(): Try | null {
    return this.#pricedKwh === this.#energyKwh ? (this.#amount as Try) : null
  }
}

/** The sums over the hours of a run, or over its month. */
class RunSums {
  readonly #pricing: Pricing
  readonly #billOf: BillOf
  readonly #usage = new UsageColumns()
  readonly #energies: { -readonly [K in keyof Energies]: Energies[K] } = {
    productionKwh: null,
    consumptionKwh: null,
    matchedKwh: null,
    netImportKwh: null,
    bedelliKwh: null,
    skbKwh: null,
    bedelsizKwh: null,
  }
  readonly #revenue = new Amount()
  readonly #fee = new Amount()
  #limitUsedKwh: Kwh = ZERO_KWH
  #firstOverLimitHour: number | undefined
  /** The cost of what is bought; null where a part of it has no price. */
  #purchaseTry: Try | null = 0n as Try

  constructor(pricing: Pricing, billOf: BillOf) {
    this.#pricing = pricing
    this.#billOf = billOf
  }

  add(netted: NettedSlice): void {
    const figures = figuresOf(netted)
    if (!this.#pricing.isMonthly && (figures.skbKwh ?? 0n) > 0n)
      this.#firstOverLimitHour ??= netted.slice.hour
    const sums = this.#energies
    sums.productionKwh = plus(sums.productionKwh, figures.productionKwh)
    sums.consumptionKwh = plus(sums.consumptionKwh, figures.consumptionKwh)
    sums.matchedKwh = plus(sums.matchedKwh, figures.matchedKwh)
    sums.netImportKwh = plus(sums.netImportKwh, figures.netImportKwh)
    sums.bedelliKwh = plus(sums.bedelliKwh, figures.bedelliKwh)
    sums.skbKwh = plus(sums.skbKwh, figures.skbKwh)
    sums.bedelsizKwh = plus(sums.bedelsizKwh, figures.bedelsizKwh)
    for (const row of netted.usage) {
      this.#usage.add(row)
      this.#limitUsedKwh = add(this.#limitUsedKwh, add(row.matchedKwh, row.paidSurplusKwh))
    }
    this.#revenue.addEnergy(netted.bedelliKwh)
    this.#fee.addEnergy(netted.skbKwh)
    for (const row of priceSurplus(this.#pricing, netted, virtualMetersOf(netted)))
      (row.amountType === 'system_usage_fee_for_skb' ? this.#fee : this.#revenue).addRow(row)
    for (const share of netted.consumers) this.#buy(netted, share)
  }

  #buy(netted: NettedSlice, share: ConsumerShare): void {
    if (this.#purchaseTry === null || share.consumptionKwh === share.matchedKwh) return
    const value = this.#billOf(netted, share)
    const savings = share.matchedKwh > 0n ? savingsValue(this.#pricing, netted, share) : NO_SAVINGS
    this.#purchaseTry =
      value === null || savings === null ? null : add(this.#purchaseTry, subtract(value, savings))
  }

  figures(): SizingRun {
    const { productionKwh, consumptionKwh, matchedKwh, netImportKwh } = this.#energies
    const { bedelliKwh, skbKwh, bedelsizKwh } = this.#energies
    return {
      productionKwh,
      consumptionKwh,
      matchedKwh,
      boughtKwh: netImportKwh,
      paidKwh: bedelliKwh,
      overLimitKwh: skbKwh,
      freeKwh: bedelsizKwh,
      limitUsedKwh: this.#limitUsedKwh,
      balanceTry: balanceOfParts({
        revenue: this.#revenue.value,
        fee: this.#fee.value,
        purchase: this.#purchaseTry,
      }),
      firstOverLimitHour: this.#firstOverLimitHour,
      usage: this.#usage,
    }
  }
}

const NO_SAVINGS = 0n as Try

import { DAY_MS, dayStart, HOUR_MS, localDate, periodRange } from '../../../kernel/time.ts'
import type { ChargeKind, LineKind, LineSpan, OwnAmount, OwnEnergy, OwnResults } from './types.ts'

/** The energy of one price and step within a span. */
export interface Portion {
  readonly stepNo: number | null
  readonly priceId: string | null
  readonly unitPrice: bigint | null
  quantity: bigint
  /** Null: a part of it has no price. */
  amount: bigint | null
}

export interface Share {
  readonly kind: ChargeKind
  readonly facilityId: string | null
  /** Null: all steps. */
  readonly step: number | null
}

const ENERGY_OF: Readonly<Partial<Record<LineKind, OwnEnergy>>> = {
  production: 'production',
  consumption: 'consumption',
  matched: 'matched',
  mesken: 'matched',
  surplus: 'surplus',
  net_import: 'net_import',
  bedelli: 'bedelli',
  skb: 'skb',
  bedelsiz: 'bedelsiz',
}

/** The results of a month by span: an index over hours, days and the month. */
export class OwnFigures {
  readonly results: OwnResults
  private readonly energies: ReadonlyMap<number, OwnResults['hours'][number]['energies']>
  private readonly amounts = new Map<string, OwnAmount[]>()
  private readonly kinds = new Set<string>()
  private readonly sums = new Map<string, bigint | null | undefined>()

  constructor(results: OwnResults) {
    this.results = results
    this.energies = new Map(results.hours.map(({ hour, energies }) => [hour, energies]))
    for (const amount of results.amounts) {
      const key = `${amount.kind} ${amount.hour}`
      const list = this.amounts.get(key)
      if (list) list.push(amount)
      else this.amounts.set(key, [amount])
      this.kinds.add(amount.kind)
    }
  }

  private hoursOf({ unit, from }: LineSpan): number[] {
    if (unit === 'hour') return [from]
    const range = unit === 'day' ? { from, to: from + DAY_MS } : periodRange(this.results.billingPeriod)
    const hours: number[] = []
    for (let hour = range.from; hour < range.to; hour += HOUR_MS) hours.push(hour)
    return hours
  }

  isKnown = (span: LineSpan): boolean =>
    span.unit === 'month'
      ? this.energies.size > 0
      : this.hoursOf(span).some((hour) => this.energies.has(hour))

  /** Energy of a kind in Wh; null where it is unknown, undefined where the kind has none. */
  energyOf(kind: LineKind, span: LineSpan): bigint | null | undefined {
    const field = ENERGY_OF[kind]
    if (field === undefined) return undefined
    if (span.unit === 'month' && this.results.month) return this.results.month[field]
    const key = `${field} ${span.unit} ${span.from}`
    if (this.sums.has(key)) return this.sums.get(key)
    let sum: bigint | null = null
    for (const hour of this.hoursOf(span)) {
      const value = this.energies.get(hour)?.[field]
      if (typeof value === 'bigint') sum = (sum ?? 0n) + value
    }
    this.sums.set(key, sum)
    return sum
  }

  /** True when the month has an amount of the kind. */
  hasAmounts = (kind: ChargeKind): boolean => this.kinds.has(kind)

  /** The amounts of a span by step and price. */
  portionsOf(share: Share, span: LineSpan): Portion[] {
    const portions = new Map<string, Portion>()
    for (const hour of this.hoursOf(span)) {
      for (const { stepNo, priceId, unitPrice, quantity, amount } of this.amountsAt(share, hour)) {
        const key = `${stepNo} ${priceId} ${unitPrice}`
        const portion = portions.get(key)
        if (!portion) portions.set(key, { stepNo, priceId, unitPrice, quantity, amount })
        else {
          portion.quantity += quantity
          portion.amount = portion.amount === null || amount === null ? null : portion.amount + amount
        }
      }
    }
    return [...portions.values()].sort((a, b) => (a.stepNo ?? 0) - (b.stepNo ?? 0))
  }

  private amountsAt({ kind, facilityId, step }: Share, hour: number): OwnAmount[] {
    const all = this.amounts.get(`${kind} ${hour}`) ?? []
    return all.filter(
      (amount) =>
        (facilityId === null || amount.facilityId === facilityId) &&
        (step === null || amount.stepNo === step),
    )
  }

  /** Quantities of the single hours and days that make up the month, by their local names. */
  partsOf(
    share: Share,
    isPriced: boolean,
  ): { readonly unit: 'hour' | 'day'; readonly from: number; quantity: bigint }[] {
    const hours = this.results.hours.map(({ hour, energies }) => {
      const priced = () => this.amountsAt(share, hour).reduce((sum, { quantity }) => sum + quantity, 0n)
      const field = ENERGY_OF[share.kind]
      const quantity = isPriced || field === undefined ? priced() : (energies[field] ?? 0n)
      return { unit: 'hour' as const, from: hour, quantity }
    })
    const days = new Map<number, bigint>()
    for (const { from, quantity } of hours) {
      const day = dayStart(localDate(from))
      days.set(day, (days.get(day) ?? 0n) + quantity)
    }
    return [...hours, ...[...days].map(([from, quantity]) => ({ unit: 'day' as const, from, quantity }))]
  }
}

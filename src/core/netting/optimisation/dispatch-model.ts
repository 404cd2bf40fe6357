import { at } from '../../../kernel/checked.ts'
import { type Kwh, ZERO_KWH } from '../../../kernel/decimal.ts'
import { HOUR_MS, type Range } from '../../../kernel/time.ts'
import type { NettedSlice } from '../match.ts'
import { type NettedPeriod, netPeriod } from '../period.ts'
import { coverable } from '../scenario/battery.ts'
import { isMeteredByBoundaryAlone, kwhOf, quantitiesAt, type Timeline } from '../scenario/timeline.ts'
import type { PeriodInput } from '../types.ts'
import { billPrice, kwhNumber, type PriceContext, surplusPrices } from './hour-prices.ts'
import { type LinearModel, ModelBuilder, type Term } from './linear-model.ts'

/** A battery behind the meters of a consumer. */
export interface DispatchBattery {
  readonly facilityId: string
  readonly capacityKwh: Kwh
  /** Energy of one hour at full power. */
  readonly powerKwh: Kwh
  /** Round trip, in millionths; the loss occurs while charging. */
  readonly efficiency: bigint
  readonly initialKwh: Kwh
  /** Energy that is left in it at the end, at least. */
  readonly finalKwh: Kwh
}

export interface BatteryAt {
  readonly battery: DispatchBattery
  /** The meters without the battery. */
  readonly timeline: Timeline
}

export interface DispatchInput {
  /** The windows of the group, in order, with the batteries out of the meters. */
  readonly inputs: readonly PeriodInput[]
  /** The start of the timelines. */
  readonly timelineFrom: number
  /** The hours of the set points. */
  readonly range: Range
  readonly batteries: readonly BatteryAt[]
}

export interface DispatchModel {
  readonly model: LinearModel
  /** By battery, then hour of the range: the columns of charge and of discharge; undefined where it is idle. */
  readonly columns: readonly (readonly (DispatchColumns | undefined)[])[]
}

interface DispatchColumns {
  readonly charges: readonly number[]
  readonly discharge: number
}

interface Work {
  readonly builder: ModelBuilder
  readonly input: DispatchInput
  /** By battery: the column of the stored energy after the last hour. */
  readonly stored: (number | undefined)[]
  readonly columns: (DispatchColumns | undefined)[][]
  /** Paid surplus of all hours. */
  readonly paid: Term[]
  readonly isStepOpen: boolean
}

/**
 * The model whose objective is the owner's balance of the windows: revenue less fees and less purchases. It is a
 * relaxation: every schedule is a solution of it, with an objective of at least the balance that the engine computes.
 * - Matched energy goes to the consumers with the dearest bill first; the engine shares it in proportion.
 * - Paid surplus may use the limit in any hours; the engine uses it as it occurs, and matched energy uses it before.
 * - The loss of a battery is not rounded, and an hour may charge and discharge.
 * - Where a consumer crosses a price step in an hour, the cheaper step counts; the distribution fee is left out.
 * With one bill price in each hour and a limit that is enough, it differs from the engine by rounding alone.
 */
export function makeDispatchModel(input: DispatchInput): DispatchModel {
  const work: Work = {
    builder: new ModelBuilder(),
    input,
    stored: input.batteries.map(() => undefined),
    columns: input.batteries.map(() => []),
    paid: [],
    isStepOpen: input.batteries.some(({ battery }) => battery.initialKwh > 0n),
  }
  let produced = 0n
  let usedBefore = 0n
  let limit = 0n
  for (const period of input.inputs) {
    const netted = netPeriod(period)
    const opening = [...netted.openings.values()].reduce((sum, one) => (one > 0n ? sum + one : sum), 0n)
    if (opening + usedBefore > limit) limit = opening + usedBefore
    for (const usage of netted.netted.flatMap((slice) => slice.usage))
      usedBefore += usage.matchedKwh + usage.paidSurplusKwh
    produced += netted.netted.reduce((sum, slice) => sum + slice.productionKwh, 0n)
    addPeriod(work, period, netted)
  }
  // Matched and paid energy is production, so a limit of at least the production never binds.
  if (limit < produced) work.builder.atMost(work.paid, kwhNumber(limit as Kwh))
  input.batteries.forEach(({ battery }, index) => {
    const stored = work.stored[index]
    if (stored !== undefined && battery.finalKwh > 0n)
      work.builder.atMost([[stored, -1]], -kwhNumber(battery.finalKwh))
  })
  return { model: work.builder.build(), columns: work.columns }
}

function addPeriod(work: Work, { groupId }: PeriodInput, { netted, pricing }: NettedPeriod): void {
  for (const slice of netted) addHour(work, { groupId, pricing }, slice)
}

/** What a battery may do in an hour, and its columns. */
interface Unit {
  readonly facilityId: string
  /** Charge that the own export feeds: production that the group does not get. */
  readonly fromExport?: number
  /** Charge that is consumption. */
  readonly charge: number
  readonly discharge: number
  readonly chargeMaxKwh: Kwh
}

function addHour(work: Work, context: PriceContext, slice: NettedSlice): void {
  const isNetted = slice.consumers.some(({ party }) => party.consumptionKwh !== null)
  if (!isNetted) return
  const units = addUnits(work, slice)
  const { builder } = work
  const prices = surplusPrices(context, slice)
  const consumers = consumersOf(work, context, { slice, units })
  const storedExport = slice.slice.producers.reduce((sum, one) => sum + one.storageExportKwh, 0n)
  const production = kwhNumber(slice.productionKwh)
  const energy: Term[] = []
  for (const { price, consumptionKwh, matchedMaxKwh, own } of consumers) {
    builder.constant(-price * consumptionKwh)
    for (const { charge, discharge } of own) {
      builder.addCost(charge, -price)
      builder.addCost(discharge, price)
    }
    if (production === 0) continue
    const matched = builder.column({ cost: price, upper: matchedMaxKwh })
    energy.push([matched, 1])
    builder.atMost(
      [
        [matched, 1],
        ...own.flatMap((unit): Term[] => [
          [unit.charge, -1],
          [unit.discharge, 1],
        ]),
      ],
      consumptionKwh,
    )
  }
  if (production > 0) {
    const paid = builder.column({ cost: prices.paid, upper: production })
    work.paid.push([paid, 1])
    energy.push([paid, 1], [builder.column({ cost: -prices.fee, upper: production }), 1])
    if (storedExport > 0n) energy.push([builder.column({ upper: kwhNumber(storedExport as Kwh) }), 1])
  }
  const fromExport = units.flatMap(({ fromExport }): Term[] =>
    fromExport === undefined ? [] : [[fromExport, 1]],
  )
  if (energy.length > 0) builder.exactly([...energy, ...fromExport], production)
}

interface ModelConsumer {
  readonly price: number
  readonly consumptionKwh: number
  readonly matchedMaxKwh: number
  readonly own: readonly Unit[]
}

/**
 * The consumers of an hour, those without a battery summed by price. A consumer gets at most its share of the
 * production when the consumption of the others is the least that their batteries leave.
 */
function consumersOf(
  work: Work,
  context: PriceContext,
  { slice, units }: { readonly slice: NettedSlice; readonly units: readonly Unit[] },
): ModelConsumer[] {
  const { builder } = work
  const sums = new Map<number, number>()
  const withBattery: ModelConsumer[] = []
  const production = kwhNumber(slice.productionKwh)
  const spared = units.reduce((sum, unit) => sum + builder.upperOf(unit.discharge), 0)
  const least = Math.max(kwhNumber(slice.consumptionKwh) - spared, 0)
  for (const share of slice.consumers) {
    const { facilityId } = share.party.member
    const own = units.filter((unit) => unit.facilityId === facilityId)
    if (share.consumptionKwh === 0n && own.length === 0) continue
    const moreKwh = own.reduce((sum, unit) => sum + unit.chargeMaxKwh, 0n) as Kwh
    const price = billPrice(context, slice, { share, moreKwh, isStepOpen: work.isStepOpen })
    const consumptionKwh = kwhNumber(share.consumptionKwh)
    if (own.length === 0) sums.set(price, (sums.get(price) ?? 0) + consumptionKwh)
    else {
      const matchedMaxKwh = Math.min(production, consumptionKwh + kwhNumber(moreKwh))
      withBattery.push({ price, consumptionKwh, matchedMaxKwh, own })
    }
  }
  const others = [...sums].map(([price, consumptionKwh]): ModelConsumer => {
    const share = least === 0 ? 1 : Math.min(1, production / least)
    // One Wh more than the share, because the engine rounds the parts.
    const matchedMaxKwh = Math.min(consumptionKwh, consumptionKwh * share + slice.consumers.length / 1_000)
    return { price, consumptionKwh, matchedMaxKwh, own: [] }
  })
  return [...others, ...withBattery]
}

/** Adds the columns of the batteries whose facility consumes in the group in this hour. */
function addUnits({ builder, input, stored, columns }: Work, slice: NettedSlice): Unit[] {
  const { hour } = slice.slice
  const { range, timelineFrom, batteries } = input
  if (hour < range.from || hour >= range.to) return []
  const index = (hour - timelineFrom) / HOUR_MS
  return batteries.flatMap(({ battery, timeline }, position) => {
    const { facilityId } = battery
    const isConsumer = slice.consumers.some(({ party }) => party.member.facilityId === facilityId)
    if (!isConsumer || quantitiesAt(timeline, index, 'mixed').consumptionKwh === null) return []
    const [power, capacity] = [kwhNumber(battery.powerKwh), kwhNumber(battery.capacityKwh)]
    const cover = kwhNumber(coverable(timeline, index))
    const charge = builder.column({ upper: power })
    const discharge = builder.column({ upper: Math.min(power, cover) })
    const exported = exportOffered(timeline, index, slice, facilityId)
    const fromExport =
      exported > 0n ? builder.column({ upper: Math.min(power, kwhNumber(exported)) }) : undefined
    const charges = fromExport === undefined ? [charge] : [charge, fromExport]
    if (fromExport !== undefined)
      builder.atMost(
        charges.map((column): Term => [column, 1]),
        power,
      )
    const after = builder.column({ upper: capacity })
    const gain = Number(battery.efficiency) / 1e6
    const flows: Term[] = [[after, 1], [discharge, 1], ...charges.map((column): Term => [column, -gain])]
    const before = stored[position]
    if (before === undefined) builder.exactly(flows, kwhNumber(battery.initialKwh))
    else builder.exactly([...flows, [before, -1]], 0)
    stored[position] = after
    at(columns, position)[(hour - range.from) / HOUR_MS] = { charges, discharge }
    return [
      {
        ...{ facilityId, charge, discharge, chargeMaxKwh: battery.powerKwh },
        ...(fromExport !== undefined && { fromExport }),
      },
    ]
  })
}

/** Export that is the production of the facility in the group, which a charge takes first. */
function exportOffered(timeline: Timeline, index: number, slice: NettedSlice, facilityId: string): Kwh {
  const isProducer = slice.producers.some(({ party }) => party.member.facilityId === facilityId)
  if (!isProducer || !isMeteredByBoundaryAlone(timeline, index)) return ZERO_KWH
  const exported = kwhOf(timeline, 'export', index) ?? ZERO_KWH
  return exported > 0n ? exported : ZERO_KWH
}

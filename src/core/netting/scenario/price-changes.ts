import { roundDiv, type TryPerKwh } from '../../../kernel/decimal.ts'
import { HOUR_MS, iso } from '../../../kernel/time.ts'
import type { AboneGrubu, PeriodInput, PriceRowInput } from '../types.ts'
import { SCENARIO_FAULTS } from './messages.ts'
import type { MarketPrice, PriceSelection, ScalePrice, SetPrice } from './types.ts'
import { daysRange, fault, MILLION, type Step, timelineOf } from './workspace.ts'

const isSelected = (row: PriceRowInput, selection: PriceSelection): boolean =>
  row.purpose === selection.purpose &&
  (selection.aboneGrubu === undefined || row.aboneGrubu === selection.aboneGrubu) &&
  (selection.timeSegment === undefined || row.timeSegment === selection.timeSegment) &&
  (selection.voltageLevel === undefined || row.voltageLevel === selection.voltageLevel)

function mapPrices(step: Step, selection: PriceSelection, price: (row: PriceRowInput) => TryPerKwh): boolean {
  let isFound = false
  step.work.inputs.forEach((input, index) => {
    if (!input.prices.some((row) => isSelected(row, selection))) return
    isFound = true
    const prices = input.prices.map((row) =>
      isSelected(row, selection) ? { ...row, priceTryPerKwh: price(row) } : row,
    )
    step.work.inputs[index] = { ...input, prices }
  })
  return isFound
}

export function scalePrice(step: Step, change: ScalePrice): void {
  const scaled = (row: PriceRowInput) => roundDiv(row.priceTryPerKwh * change.factor, MILLION) as TryPerKwh
  if (mapPrices(step, change, scaled)) return
  throw fault(step, 'purpose', SCENARIO_FAULTS.SCENARIO_PRICE_NOT_FOUND({ purpose: change.purpose }))
}

/**
 * Sets the selected prices. Without a time segment, hours whose segment has no price get it too; a subscriber group
 * without a price of the purpose gets one.
 */
export function setPrice(step: Step, change: SetPrice): void {
  const isFound = mapPrices(step, change, () => change.priceTryPerKwh)
  if (!isFound && change.aboneGrubu === undefined) {
    throw fault(step, 'purpose', SCENARIO_FAULTS.SCENARIO_PRICE_NOT_FOUND({ purpose: change.purpose }))
  }
  step.work.inputs.forEach((input, index) => {
    const selected = input.prices.filter((row) => isSelected(row, change))
    if (change.timeSegment !== undefined && selected.length > 0) return
    const groups = change.aboneGrubu ? [change.aboneGrubu] : selected.map((row) => row.aboneGrubu)
    const added = [...new Set(groups)].map((aboneGrubu) => newRow(step, input, { ...change, aboneGrubu }))
    step.work.inputs[index] = { ...input, prices: [...input.prices, ...added] }
  })
}

const newRow = (
  step: Step,
  { billingPeriod }: PeriodInput,
  {
    aboneGrubu,
    purpose,
    timeSegment,
    voltageLevel,
    priceTryPerKwh,
  }: SetPrice & { readonly aboneGrubu: AboneGrubu },
): PriceRowInput => ({
  id: `scenario ${step.index} ${aboneGrubu}`,
  setId: 'scenario',
  billingPeriod,
  setStatus: 'approved',
  approvedAt: 0,
  validFrom: billingPeriod,
  validTo: null,
  aboneGrubu,
  purpose,
  timeSegment: timeSegment ?? null,
  stepNo: null,
  tariffClass: null,
  tariffCode: null,
  voltageLevel: voltageLevel ?? null,
  priceTryPerKwh,
})

export function marketPrice(step: Step, change: MarketPrice): void {
  const { facilityId, factor, marginTryPerKwh } = change
  timelineOf(step, facilityId)
  const { from, to } = daysRange(step, change)
  for (let hour = from; hour < to; hour += HOUR_MS) {
    const price = step.work.base.marketPrices.get(hour)
    if (price === undefined) {
      const text = SCENARIO_FAULTS.SCENARIO_MARKET_PRICE_MISSING({ hour: iso(hour) })
      throw fault(step, 'type', text)
    }
    const priceTryPerKwh = (roundDiv(price * factor, MILLION) + marginTryPerKwh) as TryPerKwh
    step.work.billPrices.push({ facilityId, hour, priceTryPerKwh })
  }
}

import { byteAt } from '../../../kernel/checked.ts'
import { add, type Kwh, larger, smaller, subtract, wh, ZERO_KWH } from '../../../kernel/decimal.ts'
import { clockHourOf, noConsumption } from './energy-changes.ts'
import { addConsumption, kwhOf, quantitiesAt, recordBattery, type Timeline } from './timeline.ts'
import type { AddBattery } from './types.ts'
import { daysRange, groupBalance, indexesOf, MILLION, type Step, touch } from './workspace.ts'

const BOUNDARY_BIT = 4

/** What a battery may do in an hour. */
interface Room {
  /** Energy that it may charge at most. */
  readonly chargeKwh: Kwh
  readonly dischargeKwh: Kwh
}

/**
 * Runs a battery behind the meters of a facility hour by hour and writes what they then measure. It is empty at the
 * start. It never feeds the grid: stored energy that leaves over the boundary is free by the method, so it only covers
 * consumption of its own facility. The whole loss occurs while charging; `stored = floor(charged × efficiency)`.
 */
export function addBattery(step: Step, change: AddBattery): void {
  const timeline = touch(step, change.facilityId)
  const { from, to } = indexesOf(step.work, daysRange(step, change))
  const roomAt = roomRule(step, timeline, change)
  const sums = { charged: ZERO_KWH, discharged: ZERO_KWH, loss: ZERO_KWH }
  let stored = ZERO_KWH
  let isKnown = false
  for (let index = from; index < to; index += 1) {
    if (quantitiesAt(timeline, index, 'mixed').consumptionKwh === null) continue
    isKnown = true
    const room = roomAt(index)
    const charged = smaller(smaller(room.chargeKwh, change.powerKwh), chargeToFill(change, stored))
    const gained = wh((charged * change.efficiency) / MILLION)
    const discharged = charged > 0n ? ZERO_KWH : smaller(smaller(room.dischargeKwh, change.powerKwh), stored)
    stored = subtract(add(stored, gained), discharged)
    sums.charged = add(sums.charged, charged)
    sums.discharged = add(sums.discharged, discharged)
    sums.loss = add(sums.loss, subtract(charged, gained))
    const taken = subtract(charged, discharged)
    if (taken !== 0n) addConsumption(timeline, index, taken)
    recordBattery(timeline, index, wh(-taken))
  }
  if (!isKnown) throw noConsumption(step, change.facilityId)
  step.work.batteries.push({
    changeIndex: step.index,
    facilityId: change.facilityId,
    chargedKwh: sums.charged,
    dischargedKwh: sums.discharged,
    lossKwh: sums.loss,
    leftKwh: stored,
  })
}

/** The largest charge whose gain still fits. */
const chargeToFill = ({ capacityKwh, efficiency }: AddBattery, stored: Kwh): Kwh =>
  wh(((capacityKwh - stored) * MILLION) / efficiency)

function roomRule(step: Step, timeline: Timeline, change: AddBattery): (index: number) => Room {
  if (change.rule === 'time_of_price') {
    const [charge, discharge] = [new Set(change.chargeHours), new Set(change.dischargeHours)]
    return (index) => {
      const hour = clockHourOf(step, index)
      return {
        chargeKwh: charge.has(hour) ? change.powerKwh : ZERO_KWH,
        dischargeKwh: discharge.has(hour) ? coverable(timeline, index) : ZERO_KWH,
      }
    }
  }
  const balances = change.balanceOf === 'group' ? groupBalance(step, change.facilityId) : undefined
  return (index) => {
    const balance = balances ? balances[index] : ownBalance(timeline, index)
    if (balance === undefined) return { chargeKwh: ZERO_KWH, dischargeKwh: ZERO_KWH }
    return {
      chargeKwh: larger(balance, ZERO_KWH),
      dischargeKwh: smaller(larger(wh(-balance), ZERO_KWH), coverable(timeline, index)),
    }
  }
}

function ownBalance(timeline: Timeline, index: number): Kwh {
  const { productionKwh, consumptionKwh } = quantitiesAt(timeline, index, 'mixed')
  return subtract(productionKwh ?? ZERO_KWH, consumptionKwh ?? ZERO_KWH)
}

/** Consumption that a discharge can cover without feeding the grid. */
function coverable(timeline: Timeline, index: number): Kwh {
  const consumed = quantitiesAt(timeline, index, 'mixed').consumptionKwh ?? ZERO_KWH
  if ((byteAt(timeline.roles, index) & BOUNDARY_BIT) === 0) return consumed
  if ((kwhOf(timeline, 'export', index) ?? ZERO_KWH) > 0n) return ZERO_KWH
  return smaller(consumed, larger(kwhOf(timeline, 'import', index) ?? ZERO_KWH, ZERO_KWH))
}

import { byteAt } from '../../../kernel/checked.ts'
import { add, type Kwh, larger, negate, smaller, subtract, wh, ZERO_KWH } from '../../../kernel/decimal.ts'
import { clockHourOf, noConsumption } from './energy-changes.ts'
import { SCENARIO_FAULTS } from './messages.ts'
import {
  addConsumption,
  BOUNDARY_BIT,
  kwhOf,
  quantitiesAt,
  recordBattery,
  type Timeline,
} from './timeline.ts'
import type { AddBattery, RemoveBattery } from './types.ts'
import { daysRange, fault, groupBalance, indexesOf, MILLION, type Step, touch } from './workspace.ts'

/** What a battery may do in an hour. */
interface Room {
  /** Energy that it may charge at most. */
  readonly chargeKwh: Kwh
  readonly dischargeKwh: Kwh
}

/**
 * Runs a battery behind the meters of a facility hour by hour and writes what they then measure. It is empty at the
 * start, unless the change states its content. It never feeds the grid: stored energy that leaves over the boundary is
 * free by the method, so it only covers consumption of its own facility. The whole loss occurs while charging;
 * `stored = floor(charged × efficiency)`.
 */
export function addBattery(step: Step, change: AddBattery): void {
  const timeline = touch(step, change.facilityId)
  const { from, to } = indexesOf(step.work, daysRange(step, change))
  const roomAt = roomRule(step, timeline, { change, from, to })
  const dispatchKwh: Kwh[] = []
  const sums = { charged: ZERO_KWH, discharged: ZERO_KWH, loss: ZERO_KWH }
  let stored = smaller(change.initialKwh ?? ZERO_KWH, change.capacityKwh)
  let isKnown = false
  for (let index = from; index < to; index += 1) {
    dispatchKwh.push(ZERO_KWH)
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
    dispatchKwh[index - from] = negate(taken)
  }
  if (!isKnown) throw noConsumption(step, change.facilityId)
  step.work.batteries.push({
    changeIndex: step.index,
    facilityId: change.facilityId,
    chargedKwh: sums.charged,
    dischargedKwh: sums.discharged,
    lossKwh: sums.loss,
    leftKwh: stored,
    dispatchKwh,
  })
}

/** The largest charge whose gain still fits. */
const chargeToFill = ({ capacityKwh, efficiency }: AddBattery, stored: Kwh): Kwh =>
  wh(((capacityKwh - stored) * MILLION) / efficiency)

interface RuleOf {
  readonly change: AddBattery
  /** The hours of its days. */
  readonly from: number
  readonly to: number
}

function roomRule(step: Step, timeline: Timeline, { change, from, to }: RuleOf): (index: number) => Room {
  if (change.rule === 'schedule') {
    const { scheduleKwh = [] } = change
    if (scheduleKwh.length !== to - from) {
      const text = SCENARIO_FAULTS.SCENARIO_SCHEDULE_LENGTH({ hours: to - from, count: scheduleKwh.length })
      throw fault(step, 'schedule_kwh', text)
    }
    return (index) => {
      const planned = scheduleKwh[index - from] ?? ZERO_KWH
      return {
        chargeKwh: larger(negate(planned), ZERO_KWH),
        dischargeKwh: smaller(larger(planned, ZERO_KWH), coverable(timeline, index)),
      }
    }
  }
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
export function coverable(timeline: Timeline, index: number): Kwh {
  const consumed = quantitiesAt(timeline, index, 'mixed').consumptionKwh ?? ZERO_KWH
  if ((byteAt(timeline.roles, index) & BOUNDARY_BIT) === 0) return consumed
  if ((kwhOf(timeline, 'export', index) ?? ZERO_KWH) > 0n) return ZERO_KWH
  return smaller(consumed, larger(kwhOf(timeline, 'import', index) ?? ZERO_KWH, ZERO_KWH))
}

/** Takes the measured battery out of the meters: what it charged was no consumption, and what it covered is. */
export function removeBattery(step: Step, change: RemoveBattery): void {
  const timeline = touch(step, change.facilityId)
  const { from, to } = indexesOf(step.work, daysRange(step, change))
  let isMeasured = false
  for (let index = from; index < to; index += 1) {
    const discharged = kwhOf(timeline, 'battery', index)
    if (discharged === null) continue
    isMeasured = true
    if (discharged === 0n) continue
    addConsumption(timeline, index, discharged)
    recordBattery(timeline, index, negate(discharged))
  }
  if (isMeasured) return
  throw fault(step, 'facility_id', SCENARIO_FAULTS.SCENARIO_NO_BATTERY({ facility: change.facilityId }))
}

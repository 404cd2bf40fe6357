import { at } from '../../../kernel/checked.ts'
import { type Kwh, roundDiv, smaller, subtract, total, wh, ZERO_KWH } from '../../../kernel/decimal.ts'
import { DAY_MS, HOUR_MS, localHour, periodStart, TURKEY_OFFSET_MS } from '../../../kernel/time.ts'
import { alloc } from '../alloc.ts'
import { SCENARIO_FAULTS } from './messages.ts'
import {
  addConsumption,
  addProduction,
  hasProductionMeter,
  kwhOf,
  quantitiesAt,
  type Timeline,
} from './timeline.ts'
import type { AddEnergy, Days, Profile, ScaleEnergy, ShiftLoad } from './types.ts'
import { daysRange, fault, indexesOf, multiply, type Step, timelineOf, touch } from './workspace.ts'

type Quantity = 'production' | 'consumption'

/** The value of a profile by position in the timelines; null where the measured facility has none. */
function profileValues(step: Step, profile: Profile, quantity: Quantity): (index: number) => Kwh | null {
  switch (profile.kind) {
    case 'facility':
      return measuredValues(step, profile, quantity)
    case 'national_solar':
      return solarValues(step, profile)
    case 'hours':
      return listedValues(step, profile)
  }
}

/** The values as they are measured: a profile is not changed by earlier changes of the scenario. */
function measuredValues(
  step: Step,
  { facilityId, factor }: Extract<Profile, { kind: 'facility' }>,
  quantity: Quantity,
): (index: number) => Kwh | null {
  const isTouched = step.work.touched.has(facilityId)
  const measured = isTouched
    ? { ...step, work: { ...step.work, timelines: new Map<string, Timeline>() } }
    : step
  const timeline = timelineOf(measured, facilityId, 'profile.facility_id')
  const valueAt = (index: number): Kwh | null => {
    const { productionKwh, consumptionKwh } = quantitiesAt(timeline, index, 'mixed')
    return quantity === 'production' ? productionKwh : consumptionKwh
  }
  if (!timeline.roles.some((_, index) => valueAt(index) !== null)) {
    const text = quantity === 'production' ? 'SCENARIO_NO_PRODUCTION' : 'SCENARIO_NO_CONSUMPTION'
    throw fault(step, 'profile.facility_id', SCENARIO_FAULTS[text]({ facility: facilityId }))
  }
  return (index) => {
    const value = valueAt(index)
    return value === null ? null : multiply(value, factor)
  }
}

const LEAP_YEAR_START = periodStart('2024-01-01')

/** The position of an hour in the leap year of the series; 28 February is followed by 1 March in other years. */
function hourOfLeapYear(hour: number): number {
  const local = new Date(hour + TURKEY_OFFSET_MS)
  const same = Date.UTC(2024, local.getUTCMonth(), local.getUTCDate(), local.getUTCHours())
  return (same - TURKEY_OFFSET_MS - LEAP_YEAR_START) / HOUR_MS
}

function solarValues(
  { work }: Step,
  { powerW, yieldKwhPerKw }: Extract<Profile, { kind: 'national_solar' }>,
): (index: number) => Kwh {
  const { solarShape } = work.base
  const sum = BigInt(solarShape.reduce((whole, part) => whole + part, 0))
  const yearKwh = powerW * yieldKwhPerKw
  return (index) => {
    const part = at(solarShape, hourOfLeapYear(work.range.from + index * HOUR_MS))
    return wh(roundDiv(yearKwh * BigInt(part), sum))
  }
}

const WEEK_HOURS = 168
/** A Monday. */
const MONDAY = periodStart('2024-01-01')

function listedValues(
  step: Step,
  { valuesKwh }: Extract<Profile, { kind: 'hours' }>,
): (index: number) => Kwh {
  const { range } = step.work
  const hours = (range.to - range.from) / HOUR_MS
  switch (valuesKwh.length) {
    case hours:
      return (index) => at(valuesKwh, index)
    case 24:
      return (index) => at(valuesKwh, index % 24)
    case WEEK_HOURS: {
      const offset = (range.from - MONDAY) / HOUR_MS
      return (index) => at(valuesKwh, (((offset + index) % WEEK_HOURS) + WEEK_HOURS) % WEEK_HOURS)
    }
    default: {
      const text = SCENARIO_FAULTS.SCENARIO_PROFILE_LENGTH({ hours, count: valuesKwh.length })
      throw fault(step, 'profile.values_kwh', text)
    }
  }
}

/** Adds a profile to the production or consumption of a facility on some days. */
export function addProfile(
  step: Step,
  timeline: Timeline,
  {
    profile,
    quantity,
    days,
  }: { readonly profile: Profile; readonly quantity: Quantity; readonly days: Days },
): void {
  const valueAt = profileValues(step, profile, quantity)
  const { from, to } = indexesOf(step.work, daysRange(step, days))
  const add = quantity === 'production' ? addProduction : addConsumption
  for (let index = from; index < to; index += 1) {
    const value = valueAt(index)
    if (value !== null) add(timeline, index, value)
  }
}

export function addEnergy(step: Step, change: AddEnergy): void {
  const quantity = change.type === 'add_plant' ? 'production' : 'consumption'
  addProfile(step, touch(step, change.facilityId), { profile: change.profile, quantity, days: change })
}

export function scaleEnergy(step: Step, change: ScaleEnergy): void {
  const timeline = touch(step, change.facilityId)
  const isPlant = change.type === 'scale_plant'
  const { from, to } = indexesOf(step.work, daysRange(step, change))
  if (isPlant && !hasProductionMeter(timeline)) {
    const text = SCENARIO_FAULTS.SCENARIO_NO_PRODUCTION_METER({ facility: change.facilityId })
    throw fault(step, 'facility_id', text)
  }
  let isKnown = false
  for (let index = from; index < to; index += 1) {
    const value = isPlant
      ? kwhOf(timeline, 'production', index)
      : quantitiesAt(timeline, index, 'mixed').consumptionKwh
    if (value === null) continue
    isKnown = true
    const delta = subtract(multiply(value, change.factor), value)
    if (isPlant) addProduction(timeline, index, delta)
    else addConsumption(timeline, index, delta)
  }
  if (!isKnown && !isPlant) throw noConsumption(step, change.facilityId)
}

export const noConsumption = (step: Step, facilityId: string) =>
  fault(step, 'facility_id', SCENARIO_FAULTS.SCENARIO_NO_CONSUMPTION({ facility: facilityId }))

/**
 * Moves a share of the consumption of some hours of each day to others of the same day. The sum of the day stays the
 * same to the Wh. A day with an unknown hour among them is left as it is.
 */
export function shiftLoad(step: Step, change: ShiftLoad): void {
  const timeline = touch(step, change.facilityId)
  const range = daysRange(step, change)
  const consumed = (index: number): Kwh | null => quantitiesAt(timeline, index, 'mixed').consumptionKwh
  let isKnown = false
  for (let day = range.from; day < range.to; day += DAY_MS) {
    const first = (day - step.work.range.from) / HOUR_MS
    const from = change.fromHours.map((hour) => first + hour)
    const to = change.toHours.map((hour) => first + hour)
    if ([...from, ...to].some((index) => consumed(index) === null)) continue
    isKnown = true
    const moved = from.map((index) => {
      const value = consumed(index) ?? ZERO_KWH
      return smaller(wh((value * change.share) / 1_000_000n), value)
    })
    from.forEach((index, position) => {
      addConsumption(timeline, index, wh(-at(moved, position)))
    })
    const parts = alloc(
      total(moved),
      to.map(() => wh(1n)),
    )
    to.forEach((index, position) => {
      addConsumption(timeline, index, at(parts, position))
    })
  }
  if (!isKnown) throw noConsumption(step, change.facilityId)
}

/** The local clock hour of a position. */
export const clockHourOf = (step: Step, index: number): number =>
  localHour(step.work.range.from + index * HOUR_MS)

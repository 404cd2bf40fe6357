import { formatKwh, parseKwh, wh } from '../../../../kernel/decimal.ts'
import { unprocessable } from '../../../../kernel/errors.ts'
import { FIRST_BILLING_PERIOD } from '../../../../kernel/limits.ts'
import { REGISTER_MAX } from '../../../../kernel/metrics.ts'
import { iso, periodStart } from '../../../../kernel/time.ts'
import type { ReadingsAround } from '../../../metering/meter-changes/index.ts'
import { METER_CHANGE_TEXTS as TEXTS } from './messages.ts'
import type { MeterChangeRow } from './store.ts'

/** The values of a change that are checked. */
export interface CheckedValues {
  readonly at: number
  readonly oldEndKwh: string
  readonly newStartKwh: string
}

/** Throws 422 for an instant or a register value that no meter change can have. */
export function checkValues({ at, oldEndKwh, newStartKwh }: CheckedValues, now: number): void {
  const changed_at = iso(at)
  if (at > now) throw refuse('changed_at', TEXTS.METER_CHANGE_IN_FUTURE({ changed_at }))
  if (at < periodStart(FIRST_BILLING_PERIOD)) {
    throw refuse('changed_at', TEXTS.METER_CHANGE_TOO_EARLY({ changed_at }))
  }
  for (const [field, value] of Object.entries({ old_end_kwh: oldEndKwh, new_start_kwh: newStartKwh })) {
    if (Number(value) >= Math.floor(REGISTER_MAX)) {
      throw refuse(field, TEXTS.METER_CHANGE_VALUE_TOO_LARGE({ field }))
    }
  }
}

const refuse = (field: string, text: ReturnType<(typeof TEXTS)[keyof typeof TEXTS]>) =>
  unprocessable('BUSINESS_RULE_VIOLATION', text, { field })

/** A value of the register in Wh. */
interface KnownValue {
  readonly at: number
  readonly wh: bigint
}

/**
 * Throws 422 where the values contradict what is known of the register: the old end lies below the last value
 * before the change, or the new start above the first value after it. Other recorded changes of the register
 * count as readings. A reading between two Wh is rounded up before the change and down after it, so that the
 * register never falls.
 */
export function checkAgainstReadings(
  { at, oldEndKwh, newStartKwh }: CheckedValues,
  { before, after }: ReadingsAround,
  others: readonly MeterChangeRow[],
): void {
  const last = [
    ...before.map((one) => ({ at: one.at, wh: BigInt(Math.ceil(one.value / MILLIONTHS_PER_WH)) })),
    ...others.map((one) => ({ at: one.changed_at.getTime(), wh: parseKwh(one.new_start_kwh) })),
  ]
    .filter((one) => one.at < at)
    .sort(byTime)
    .at(-1)
  const first = [
    ...others.map((one) => ({ at: one.changed_at.getTime(), wh: parseKwh(one.old_end_kwh) })),
    ...after.map((one) => ({ at: one.at, wh: BigInt(Math.floor(one.value / MILLIONTHS_PER_WH)) })),
  ]
    .filter((one) => one.at > at)
    .sort(byTime)
    .at(0)
  if (last && parseKwh(oldEndKwh) < last.wh) {
    const known = knownOf(last)
    const text = TEXTS.METER_CHANGE_END_BELOW_READING({ old_end_kwh: oldEndKwh, ...known })
    throw unprocessable('METER_CHANGE_CONTRADICTS_READINGS', text, { field: 'old_end_kwh', ...known })
  }
  if (first && parseKwh(newStartKwh) > first.wh) {
    const known = knownOf(first)
    const text = TEXTS.METER_CHANGE_START_ABOVE_READING({ new_start_kwh: newStartKwh, ...known })
    throw unprocessable('METER_CHANGE_CONTRADICTS_READINGS', text, { field: 'new_start_kwh', ...known })
  }
}

const MILLIONTHS_PER_WH = 1000

const byTime = (a: KnownValue, b: KnownValue): number => a.at - b.at

const knownOf = (one: KnownValue) => ({ reading_kwh: formatKwh(wh(one.wh)), reading_at: iso(one.at) })

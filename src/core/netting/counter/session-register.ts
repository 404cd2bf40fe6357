import { REGISTER_MAX, toMillionths } from '../../../kernel/metrics.ts'
import type { Reading } from './readings.ts'

/** A register of a stored sample and the session values of the sample. */
export interface SessionMarks {
  /** The metric of the register. */
  readonly register: string
  /** The import register with which a charging session began, in kWh; null in nearly all samples. */
  readonly beginKwh: number | null
  /** The same for the end of a session. */
  readonly endKwh: number | null
}

const isRegisterValue = (kwh: number | null): kwh is number => kwh !== null && kwh >= 0 && kwh <= REGISTER_MAX

/**
 * A stored reading with its position in a charging session. Values that no register can have are ignored:
 * any source may send extra values of these names. The values of the session are those of the import register
 * and take precedence over the reading, because at the instant at which one session ends and another begins
 * only one of the two readings is stored. The other registers restart with their own value.
 */
export function toReading(
  { at, value }: { readonly at: number; readonly value: number },
  { register, beginKwh, endKwh }: SessionMarks,
): Reading {
  const isBegin = isRegisterValue(beginKwh)
  const isEnd = isRegisterValue(endKwh)
  if (!isBegin && !isEnd) return { at, value }
  const isImport = register === 'import_active_energy'
  return {
    at,
    value: isImport && isEnd ? toMillionths(endKwh) : value,
    ...(isBegin && { restartsAt: isImport ? toMillionths(beginKwh) : value }),
    ...(isEnd && { isSessionEnd: true }),
  }
}

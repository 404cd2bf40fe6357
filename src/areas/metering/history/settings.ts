import { byDefault, optional } from '../../../platform/settings/readers.ts'
import { settingsGroup } from '../../../platform/settings/settings-group.ts'

declare module '../../../platform/settings/config.ts' {
  interface Config {
    /** Age of a local day from which its samples are compressed, days; 0: never. */
    readonly compressAfterDays: number
  }
}

/** One day more than COMPRESSED_AGE_MIN_MS: the age is counted from the end of a local day. */
const DAYS_MIN = 33
const DAYS_MAX = 36_500
const DAYS_DEFAULT = 35

const days = optional<number>((raw) => {
  const value = /^\d{1,5}$/.test(raw) ? Number(raw) : Number.NaN
  return value === 0 || (value >= DAYS_MIN && value <= DAYS_MAX)
    ? { value }
    : { allowed: `allowed is a whole number from ${DAYS_MIN} to ${DAYS_MAX}, or 0 for never` }
})

export const historySettings = settingsGroup(
  { COMPRESS_SAMPLES_AFTER_DAYS: byDefault(days, DAYS_DEFAULT) },
  { toConfig: (values) => ({ compressAfterDays: values.COMPRESS_SAMPLES_AFTER_DAYS }) },
)

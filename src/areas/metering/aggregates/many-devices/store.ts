import { HOUR_MS, iso, type Range } from '../../../../kernel/time.ts'
import type { ReadDatabase } from '../../../../platform/db/replica-reads.ts'
import { REGISTER, type Variant } from '../bucket-row.ts'
import { READ_BITS } from '../energy-store.ts'
import { HourTable, SETTLED_HOURS } from './hour-table.ts'

interface HoursQuery {
  readonly tenantId: number
  readonly deviceKeys: readonly number[]
  readonly variant: Variant
  /** Whole hours. */
  readonly range: Range
  /** From here on the readings of all registers are needed, and not those of the variant only. */
  readonly settledFrom: number
}

/** Reads the rolled-up hours of many devices in one statement. COPY takes no parameters: all are numbers or times. */
export async function readHourTable(
  { copyOut }: Pick<ReadDatabase, 'copyOut'>,
  { tenantId, deviceKeys, variant, range, settledFrom }: HoursQuery,
): Promise<HourTable> {
  const [column, register] = REGISTER[variant]
  if (deviceKeys.length === 0) return new HourTable(deviceKeys, range, register)
  const text = `select device_key, hour, ${column}::float8, active_power_avg,
      case when hour >= '${iso(settledFrom)}' then ${READ_BITS}
        when ${column} is null then 0 else ${1 << register} & ~estimated_bits::int end,
      suspect_bits, partial_bits
    from measurement_hour where tenant_id = ${tenantId} and device_key = any('{${deviceKeys.join(',')}}'::int[])
      and hour >= '${iso(range.from)}' and hour < '${iso(range.to + SETTLED_HOURS * HOUR_MS)}'`
  return copyOut(`copy (${text}) to stdout (format binary)`, () => new HourTable(deviceKeys, range, register))
}

import { isAnyInstant } from '../../kernel/time.ts'
import type { Decoded, Reading } from './dialects/types.ts'

const isReadable = ({ at }: Reading): boolean => at === undefined || isAnyInstant(at)

/**
 * The message without readings of a year that nobody can write: they could neither be stored nor shown among the samples
 * that are set aside, so they become a dead letter. Whatever the dialect.
 */
export function inReadableTimes(decoded: Decoded): Decoded {
  const { readings, refused = [] } = decoded
  if (!readings || readings.every(isReadable)) return decoded
  const left = readings.filter((reading) => !isReadable(reading))
  const detail = (device: string | null): string =>
    `${device?.slice(0, 100) ?? 'the sender'}: the time is beyond all years that can be written`
  return {
    ...decoded,
    readings: readings.filter(isReadable),
    refused: [
      ...refused,
      ...left.map(({ device }) => ({ reason: 'bad_time' as const, detail: detail(device) })),
    ],
  }
}

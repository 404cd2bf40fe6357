/** The texts of a time axis, in the time of Turkey. */
import type { Language } from '../../../src/kernel/messages.ts'
import { DAY_MS } from '../../../src/kernel/time.ts'
import { formatInstant } from '../kernel/dates.ts'

const MINUTE_MS = 60_000

/**
 * Texts for instants of an axis, epoch seconds: dates where a step is a day or more, seconds where it is less than a
 * minute. Midnight is shown as its date. A text is left out where it would repeat the one before.
 */
export function axisTexts(splits: readonly number[], language: Language): string[] {
  const stepMs = ((splits[1] ?? 0) - (splits[0] ?? 0)) * 1000
  const texts = splits.map((at) => {
    const instant = at * 1000
    const time = formatInstant(instant, stepMs < MINUTE_MS ? 'seconds' : 'time', language)
    return stepMs >= DAY_MS || /^00:00(:00)?$/.test(time)
      ? formatInstant(instant, 'shortDate', language)
      : time
  })
  return texts.map((text, index) => (text === texts[index - 1] ? '' : text))
}

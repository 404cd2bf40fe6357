/** Units as meters send them, and figures with units of their own. */
import type { Language } from '../../../src/kernel/messages.ts'

/** The text of a unit; that of a ratio, such as a power factor, is `1` and is not shown. */
export const unitText = (unit: string | null | undefined): string => (unit === '1' ? '' : (unit ?? ''))

/** A value with its unit. */
export const withUnit = (value: string, unit: string | null | undefined): string =>
  `${value} ${unitText(unit)}`.trimEnd()

/** A percentage that the API sends as a number, because it is no energy and no money. */
export const percentText = (value: number, language: Language): string =>
  (value / 100).toLocaleString(language, { style: 'percent', maximumFractionDigits: 1 })

const SPANS = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
  { unit: 'second', ms: 1000 },
] as const

/** A span of time in its largest unit, with one decimal place: 4 hours, 1.5 seconds. */
export function spanText(ms: number, language: Language): string {
  const { unit, ms: length } = SPANS.find((span) => Math.abs(ms) >= span.ms) ?? { unit: 'millisecond', ms: 1 }
  const style = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const
  return (ms / length).toLocaleString(language, style)
}

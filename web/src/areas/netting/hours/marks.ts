/** What is to be known about the figures of an hour: late, doubtful or outdated input. */
import type { HourlyRow } from '../hour-provenance.tsx'
import { HOURS_TEXTS } from './texts.ts'

/** The marks, the most important one first, with their signs, which differ without colours. */
export const MARKS = [
  { id: 'suspect', sign: '!', text: HOURS_TEXTS.HOURS_SUSPECT, color: '--danger' },
  { id: 'incomplete', sign: '?', text: HOURS_TEXTS.HOURS_INCOMPLETE, color: '--warning' },
  { id: 'stale', sign: '↻', text: HOURS_TEXTS.HOURS_STALE, color: '--accent' },
  { id: 'corrected', sign: '+', text: HOURS_TEXTS.HOURS_CORRECTED, color: '--success' },
] as const
export type Mark = (typeof MARKS)[number]['id']

const MARK_OF_QUALITY: Readonly<Partial<Record<HourlyRow['data_quality'], Mark>>> = {
  suspect: 'suspect',
  partial: 'incomplete',
  missing: 'incomplete',
  estimated_profiled: 'incomplete',
  unknown: 'incomplete',
  corrected: 'corrected',
}

export interface StaleRange {
  readonly from: number
  readonly to: number
}

/** The marks of an hour, the most important one first. */
export function marksOf(
  { data_quality, hour }: Pick<HourlyRow, 'data_quality' | 'hour'>,
  staleRanges: readonly StaleRange[],
): Mark[] {
  const at = Date.parse(hour)
  const isStale = staleRanges.some(({ from, to }) => from <= at && at < to)
  const quality = MARK_OF_QUALITY[data_quality]
  const found = new Set<Mark>([...(quality ? [quality] : []), ...(isStale ? (['stale'] as const) : [])])
  return MARKS.flatMap(({ id }) => (found.has(id) ? [id] : []))
}

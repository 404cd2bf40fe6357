import type { SampleValues } from '../../areas/metering/intake-contract/index.ts'
import { REGISTER_MAX, SESSION_BEGIN_ENERGY, SESSION_END_ENERGY } from '../../kernel/metrics.ts'

/** The position of a reading in its session. */
export type SessionMoment = 'begin' | 'end'

const MOMENTS: Readonly<Record<string, SessionMoment>> = {
  'Transaction.Begin': 'begin',
  'Transaction.End': 'end',
}
const METRICS = { begin: SESSION_BEGIN_ENERGY, end: SESSION_END_ENERGY }

export const momentOf = (context: string | undefined): SessionMoment | undefined =>
  context !== undefined && Object.hasOwn(MOMENTS, context) ? MOMENTS[context] : undefined

/** The positions that the contexts of sampled values state. */
export function momentsOf(sampled: readonly { readonly context?: string }[]): SessionMoment[] {
  const moments: SessionMoment[] = []
  for (const { context } of sampled) {
    const moment = momentOf(context)
    if (moment !== undefined && !moments.includes(moment)) moments.push(moment)
  }
  return moments
}

interface PositionedReading {
  readonly at: number
  readonly values: SampleValues
  readonly moments: readonly SessionMoment[]
}

/**
 * The samples of a reading: its values and, for each position, the import register under the metric of the
 * position. The positions are samples of their own, because a sample that contradicts a stored value is
 * quarantined as a whole: where one session ends and another begins at the same instant, the second reading is
 * refused, but its position is stored.
 */
export function toSamples({
  at,
  values,
  moments,
}: PositionedReading): { at: number; values: SampleValues }[] {
  const kwh = values['import_active_energy']
  if (kwh === undefined || kwh < 0 || kwh > REGISTER_MAX) return [{ at, values }]
  return [{ at, values }, ...moments.map((moment) => ({ at, values: { [METRICS[moment]]: kwh } }))]
}

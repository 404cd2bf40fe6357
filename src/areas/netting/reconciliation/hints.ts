import type { Message } from '../../../kernel/messages.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import type { Label } from '../shared/index.ts'
import type { CalculatedFigures } from './calculated-figures.ts'
import { isMoney } from './columns.ts'
import { HINT_TEXTS } from './messages.ts'
import type { Figure } from './parse.ts'
import type { Tolerance } from './tolerance.ts'

/**
 * A likely cause of many differences:
 *
 * - HOURS_SHIFTED: the hours of the file agree with those one hour earlier or later, so its labels name the other end.
 * - DIFFERENCES_LOOK_LIKE_VAT: the amounts of the file are the calculated ones plus value added tax.
 */
export interface Hint {
  readonly code: 'HOURS_SHIFTED' | 'DIFFERENCES_LOOK_LIKE_VAT'
  readonly parameters: Readonly<Record<string, string | number>>
  readonly content: Message
}

/** Rates of value added tax (KDV) on electricity since 2023, in percent: general and reduced. */
const VAT_RATES_PCT = [20n, 10n]
/** Fewer hours with energy than half a day prove nothing. */
const SHIFTED_HOURS_MIN = 12
const AGREEING_MIN_PCT = 90
const AGREEING_UNSHIFTED_MAX_PCT = 50

export function findHints(
  figures: readonly Figure[],
  calculated: CalculatedFigures,
  tolerance: Tolerance,
  label: Label,
): Hint[] {
  const own = figures.map((figure) => {
    const { facility } = figure
    return { figure, facilityId: facility === undefined ? undefined : calculated.facilityIdOf(facility) }
  })
  return [...shiftHint(own, calculated, tolerance, label), ...vatHint(own, calculated, tolerance)]
}

interface OwnFigure {
  readonly figure: Figure
  readonly facilityId: string | undefined
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)

function shiftHint(
  figures: readonly OwnFigure[],
  calculated: CalculatedFigures,
  { kwh }: Tolerance,
  label: Label,
): Hint[] {
  const hourly = figures.filter(({ figure }) => figure.span.unit === 'hour' && !isMoney(figure.field))
  /** Percentage of the figures that agree with those of the shifted hour; hours without energy say nothing. */
  const agreement = (hours: number): number => {
    const compared = hourly.flatMap(({ figure: { span, field, value }, facilityId }) => {
      const shifted = { ...span, from: span.from + hours * HOUR_MS }
      const own = calculated.valueOf({ span: shifted, facilityId, field })
      return typeof own !== 'bigint' || (own === 0n && value === 0n) ? [] : [magnitude(own - value) <= kwh]
    })
    if (compared.length < SHIFTED_HOURS_MIN) return 0
    return (compared.filter((agrees) => agrees).length / compared.length) * 100
  }
  if (hourly.length < SHIFTED_HOURS_MIN || agreement(0) > AGREEING_UNSHIFTED_MAX_PCT) return []
  const hours = [-1, 1].find((shift) => agreement(shift) >= AGREEING_MIN_PCT)
  if (hours === undefined) return []
  const wanted = hours < 0 ? 'hour_ending' : 'hour_starting'
  return [
    {
      code: 'HOURS_SHIFTED',
      parameters: { hours, label: wanted },
      content: shiftText(hours, wanted, wanted === label),
    },
  ]
}

function shiftText(hours: number, label: Label, isLabelUsed: boolean): Message {
  if (isLabelUsed) return hours < 0 ? HINT_TEXTS.HOURS_ONE_EARLIER() : HINT_TEXTS.HOURS_ONE_LATER()
  return hours < 0
    ? HINT_TEXTS.HOURS_ONE_EARLIER_LABEL({ label })
    : HINT_TEXTS.HOURS_ONE_LATER_LABEL({ label })
}

function vatHint(figures: readonly OwnFigure[], calculated: CalculatedFigures, { lira }: Tolerance): Hint[] {
  const different = figures.flatMap(({ figure: { span, field, value }, facilityId }) => {
    const own = isMoney(field) ? calculated.valueOf({ span, facilityId, field }) : undefined
    return typeof own === 'bigint' && magnitude(value - own) > lira ? [{ value, own }] : []
  })
  const rate = VAT_RATES_PCT.find((pct) => {
    const isWithTax = ({ value, own }: { value: bigint; own: bigint }) =>
      own !== 0n && magnitude(value * 100n - own * (100n + pct)) <= lira * (100n + pct)
    const agreeing = different.filter(isWithTax).length
    return agreeing > 0 && agreeing * 100 >= different.length * AGREEING_MIN_PCT
  })
  if (rate === undefined) return []
  return [
    {
      code: 'DIFFERENCES_LOOK_LIKE_VAT',
      parameters: { rate_pct: Number(rate) },
      content: HINT_TEXTS.AMOUNTS_WITH_VAT({ rate_pct: Number(rate) }),
    },
  ]
}

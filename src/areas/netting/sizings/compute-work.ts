import { createHash } from 'node:crypto'
import { ENGINE_VERSION } from '../../../core/netting/input-hash.ts'
import { unpackInput } from '../../../core/netting/input-pack.ts'
import { computeSizing, prepareSizing } from '../../../core/netting/scenario/sizing.ts'
import type { SizingFigures } from '../../../core/netting/scenario/sizing-run.ts'
import { formatKwh, formatTry, type Kwh, type Try } from '../../../kernel/decimal.ts'
import { iso } from '../../../kernel/time.ts'
import type { ScenarioWork } from '../scenarios/index.ts'

/** What a thread needs to compute some sizes of a sizing, as data that can be sent to it. */
export interface SizingWork {
  readonly scenario: ScenarioWork
  readonly changeIndex: number
  readonly sizes: readonly bigint[]
}

/** The figures of a size, or of the base: wire names, decimal texts. */
export interface SizingText {
  readonly production_kwh: string | null
  readonly consumption_kwh: string | null
  readonly matched_kwh: string | null
  readonly net_import_kwh: string | null
  readonly bedelli_kwh: string | null
  readonly skb_kwh: string | null
  readonly bedelsiz_kwh: string | null
  readonly limit_used_kwh: string
  readonly balance_try: string | null
  readonly first_over_limit_hour: string | null
}

export interface PointText extends SizingText {
  /** In the units of the core, as text. */
  readonly size: string
  readonly benefit_try: string | null
}

export interface SizingOutcome {
  readonly base: SizingText
  readonly points: readonly PointText[]
}

/** Computes sizes; `onPoint` is called after each one. Throws ScenarioFault. */
export function computeSizes(
  { scenario, changeIndex, sizes }: SizingWork,
  onPoint?: () => void,
): SizingOutcome {
  const { from, to, others, solarShape, changes } = scenario
  const base = {
    ...{ from, to, others, solarShape },
    inputs: scenario.inputs.map(unpackInput),
    marketPrices: new Map(scenario.marketPrices),
  }
  const sizing = computeSizing(prepareSizing(base), { changes, changeIndex, sizes }, onPoint)
  return {
    base: textOf(sizing.base),
    points: sizing.points.map(({ size, benefitTry, ...figures }) => ({
      ...{ size: String(size), benefit_try: tryText(benefitTry) },
      ...textOf(figures),
    })),
  }
}

const kwhText = (value: Kwh | null) => (value === null ? null : formatKwh(value))
const tryText = (value: Try | null) => (value === null ? null : formatTry(value))

const textOf = (figures: SizingFigures): SizingText => ({
  production_kwh: kwhText(figures.productionKwh),
  consumption_kwh: kwhText(figures.consumptionKwh),
  matched_kwh: kwhText(figures.matchedKwh),
  net_import_kwh: kwhText(figures.boughtKwh),
  bedelli_kwh: kwhText(figures.paidKwh),
  skb_kwh: kwhText(figures.overLimitKwh),
  bedelsiz_kwh: kwhText(figures.freeKwh),
  limit_used_kwh: formatKwh(figures.limitUsedKwh),
  balance_try: tryText(figures.balanceTry),
  first_over_limit_hour: figures.firstOverLimitHour === undefined ? null : iso(figures.firstOverLimitHour),
})

/** Of the stored inputs of the base and the request: equal ones have equal results. */
export function hashWork({ scenario, changeIndex, sizes }: SizingWork): string {
  const hash = createHash('sha256').update(`${ENGINE_VERSION}\n`)
  for (const input of [...scenario.inputs].sort()) hash.update(`${input}\n`)
  const { inputs: _inputs, ...rest } = scenario
  const text = JSON.stringify([rest, changeIndex, sizes], (_name, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  return hash.update(text).digest('hex')
}

/** Widgets of costs. Amounts are decimals and stay texts. */
import { approximate, formatDecimal } from '../../../kernel/decimal.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { Money } from '../../../ui/value.tsx'
import { Measured, QualityTags } from '../measured.tsx'
import { INSIGHT_TEXTS } from '../texts.ts'
import type { DataOf, WidgetViewProps } from '../types.ts'
import { BucketChart } from './bucket-chart.tsx'

const REASONS: Readonly<Record<string, typeof INSIGHT_TEXTS.INSIGHT_NO_DATA>> = {
  no_data: INSIGHT_TEXTS.INSIGHT_NO_DATA,
  abone_grubu_unknown: INSIGHT_TEXTS.INSIGHT_REASON_GROUP,
  price_missing: INSIGHT_TEXTS.INSIGHT_REASON_PRICE,
}

/** Why there is no amount. */
function Reason({ reason }: { readonly reason: string | null }) {
  const t = useText()
  if (reason === null) return null
  const text = REASONS[reason]
  return <p className="muted">{text ? t(text()) : reason}</p>
}

export function CostChart({ title, data }: WidgetViewProps<DataOf<'cost-chart'>>) {
  const t = useText()
  const { language } = useLanguage()
  const { total_try, reason, data_quality, is_estimated, interval, start, end } = data
  return (
    <>
      <p className="row">
        <strong>
          <Money value={total_try} />
        </strong>
        <QualityTags quality={data_quality} isEstimated={is_estimated} />
      </p>
      {reason !== 'no_data' && <Reason reason={reason} />}
      <BucketChart
        {...{ title, interval, start, end }}
        valueTitle={t(INSIGHT_TEXTS.INSIGHT_COST())}
        color="--energy-paid"
        buckets={data.data.map((point) => ({
          timestamp: point.timestamp,
          value: point.cost_try === null ? null : approximate(point.cost_try),
          text: point.cost_try === null ? '—' : `${formatDecimal(point.cost_try, 2, language)} TL`,
          isDoubtful: point.is_estimated || point.data_quality !== 'complete',
        }))}
      />
    </>
  )
}

export function CostFigure({ data }: WidgetViewProps<DataOf<'cost-numeric'>>) {
  return (
    <>
      <div className="figure">
        <Money value={data.value_try} />
      </div>
      <Reason reason={data.reason} />
      <p className="row muted">
        <span>
          <Measured value={data.energy_kwh} unit="kWh" />
        </span>
        <QualityTags quality={data.data_quality} isEstimated={data.is_estimated} />
      </p>
    </>
  )
}

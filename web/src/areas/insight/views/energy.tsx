/** Widgets of energy: consumption, production, what is fed in, and the consumption that OSOS knows. */
import { useGet } from '../../../api/queries.ts'
import { approximate, formatDecimal, sumOf } from '../../../kernel/decimal.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { Loaded } from '../../../ui/page.tsx'
import { Energy } from '../../../ui/value.tsx'
import { Measured, QualityTags } from '../measured.tsx'
import { INSIGHT_TEXTS } from '../texts.ts'
import type { DataOf, WidgetViewProps } from '../types.ts'
import { BucketChart } from './bucket-chart.tsx'

const COLORS = {
  consumption: '--energy-consumption',
  production: '--energy-production',
  export: '--energy-paid',
} as const
const colorOf = (flow: string): `--${string}` => COLORS[flow as keyof typeof COLORS] ?? '--energy-consumption'

export function EnergyChart({ title, data }: WidgetViewProps<DataOf<'consumption-chart'>>) {
  const t = useText()
  const { language } = useLanguage()
  const { total_kwh, data_quality, is_estimated, interval, start, end, flow } = data
  return (
    <>
      <p className="row">
        <strong>
          <Measured value={total_kwh} unit="kWh" />
        </strong>
        <QualityTags quality={data_quality} isEstimated={is_estimated} />
      </p>
      <BucketChart
        {...{ title, interval, start, end }}
        valueTitle={t(INSIGHT_TEXTS.INSIGHT_ENERGY())}
        color={colorOf(flow)}
        buckets={data.data.map((point) => ({
          timestamp: point.timestamp,
          value: point.energy_kwh,
          text:
            point.energy_kwh?.toLocaleString(language, { maximumFractionDigits: 3 }).concat(' kWh') ?? '—',
          isDoubtful: point.is_estimated || point.data_quality !== 'complete',
        }))}
      />
    </>
  )
}

export function EnergyFigure({ data }: WidgetViewProps<DataOf<'consumption-numeric'>>) {
  return (
    <>
      <div className="figure">
        <Measured value={data.value_kwh} unit="kWh" />
      </div>
      <p className="row">
        <QualityTags quality={data.data_quality} isEstimated={data.is_estimated} />
      </p>
    </>
  )
}

/** The path of the data of the feature, taken apart: `/api/osos/installations/<id>/consumption?…`. */
function ososRequest(source: string) {
  const url = new URL(source, location.origin)
  const value = (name: string) => url.searchParams.get(name) ?? ''
  return {
    path: { id: url.pathname.split('/')[4] ?? '' },
    query: {
      interval: value('interval') as 'hourly' | 'daily' | 'monthly',
      from: value('from'),
      to: value('to'),
    },
  }
}

export function OsosChart({ title, source }: { readonly title: string; readonly source: string }) {
  const t = useText()
  const { language } = useLanguage()
  const query = useGet('/api/osos/installations/{id}/consumption', ososRequest(source))
  return (
    <Loaded query={query}>
      {({ interval, from, to, data }) => {
        const known = data.flatMap(({ import_kwh }) => (import_kwh === null ? [] : [import_kwh]))
        return (
          <>
            <p>
              <strong>
                <Energy value={known.length === 0 ? null : sumOf(known)} />
              </strong>
            </p>
            <BucketChart
              {...{ title, interval }}
              start={from}
              end={to}
              valueTitle={t(INSIGHT_TEXTS.INSIGHT_IMPORT())}
              color="--energy-consumption"
              buckets={data.map(({ timestamp, import_kwh, hours_present, hours_expected }) => ({
                timestamp,
                value: import_kwh === null ? null : approximate(import_kwh),
                text: import_kwh === null ? '—' : `${formatDecimal(import_kwh, 3, language)} kWh`,
                isDoubtful: hours_present < hours_expected,
              }))}
            />
          </>
        )
      }}
    </Loaded>
  )
}

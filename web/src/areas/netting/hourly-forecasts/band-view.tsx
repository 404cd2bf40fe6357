import { useMemo, useState } from 'react'
import { DAY_MS, HOUR_MS } from '../../../../../src/kernel/time.ts'
import { useGet } from '../../../api/queries.ts'
import { formatInstant } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Loaded } from '../../../ui/page.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { StackedChart } from '../../../ui/stacked-chart.tsx'
import type { StackedColumn } from '../../../ui/stacked-columns.ts'
import { Energy } from '../../../ui/value.tsx'
import { type Forecast, type ForecastHour, ONE, type Series } from './data.ts'
import { FORECAST_PAGE_TEXTS as TEXTS } from './texts.ts'

/** More than the hours of a forecast. */
const HOURS_MAX = 2000
const DAY_HOURS = DAY_MS / HOUR_MS

interface BandViewProps {
  readonly forecast: Forecast
  readonly series: Series
}

/** The hours of one facility: a chart with the band, and the hours of one day as a table. */
export function BandView({ forecast, series: { facility_id, kind } }: BandViewProps) {
  const query = useGet(`${ONE}/hours`, {
    path: { id: forecast.id },
    query: { facility_id, kind: kind as 'production', limit: HOURS_MAX },
  })
  return (
    <Loaded query={query}>
      {(hours) => <Band hours={hours} forecast={forecast} facilityId={facility_id} kind={kind} />}
    </Loaded>
  )
}

const numberOf = (text: string | null): number | null => (text === null ? null : Number(text))

/** The band lies on an invisible layer as high as its lower bound. */
function columnOf({ hour, p10_kwh, p50_kwh, p90_kwh }: ForecastHour): StackedColumn {
  const from = Date.parse(hour)
  const [low, mid, high] = [p10_kwh, p50_kwh, p90_kwh].map(numberOf)
  const isKnown = typeof low === 'number' && typeof high === 'number'
  return {
    ...{ from, to: from + HOUR_MS, state: isKnown ? 'known' : 'unknown' },
    layers: isKnown ? [low, high - low] : [null, null],
    lines: [mid ?? null],
    marks: [],
  }
}

interface BandProps {
  readonly hours: readonly ForecastHour[]
  readonly forecast: Forecast
  readonly facilityId: string
  readonly kind: string
}

function Band({ hours, forecast, facilityId, kind }: BandProps) {
  const t = useText()
  const { language } = useLanguage()
  const [day, setDay] = useState(1)
  const columns = useMemo(() => hours.map(columnOf), [hours])
  const shown = hours.slice((day - 1) * DAY_HOURS, day * DAY_HOURS)
  const color = kind === 'production' ? '--energy-production' : '--energy-consumption'
  return (
    <>
      <StackedChart
        columns={columns}
        layerColors={['--surface', '--energy-free']}
        lineColors={[color]}
        marks={[]}
        selected={(day - 1) * DAY_HOURS}
        onSelect={(index) => setDay(Math.floor(index / DAY_HOURS) + 1)}
      />
      <p className="muted">{t(TEXTS.FORECASTS_CHART())}</p>
      <DataTable
        report={{ list: 'hourly_forecast_hours', query: { id: forecast.id, facility_id: facilityId, kind } }}
        caption={`${t(TEXTS.FORECASTS_HOURS())}: ${shown[0] ? formatInstant(shown[0].hour, 'date', language) : ''}`}
        rows={shown}
        keyOf={({ hour }) => hour}
        empty={t(TEXTS.FORECASTS_NONE())}
        columns={[
          {
            ...{ id: 'hour', title: t(TEXTS.FORECASTS_HOUR()) },
            cell: ({ hour }) => formatInstant(hour, 'dateTime', language),
          },
          {
            ...{ id: 'low', title: t(TEXTS.FORECASTS_LOW()), isNumber: true },
            cell: ({ p10_kwh }) => <Energy value={p10_kwh} />,
          },
          {
            ...{ id: 'mid', title: t(TEXTS.FORECASTS_MID()), isNumber: true },
            cell: ({ p50_kwh }) => <Energy value={p50_kwh} />,
          },
          {
            ...{ id: 'high', title: t(TEXTS.FORECASTS_HIGH()), isNumber: true },
            cell: ({ p90_kwh }) => <Energy value={p90_kwh} />,
          },
        ]}
      />
      <Pager page={day} pageSize={DAY_HOURS} total={hours.length} onPage={setDay} />
    </>
  )
}

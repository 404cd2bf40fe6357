import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Language } from '../../../../../src/kernel/messages.ts'
import { formatInstant } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { HOURLY_FORECASTS } from '../../../records/calculation-resources.ts'
import { RecordButtons } from '../../../records/record-buttons.tsx'
import { Notice, Select } from '../../../ui/controls.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { DetailList } from '../../../ui/detail-list.tsx'
import { Loaded, Page } from '../../../ui/page.tsx'
import { Energy } from '../../../ui/value.tsx'
import { BandView } from './band-view.tsx'
import { type Forecast, type Series, useForecast } from './data.ts'
import { ForecastFrame, ForecastState } from './forecast-state.tsx'
import { FORECAST_PAGE_TEXTS as TEXTS } from './texts.ts'

/** A forecast by hour: its progress, the band of each facility, and the scores of the method. */
export function ForecastPage() {
  const t = useText()
  const { language } = useLanguage()
  const navigate = useNavigate()
  const { forecastId } = useParams({ from: '/signed-in/netting/forecasts/$forecastId' })
  const query = useForecast(forecastId)
  return (
    <Page
      title={t(TEXTS.FORECASTS_ONE())}
      actions={
        <Link className="button" to="/netting/forecasts">
          {t(TEXTS.FORECASTS())}
        </Link>
      }
    >
      <ForecastFrame>
        <Loaded query={query}>
          {(forecast) => (
            <>
              <Head forecast={forecast} />
              <RecordButtons
                resource={HOURLY_FORECASTS}
                record={{ ...forecast, name: spanText(forecast, language) }}
                onDeleted={() => void navigate({ to: '/netting/forecasts' })}
              />
              {forecast.series.length > 0 && <Result forecast={forecast} />}
            </>
          )}
        </Loaded>
      </ForecastFrame>
    </Page>
  )
}

/** The hours of a forecast, which has no other name. */
const spanText = ({ from_hour, to_hour }: Forecast, language: Language): string =>
  `${formatInstant(from_hour, 'dateTime', language)} – ${formatInstant(to_hour, 'dateTime', language)}`

function Head({ forecast }: { readonly forecast: Forecast }) {
  const t = useText()
  const { language } = useLanguage()
  const { created_at, input_hash, error, facility_ids } = forecast
  return (
    <section className="card">
      <ForecastState forecast={forecast} />
      {error !== null && <Notice tone="danger">{error}</Notice>}
      <DetailList
        entries={[
          [t(TEXTS.FORECASTS_SPAN()), spanText(forecast, language)],
          [t(TEXTS.FORECASTS_FACILITIES()), t(TEXTS.FORECASTS_COUNT({ count: facility_ids.length }))],
          [t(TEXTS.FORECASTS_CREATED()), formatInstant(created_at, 'dateTime', language)],
          [t(TEXTS.FORECASTS_HASH()), input_hash === null ? null : <code key="hash">{input_hash}</code>],
        ]}
      />
    </section>
  )
}

const keyOf = ({ facility_id, kind }: Series): string => `${facility_id} ${kind}`

function Result({ forecast }: { readonly forecast: Forecast }) {
  const t = useText()
  const { series } = forecast
  const [key, setKey] = useState('')
  const chosen = series.find((one) => keyOf(one) === key) ?? series[0]
  const kindText = ({ kind }: Series) =>
    t(kind === 'production' ? TEXTS.FORECASTS_PRODUCTION() : TEXTS.FORECASTS_CONSUMPTION())
  if (!chosen) return null
  return (
    <>
      <Select
        label={t(TEXTS.FORECASTS_SERIES())}
        value={keyOf(chosen)}
        onChange={setKey}
        options={series.map((one) => ({
          value: keyOf(one),
          text: `${one.facility_name} · ${kindText(one)}`,
        }))}
      />
      <BandView key={keyOf(chosen)} forecast={forecast} series={chosen} />
      <DataTable
        report={{ list: 'hourly_forecast_series', query: { id: forecast.id } }}
        caption={t(TEXTS.FORECASTS_SCORES())}
        rows={series}
        keyOf={keyOf}
        empty={t(TEXTS.FORECASTS_NONE())}
        columns={[
          { id: 'facility', title: t(TEXTS.FORECASTS_FACILITY()), cell: (row) => row.facility_name },
          { id: 'kind', title: t(TEXTS.FORECASTS_SERIES()), cell: kindText },
          {
            ...{ id: 'history', title: t(TEXTS.FORECASTS_HISTORY()), isNumber: true },
            cell: ({ history_hours }) => history_hours,
          },
          {
            ...{ id: 'mae', title: t(TEXTS.FORECASTS_MAE()), isNumber: true },
            cell: ({ score }) => <Energy value={score.mae_kwh} />,
          },
          {
            ...{ id: 'week', title: t(TEXTS.FORECASTS_WEEK()), isNumber: true },
            cell: ({ score }) => <Energy value={score.naive_week_mae_kwh} />,
          },
          {
            ...{ id: 'year', title: t(TEXTS.FORECASTS_YEAR()), isNumber: true },
            cell: ({ score }) => <Energy value={score.naive_year_mae_kwh} />,
          },
          {
            ...{ id: 'coverage', title: t(TEXTS.FORECASTS_COVERAGE()), isNumber: true },
            cell: ({ score }) => (score.coverage_pct === null ? '—' : score.coverage_pct.toFixed(1)),
          },
        ]}
      />
    </>
  )
}

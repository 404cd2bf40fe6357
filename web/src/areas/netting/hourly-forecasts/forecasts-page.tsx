import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type SyntheticEvent, useState } from 'react'
import { useCan, useClient } from '../../../api/session.tsx'
import { formatInstant } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { FACILITY } from '../../../records/netting-resources.ts'
import { RecordsPicker } from '../../../records/record-picker.tsx'
import { Button, Notice } from '../../../ui/controls.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { DateField } from '../../../ui/date-field.tsx'
import { NativeField } from '../../../ui/inputs.tsx'
import { Loaded, Page, useErrorText } from '../../../ui/page.tsx'
import { PageButtons } from '../../../ui/pager.tsx'
import { type ForecastHead, LIST, useForecastList, useForecastRefresh } from './data.ts'
import { ForecastFrame, ForecastState } from './forecast-state.tsx'
import { FORECAST_PAGE_TEXTS as TEXTS } from './texts.ts'

const PAGE_SIZE = 20

/** The forecasts by hour of the tenant, the newest first. */
export function ForecastsPage() {
  const t = useText()
  const can = useCan()
  const { page = 1 } = useSearch({ from: '/signed-in/netting/forecasts' })
  const navigate = useNavigate({ from: '/netting/forecasts' })
  const query = useForecastList({ offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE + 1 })
  const turn = (next: number) => void navigate({ search: { page: next } })
  return (
    <Page title={t(TEXTS.FORECASTS())}>
      <ForecastFrame>
        {can('manage:netting') && <NewForecast />}
        <Loaded query={query}>
          {(rows) => (
            <>
              <ForecastTable rows={rows.slice(0, PAGE_SIZE)} />
              <PageButtons page={page} hasNext={rows.length > PAGE_SIZE} onPage={turn} />
            </>
          )}
        </Loaded>
      </ForecastFrame>
    </Page>
  )
}

function NewForecast() {
  const t = useText()
  const { api } = useClient()
  const errorText = useErrorText()
  const refresh = useForecastRefresh()
  const navigate = useNavigate()
  const [facilities, setFacilities] = useState('')
  const [from, setFrom] = useState('')
  const [days, setDays] = useState('31')
  const [error, setError] = useState<unknown>()
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault()
    setError(undefined)
    try {
      const { data } = await api.post(LIST, {
        body: {
          facility_ids: facilities.split(', ').filter((id) => id !== ''),
          days: Number(days),
          ...(from !== '' && { from_date: from }),
        },
      })
      await refresh()
      await navigate({ to: '/netting/forecasts/$forecastId', params: { forecastId: data.id } })
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <form className="card" onSubmit={(event) => void submit(event)}>
      <h2>{t(TEXTS.FORECASTS_NEW())}</h2>
      <div className="form">
        <RecordsPicker
          label={t(TEXTS.FORECASTS_FACILITIES())}
          value={facilities}
          isRequired={false}
          reference={FACILITY}
          onChange={setFacilities}
        />
        <DateField
          label={t(TEXTS.FORECASTS_FROM())}
          description={t(TEXTS.FORECASTS_FROM_HELP())}
          value={from}
          onChange={setFrom}
        />
        <NativeField
          label={t(TEXTS.FORECASTS_DAYS())}
          type="number"
          value={days}
          isRequired
          onChange={setDays}
        />
      </div>
      {error !== undefined && <Notice tone="danger">{errorText(error)}</Notice>}
      <div>
        <Button type="submit" variant="primary" isDisabled={facilities === ''}>
          {t(TEXTS.FORECASTS_CREATE())}
        </Button>
      </div>
    </form>
  )
}

function ForecastTable({ rows }: { readonly rows: readonly ForecastHead[] }) {
  const t = useText()
  const { language } = useLanguage()
  return (
    <DataTable
      report={{ list: 'hourly_forecasts', query: {} }}
      caption={t(TEXTS.FORECASTS())}
      rows={rows}
      keyOf={({ id }) => id}
      empty={t(TEXTS.FORECASTS_NONE())}
      columns={[
        {
          id: 'span',
          title: t(TEXTS.FORECASTS_SPAN()),
          cell: ({ id, from_hour, to_hour }) => (
            <Link to="/netting/forecasts/$forecastId" params={{ forecastId: id }}>
              {formatInstant(from_hour, 'dateTime', language)} –{' '}
              {formatInstant(to_hour, 'dateTime', language)}
            </Link>
          ),
        },
        {
          id: 'facilities',
          title: t(TEXTS.FORECASTS_FACILITIES()),
          cell: ({ facility_ids }) => t(TEXTS.FORECASTS_COUNT({ count: facility_ids.length })),
        },
        {
          id: 'state',
          title: t(TEXTS.FORECASTS_STATE()),
          cell: (row) => <ForecastState forecast={row} />,
        },
        {
          id: 'created',
          title: t(TEXTS.FORECASTS_CREATED()),
          cell: ({ created_at }) => formatInstant(created_at, 'dateTime', language),
        },
      ]}
    />
  )
}

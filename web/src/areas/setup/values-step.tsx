import { Link } from '@tanstack/react-router'
import { useGet } from '../../api/queries.ts'
import { formatRecent } from '../../kernel/dates.ts'
import { metricTitle } from '../../kernel/metric.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Loaded } from '../../ui/page.tsx'
import { SETUP_TEXTS } from './texts.ts'

const REFRESH_MS = 2_000
const DEVICES_SHOWN = 20
const POWER = 'active_power'

/** The latest power of the meters, read again until values arrive and as they change. */
export function ValuesStep() {
  const t = useText()
  const { language } = useLanguage()
  const devices = useGet('/api/devices', { query: { limit: DEVICES_SHOWN } }, { refetchInterval: REFRESH_MS })
  const names = new Map((devices.data?.items ?? []).map(({ id, name }) => [id, name]))
  const latest = useGet(
    '/api/measurements/latest',
    { query: { device_ids: [...names.keys()].join(',') } },
    { refetchInterval: REFRESH_MS, enabled: names.size > 0 },
  )
  const rows = latest.data?.devices ?? []
  return (
    <>
      <h2>{t(SETUP_TEXTS.SETUP_VALUES())}</h2>
      <p>{t(SETUP_TEXTS.SETUP_VALUES_PURPOSE())}</p>
      <Loaded query={devices}>
        {() => (
          <DataTable
            report={
              names.size > 0
                ? { list: 'latest_values', query: { device_ids: [...names.keys()].join() } }
                : null
            }
            caption={t(SETUP_TEXTS.SETUP_VALUES())}
            rows={rows}
            keyOf={({ device_id }) => device_id}
            empty={t(SETUP_TEXTS.SETUP_NO_METERS())}
            columns={[
              {
                id: 'name',
                title: t(SETUP_TEXTS.SETUP_METER_NAME()),
                cell: ({ device_id }) => (
                  <Link to="/devices/$deviceId" params={{ deviceId: device_id }}>
                    {names.get(device_id) ?? device_id}
                  </Link>
                ),
              },
              {
                id: 'power',
                title: t(SETUP_TEXTS.SETUP_NEWEST_VALUE()),
                isNumber: true,
                cell: ({ values }) => {
                  const shown = values.find(({ metric }) => metric === POWER) ?? values[0]
                  return shown
                    ? `${metricTitle(shown.metric, language)}: ${shown.value.toLocaleString(language)} ${shown.unit ?? ''}`
                    : t(SETUP_TEXTS.SETUP_WAITING())
                },
              },
              {
                id: 'seen',
                title: t(SETUP_TEXTS.SETUP_LAST_SEEN()),
                cell: ({ last_seen }) => (last_seen === null ? '' : formatRecent(last_seen, language)),
              },
            ]}
          />
        )}
      </Loaded>
    </>
  )
}

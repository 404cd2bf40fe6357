import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import type { LiveSample } from '../../../../clients/typescript/src/index.ts'
import { HOUR_MS } from '../../../../src/kernel/time.ts'
import { useLiveBatches } from '../../api/live.ts'
import { useGet } from '../../api/queries.ts'
import { formatInstant, formatRecent } from '../../kernel/dates.ts'
import { metricTitle } from '../../kernel/metric.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { unitText, withUnit } from '../../kernel/units.ts'
import { DEVICES } from '../../records/plant-resources.ts'
import { RecordButtons } from '../../records/record-buttons.tsx'
import { Select, Tag } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { TimeChart } from '../../ui/time-chart.tsx'
import { DeviceEnergy } from './device-energy.tsx'
import { EQUIPMENT_TEXTS } from './texts.ts'

/** Samples of the chart when it is opened, and with those that arrive later. */
const SAMPLES_READ = 2000
const SAMPLES_MAX = 5000
const POWER = 'active_power'

/** One device: its latest values, and one of its metrics over the last hours with each sample as it arrives. */
export function DevicePage() {
  const t = useText()
  const { language } = useLanguage()
  const navigate = useNavigate()
  const { deviceId } = useParams({ from: '/signed-in/devices/$deviceId' })
  const device = useGet('/api/devices/{id}', { path: { id: deviceId } })
  const latest = useGet(
    '/api/measurements/latest',
    { query: { device_ids: deviceId } },
    { refetchInterval: 10_000 },
  )
  const values = latest.data?.devices[0]?.values ?? []
  return (
    <Page
      title={device.data?.name ?? t(EQUIPMENT_TEXTS.EQUIPMENT_DEVICE())}
      actions={
        device.data && (
          <RecordButtons
            resource={DEVICES}
            record={{ ...device.data }}
            onDeleted={() => void navigate({ to: '/devices' })}
          />
        )
      }
    >
      <Loaded query={latest}>
        {() => (
          <DataTable
            report={{ list: 'latest_values', query: { device_ids: deviceId } }}
            caption={t(EQUIPMENT_TEXTS.EQUIPMENT_LATEST())}
            rows={values}
            keyOf={({ metric }) => metric}
            empty={t(EQUIPMENT_TEXTS.EQUIPMENT_NO_SAMPLES())}
            columns={[
              {
                id: 'metric',
                title: t(EQUIPMENT_TEXTS.EQUIPMENT_METRIC()),
                cell: ({ metric }) => metricTitle(metric, language),
              },
              {
                id: 'value',
                title: t(EQUIPMENT_TEXTS.EQUIPMENT_VALUE()),
                isNumber: true,
                cell: ({ value, unit }) => withUnit(value.toLocaleString(language), unit),
              },
              {
                id: 'at',
                title: t(EQUIPMENT_TEXTS.EQUIPMENT_LAST_SEEN()),
                cell: ({ timestamp, quality }) => (
                  <span className="row">
                    {formatRecent(timestamp, language)}
                    {quality === 'old' && <Tag tone="warning">{t(EQUIPMENT_TEXTS.EQUIPMENT_OLD())}</Tag>}
                  </span>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {values.length > 0 && <DeviceEnergy deviceId={deviceId} />}
      {values.length > 0 && <History deviceId={deviceId} metrics={values} />}
    </Page>
  )
}

interface HistoryProps {
  readonly deviceId: string
  readonly metrics: readonly { readonly metric: string; readonly unit: string | null }[]
}

function History({ deviceId, metrics }: HistoryProps) {
  const t = useText()
  const { language } = useLanguage()
  const search = useSearch({ from: '/signed-in/devices/$deviceId' })
  const navigate = useNavigate({ from: '/devices/$deviceId' })
  const preferred = metrics.find(({ metric }) => metric === (search.metric ?? POWER)) ?? metrics[0]
  const [from] = useState(() => new Date(Date.now() - HOUR_MS).toISOString())
  const stored = useGet('/api/measurements/devices/{device_id}/samples', {
    path: { device_id: deviceId },
    query: { from, limit: SAMPLES_READ },
  })
  const [arrived, setArrived] = useState<readonly LiveSample[]>([])
  const add = useCallback(
    (arriving: readonly LiveSample[]) =>
      setArrived((samples) => [...samples, ...arriving].slice(-SAMPLES_MAX)),
    [],
  )
  const state = useLiveBatches([deviceId], add)
  const metric = preferred?.metric ?? POWER
  const points = useMemo(
    () => pointsOf([...(stored.data ?? []), ...arrived], metric),
    [stored.data, arrived, metric],
  )
  const last = points.at(-1)
  return (
    <section className="card">
      <div className="row">
        <h2>{t(EQUIPMENT_TEXTS.EQUIPMENT_LAST_HOUR())}</h2>
        <Tag tone={state === 'open' ? 'success' : 'warning'}>
          {t(state === 'open' ? EQUIPMENT_TEXTS.EQUIPMENT_LIVE() : EQUIPMENT_TEXTS.EQUIPMENT_NOT_LIVE())}
        </Tag>
        <Select
          label={t(EQUIPMENT_TEXTS.EQUIPMENT_METRIC())}
          value={metric}
          onChange={(value) =>
            void navigate({ search: (previous) => ({ ...previous, metric: value }), replace: true })
          }
          options={metrics.map((one) => ({ value: one.metric, text: metricTitle(one.metric, language) }))}
        />
      </div>
      <Loaded query={stored}>
        {() => (
          <TimeChart
            points={points}
            label={metricTitle(metric, language)}
            unit={unitText(preferred?.unit)}
            color="--energy-consumption"
          />
        )}
      </Loaded>
      {last && (
        <p>
          {t(
            EQUIPMENT_TEXTS.EQUIPMENT_NEWEST({
              value: withUnit(last.value.toLocaleString(language), preferred?.unit),
              at: formatInstant(last.at, 'seconds', language),
              count: points.length,
            }),
          )}
        </p>
      )}
    </section>
  )
}

/** The values of a metric by time, each instant once: a sample can be both stored and delivered live. */
function pointsOf(
  samples: readonly { readonly timestamp: string; readonly values: Readonly<Record<string, number>> }[],
  metric: string,
) {
  const byTime = new Map<number, number>()
  for (const { timestamp, values } of samples) {
    const value = values[metric]
    if (value !== undefined) byTime.set(Date.parse(timestamp), value)
  }
  return [...byTime].sort(([a], [b]) => a - b).map(([at, value]) => ({ at, value }))
}

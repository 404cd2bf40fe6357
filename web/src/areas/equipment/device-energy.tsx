import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { DAY_MS } from '../../../../src/kernel/time.ts'
import { useGet } from '../../api/queries.ts'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { Select, Tag } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Loaded } from '../../ui/page.tsx'
import { StateTag } from '../../ui/states.tsx'
import { TimeChart } from '../../ui/time-chart.tsx'
import { QUALITIES } from './states.ts'
import { EQUIPMENT_TEXTS } from './texts.ts'

const RANGES = {
  day: { interval: 'hourly', days: 1, text: EQUIPMENT_TEXTS.EQUIPMENT_RANGE_DAY },
  week: { interval: 'hourly', days: 7, text: EQUIPMENT_TEXTS.EQUIPMENT_RANGE_WEEK },
  month: { interval: 'daily', days: 31, text: EQUIPMENT_TEXTS.EQUIPMENT_RANGE_MONTH },
  year: { interval: 'monthly', days: 365, text: EQUIPMENT_TEXTS.EQUIPMENT_RANGE_YEAR },
} as const
type Range = keyof typeof RANGES

const ENERGY = '/api/devices/{id}/energy-consumption'
type Row = NonNullable<ReturnType<typeof useGet<typeof ENERGY>>['data']>['data'][number]

/** The energy of a device by hour, day or month, as a chart and as a table with the quality of each value. */
export function DeviceEnergy({ deviceId }: { readonly deviceId: string }) {
  const t = useText()
  const { range = 'day' } = useSearch({ from: '/signed-in/devices/$deviceId' })
  const navigate = useNavigate({ from: '/devices/$deviceId' })
  const { interval, days } = RANGES[range]
  // The range begins at a full hour, so that the same address is read from the cache.
  const start = useMemo(
    () => new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - days * DAY_MS).toISOString(),
    [days],
  )
  const query = useGet(ENERGY, { path: { id: deviceId }, query: { interval, start } })
  return (
    <section className="card">
      <div className="row">
        <h2>{t(EQUIPMENT_TEXTS.EQUIPMENT_HISTORY())}</h2>
        <Select<Range>
          label={t(EQUIPMENT_TEXTS.EQUIPMENT_RANGE())}
          value={range}
          onChange={(next) =>
            void navigate({ search: (previous) => ({ ...previous, range: next }), replace: true })
          }
          options={Object.entries(RANGES).map(([value, { text }]) => ({
            value: value as Range,
            text: t(text()),
          }))}
        />
      </div>
      <Loaded query={query}>
        {({ data }) => (
          <>
            {data.length > 1 && <EnergyChart rows={data} />}
            <EnergyTable
              rows={data}
              style={interval === 'hourly' ? 'dateTime' : 'date'}
              parameters={{ id: deviceId, interval, start }}
            />
          </>
        )}
      </Loaded>
    </section>
  )
}

function EnergyChart({ rows }: { readonly rows: readonly Row[] }) {
  const t = useText()
  const isProducer = rows.every(({ consumption_kwh }) => consumption_kwh === null)
  const points = useMemo(
    () =>
      rows.flatMap(({ timestamp, consumption_kwh, production_kwh }) => {
        const value = consumption_kwh ?? production_kwh
        return value === null ? [] : [{ at: Date.parse(timestamp), value }]
      }),
    [rows],
  )
  return (
    <>
      <TimeChart
        points={points}
        unit="kWh"
        label={t(isProducer ? EQUIPMENT_TEXTS.EQUIPMENT_PRODUCED() : EQUIPMENT_TEXTS.EQUIPMENT_CONSUMED())}
        color={isProducer ? '--energy-production' : '--energy-consumption'}
      />
      <p className="muted">{t(EQUIPMENT_TEXTS.EQUIPMENT_ZOOM())}</p>
    </>
  )
}

interface EnergyTableProps {
  readonly rows: readonly Row[]
  readonly style: 'date' | 'dateTime'
  /** Those of the request. */
  readonly parameters: object
}

function EnergyTable({ rows, style, parameters }: EnergyTableProps) {
  const t = useText()
  const { language } = useLanguage()
  const energy = (value: number | null) =>
    value === null
      ? '—'
      : `${value.toLocaleString(language, { minimumFractionDigits: 3, maximumFractionDigits: 3 })} kWh`
  return (
    <DataTable
      report={{ list: 'device_energy', query: parameters }}
      caption={t(EQUIPMENT_TEXTS.EQUIPMENT_HISTORY())}
      rows={rows}
      keyOf={({ timestamp }) => timestamp}
      empty={t(EQUIPMENT_TEXTS.EQUIPMENT_NO_ENERGY())}
      columns={[
        {
          id: 'from',
          title: t(EQUIPMENT_TEXTS.EQUIPMENT_TIME()),
          cell: ({ timestamp }) => formatInstant(timestamp, style, language),
        },
        {
          id: 'consumed',
          title: t(EQUIPMENT_TEXTS.EQUIPMENT_CONSUMED()),
          isNumber: true,
          cell: (row) => energy(row.consumption_kwh),
        },
        {
          id: 'produced',
          title: t(EQUIPMENT_TEXTS.EQUIPMENT_PRODUCED()),
          isNumber: true,
          cell: (row) => energy(row.production_kwh),
        },
        {
          id: 'export',
          title: t(EQUIPMENT_TEXTS.EQUIPMENT_FED_IN()),
          isNumber: true,
          cell: (row) => energy(row.export_kwh),
        },
        {
          id: 'quality',
          title: t(EQUIPMENT_TEXTS.EQUIPMENT_QUALITY()),
          cell: ({ data_quality, is_estimated }) => (
            <span className="row">
              <StateTag states={QUALITIES} value={data_quality} />
              {is_estimated && <Tag tone="warning">{t(EQUIPMENT_TEXTS.EQUIPMENT_ESTIMATED())}</Tag>}
            </span>
          ),
        },
      ]}
    />
  )
}

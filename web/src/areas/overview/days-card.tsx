import { useMemo } from 'react'
import type { ResponseOf } from '../../../../clients/typescript/src/operations.ts'
import { HOUR_MS } from '../../../../src/kernel/time.ts'
import { useGet } from '../../api/queries.ts'
import { approximate, formatDecimal } from '../../kernel/decimal.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Loaded } from '../../ui/page.tsx'
import { StackedChart } from '../../ui/stacked-chart.tsx'
import { Energy } from '../../ui/value.tsx'
import { CHANGE_PLACES, changeOf } from './change.ts'
import type { SiteFilter } from './readings.ts'
import { OVERVIEW_TEXTS } from './texts.ts'

const REFRESH_MS = 60_000
const CHART_HEIGHT_PX = 220

type Days = ResponseOf<'GET', '/api/overview/energy'>
const ENERGIES = [
  {
    field: 'production_kwh',
    text: OVERVIEW_TEXTS.OVERVIEW_PRODUCTION,
    color: '--energy-production',
  },
  {
    field: 'consumption_kwh',
    text: OVERVIEW_TEXTS.OVERVIEW_CONSUMPTION,
    color: '--energy-consumption',
  },
] as const
type EnergyOfDay = (typeof ENERGIES)[number]

const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

/** Production and consumption of today so far against the same hours of yesterday. */
export function DaysCard({ site }: { readonly site: SiteFilter }) {
  const t = useText()
  const query = useGet('/api/overview/energy', { query: { ...site } }, { refetchInterval: REFRESH_MS })
  return (
    <section className="card">
      <h2>{t(OVERVIEW_TEXTS.OVERVIEW_DAYS())}</h2>
      <Loaded query={query}>
        {(days) => (
          <>
            <p className="muted">
              {days.compared_hours === 0
                ? t(OVERVIEW_TEXTS.OVERVIEW_NO_HOURS())
                : t(OVERVIEW_TEXTS.OVERVIEW_SO_FAR({ to: hourText(days.compared_hours) }))}
              {days.values_left_out > 0 &&
                ` ${t(OVERVIEW_TEXTS.OVERVIEW_VALUES_LEFT_OUT({ count: days.values_left_out }))}`}
            </p>
            <div className="day-charts">
              {ENERGIES.map((energy) => (
                <DayChart key={energy.field} days={days} energy={energy} />
              ))}
            </div>
            <HourTable days={days} site={site} />
          </>
        )}
      </Loaded>
    </section>
  )
}

interface DayChartProps {
  readonly days: Days
  readonly energy: EnergyOfDay
}

/** Columns of today and a line of yesterday, below their sums. */
function DayChart({ days, energy: { field, text, color } }: DayChartProps) {
  const t = useText()
  const { today, yesterday } = days.so_far
  const columns = useMemo(() => columnsOf(days, field), [days, field])
  return (
    <div className="stack">
      <div className="day-head">
        <div>
          <h3 className="muted">{t(text())}</h3>
          <div className="figure">
            <Energy value={today[field]} />
          </div>
        </div>
        <div>
          <div className="muted">{t(OVERVIEW_TEXTS.OVERVIEW_YESTERDAY())}</div>
          <div>
            <Energy value={yesterday[field]} /> <Change today={today[field]} yesterday={yesterday[field]} />
          </div>
        </div>
      </div>
      <StackedChart
        columns={columns}
        layerColors={[color]}
        lineColors={['--text-muted']}
        marks={[]}
        selected={undefined}
        height={CHART_HEIGHT_PX}
      />
      <div className="row muted" aria-hidden="true">
        <span>
          <span className="swatch" style={{ background: `var(${color})` }} />{' '}
          {t(OVERVIEW_TEXTS.OVERVIEW_TODAY())}
        </span>
        <span>
          <span className="swatch line" /> {t(OVERVIEW_TEXTS.OVERVIEW_YESTERDAY())}
        </span>
      </div>
    </div>
  )
}

const position = (value: string | null): number | null => (value === null ? null : approximate(value))

function columnsOf({ date, hours, compared_hours }: Days, field: EnergyOfDay['field']) {
  const midnight = Date.parse(`${date}T00:00:00+03:00`)
  return hours.map(({ hour, today, yesterday }) => ({
    from: midnight + hour * HOUR_MS,
    to: midnight + (hour + 1) * HOUR_MS,
    // An hour so far without a value is unknown and not zero; a later one has not been yet.
    state: hour < compared_hours && today[field] === null ? ('unknown' as const) : ('known' as const),
    layers: [position(today[field])],
    lines: [position(yesterday[field])],
    marks: [],
  }))
}

/** The change in per cent; nothing where one of the values is unknown or yesterday's is zero. */
function Change({ today, yesterday }: { readonly today: string | null; readonly yesterday: string | null }) {
  const { language } = useLanguage()
  const text = changeOf(today, yesterday)
  if (text === undefined) return null
  const isLess = text.startsWith('-')
  const shown = formatDecimal(text, CHANGE_PLACES, language)
  return (
    <span className="muted">
      ({isLess ? '' : '+'}
      {language === 'tr' ? `%${shown}` : `${shown}%`})
    </span>
  )
}

function HourTable({ days, site }: { readonly days: Days; readonly site: SiteFilter }) {
  const t = useText()
  return (
    <details className="more">
      <summary>{t(OVERVIEW_TEXTS.OVERVIEW_HOURS())}</summary>
      <DataTable
        report={{ list: 'energy_of_days', query: site }}
        caption={t(OVERVIEW_TEXTS.OVERVIEW_HOURS())}
        rows={days.hours}
        keyOf={({ hour }) => String(hour)}
        empty=""
        columns={[
          {
            id: 'hour',
            title: t(OVERVIEW_TEXTS.OVERVIEW_HOUR()),
            cell: ({ hour }) => `${hourText(hour)}–${hourText(hour + 1)}`,
          },
          ...ENERGIES.flatMap(({ field, text }) =>
            (['today', 'yesterday'] as const).map((day) => ({
              id: `${day}-${field}`,
              title: `${t(text())}, ${t(
                day === 'today' ? OVERVIEW_TEXTS.OVERVIEW_TODAY() : OVERVIEW_TEXTS.OVERVIEW_YESTERDAY(),
              ).toLocaleLowerCase()}`,
              isNumber: true,
              cell: (row: Days['hours'][number]) => <Energy value={row[day][field]} />,
            })),
          ),
        ]}
      />
    </details>
  )
}

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useGet } from '../../api/queries.ts'
import { formatMonth } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { Select } from '../../ui/controls.tsx'
import { Loaded } from '../../ui/page.tsx'
import { Energy } from '../../ui/value.tsx'
import { useGroupMonth } from './group-month.ts'
import { HourProvenance } from './hour-provenance.tsx'
import { HourlyHeatMap } from './hourly-heat-map.tsx'
import { Course } from './hours/course.tsx'
import { useStaleRanges } from './hours/stale-ranges.ts'
import { HOURS_TEXTS } from './hours/texts.ts'
import { QUANTITIES, type QuantityField } from './quantities.ts'
import { NETTING_TEXTS } from './texts.ts'

const ROUTE = '/signed-in/netting/groups/$groupId/'
/** More than the hours of a month. */
const HOURS_MAX = 2000

/** The hours of a month, and how the figures of the selected one came about. */
export function HoursPage() {
  const t = useText()
  const { language } = useLanguage()
  const { groupId, path, month, range } = useGroupMonth()
  // The range of the chart is in the address too: only what is used here draws the heat map again.
  const hour = useSearch({ from: ROUTE, select: (search) => search.hour })
  const quantity = useSearch({ from: ROUTE, select: (search) => search.quantity ?? 'production' })
  const navigate = useNavigate({ from: '/netting/groups/$groupId/' })
  const hours = useGet('/api/mahsuplasma/groups/{id}/hourly', { path, query: { ...range, limit: HOURS_MAX } })
  const totals = useGet('/api/mahsuplasma/groups/{id}/hourly/totals', { path, query: range })
  const staleRanges = useStaleRanges(groupId)
  const select = (selected: string) =>
    void navigate({
      search: ({ amount: _amount, ...previous }) => ({ ...previous, hour: selected }),
      replace: true,
      resetScroll: false,
    })
  return (
    <>
      <Loaded query={totals}>{(sums) => <Sums sums={sums} />}</Loaded>
      <section className="card">
        <h2>{t(HOURS_TEXTS.HOURS_CHART())}</h2>
        <Course staleRanges={staleRanges} onHour={select} />
      </section>
      <section className="card">
        <div className="page-head">
          <h2>
            {t(NETTING_TEXTS.NETTING_HOURS())}, {formatMonth(month, language)}
          </h2>
          <Select
            label={t(NETTING_TEXTS.NETTING_QUANTITY())}
            value={quantity}
            onChange={(value) =>
              void navigate({
                search: (previous) => ({ ...previous, quantity: value }),
                replace: true,
                resetScroll: false,
              })
            }
            options={QUANTITIES.map(({ id, text }) => ({ value: id, text: t(text()) }))}
          />
        </div>
        <Loaded query={hours}>
          {(rows) => (
            <HourlyHeatMap
              report={{ list: 'group_hours', query: { ...path, ...range } }}
              rows={rows}
              month={month}
              quantity={quantity}
              selected={rows.find((row) => Date.parse(row.hour) === Date.parse(hour ?? ''))?.hour}
              onSelect={select}
              staleRanges={staleRanges}
            />
          )}
        </Loaded>
        {hour === undefined && <p className="muted">{t(NETTING_TEXTS.NETTING_SELECT_HOUR())}</p>}
      </section>
      {hour !== undefined && <HourProvenance hour={hour} onHour={select} />}
    </>
  )
}

function Sums({ sums }: { readonly sums: Readonly<Record<QuantityField, string | null>> }) {
  const t = useText()
  return (
    <div className="figures">
      {QUANTITIES.map(({ field, text, color }) => (
        <div key={field} className="card" style={{ borderTop: `3px solid ${color}` }}>
          <div className="muted">{t(text())}</div>
          <div className="figure">
            <Energy value={sums[field]} />
          </div>
        </div>
      ))}
    </div>
  )
}

import { useSearch } from '@tanstack/react-router'
import { useGet } from '../../api/queries.ts'
import { daySpan, thisMonth } from '../../kernel/day-range.ts'
import { useText } from '../../kernel/text.tsx'
import { Page } from '../../ui/page.tsx'
import { DayFilters, PagedList, useFilter } from '../../ui/paged-list.tsx'
import { StateFilter } from '../../ui/states.tsx'
import { Energy } from '../../ui/value.tsx'
import { SessionTable } from './session-table.tsx'
import { SESSION_STATES } from './states.ts'
import { CHARGING_TEXTS } from './texts.ts'

const PAGE_SIZE = 50
const REFRESH_MS = 10_000

/** The charging sessions of a range of days with their sums, also as a file. */
export function SessionsPage() {
  const t = useText()
  const { page = 1, state, from, to } = useSearch({ from: '/signed-in/charging/sessions' })
  const days = { ...thisMonth(), ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const span = daySpan(days)
  const filter = useFilter<{ from?: string; to?: string; state?: typeof state | undefined }>()
  const query = useGet(
    '/api/ocpp/sessions',
    { query: { include: 'totals', skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE, state, ...span } },
    { refetchInterval: REFRESH_MS },
  )
  return (
    <Page
      title={t(CHARGING_TEXTS.CHARGING_SESSIONS())}
      actions={
        <>
          <DayFilters days={days} onFilter={filter} />
          <StateFilter
            label={t(CHARGING_TEXTS.CHARGING_STATE())}
            states={SESSION_STATES}
            value={state}
            onChange={(value) => filter({ state: value })}
          />
        </>
      }
    >
      <PagedList query={query} page={page} pageSize={PAGE_SIZE}>
        {({ items, totals }) => (
          <>
            {totals && <Totals totals={totals} />}
            <SessionTable sessions={items} filters={{ state, ...span }} />
          </>
        )}
      </PagedList>
    </Page>
  )
}

interface TotalsProps {
  readonly totals: {
    readonly sessions_active: number
    readonly sessions_without_energy: number
    readonly energy_kwh: string
  }
}

function Totals({ totals }: TotalsProps) {
  const t = useText()
  return (
    <div className="cards">
      <section className="card">
        <h2 className="muted">{t(CHARGING_TEXTS.CHARGING_TOTAL_ENERGY())}</h2>
        <div className="figure">
          <Energy value={totals.energy_kwh} />
        </div>
      </section>
      <section className="card">
        <h2 className="muted">{t(CHARGING_TEXTS.CHARGING_TOTAL_ACTIVE())}</h2>
        <div className="figure">{totals.sessions_active}</div>
      </section>
      <section className="card">
        <h2 className="muted">{t(CHARGING_TEXTS.CHARGING_TOTAL_UNKNOWN())}</h2>
        <div className="figure">{totals.sessions_without_energy}</div>
      </section>
    </div>
  )
}

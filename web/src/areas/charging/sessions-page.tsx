import { useNavigate, useSearch } from '@tanstack/react-router'
import { useGet } from '../../api/queries.ts'
import { useClient } from '../../api/session.tsx'
import { daySpan, thisMonth } from '../../kernel/day-range.ts'
import { useText } from '../../kernel/text.tsx'
import { DownloadButtons, type FileFormat } from '../../ui/download-buttons.tsx'
import { NativeField } from '../../ui/inputs.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
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
  const { api, language } = useClient()
  const { page = 1, state, from, to } = useSearch({ from: '/signed-in/charging/sessions' })
  const navigate = useNavigate({ from: '/charging/sessions' })
  const days = { ...thisMonth(), ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const span = daySpan(days)
  const filter = (change: { from?: string; to?: string; state?: typeof state | undefined }) =>
    void navigate({ search: (previous) => ({ ...previous, page: undefined, ...change }), replace: true })
  const query = useGet(
    '/api/ocpp/sessions',
    { query: { include: 'totals', skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE, state, ...span } },
    { refetchInterval: REFRESH_MS },
  )
  const download = async (format: FileFormat) =>
    (await api.get('/api/ocpp/sessions/report', { query: { ...span, format, locale: language } })).data
  return (
    <Page
      title={t(CHARGING_TEXTS.CHARGING_SESSIONS())}
      actions={
        <>
          <NativeField
            label={t(CHARGING_TEXTS.CHARGING_FROM())}
            type="date"
            value={days.from}
            onChange={(value) => filter({ from: value })}
          />
          <NativeField
            label={t(CHARGING_TEXTS.CHARGING_TO())}
            type="date"
            value={days.to}
            onChange={(value) => filter({ to: value })}
          />
          <StateFilter
            label={t(CHARGING_TEXTS.CHARGING_STATE())}
            states={SESSION_STATES}
            value={state}
            onChange={(value) => filter({ state: value })}
          />
          <DownloadButtons name={`sessions-${days.from}-${days.to}`} read={download} />
        </>
      }
    >
      <Loaded query={query}>
        {({ items, total, totals }) => (
          <>
            {totals && <Totals totals={totals} />}
            <SessionTable sessions={items} />
            <Pager
              page={page}
              pageSize={PAGE_SIZE}
              total={total}
              onPage={(next) => void navigate({ search: (previous) => ({ ...previous, page: next }) })}
            />
          </>
        )}
      </Loaded>
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

/** The netting of the present month: its energies, and what netting by the hour cost so far. */
import type { ResponseOf } from '../../../../clients/typescript/src/operations.ts'
import { useGet, useGets } from '../../api/queries.ts'
import { formatMonth, monthOf } from '../../kernel/dates.ts'
import { sumOf } from '../../kernel/decimal.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { Loaded } from '../../ui/page.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { Energy, Money } from '../../ui/value.tsx'
import { GroupTable } from '../netting/groups-page.tsx'
import { QUANTITIES } from '../netting/quantities.ts'
import { costOf } from './cost.ts'
import { OVERVIEW_TEXTS } from './texts.ts'

/** Groups of the overview, the most that one request returns. */
const GROUPS_MAX = 200
/** Groups whose comparison the overview reads, which computes a month twice for each. */
const COMPARED_MAX = 20
const REFRESH_MS = 300_000
const ACTIVE = { is_active: true } as const

type GroupMonth = ResponseOf<'GET', '/api/mahsuplasma/groups/overview'>[number]

export function ThisMonth() {
  const t = useText()
  const { language } = useLanguage()
  const month = monthOf(Date.now())
  const query = useGet(
    '/api/mahsuplasma/groups/overview',
    { query: { billing_period: `${month}-01`, limit: GROUPS_MAX, ...ACTIVE } },
    { refetchInterval: REFRESH_MS },
  )
  return (
    <section className="stack">
      <h2>{t(OVERVIEW_TEXTS.OVERVIEW_MONTH({ month: formatMonth(month, language) }))}</h2>
      <Loaded query={query}>
        {(rows) => (
          <>
            <div className="cards">
              <HourlyCost groups={rows} month={month} />
              <Totals groups={rows} />
            </div>
            <GroupTable rows={rows} month={month} filters={ACTIVE} />
          </>
        )}
      </Loaded>
    </section>
  )
}

/** The sums of the groups with a result. */
function Totals({ groups }: { readonly groups: readonly GroupMonth[] }) {
  const t = useText()
  const known = groups.flatMap(({ figures }) => figures ?? [])
  if (known.length === 0)
    return (
      <section className="card">
        <p className="muted">{t(OVERVIEW_TEXTS.OVERVIEW_NOTHING_NETTED())}</p>
      </section>
    )
  return QUANTITIES.map(({ id, field, text, color }) => {
    const values = known.flatMap((figures) => figures[field] ?? [])
    return (
      <section key={id} className="card">
        <h3 className="muted">
          <span className="swatch" style={{ background: color }} aria-hidden="true" /> {t(text())}
        </h3>
        <div className="figure">
          <Energy value={values.length === 0 ? null : sumOf(values)} />
        </div>
      </section>
    )
  })
}

interface HourlyCostProps {
  readonly groups: readonly GroupMonth[]
  readonly month: string
}

function HourlyCost({ groups, month }: HourlyCostProps) {
  const t = useText()
  const { language } = useLanguage()
  const calculated = groups.filter(({ month_status }) => month_status !== 'not_calculated')
  const compared = calculated.slice(0, COMPARED_MAX)
  const query = useGets(
    '/api/mahsuplasma/groups/{id}/comparison',
    compared.map(({ group_id }) => ({
      path: { id: group_id },
      query: { billing_period: `${month}-01` },
    })),
  )
  return (
    <section className="card">
      <Loaded query={query}>
        {(comparisons) => {
          const cost = costOf(comparisons)
          const isGain = cost?.startsWith('-') ?? false
          const unknown = comparisons.filter(
            ({ netted_by, difference }) => netted_by === 'hour' && difference.total_try === null,
          ).length
          const missing = calculated.length - compared.length + unknown
          return (
            <>
              <h3 className="muted">
                {t(isGain ? OVERVIEW_TEXTS.OVERVIEW_GAIN() : OVERVIEW_TEXTS.OVERVIEW_COST())}
              </h3>
              <div className="figure" data-tone={cost === null ? undefined : isGain ? 'success' : 'danger'}>
                {cost === null ? t(UI_TEXTS.UI_NONE()) : <Money value={isGain ? cost.slice(1) : cost} />}
              </div>
              <p className="muted">
                {t(OVERVIEW_TEXTS.OVERVIEW_COST_HELP({ month: formatMonth(month, language) }))}
                {missing > 0 && ` ${t(OVERVIEW_TEXTS.OVERVIEW_NOT_COMPARED({ count: missing }))}`}
              </p>
            </>
          )
        }}
      </Loaded>
    </section>
  )
}

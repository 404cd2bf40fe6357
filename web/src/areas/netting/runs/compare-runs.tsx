import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useClient } from '../../../api/session.tsx'
import { formatInstant } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { Select } from '../../../ui/controls.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Loaded } from '../../../ui/page.tsx'
import { Energy } from '../../../ui/value.tsx'
import { useGroupMonth } from '../group-month.ts'
import type { HourlyRow } from '../hour-provenance.tsx'
import { QUANTITIES } from '../quantities.ts'
import { TRIGGERS, useWord } from '../words.ts'
import { compareRuns, type HourDifference, type RunComparison } from './run-comparison.ts'
import type { Run } from './runs-page.tsx'
import { RUNS_TEXTS } from './texts.ts'

const READ_AT_ONCE = 2000
const HOURS_SHOWN = 200

/** All results of the month with those that were superseded. */
function useHistory() {
  const { api } = useClient()
  const { path, range } = useGroupMonth()
  return useQuery({
    queryKey: ['/api/mahsuplasma/groups/{id}/hourly', 'history', path, range],
    queryFn: async ({ signal }) => {
      const rows: HourlyRow[] = []
      const query = { ...range, include_history: true, limit: READ_AT_ONCE }
      for await (const row of api.list('/api/mahsuplasma/groups/{id}/hourly', { path, query, signal }))
        rows.push(row)
      return rows
    },
  })
}

/** Any two runs of the month side by side; by default the current one and the one before it. */
export function CompareRuns({ runs }: { readonly runs: readonly Run[] }) {
  const t = useText()
  const word = useWord()
  const { language } = useLanguage()
  const search = useSearch({ from: '/signed-in/netting/groups/$groupId/runs' })
  const navigate = useNavigate({ from: '/netting/groups/$groupId/runs' })
  const history = useHistory()
  const known = (id: string | undefined) => runs.find((run) => run.id === id)?.id
  const first = known(search.first) ?? runs[1]?.id ?? ''
  const second = known(search.second) ?? runs[0]?.id ?? ''
  const options = runs.map(({ id, started_at, triggered_by, is_current }) => ({
    value: id,
    text: [
      `${formatInstant(started_at, 'date', language)} ${formatInstant(started_at, 'seconds', language)}`,
      word(TRIGGERS, triggered_by),
      ...(is_current ? [t(RUNS_TEXTS.RUNS_CURRENT())] : []),
    ].join(' · '),
  }))
  const select = (change: { readonly first?: string; readonly second?: string }) =>
    void navigate({
      search: (previous) => ({ ...previous, first, second, ...change }),
      replace: true,
      resetScroll: false,
    })
  return (
    <section className="card">
      <h2>{t(RUNS_TEXTS.RUNS_COMPARE())}</h2>
      <div className="row">
        <Select
          label={t(RUNS_TEXTS.RUNS_FIRST())}
          value={first}
          onChange={(id) => select({ first: id })}
          options={options}
        />
        <Select
          label={t(RUNS_TEXTS.RUNS_SECOND())}
          value={second}
          onChange={(id) => select({ second: id })}
          options={options}
        />
      </div>
      <Loaded query={history}>
        {(rows) => <Differences comparison={compareRuns(rows, first, second)} />}
      </Loaded>
    </section>
  )
}

function Differences({ comparison: { quantities, hours } }: { readonly comparison: RunComparison }) {
  const t = useText()
  const texts = new Map(QUANTITIES.map(({ field, text }) => [field, text]))
  const nameOf = (field: (typeof quantities)[number]['field']) => {
    const text = texts.get(field)
    return text ? t(text()) : field
  }
  return (
    <>
      <DataTable
        report={null}
        caption={t(RUNS_TEXTS.RUNS_DIFFERENCES())}
        rows={quantities}
        keyOf={({ field }) => field}
        empty=""
        columns={[
          { id: 'quantity', title: t(RUNS_TEXTS.RUNS_QUANTITY()), cell: ({ field }) => nameOf(field) },
          {
            id: 'first',
            title: t(RUNS_TEXTS.RUNS_FIRST()),
            isNumber: true,
            cell: ({ first }) => <Energy value={first} />,
          },
          {
            id: 'second',
            title: t(RUNS_TEXTS.RUNS_SECOND()),
            isNumber: true,
            cell: ({ second }) => <Energy value={second} />,
          },
          {
            id: 'difference',
            title: t(RUNS_TEXTS.RUNS_DIFFERENCE()),
            isNumber: true,
            cell: ({ difference }) => <Energy value={difference} />,
          },
        ]}
      />
      {hours.length === 0 ? (
        <p className="muted">{t(RUNS_TEXTS.RUNS_SAME())}</p>
      ) : (
        <HourTable hours={hours} nameOf={nameOf} />
      )}
    </>
  )
}

interface HourTableProps {
  readonly hours: readonly HourDifference[]
  readonly nameOf: (field: HourDifference['changes'][number]['field']) => string
}

function HourTable({ hours, nameOf }: HourTableProps) {
  const t = useText()
  const { language } = useLanguage()
  const { groupId, month } = useGroupMonth()
  return (
    <DataTable
      report={null}
      caption={t(RUNS_TEXTS.RUNS_HOURS_DIFFER({ count: hours.length }))}
      rows={hours.slice(0, HOURS_SHOWN)}
      keyOf={({ hour }) => hour}
      empty=""
      columns={[
        {
          id: 'hour',
          title: t(RUNS_TEXTS.RUNS_HOUR()),
          cell: ({ hour }) => (
            <Link
              to="/netting/groups/$groupId"
              params={{ groupId }}
              search={{ month, hour }}
              hash="hour-heading"
            >
              {formatInstant(hour, 'dateTime', language)}
            </Link>
          ),
        },
        {
          id: 'changes',
          title: t(RUNS_TEXTS.RUNS_DIFFERENCE()),
          isNumber: true,
          cell: ({ changes }) =>
            changes.map(({ field, first, second }) => (
              <div key={field}>
                <small className="muted">{nameOf(field)}</small> <Energy value={first} /> →{' '}
                <Energy value={second} />
              </div>
            )),
        },
      ]}
    />
  )
}

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useGet } from '../../../api/queries.ts'
import { formatInstant, formatMonth } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { Tag } from '../../../ui/controls.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Loaded } from '../../../ui/page.tsx'
import { BulkActions } from '../bulk/bulk-actions.tsx'
import { useGroupMonth } from '../group-month.ts'
import { SCENARIOS, STAGES, TRIGGERS, useWord } from '../words.ts'
import { CompareRuns } from './compare-runs.tsx'
import { RUNS_TEXTS } from './texts.ts'

const RUNS_READ = 500

const useRuns = () => {
  const { path, period } = useGroupMonth()
  return useGet('/api/mahsuplasma/groups/{id}/runs', {
    path,
    query: { billing_period: period, limit: RUNS_READ },
  })
}
export type Run = NonNullable<ReturnType<typeof useRuns>['data']>[number]

/** The runs and corrections of a month, their comparison, and the work that makes new ones. */
export function RunsPage() {
  const { groupId, month } = useGroupMonth()
  const { job } = useSearch({ from: '/signed-in/netting/groups/$groupId/runs' })
  const navigate = useNavigate({ from: '/netting/groups/$groupId/runs' })
  const runs = useRuns()
  return (
    <>
      <BulkActions
        month={month}
        groupIds={[groupId]}
        jobId={job}
        onJob={(id) =>
          void navigate({ search: (previous) => ({ ...previous, job: id }), resetScroll: false })
        }
      />
      <Loaded query={runs}>
        {(rows) => (
          <>
            <RunTable runs={rows} />
            {rows.length > 1 && <CompareRuns runs={rows} />}
          </>
        )}
      </Loaded>
    </>
  )
}

function RunTable({ runs }: { readonly runs: readonly Run[] }) {
  const t = useText()
  const word = useWord()
  const { language } = useLanguage()
  const { month, path, period } = useGroupMonth()
  return (
    <DataTable
      report={{ list: 'group_runs', query: { ...path, billing_period: period } }}
      caption={t(RUNS_TEXTS.RUNS({ month: formatMonth(month, language) }))}
      rows={runs}
      keyOf={({ id }) => id}
      empty={t(RUNS_TEXTS.RUNS_NONE())}
      columns={[
        {
          id: 'started',
          title: t(RUNS_TEXTS.RUNS_STARTED()),
          cell: ({ started_at }) => formatInstant(started_at, 'dateTime', language),
        },
        {
          id: 'status',
          title: t(RUNS_TEXTS.RUNS_STATUS()),
          cell: ({ is_current, stale, stale_hours }) => (
            <span className="row">
              <Tag tone={is_current ? 'success' : 'neutral'}>
                {t(is_current ? RUNS_TEXTS.RUNS_CURRENT() : RUNS_TEXTS.RUNS_SUPERSEDED())}
              </Tag>
              {stale && <Tag tone="warning">{t(RUNS_TEXTS.RUNS_STALE({ hours: stale_hours }))}</Tag>}
            </span>
          ),
        },
        {
          id: 'trigger',
          title: t(RUNS_TEXTS.RUNS_TRIGGER()),
          cell: ({ triggered_by, stage }) =>
            word(TRIGGERS, triggered_by) + (stage === null ? '' : `, ${word(STAGES, stage)}`),
        },
        {
          id: 'scenario',
          title: t(RUNS_TEXTS.RUNS_SCENARIO()),
          cell: ({ scenario }) => word(SCENARIOS, scenario),
        },
        {
          id: 'hours',
          title: t(RUNS_TEXTS.RUNS_HOURS()),
          cell: ({ from_hour, to_hour }) =>
            `${formatInstant(from_hour, 'dateTime', language)} – ${formatInstant(to_hour, 'dateTime', language)}`,
        },
        {
          id: 'hash',
          title: t(RUNS_TEXTS.RUNS_HASH()),
          cell: ({ input_hash }) => <code title={input_hash}>{input_hash.slice(0, 12)}</code>,
        },
      ]}
    />
  )
}

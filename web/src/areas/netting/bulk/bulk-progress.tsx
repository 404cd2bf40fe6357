import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useGet } from '../../../api/queries.ts'
import { formatMonth } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { Tag, type Tone } from '../../../ui/controls.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Loaded } from '../../../ui/page.tsx'
import { BULK_TEXTS } from './texts.ts'

const BULK_PATH = '/api/mahsuplasma/groups/bulk/{id}'
const REFRESH_MS = 1000
const RESULTS_SHOWN = 200

/** The progress of a calculation or correction, and its results. It continues without this page. */
export function BulkProgress({ id }: { readonly id: string }) {
  const t = useText()
  const { language } = useLanguage()
  const queries = useQueryClient()
  const query = useGet(
    BULK_PATH,
    { path: { id } },
    {
      refetchInterval: ({ state }) =>
        (state.data as { readonly status?: string } | undefined)?.status === 'finished' ? false : REFRESH_MS,
    },
  )
  const status = query.data?.status
  const hasChanged = status === 'finished'
  useEffect(() => {
    if (hasChanged) void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== BULK_PATH })
  }, [hasChanged, queries])
  return (
    <Loaded query={query}>
      {(job) => {
        const month = formatMonth(job.billing_period, language)
        const done = job.groups_total - job.groups_waiting
        const title =
          job.action === 'calculate'
            ? BULK_TEXTS.BULK_CALCULATION_OF({ month })
            : BULK_TEXTS.BULK_CORRECTION_OF({ month })
        return (
          <section className="card" aria-label={t(title)}>
            <div className="row">
              <h3>{t(title)}</h3>
              <Tag tone={job.status === 'finished' ? 'success' : 'neutral'}>
                {t(job.status === 'finished' ? BULK_TEXTS.BULK_FINISHED() : BULK_TEXTS.BULK_RUNNING())}
              </Tag>
            </div>
            {job.reason !== null && <p className="muted">{job.reason}</p>}
            <progress aria-label={t(title)} value={done} max={Math.max(1, job.groups_total)} />
            <p role="status">{t(BULK_TEXTS.BULK_PROGRESS({ done, total: job.groups_total }))}</p>
            {job.status === 'running' && <p className="muted">{t(BULK_TEXTS.BULK_LEAVE())}</p>}
            <Results id={id} key={done} />
          </section>
        )
      }}
    </Loaded>
  )
}

const useResults = (id: string) =>
  useGet(
    '/api/mahsuplasma/groups/bulk/{id}/groups',
    { path: { id }, query: { limit: RESULTS_SHOWN } },
    { staleTime: 0 },
  )
type Result = NonNullable<ReturnType<typeof useResults>['data']>[number]

const TONES: Readonly<Record<Result['status'], Tone>> = {
  waiting: 'neutral',
  completed: 'success',
  unchanged: 'neutral',
  incomplete: 'warning',
  refused: 'warning',
  failed: 'danger',
}

function Results({ id }: { readonly id: string }) {
  const t = useText()
  const query = useResults(id)
  const textOf = ({ status, run_ids }: Result) => {
    if (status === 'completed') return t(BULK_TEXTS.BULK_COMPLETED({ count: run_ids.length }))
    const texts = {
      waiting: BULK_TEXTS.BULK_WAITING,
      unchanged: BULK_TEXTS.BULK_UNCHANGED,
      incomplete: BULK_TEXTS.BULK_INCOMPLETE,
      refused: BULK_TEXTS.BULK_REFUSED,
      failed: BULK_TEXTS.BULK_FAILED,
    } as const
    return t(texts[status]())
  }
  return (
    <Loaded query={query}>
      {(rows) => (
        <DataTable
          report={{ list: 'bulk_calculation_groups', query: { id } }}
          caption={t(BULK_TEXTS.BULK_RESULTS())}
          rows={rows}
          keyOf={({ group_id }) => group_id}
          empty=""
          columns={[
            { id: 'group', title: t(BULK_TEXTS.BULK_GROUP()), cell: ({ name }) => name },
            {
              id: 'result',
              title: t(BULK_TEXTS.BULK_RESULT()),
              cell: (row) => <Tag tone={TONES[row.status]}>{textOf(row)}</Tag>,
            },
            {
              id: 'message',
              title: t(BULK_TEXTS.BULK_MESSAGE()),
              cell: ({ error, warnings }) => (
                <>
                  {error}
                  {warnings.map((warning) => (
                    <div key={warning}>{warning}</div>
                  ))}
                </>
              ),
            },
          ]}
        />
      )}
    </Loaded>
  )
}

import { useGet } from '../../api/queries.ts'
import { formatMonth } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Loaded } from '../../ui/page.tsx'
import { SETUP_TEXTS } from './texts.ts'

const REFRESH_MS = 1_000

/** The calculation of past months, which goes on when the page is left. */
export function HistoryProgress({ jobId }: { readonly jobId: string }) {
  const t = useText()
  const { language } = useLanguage()
  const job = useGet(
    '/api/mahsuplasma/history/jobs/{id}',
    { path: { id: jobId } },
    { refetchInterval: ({ state }) => isOpen(state.data) && REFRESH_MS },
  )
  return (
    <Loaded query={job}>
      {({ steps_total, steps_done, steps }) => (
        <>
          <label>
            {t(SETUP_TEXTS.SETUP_PROGRESS({ done: steps_done, total: steps_total }))}{' '}
            <progress value={steps_done} max={Math.max(1, steps_total)} />
          </label>
          <DataTable
            report={{ list: 'history_calculations', query: { id: jobId } }}
            caption={t(SETUP_TEXTS.SETUP_MONTHS())}
            rows={steps}
            keyOf={({ billing_period, group_id }) => `${billing_period} ${group_id}`}
            empty={t(SETUP_TEXTS.SETUP_NO_MONTHS())}
            columns={[
              {
                id: 'month',
                title: t(SETUP_TEXTS.SETUP_MONTH()),
                cell: ({ billing_period }) => formatMonth(billing_period, language),
              },
              { id: 'group', title: t(SETUP_TEXTS.SETUP_GROUP()), cell: ({ group_name }) => group_name },
              {
                id: 'state',
                title: t(SETUP_TEXTS.SETUP_STATE()),
                cell: ({ state, error_message }) => error_message ?? t(STATES[state]()),
              },
              {
                id: 'hours',
                title: t(SETUP_TEXTS.SETUP_HOURS()),
                isNumber: true,
                cell: ({ hours }) => hours ?? '',
              },
            ]}
          />
        </>
      )}
    </Loaded>
  )
}

const isOpen = (data: unknown): boolean => (data as { readonly state?: string } | undefined)?.state === 'open'

const STATES = {
  open: SETUP_TEXTS.SETUP_STATE_OPEN,
  calculated: SETUP_TEXTS.SETUP_STATE_CALCULATED,
  unchanged: SETUP_TEXTS.SETUP_STATE_UNCHANGED,
  failed: SETUP_TEXTS.SETUP_STATE_FAILED,
  skipped: SETUP_TEXTS.SETUP_STATE_SKIPPED,
} as const

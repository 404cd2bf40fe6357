import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useGet } from '../../../api/queries.ts'
import { useCan, useClient } from '../../../api/session.tsx'
import { formatMonth } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { Button, Notice, TextField } from '../../../ui/controls.tsx'
import { useErrorText } from '../../../ui/page.tsx'
import { BulkProgress } from './bulk-progress.tsx'
import { BULK_TEXTS } from './texts.ts'

const BULK_PATH = '/api/mahsuplasma/groups/bulk'
/** Requests among which those that still run are searched, the newest first. */
const JOBS_READ = 50
const REASON_MIN = 5
const REASON_MAX = 2000

interface BulkActionsProps {
  readonly month: string
  readonly groupIds: readonly string[]
  /** The request that the address names. */
  readonly jobId: string | undefined
  readonly onJob: (id: string) => void
}

/** Calculating and correcting a month of groups, with the progress of this request and of those that still run. */
export function BulkActions({ month, groupIds, jobId, onJob }: BulkActionsProps) {
  const can = useCan()
  const jobs = useGet(BULK_PATH, { query: { limit: JOBS_READ } })
  const [seen, setSeen] = useState<readonly string[]>([])
  const running = (jobs.data ?? []).filter(({ status }) => status === 'running').map(({ id }) => id)
  const added = running.filter((id) => !seen.includes(id))
  // What finishes while the page is open keeps its results on the page.
  if (added.length > 0) setSeen([...seen, ...added])
  const shown = [...new Set([...(jobId === undefined ? [] : [jobId]), ...seen])]
  return (
    <>
      {can('manage:netting') && <Request month={month} groupIds={groupIds} onJob={onJob} />}
      {shown.map((id) => (
        <BulkProgress key={id} id={id} />
      ))}
    </>
  )
}

function Request({ month, groupIds, onJob }: Omit<BulkActionsProps, 'jobId'>) {
  const t = useText()
  const errorText = useErrorText()
  const { language } = useLanguage()
  const { api } = useClient()
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const request = useMutation({
    mutationFn: async (action: 'calculate' | 'correct') => {
      const { data } = await api.post(BULK_PATH, {
        body: {
          action,
          billing_period: `${month}-01`,
          group_ids: [...groupIds],
          ...(action === 'correct' && { reason: reason.trim() }),
        },
      })
      return data
    },
    onSuccess: ({ id }) => {
      setReason('')
      onJob(id)
      return queries.invalidateQueries({ queryKey: [BULK_PATH] })
    },
  })
  const length = reason.trim().length
  const isReady = groupIds.length > 0 && !request.isPending
  const name = formatMonth(month, language)
  return (
    <section className="card">
      <h2>
        {t(BULK_TEXTS.BULK_ACTIONS())}: {t(BULK_TEXTS.BULK_GROUPS({ count: groupIds.length }))}
      </h2>
      <p className="muted">{t(BULK_TEXTS.BULK_CALCULATE_HELP({ month: name }))}</p>
      <div>
        <Button onPress={() => request.mutate('calculate')} isDisabled={!isReady}>
          {t(BULK_TEXTS.BULK_CALCULATE())}
        </Button>
      </div>
      <p className="muted">{t(BULK_TEXTS.BULK_CORRECT_HELP({ month: name }))}</p>
      <TextField
        label={t(BULK_TEXTS.BULK_REASON())}
        description={t(BULK_TEXTS.BULK_REASON_HELP())}
        value={reason}
        onChange={(value) => setReason(value.slice(0, REASON_MAX))}
      />
      <div>
        <Button
          variant="primary"
          onPress={() => request.mutate('correct')}
          isDisabled={!isReady || length < REASON_MIN}
        >
          {t(BULK_TEXTS.BULK_CORRECT())}
        </Button>
      </div>
      {request.error && <Notice tone="danger">{errorText(request.error)}</Notice>}
    </section>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { ListItem } from '../../../../clients/typescript/src/index.ts'
import { useGet } from '../../api/queries.ts'
import { useCan, useClient } from '../../api/session.tsx'
import { useText } from '../../kernel/text.tsx'
import { Button, Notice, Select } from '../../ui/controls.tsx'
import { Page, useErrorText } from '../../ui/page.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { IncidentTable } from './incident-table.tsx'
import { ALARM_TEXTS } from './texts.ts'

export type Incident = ListItem<'/api/alarms/incidents'>

const PAGE_SIZE = 50
const REFRESH_MS = 10_000
/** Incidents that one press acknowledges at the same time. */
const ACKNOWLEDGED_AT_ONCE = 4

/** The incidents, latest first; open ones are acknowledged one by one or together. */
export function AlarmsPage() {
  const t = useText()
  const can = useCan()
  const { shown = 'open', page = 1 } = useSearch({ from: '/signed-in/alarms' })
  const navigate = useNavigate({ from: '/alarms' })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const { acknowledge, state } = useAcknowledge(() => setSelected(new Set()))
  const query = useGet(
    '/api/alarms/incidents',
    { query: { skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE, ...(shown === 'open' && { is_open: true }) } },
    { refetchInterval: REFRESH_MS },
  )
  return (
    <Page
      title={t(ALARM_TEXTS.ALARMS())}
      actions={
        <>
          <Select
            label={t(ALARM_TEXTS.ALARMS_SHOWN())}
            value={shown}
            onChange={(value) => void navigate({ search: value === 'all' ? { shown: 'all' } : {} })}
            options={[
              { value: 'open', text: t(ALARM_TEXTS.ALARMS_OPEN()) },
              { value: 'all', text: t(ALARM_TEXTS.ALARMS_ALL()) },
            ]}
          />
          <Link className="button" to="/alarms/policies">
            {t(ALARM_TEXTS.ALARMS_POLICIES())}
          </Link>
        </>
      }
    >
      {state}
      <PagedList query={query} page={page} pageSize={PAGE_SIZE}>
        {({ items }) => (
          <>
            {can('manage:alarm') && (
              <div className="row">
                <Button
                  variant="primary"
                  isDisabled={selected.size === 0}
                  onPress={() => void acknowledge([...selected])}
                >
                  {t(ALARM_TEXTS.ALARMS_ACKNOWLEDGE_SELECTED({ count: selected.size }))}
                </Button>
                <span className="muted">{t(ALARM_TEXTS.ALARMS_KEYS())}</span>
              </div>
            )}
            <IncidentTable
              incidents={items}
              selected={selected}
              onSelected={setSelected}
              onAcknowledge={can('manage:alarm') ? (id) => void acknowledge([id]) : undefined}
            />
          </>
        )}
      </PagedList>
    </Page>
  )
}

/** Acknowledges incidents, a few at the same time, and reports how many it was or the first error. */
function useAcknowledge(onDone: () => void) {
  const t = useText()
  const errorText = useErrorText()
  const { api } = useClient()
  const queries = useQueryClient()
  const [outcome, setOutcome] = useState<{ readonly count: number; readonly error: unknown }>()
  const acknowledge = async (ids: readonly string[]) => {
    let count = 0
    let error: unknown
    const waiting = [...ids]
    const work = async () => {
      for (let id = waiting.shift(); id !== undefined && error === undefined; id = waiting.shift()) {
        try {
          await api.post('/api/alarms/incidents/{id}/ack', { path: { id }, body: null })
          count += 1
        } catch (failure) {
          error = failure
        }
      }
    }
    await Promise.all(Array.from({ length: ACKNOWLEDGED_AT_ONCE }, work))
    setOutcome({ count, error })
    onDone()
    await queries.invalidateQueries({ queryKey: ['/api/alarms/incidents'] })
  }
  const state = outcome && (
    <Notice tone={outcome.error === undefined ? 'success' : 'danger'}>
      {t(ALARM_TEXTS.ALARMS_ACKNOWLEDGED_COUNT({ count: outcome.count }))}
      {outcome.error !== undefined && ` · ${errorText(outcome.error)}`}
    </Notice>
  )
  return { acknowledge, state }
}

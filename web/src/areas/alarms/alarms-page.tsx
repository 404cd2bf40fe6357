import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { ListItem } from '../../../../clients/typescript/src/index.ts'
import { useGet } from '../../api/queries.ts'
import { useCan } from '../../api/session.tsx'
import { useText } from '../../kernel/text.tsx'
import { Select } from '../../ui/controls.tsx'
import { Page } from '../../ui/page.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { IncidentTable, rowId } from './incident-table.tsx'
import { IncidentTimeline, type LaneBy } from './incident-timeline.tsx'
import { NOTIFICATION_TEXTS } from './notification-texts.ts'
import { ALARM_TEXTS } from './texts.ts'
import { type TriageOptions, useTriage } from './triage.tsx'
import { TriageBar } from './triage-bar.tsx'

export type Incident = ListItem<'/api/alarms/incidents'>

const PAGE_SIZE = 50
const REFRESH_MS = 10_000

/** The incidents over time and as a list, latest first; open ones are worked on one by one or together, by keyboard. */
export function AlarmsPage() {
  const t = useText()
  const can = useCan()
  const { shown = 'open', lanes = 'device', page = 1 } = useSearch({ from: '/signed-in/alarms' })
  const navigate = useNavigate({ from: '/alarms' })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [options, setOptions] = useState<TriageOptions>({ note: '', snoozeMinutes: 60 })
  const { run, isRunning, notice } = useTriage(options, (changed) => {
    const done = new Set(changed.map(({ id }) => id))
    setSelected((latest) => new Set([...latest].filter((id) => !done.has(id))))
    // The note belongs to what it was sent with; after a failure it is kept for the next attempt.
    if (done.size > 0) setOptions((latest) => ({ ...latest, note: '' }))
  })
  const filters = shown === 'open' ? { is_open: true } : {}
  const query = useGet(
    '/api/alarms/incidents',
    { query: { skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE, ...filters } },
    { refetchInterval: REFRESH_MS },
  )
  const chosen = (items: readonly Incident[]) =>
    items.filter(({ id, status }) => selected.has(id) && status !== 'closed')
  return (
    <Page
      title={t(ALARM_TEXTS.ALARMS())}
      actions={
        <>
          <Select
            label={t(ALARM_TEXTS.ALARMS_SHOWN())}
            value={shown}
            onChange={(value) =>
              void navigate({
                search: (previous) => ({ lanes: previous.lanes, ...(value === 'all' && { shown: 'all' }) }),
              })
            }
            options={[
              { value: 'open', text: t(ALARM_TEXTS.ALARMS_OPEN()) },
              { value: 'all', text: t(ALARM_TEXTS.ALARMS_ALL()) },
            ]}
          />
          <Select<LaneBy>
            label={t(ALARM_TEXTS.ALARMS_LANES())}
            value={lanes}
            onChange={(value) =>
              void navigate({ search: (previous) => ({ ...previous, lanes: value }), replace: true })
            }
            options={[
              { value: 'device', text: t(ALARM_TEXTS.ALARMS_BY_DEVICE()) },
              { value: 'policy', text: t(ALARM_TEXTS.ALARMS_BY_POLICY()) },
            ]}
          />
          <Link className="button" to="/alarms/policies">
            {t(ALARM_TEXTS.ALARMS_POLICIES())}
          </Link>
          <Link className="button" to="/alarms/notifications">
            {t(NOTIFICATION_TEXTS.NOTIFICATIONS())}
          </Link>
        </>
      }
    >
      {notice}
      <PagedList query={query} page={page} pageSize={PAGE_SIZE}>
        {({ items }) => (
          <>
            <IncidentTimeline
              incidents={items}
              by={lanes}
              now={query.dataUpdatedAt}
              onSelect={(id) => document.getElementById(rowId(id))?.focus()}
            />
            {can('manage:alarm') && (
              <TriageBar
                count={chosen(items).length}
                isRunning={isRunning}
                options={options}
                onOptions={setOptions}
                onAction={(action) => void run(action, chosen(items))}
              />
            )}
            <IncidentTable
              report={{ list: 'incidents', query: filters }}
              incidents={items}
              selected={selected}
              onSelected={setSelected}
              onAction={
                can('manage:alarm')
                  ? (action, ids) =>
                      void run(
                        action,
                        items.filter(({ id }) => ids.includes(id)),
                      )
                  : undefined
              }
            />
          </>
        )}
      </PagedList>
    </Page>
  )
}

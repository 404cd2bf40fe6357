import { useSearch } from '@tanstack/react-router'
import { useGet } from '../../api/queries.ts'
import { formatInstant } from '../../kernel/dates.ts'
import { daySpan, thisMonth } from '../../kernel/day-range.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import type { TableReport } from '../../ui/export-menu.tsx'
import { DayFilters, PagedList, SearchFilter, useFilter } from '../../ui/paged-list.tsx'
import { StateFilter, StateTag } from '../../ui/states.tsx'
import { resourceTypeText } from './resource-type-texts.ts'
import { ACTIONS, ACTORS, type Change } from './states.ts'
import { ADMIN_TEXTS } from './texts.ts'

const PAGE_SIZE = 50

/** Who changed what and when, with filters in the address, also as a file. */
export function ChangeLog() {
  const t = useText()
  const search = useSearch({ from: '/signed-in/administration' })
  const { page = 1, action, actor, from, to } = search
  const days = { ...thisMonth(), ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const filters = { ...daySpan(days), action, actor_kind: actor, search: search.search }
  const query = useGet('/api/changes', {
    query: { ...filters, skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE, sort_order: 'desc' },
  })
  const filter = useFilter<typeof search>()
  return (
    <>
      <div className="page-head">
        <div className="actions">
          <DayFilters days={days} onFilter={filter} />
          <StateFilter
            label={t(ADMIN_TEXTS.ADMIN_ACTION())}
            states={ACTIONS}
            value={action}
            onChange={(value) => filter({ action: value })}
          />
          <StateFilter
            label={t(ADMIN_TEXTS.ADMIN_ACTOR())}
            states={ACTORS}
            value={actor}
            onChange={(value) => filter({ actor: value })}
          />
          <SearchFilter value={search.search} onFilter={filter} />
        </div>
      </div>
      <PagedList query={query} page={page} pageSize={PAGE_SIZE}>
        {({ items }) => (
          <>
            <ChangeTable changes={items} report={{ list: '/api/changes/report', query: filters }} />
          </>
        )}
      </PagedList>
    </>
  )
}

interface ChangeTableProps {
  readonly changes: readonly Change[]
  readonly report: TableReport
}

function ChangeTable({ changes, report }: ChangeTableProps) {
  const t = useText()
  const { language } = useLanguage()
  return (
    <DataTable
      report={report}
      caption={t(ADMIN_TEXTS.ADMIN_CHANGES())}
      rows={changes}
      keyOf={({ id }) => id}
      empty={t(ADMIN_TEXTS.ADMIN_NO_CHANGES())}
      columns={[
        {
          id: 'time',
          title: t(ADMIN_TEXTS.ADMIN_TIME()),
          cell: ({ at }) => formatInstant(at, 'dateTime', language),
        },
        {
          id: 'actor',
          title: t(ADMIN_TEXTS.ADMIN_ACTOR()),
          cell: (change) => <Actor change={change} />,
        },
        {
          id: 'action',
          title: t(ADMIN_TEXTS.ADMIN_ACTION()),
          cell: ({ action }) => <StateTag states={ACTIONS} value={action} />,
        },
        {
          id: 'resource',
          title: t(ADMIN_TEXTS.ADMIN_RESOURCE()),
          cell: ({ resource_type, resource_name, resource_id }) => (
            <>
              {t(resourceTypeText(resource_type))} {resource_name ?? <code>{resource_id}</code>}
            </>
          ),
        },
        {
          id: 'fields',
          title: t(ADMIN_TEXTS.ADMIN_FIELDS()),
          cell: (change) => <ChangedFields change={change} />,
        },
      ]}
    />
  )
}

/** Who made a change. Jobs and commands have no user: their names are shown; other operations are the row in words. */
function Actor({ change: { actor_kind, user_email, api_key_name, operation } }: { readonly change: Change }) {
  const isUnattended = actor_kind === 'job' || actor_kind === 'command'
  const names = [user_email, api_key_name, isUnattended ? operation : null]
  return (
    <span title={operation ?? undefined}>
      <StateTag states={ACTORS} value={actor_kind} /> {names.filter((name) => name !== null).join(' · ')}
    </span>
  )
}

function ChangedFields({ change: { changes } }: { readonly change: Change }) {
  const t = useText()
  const valueText = (value: unknown) => (value === undefined ? '' : JSON.stringify(value))
  return (
    <ul className="plain">
      {Object.entries(changes).map(([field, { from, to, is_hidden }]) => (
        <li key={field}>
          <code>{field}</code>:{' '}
          {is_hidden ? t(ADMIN_TEXTS.ADMIN_HIDDEN()) : `${valueText(from)} → ${valueText(to)}`}
        </li>
      ))}
    </ul>
  )
}

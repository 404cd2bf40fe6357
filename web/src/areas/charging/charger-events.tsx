import { useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { NamedValues } from './named-values.tsx'
import { CHARGING_TEXTS } from './texts.ts'

const PAGE_SIZE = 50
const REFRESH_MS = 10_000

/** What the station reported on its state, its security and its maintenance. */
export function ChargerEvents({ chargerId }: { readonly chargerId: string }) {
  const t = useText()
  const { language } = useLanguage()
  const [page, setPage] = useState(1)
  const query = useGet(
    '/api/ocpp/chargers/{id}/events',
    { path: { id: chargerId }, query: { skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE } },
    { refetchInterval: REFRESH_MS },
  )
  return (
    <PagedList query={query} page={page} pageSize={PAGE_SIZE} onPage={setPage}>
      {({ items }) => (
        <>
          <DataTable
            report={{ list: 'charger_events', query: { id: chargerId } }}
            caption={t(CHARGING_TEXTS.CHARGING_EVENTS())}
            rows={items}
            keyOf={({ id }) => id}
            empty={t(CHARGING_TEXTS.CHARGING_NO_EVENTS())}
            columns={[
              {
                id: 'time',
                title: t(CHARGING_TEXTS.CHARGING_TIME()),
                cell: ({ occurred_at }) => formatInstant(occurred_at, 'dateTime', language),
              },
              {
                id: 'event',
                title: t(CHARGING_TEXTS.CHARGING_EVENT()),
                cell: ({ event_type }) => event_type,
              },
              {
                id: 'connector',
                title: t(CHARGING_TEXTS.CHARGING_CONNECTOR_COLUMN()),
                cell: ({ connector_id }) => connector_id ?? '',
              },
              {
                id: 'details',
                title: t(CHARGING_TEXTS.CHARGING_DETAILS()),
                cell: ({ details }) => <NamedValues values={details} />,
              },
            ]}
          />
        </>
      )}
    </PagedList>
  )
}

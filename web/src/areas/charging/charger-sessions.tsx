import { useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { PagedList } from '../../ui/paged-list.tsx'
import { SessionTable } from './session-table.tsx'

const PAGE_SIZE = 20
const REFRESH_MS = 3_000

export function ChargerSessions({ chargerId }: { readonly chargerId: string }) {
  const [page, setPage] = useState(1)
  const query = useGet(
    '/api/ocpp/sessions',
    { query: { charger_id: chargerId, skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE } },
    { refetchInterval: REFRESH_MS },
  )
  return (
    <PagedList query={query} page={page} pageSize={PAGE_SIZE} onPage={setPage}>
      {({ items }) => (
        <>
          <SessionTable sessions={items} filters={{ charger_id: chargerId }} />
        </>
      )}
    </PagedList>
  )
}

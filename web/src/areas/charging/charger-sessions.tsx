import { useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { Loaded } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
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
    <Loaded query={query}>
      {({ items, total }) => (
        <>
          <SessionTable sessions={items} />
          <Pager page={page} pageSize={PAGE_SIZE} total={total} onPage={setPage} />
        </>
      )}
    </Loaded>
  )
}

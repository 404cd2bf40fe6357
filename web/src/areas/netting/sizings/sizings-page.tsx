import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCan } from '../../../api/session.tsx'
import { formatInstant, formatMonths } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Loaded, Page } from '../../../ui/page.tsx'
import { SearchFilter, useFilter } from '../../../ui/paged-list.tsx'
import { PageButtons } from '../../../ui/pager.tsx'
import { ScenarioFrame } from '../scenarios/marking.tsx'
import { SCENARIO_PAGE_TEXTS } from '../scenarios/texts.ts'
import { type SizingHead, useSizingList } from './data.ts'
import { SizingState } from './sizing-state.tsx'
import { SIZING_PAGE_TEXTS as TEXTS } from './texts.ts'

const PAGE_SIZE = 20

/** The sizings of the tenant, the newest first. */
export function SizingsPage() {
  const t = useText()
  const can = useCan()
  const { search, page = 1 } = useSearch({ from: '/signed-in/netting/sizings' })
  const filter = useFilter<{ search: string }>()
  const navigate = useNavigate({ from: '/netting/sizings' })
  const query = useSizingList({ search, offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE + 1 })
  const turn = (next: number) => void navigate({ search: (previous) => ({ ...previous, page: next }) })
  return (
    <Page
      title={t(TEXTS.SIZINGS())}
      actions={
        <>
          <SearchFilter value={search} onFilter={filter} />
          {can('manage:netting') && (
            <Link className="button" data-variant="primary" to="/netting/sizings/new">
              {t(TEXTS.SIZINGS_NEW())}
            </Link>
          )}
        </>
      }
    >
      <ScenarioFrame>
        <Loaded query={query}>
          {(rows) => (
            <>
              <SizingTable rows={rows.slice(0, PAGE_SIZE)} search={search} />
              <PageButtons page={page} hasNext={rows.length > PAGE_SIZE} onPage={turn} />
            </>
          )}
        </Loaded>
      </ScenarioFrame>
    </Page>
  )
}

interface TableProps {
  readonly rows: readonly SizingHead[]
  readonly search: string | undefined
}

function SizingTable({ rows, search }: TableProps) {
  const t = useText()
  const { language } = useLanguage()
  return (
    <DataTable
      report={{ list: 'sizings', query: { search } }}
      caption={t(TEXTS.SIZINGS())}
      rows={rows}
      keyOf={({ id }) => id}
      empty={t(TEXTS.SIZINGS_NONE())}
      columns={[
        {
          id: 'name',
          title: t(SCENARIO_PAGE_TEXTS.SCENARIOS_NAME()),
          cell: ({ id, name }) => (
            <Link to="/netting/sizings/$sizingId" params={{ sizingId: id }}>
              {name}
            </Link>
          ),
        },
        {
          id: 'state',
          title: t(SCENARIO_PAGE_TEXTS.SCENARIOS_STATE()),
          cell: (row) => <SizingState sizing={row} />,
        },
        {
          id: 'months',
          title: t(SCENARIO_PAGE_TEXTS.SCENARIOS_MONTHS()),
          cell: ({ from, to }) => formatMonths(from, to, language),
        },
        {
          id: 'created',
          title: t(SCENARIO_PAGE_TEXTS.SCENARIOS_CREATED()),
          cell: ({ created_at }) => formatInstant(created_at, 'dateTime', language),
        },
      ]}
    />
  )
}

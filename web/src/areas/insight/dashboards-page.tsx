import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useGet } from '../../api/queries.ts'
import { useText } from '../../kernel/text.tsx'
import { TextField } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { INSIGHT_TEXTS } from './texts.ts'

const PAGE_SIZE = 50

/** The dashboards: each subregion has one. */
export function DashboardsPage() {
  const t = useText()
  const { search, page = 1 } = useSearch({ from: '/signed-in/dashboards' })
  const navigate = useNavigate({ from: '/dashboards' })
  const filters = { sort_by: 'name', sort_order: 'asc', search } as const
  const query = useGet('/api/subregions', {
    query: { skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE, ...filters },
  })
  return (
    <Page
      title={t(INSIGHT_TEXTS.INSIGHT())}
      actions={
        <TextField
          label={t(UI_TEXTS.UI_SEARCH())}
          type="search"
          value={search ?? ''}
          onChange={(value) => void navigate({ search: { search: value }, replace: true })}
        />
      }
    >
      <Loaded query={query}>
        {({ items, total }) => (
          <>
            <DataTable
              report={{ list: 'subregions', query: filters }}
              caption={t(INSIGHT_TEXTS.INSIGHT())}
              rows={items}
              keyOf={({ id }) => id}
              empty={t(INSIGHT_TEXTS.INSIGHT_NONE())}
              columns={[
                {
                  id: 'name',
                  title: t(INSIGHT_TEXTS.INSIGHT_DASHBOARD()),
                  cell: ({ id, name }) => (
                    <Link to="/dashboards/$subregionId" params={{ subregionId: id }}>
                      {name}
                    </Link>
                  ),
                },
                { id: 'city', title: t(INSIGHT_TEXTS.INSIGHT_CITY()), cell: ({ city }) => city },
              ]}
            />
            <Pager
              page={page}
              pageSize={PAGE_SIZE}
              total={total}
              onPage={(next) => void navigate({ search: (previous) => ({ ...previous, page: next }) })}
            />
          </>
        )}
      </Loaded>
    </Page>
  )
}

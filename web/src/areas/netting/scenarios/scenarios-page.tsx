import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useGet } from '../../../api/queries.ts'
import { useCan } from '../../../api/session.tsx'
import { formatInstant } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { Button } from '../../../ui/controls.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Loaded, Page } from '../../../ui/page.tsx'
import { SearchFilter, useFilter } from '../../../ui/paged-list.tsx'
import { PageButtons } from '../../../ui/pager.tsx'
import { useHeadColumns } from './columns.tsx'
import { LIST, type ScenarioHead, useGroupNames, useScenarioList } from './data.ts'
import { ScenarioFrame } from './marking.tsx'
import { SCENARIO_PAGE_TEXTS as TEXTS } from './texts.ts'

/** Scenarios of a page: as many as one comparison has, which gives their results in lira. */
const PAGE_SIZE = 20

/** The scenarios of the tenant, the newest first. */
export function ScenariosPage() {
  const t = useText()
  const can = useCan()
  const { search, page = 1 } = useSearch({ from: '/signed-in/netting/scenarios' })
  const filter = useFilter<{ search: string }>()
  const query = useScenarioList({ search, offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE + 1 })
  return (
    <Page
      title={t(TEXTS.SCENARIOS())}
      actions={
        <>
          <SearchFilter value={search} onFilter={filter} />
          <Link className="button" to="/netting/sizings">
            {t(TEXTS.SCENARIOS_SIZINGS())}
          </Link>
          {can('manage:netting') && (
            <Link className="button" data-variant="primary" to="/netting/scenarios/new">
              {t(TEXTS.SCENARIOS_NEW())}
            </Link>
          )}
        </>
      }
    >
      <ScenarioFrame>
        <Loaded query={query}>{(rows) => <List rows={rows} page={page} search={search} />}</Loaded>
      </ScenarioFrame>
    </Page>
  )
}

interface ListProps {
  readonly rows: readonly ScenarioHead[]
  readonly page: number
  readonly search: string | undefined
}

function List({ rows, page, search }: ListProps) {
  const t = useText()
  const navigate = useNavigate({ from: '/netting/scenarios' })
  const [selected, setSelected] = useState<readonly string[]>([])
  const turn = (next: number) => void navigate({ search: (previous) => ({ ...previous, page: next }) })
  return (
    <>
      <ScenarioTable
        search={search}
        rows={rows.slice(0, PAGE_SIZE)}
        selected={selected}
        onSelect={setSelected}
      />
      <div className="row">
        <Button
          isDisabled={selected.length === 0}
          onPress={() =>
            void navigate({ to: '/netting/scenarios/comparison', search: { ids: selected.join(',') } })
          }
        >
          {t(TEXTS.SCENARIOS_COMPARE({ count: selected.length }))}
        </Button>
      </div>
      <PageButtons page={page} hasNext={rows.length > PAGE_SIZE} onPage={turn} />
    </>
  )
}

interface TableProps {
  readonly search: string | undefined
  readonly rows: readonly ScenarioHead[]
  readonly selected: readonly string[]
  readonly onSelect: (ids: readonly string[]) => void
}

function ScenarioTable({ search, rows, selected, onSelect }: TableProps) {
  const t = useText()
  const { language } = useLanguage()
  const groupName = useGroupNames(rows.flatMap(({ group_ids }) => group_ids))
  const done = rows.filter(({ state }) => state === 'done')
  const ids = done.map(({ id }) => id).join(',')
  // A scenario that is calculated again meanwhile makes this a conflict; the list, which is read again, shows it.
  const results = useGet(`${LIST}/comparison`, { query: { ids } }, { enabled: ids !== '', staleTime: 0 })
  const benefits = new Map(results.data?.map(({ id, totals }) => [id, totals.benefit_try]))
  const { name, state, months, benefit } = useHeadColumns<ScenarioHead>(({ id }) => benefits.get(id))
  return (
    <DataTable
      report={{ list: 'scenarios', query: { search } }}
      caption={t(TEXTS.SCENARIOS())}
      rows={rows}
      keyOf={({ id }) => id}
      empty={t(TEXTS.SCENARIOS_NONE())}
      columns={[
        name,
        state,
        {
          id: 'groups',
          title: t(TEXTS.SCENARIOS_GROUPS()),
          cell: ({ group_ids }) => group_ids.map((id) => groupName(id)).join(', '),
        },
        months,
        benefit,
        {
          id: 'created',
          title: t(TEXTS.SCENARIOS_CREATED()),
          cell: ({ created_at }) => formatInstant(created_at, 'dateTime', language),
        },
        {
          id: 'select',
          title: t(TEXTS.SCENARIOS_SELECTION()),
          cell: ({ id, name: title, state: reached }) =>
            reached === 'done' && (
              <input
                type="checkbox"
                aria-label={t(TEXTS.SCENARIOS_SELECT({ name: title }))}
                checked={selected.includes(id)}
                onChange={({ target }) =>
                  onSelect(target.checked ? [...selected, id] : selected.filter((one) => one !== id))
                }
              />
            ),
        },
      ]}
    />
  )
}

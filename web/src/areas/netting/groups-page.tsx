import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useGet } from '../../api/queries.ts'
import { formatMonth, monthOf } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { Select, Tag, TextField } from '../../ui/controls.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { Energy } from '../../ui/value.tsx'
import { BulkActions } from './bulk/bulk-actions.tsx'
import { useMonthOptions } from './months.ts'
import { OPTIMISATION_PAGE_TEXTS } from './optimisation/texts.ts'
import { NETTING_TEXTS } from './texts.ts'

const useGroupMonths = (month: string, search: string | undefined) =>
  useGet('/api/mahsuplasma/groups/overview', {
    query: { billing_period: `${month}-01`, limit: 200, ...(search !== undefined && { search }) },
  })
type GroupMonth = NonNullable<ReturnType<typeof useGroupMonths>['data']>[number]

/** One month of all groups. */
export function GroupsPage() {
  const t = useText()
  const { month = monthOf(Date.now()), search, job } = useSearch({ from: '/signed-in/netting' })
  const navigate = useNavigate({ from: '/netting' })
  const months = useMonthOptions(month)
  const query = useGroupMonths(month, search)
  return (
    <Page
      title={t(NETTING_TEXTS.NETTING_GROUPS())}
      actions={
        <>
          <TextField
            label={t(UI_TEXTS.UI_SEARCH())}
            type="search"
            value={search ?? ''}
            onChange={(value) =>
              void navigate({ search: (previous) => ({ ...previous, search: value }), replace: true })
            }
          />
          <Select
            label={t(NETTING_TEXTS.NETTING_MONTH())}
            value={month}
            onChange={(value) => void navigate({ search: (previous) => ({ ...previous, month: value }) })}
            options={months}
          />
          <Link className="button" to="/netting/scenarios">
            {t(NETTING_TEXTS.NETTING_SCENARIOS())}
          </Link>
          <Link className="button" to="/netting/forecasts">
            {t(NETTING_TEXTS.NETTING_FORECASTS())}
          </Link>
          <Link className="button" to="/netting/optimisations">
            {t(OPTIMISATION_PAGE_TEXTS.OPTIMISATIONS())}
          </Link>
        </>
      }
    >
      <Loaded query={query}>
        {(rows) => (
          <>
            <GroupTable rows={rows} month={month} filters={{ search }} />
            <BulkActions
              month={month}
              groupIds={rows.filter(({ is_active }) => is_active).map(({ group_id }) => group_id)}
              jobId={job}
              onJob={(id) =>
                void navigate({ search: (previous) => ({ ...previous, job: id }), resetScroll: false })
              }
            />
          </>
        )}
      </Loaded>
    </Page>
  )
}

interface GroupTableProps {
  readonly rows: readonly GroupMonth[]
  readonly month: string
  /** Further filters of the list. */
  readonly filters: object
}

export function GroupTable({ rows, month, filters }: GroupTableProps) {
  const t = useText()
  const { language } = useLanguage()
  const energy = (
    id: string,
    title: string,
    field: 'production_kwh' | 'consumption_kwh' | 'matched_kwh' | 'bedelli_kwh' | 'skb_kwh' | 'bedelsiz_kwh',
  ): Column<GroupMonth> => ({
    id,
    title,
    isNumber: true,
    cell: ({ figures }) => <Energy value={figures?.[field]} />,
  })
  return (
    <DataTable
      report={{ list: 'group_months', query: { billing_period: `${month}-01`, ...filters } }}
      caption={`${t(NETTING_TEXTS.NETTING_GROUPS())}, ${formatMonth(month, language)}`}
      rows={rows}
      keyOf={({ group_id }) => group_id}
      empty={t(NETTING_TEXTS.NETTING_NO_GROUPS())}
      columns={[
        {
          id: 'name',
          title: t(NETTING_TEXTS.NETTING_GROUP()),
          cell: ({ group_id, name }) => (
            <Link to="/netting/groups/$groupId" params={{ groupId: group_id }} search={{ month }}>
              {name}
            </Link>
          ),
        },
        { id: 'status', title: t(NETTING_TEXTS.NETTING_STATUS()), cell: (row) => <MonthStatus row={row} /> },
        energy('production', t(NETTING_TEXTS.NETTING_PRODUCTION()), 'production_kwh'),
        energy('consumption', t(NETTING_TEXTS.NETTING_CONSUMPTION()), 'consumption_kwh'),
        energy('matched', t(NETTING_TEXTS.NETTING_MATCHED()), 'matched_kwh'),
        energy('paid', t(NETTING_TEXTS.NETTING_PAID()), 'bedelli_kwh'),
        energy('over', t(NETTING_TEXTS.NETTING_OVER_LIMIT()), 'skb_kwh'),
        energy('free', t(NETTING_TEXTS.NETTING_FREE()), 'bedelsiz_kwh'),
      ]}
    />
  )
}

const STATUS = {
  not_calculated: { text: NETTING_TEXTS.NETTING_STATUS_NOT_CALCULATED, tone: 'neutral' },
  partial: { text: NETTING_TEXTS.NETTING_STATUS_PARTIAL, tone: 'warning' },
  calculated: { text: NETTING_TEXTS.NETTING_STATUS_CALCULATED, tone: 'success' },
} as const

function MonthStatus({ row }: { readonly row: GroupMonth }) {
  const t = useText()
  const { text, tone } = STATUS[row.month_status]
  return (
    <span className="row">
      <Tag tone={tone}>{t(text())}</Tag>
      {row.stale && <Tag tone="warning">{t(NETTING_TEXTS.NETTING_STALE({ hours: row.stale_hours }))}</Tag>}
      {row.alarms.map(({ incident_id, message }) => (
        <Tag key={incident_id} tone="warning">
          {message}
        </Tag>
      ))}
      {row.eligibility_status === 'blocked' && <Tag tone="danger">{t(NETTING_TEXTS.NETTING_BLOCKED())}</Tag>}
    </span>
  )
}

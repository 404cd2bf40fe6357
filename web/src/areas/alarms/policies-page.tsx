import { useSearch } from '@tanstack/react-router'
import { useGet } from '../../api/queries.ts'
import { useCan } from '../../api/session.tsx'
import { metricTitle } from '../../kernel/metric.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { POLICIES } from '../../records/plant-resources.ts'
import { CreateButton, RecordButtons } from '../../records/record-buttons.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import type { TableReport } from '../../ui/export-menu.tsx'
import { Page } from '../../ui/page.tsx'
import { PagedList, SearchFilter, useFilter } from '../../ui/paged-list.tsx'
import { StateFilter, StateTag } from '../../ui/states.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { PolicyForm } from './policy-form.tsx'
import { OPERATORS, POLICY_KINDS, POLICY_STATES, type Policy, SEVERITIES } from './policy-states.ts'
import { POLICY_TEXTS } from './policy-texts.ts'

const PAGE_SIZE = 50

/** The alarm policies, and a form for a new one with its preview. */
export function PoliciesPage() {
  const t = useText()
  const can = useCan()
  const { search, severity, page = 1 } = useSearch({ from: '/signed-in/alarms/policies' })
  const filter = useFilter<{ search?: string; severity?: typeof severity | undefined }>()
  const filters = { sort_by: 'name', sort_order: 'asc', search, severity } as const
  const query = useGet('/api/alarms', {
    query: { skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE, ...filters },
  })
  return (
    <Page
      title={t(POLICY_TEXTS.POLICIES())}
      actions={
        <>
          <SearchFilter value={search} onFilter={filter} />
          <StateFilter
            label={t(POLICY_TEXTS.POLICIES_SEVERITY())}
            states={SEVERITIES}
            value={severity}
            onChange={(value) => filter({ severity: value })}
          />
          <CreateButton resource={POLICIES} />
        </>
      }
    >
      <PagedList query={query} page={page} pageSize={PAGE_SIZE}>
        {({ items }) => (
          <>
            <PolicyTable policies={items} report={{ list: 'alarm_policies', query: filters }} />
          </>
        )}
      </PagedList>
      {can('manage:alarm') && <PolicyForm />}
    </Page>
  )
}

interface PolicyTableProps {
  readonly policies: readonly Policy[]
  readonly report: TableReport
}

function PolicyTable({ policies, report }: PolicyTableProps) {
  const t = useText()
  const can = useCan()
  return (
    <DataTable
      report={report}
      caption={t(POLICY_TEXTS.POLICIES())}
      rows={policies}
      keyOf={({ id }) => id}
      empty={t(POLICY_TEXTS.POLICIES_NONE())}
      columns={[
        { id: 'name', title: t(POLICY_TEXTS.POLICIES_NAME()), cell: ({ name }) => name },
        {
          id: 'kind',
          title: t(POLICY_TEXTS.POLICIES_KIND()),
          cell: ({ alarm_type }) => <StateTag states={POLICY_KINDS} value={alarm_type} />,
        },
        {
          id: 'condition',
          title: t(POLICY_TEXTS.POLICIES_CONDITION()),
          cell: (policy) => <Condition policy={policy} />,
        },
        {
          id: 'severity',
          title: t(POLICY_TEXTS.POLICIES_SEVERITY()),
          cell: ({ severity }) => <StateTag states={SEVERITIES} value={severity} />,
        },
        {
          id: 'state',
          title: t(POLICY_TEXTS.POLICIES_STATE()),
          cell: ({ is_active }) => (
            <StateTag states={POLICY_STATES} value={is_active ? 'active' : 'inactive'} />
          ),
        },
        ...(can('manage:alarm')
          ? [
              {
                id: 'actions',
                title: t(UI_TEXTS.UI_ACTIONS()),
                cell: (policy: Policy) => <RecordButtons resource={POLICIES} record={{ ...policy }} />,
              },
            ]
          : []),
      ]}
    />
  )
}

function Condition({ policy: { metric, operator, threshold, unit } }: { readonly policy: Policy }) {
  const t = useText()
  const { language } = useLanguage()
  return [
    metric === null ? null : metricTitle(metric, language),
    operator === null ? null : t(OPERATORS[operator].text()),
    threshold === null ? null : threshold.toLocaleString(language),
    unit,
  ]
    .filter((part) => part !== null)
    .join(' ')
}

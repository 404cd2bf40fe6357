import { useGet } from '../../../api/queries.ts'
import { useText } from '../../../kernel/text.tsx'
import { valueText } from '../../../records/value-texts.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { Loaded } from '../../../ui/page.tsx'
import { Energy, Money } from '../../../ui/value.tsx'
import { useFacilityNames } from '../facilities.ts'
import { useGroupNames } from '../scenarios/data.ts'
import type { Optimisation } from './optimisation-page.tsx'
import { OPTIMISATION_PAGE_TEXTS as TEXTS } from './texts.ts'

/** The eligibility of each group with the proposed members. */
export function GroupTable({ optimisation: { id, groups } }: { readonly optimisation: Optimisation }) {
  const t = useText()
  const groupName = useGroupNames(groups.map(({ group_id }) => group_id))
  return (
    <DataTable
      report={{ list: 'optimisation_groups', query: { id } }}
      caption={t(TEXTS.OPTIMISATIONS_ELIGIBILITY())}
      rows={groups}
      keyOf={({ group_id }) => group_id}
      empty=""
      columns={[
        { id: 'group', title: t(TEXTS.OPTIMISATIONS_GROUP()), cell: ({ group_id }) => groupName(group_id) },
        { id: 'status', title: t(TEXTS.OPTIMISATIONS_STATUS()), cell: ({ status }) => valueText(status, t) },
        {
          id: 'failed',
          title: t(TEXTS.OPTIMISATIONS_FAILED_RULES()),
          cell: ({ failed }) => failed.join(', '),
        },
      ]}
    />
  )
}

/** Pairs that are shown; the export has all. */
const SHOWN = 500

/** Whose matched energy each consumer gets. */
export function Flows({ id }: { readonly id: string }) {
  const t = useText()
  const query = useGet('/api/mahsuplasma/optimisations/{id}/flows', { path: { id }, query: { limit: SHOWN } })
  const ids = (query.data ?? []).flatMap(({ producer_id, consumer_id }) => [producer_id, consumer_id])
  const facilityName = useFacilityNames([...new Set(ids)])
  return (
    <Loaded query={query}>
      {(flows) => (
        <DataTable
          report={{ list: 'optimisation_flows', query: { id } }}
          caption={t(TEXTS.OPTIMISATIONS_FLOWS())}
          rows={flows}
          keyOf={({ producer_id, consumer_id }) => `${producer_id} ${consumer_id}`}
          empty=""
          columns={[
            {
              id: 'producer',
              title: t(TEXTS.OPTIMISATIONS_PRODUCER()),
              cell: ({ producer_id }) => facilityName(producer_id),
            },
            {
              id: 'consumer',
              title: t(TEXTS.OPTIMISATIONS_CONSUMER()),
              cell: ({ consumer_id }) => facilityName(consumer_id),
            },
            {
              id: 'matched',
              title: t(TEXTS.OPTIMISATIONS_MATCHED()),
              isNumber: true,
              cell: ({ matched_kwh }) => <Energy value={matched_kwh} />,
            },
            {
              id: 'proportional',
              title: t(TEXTS.OPTIMISATIONS_PROPORTIONAL()),
              isNumber: true,
              cell: ({ proportional_kwh }) => <Energy value={proportional_kwh} />,
            },
            {
              id: 'value',
              title: t(TEXTS.OPTIMISATIONS_VALUE()),
              isNumber: true,
              cell: ({ value_try }) => <Money value={value_try} />,
            },
          ]}
        />
      )}
    </Loaded>
  )
}

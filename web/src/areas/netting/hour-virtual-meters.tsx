import { useGet } from '../../api/queries.ts'
import { useText } from '../../kernel/text.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Loaded } from '../../ui/page.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { Energy } from '../../ui/value.tsx'
import { useGroupMonth } from './group-month.ts'
import { PROVENANCE_TEXTS } from './provenance-texts.ts'
import { ENERGY_SOURCES, REASONS, useWord, VIRTUAL_METERS } from './words.ts'

/** An hour has one virtual meter for each type, grid operator and energy source. */
const ROWS_MAX = 200
const ORGANIZATIONS_MAX = 200

interface HourVirtualMetersProps {
  readonly range: { readonly from: string; readonly to: string }
}

/** The surplus of an hour by virtual meter, with the reason for its type. */
export function HourVirtualMeters({ range }: HourVirtualMetersProps) {
  const t = useText()
  const word = useWord()
  const { path } = useGroupMonth()
  const meters = useGet('/api/mahsuplasma/groups/{id}/virtual-meters', {
    path,
    query: { ...range, limit: ROWS_MAX },
  })
  const organizations = useGet('/api/mahsuplasma/organizations', {
    query: { include_inactive: true, limit: ORGANIZATIONS_MAX },
  })
  const operator = (id: string | null) =>
    id === null
      ? t(UI_TEXTS.UI_UNKNOWN())
      : (organizations.data?.find((organization) => organization.id === id)?.name ?? id)
  return (
    <Loaded query={meters}>
      {(rows) => (
        <DataTable
          report={{ list: 'group_virtual_meters', query: { ...path, ...range } }}
          caption={t(PROVENANCE_TEXTS.PROVENANCE_VIRTUAL_METERS())}
          rows={rows}
          keyOf={({ id }) => id}
          empty={t(PROVENANCE_TEXTS.PROVENANCE_NO_SURPLUS())}
          columns={[
            {
              id: 'type',
              title: t(PROVENANCE_TEXTS.PROVENANCE_TYPE()),
              cell: ({ virtual_meter_type }) => word(VIRTUAL_METERS, virtual_meter_type),
            },
            {
              id: 'reason',
              title: t(PROVENANCE_TEXTS.PROVENANCE_REASON()),
              cell: ({ reason_code }) => word(REASONS, reason_code),
            },
            {
              id: 'operator',
              title: t(PROVENANCE_TEXTS.PROVENANCE_OPERATOR()),
              cell: ({ grid_operator_id }) => operator(grid_operator_id),
            },
            {
              id: 'source',
              title: t(PROVENANCE_TEXTS.PROVENANCE_ENERGY_SOURCE()),
              cell: ({ source_kind }) => word(ENERGY_SOURCES, source_kind),
            },
            {
              id: 'energy',
              title: t(PROVENANCE_TEXTS.PROVENANCE_ENERGY()),
              isNumber: true,
              cell: ({ energy_kwh }) => <Energy value={energy_kwh} />,
            },
          ]}
        />
      )}
    </Loaded>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ListItem } from '../../../../../clients/typescript/src/index.ts'
import { useClient } from '../../../api/session.tsx'
import { formatInstant } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Loaded } from '../../../ui/page.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { Energy, ExactMoney, UnitPrice } from '../../../ui/value.tsx'
import { useFacilityNames } from '../facilities.ts'
import { useGroupMonth } from '../group-month.ts'
import { NETTING_TEXTS } from '../texts.ts'
import { AMOUNT_TYPES, useWord } from '../words.ts'
import { AMOUNTS_TEXTS } from './texts.ts'

type Amount = ListItem<'/api/mahsuplasma/groups/{id}/amounts'>

const PAGE_SIZE = 50
/** The largest page of the list of the API. */
const READ_AT_ONCE = 2000

/** All amounts of a type in the month, of which there are some thousand. */
function useAmounts(type: Amount['amount_type']) {
  const { api } = useClient()
  const { path, range } = useGroupMonth()
  return useQuery({
    queryKey: ['/api/mahsuplasma/groups/{id}/amounts', 'all', path, range, type],
    queryFn: async ({ signal }) => {
      const amounts: Amount[] = []
      const query = { ...range, amount_type: type, limit: READ_AT_ONCE }
      for await (const amount of api.list('/api/mahsuplasma/groups/{id}/amounts', { path, query, signal }))
        amounts.push(amount)
      return amounts
    },
  })
}

/** The amounts of a type by hour; each leads to its hour and to its price. */
export function AmountRows({ type }: { readonly type: Amount['amount_type'] }) {
  const query = useAmounts(type)
  return <Loaded query={query}>{(rows) => <Rows type={type} rows={rows} />}</Loaded>
}

interface RowsProps {
  readonly type: Amount['amount_type']
  readonly rows: readonly Amount[]
}

function Rows({ type, rows }: RowsProps) {
  const t = useText()
  const word = useWord()
  const { language } = useLanguage()
  const { groupId, path, range, month } = useGroupMonth()
  const { page = 1 } = useSearch({ from: '/signed-in/netting/groups/$groupId/amounts' })
  const navigate = useNavigate({ from: '/netting/groups/$groupId/amounts' })
  const shown = rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  const nameOf = useFacilityNames(shown.flatMap(({ facility_id }) => facility_id ?? []))
  return (
    <section className="stack">
      <DataTable
        report={{ list: 'group_amounts', query: { ...path, ...range, amount_type: type } }}
        caption={t(AMOUNTS_TEXTS.AMOUNTS_ROWS_OF({ type: word(AMOUNT_TYPES, type) }))}
        rows={shown}
        keyOf={({ id }) => id}
        empty={t(AMOUNTS_TEXTS.AMOUNTS_NONE())}
        columns={[
          {
            id: 'hour',
            title: t(AMOUNTS_TEXTS.AMOUNTS_HOUR()),
            cell: ({ id, hour }) => (
              <Link
                to="/netting/groups/$groupId"
                params={{ groupId }}
                search={{ month, hour, amount: id }}
                hash="hour-heading"
              >
                {formatInstant(hour, 'dateTime', language)}
              </Link>
            ),
          },
          {
            id: 'facility',
            title: t(AMOUNTS_TEXTS.AMOUNTS_FACILITY()),
            cell: ({ facility_id }) =>
              facility_id === null ? t(NETTING_TEXTS.NETTING_GROUP_METER()) : nameOf(facility_id),
          },
          {
            id: 'quantity',
            title: t(AMOUNTS_TEXTS.AMOUNTS_QUANTITY()),
            isNumber: true,
            cell: ({ quantity_kwh }) => <Energy value={quantity_kwh} />,
          },
          {
            id: 'price',
            title: t(AMOUNTS_TEXTS.AMOUNTS_UNIT_PRICE()),
            isNumber: true,
            cell: ({ unit_price_try_per_kwh }) => <UnitPrice value={unit_price_try_per_kwh} />,
          },
          {
            id: 'amount',
            title: t(AMOUNTS_TEXTS.AMOUNTS_AMOUNT()),
            isNumber: true,
            cell: ({ amount_try }) => <ExactMoney value={amount_try} />,
          },
        ]}
      />
      <Pager
        page={page}
        pageSize={PAGE_SIZE}
        total={rows.length}
        onPage={(next) =>
          void navigate({ search: (previous) => ({ ...previous, page: next }), resetScroll: false })
        }
      />
    </section>
  )
}

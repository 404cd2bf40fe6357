import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ListItem } from '../../../../clients/typescript/src/index.ts'
import { useGet } from '../../api/queries.ts'
import { useText } from '../../kernel/text.tsx'
import { Button } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Loaded } from '../../ui/page.tsx'
import { Energy, ExactMoney, UnitPrice } from '../../ui/value.tsx'
import { useFacilityNames } from './facilities.ts'
import { useGroupMonth } from './group-month.ts'
import { PriceRow } from './price-row.tsx'
import { PROVENANCE_TEXTS } from './provenance-texts.ts'
import { NETTING_TEXTS } from './texts.ts'
import { AMOUNT_TYPES, useWord } from './words.ts'

type Amount = ListItem<'/api/mahsuplasma/groups/{id}/amounts'>

/** An hour has a few amounts for each consumer and each virtual meter. */
const ROWS_MAX = 2000

/** The amounts of an hour. The selected one, which the address names, shows the row of the price it was made with. */
export function HourAmounts({ range }: { readonly range: { readonly from: string; readonly to: string } }) {
  const { path } = useGroupMonth()
  const query = useGet('/api/mahsuplasma/groups/{id}/amounts', { path, query: { ...range, limit: ROWS_MAX } })
  return (
    <Loaded query={query}>{(rows) => <AmountTable rows={rows} parameters={{ ...path, ...range }} />}</Loaded>
  )
}

interface AmountTableProps {
  readonly rows: readonly Amount[]
  /** Those of the request. */
  readonly parameters: object
}

function AmountTable({ rows, parameters }: AmountTableProps) {
  const t = useText()
  const word = useWord()
  const { amount } = useSearch({ from: '/signed-in/netting/groups/$groupId/' })
  const navigate = useNavigate({ from: '/netting/groups/$groupId/' })
  const nameOf = useFacilityNames(rows.flatMap(({ facility_id }) => facility_id ?? []))
  const selected = rows.find(({ id }) => id === amount)
  const titleOf = ({ amount_type, facility_id }: Amount) =>
    word(AMOUNT_TYPES, amount_type) + (facility_id === null ? '' : `, ${nameOf(facility_id)}`)
  const select = (id: string) =>
    void navigate({
      search: (previous) => ({ ...previous, amount: id }),
      replace: true,
      resetScroll: false,
    })
  return (
    <section className="stack">
      <DataTable
        report={{ list: 'group_amounts', query: parameters }}
        caption={t(PROVENANCE_TEXTS.PROVENANCE_AMOUNTS())}
        rows={rows}
        keyOf={({ id }) => id}
        empty={t(PROVENANCE_TEXTS.PROVENANCE_NO_AMOUNTS())}
        columns={[
          {
            id: 'type',
            title: t(PROVENANCE_TEXTS.PROVENANCE_TYPE()),
            cell: ({ amount_type }) => word(AMOUNT_TYPES, amount_type),
          },
          {
            id: 'facility',
            title: t(PROVENANCE_TEXTS.PROVENANCE_FACILITY()),
            cell: ({ facility_id }) =>
              facility_id === null ? t(NETTING_TEXTS.NETTING_GROUP_METER()) : nameOf(facility_id),
          },
          {
            id: 'quantity',
            title: t(PROVENANCE_TEXTS.PROVENANCE_QUANTITY()),
            isNumber: true,
            cell: ({ quantity_kwh }) => <Energy value={quantity_kwh} />,
          },
          {
            id: 'price',
            title: t(PROVENANCE_TEXTS.PROVENANCE_UNIT_PRICE()),
            isNumber: true,
            cell: ({ unit_price_try_per_kwh }) => <UnitPrice value={unit_price_try_per_kwh} />,
          },
          {
            id: 'amount',
            title: t(PROVENANCE_TEXTS.PROVENANCE_AMOUNT()),
            isNumber: true,
            cell: ({ amount_try }) => <ExactMoney value={amount_try} />,
          },
          {
            id: 'row',
            title: t(PROVENANCE_TEXTS.PROVENANCE_PRICE_ROW()),
            cell: (row) => (
              <Button
                variant="quiet"
                isDisabled={row.id === selected?.id}
                onPress={() => select(row.id)}
                aria-label={t(PROVENANCE_TEXTS.PROVENANCE_SHOW_PRICE_OF({ amount: titleOf(row) }))}
              >
                {t(PROVENANCE_TEXTS.PROVENANCE_SHOW())}
              </Button>
            ),
          },
        ]}
      />
      {selected && (
        <section className="card" aria-live="polite">
          <h3>
            {t(PROVENANCE_TEXTS.PROVENANCE_PRICE_ROW())}: {titleOf(selected)}
          </h3>
          <p>
            <Energy value={selected.quantity_kwh} /> × <UnitPrice value={selected.unit_price_try_per_kwh} /> ={' '}
            <ExactMoney value={selected.amount_try} />
          </p>
          <PriceRow id={selected.tariff_price_id} />
        </section>
      )}
    </section>
  )
}

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useGet } from '../../../api/queries.ts'
import { formatMonth } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { Button, Tag } from '../../../ui/controls.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Loaded } from '../../../ui/page.tsx'
import { Energy, Money } from '../../../ui/value.tsx'
import { Comparison, useComparison } from '../comparison.tsx'
import { useGroupMonth } from '../group-month.ts'
import { AMOUNT_TYPES, useWord } from '../words.ts'
import { AmountRows } from './amount-rows.tsx'
import { AMOUNTS_TEXTS } from './texts.ts'

const EFFECTS = {
  revenue: AMOUNTS_TEXTS.AMOUNTS_REVENUE,
  cost: AMOUNTS_TEXTS.AMOUNTS_COST,
  avoided_cost: AMOUNTS_TEXTS.AMOUNTS_AVOIDED_COST,
  not_counted: AMOUNTS_TEXTS.AMOUNTS_NOT_COUNTED,
} as const

/** The money of a month by type, the rows of a type, and what netting by the hour cost. */
export function AmountsPage() {
  const { groupId, path, month, range } = useGroupMonth()
  const { type } = useSearch({ from: '/signed-in/netting/groups/$groupId/amounts' })
  const totals = useGet('/api/mahsuplasma/groups/{id}/amounts/totals', { path, query: range })
  return (
    <>
      <Loaded query={totals}>
        {({ by_type }) => <Types rows={by_type} parameters={{ ...path, ...range }} />}
      </Loaded>
      {type !== undefined && <AmountRows key={`${type} ${month}`} type={type} />}
      <Comparison groupId={groupId} month={month} />
    </>
  )
}

interface TypeTotal {
  readonly amount_type: keyof typeof AMOUNT_TYPES
  readonly rows: number
  readonly rows_without_price: number
  readonly quantity_kwh: string
  readonly amount_try: string | null
}

interface TypesProps {
  readonly rows: readonly TypeTotal[]
  /** Those of the request. */
  readonly parameters: object
}

function Types({ rows, parameters }: TypesProps) {
  const t = useText()
  const word = useWord()
  const { language } = useLanguage()
  const { groupId, month } = useGroupMonth()
  const comparison = useComparison(groupId, month)
  const effectOf = (type: string) =>
    comparison.data?.amounts.find(({ amount_type }) => amount_type === type)?.counts_as
  const { type } = useSearch({ from: '/signed-in/netting/groups/$groupId/amounts' })
  const navigate = useNavigate({ from: '/netting/groups/$groupId/amounts' })
  return (
    <section className="stack">
      <DataTable
        report={{ list: 'group_amount_totals', query: parameters }}
        caption={t(AMOUNTS_TEXTS.AMOUNTS({ month: formatMonth(month, language) }))}
        rows={rows}
        keyOf={({ amount_type }) => amount_type}
        empty={t(AMOUNTS_TEXTS.AMOUNTS_NONE())}
        columns={[
          {
            id: 'type',
            title: t(AMOUNTS_TEXTS.AMOUNTS_TYPE()),
            cell: ({ amount_type }) => word(AMOUNT_TYPES, amount_type),
          },
          {
            id: 'effect',
            title: t(AMOUNTS_TEXTS.AMOUNTS_COUNTS_AS()),
            cell: ({ amount_type }) => {
              const effect = effectOf(amount_type)
              return effect === undefined ? '' : t(EFFECTS[effect]())
            },
          },
          {
            id: 'quantity',
            title: t(AMOUNTS_TEXTS.AMOUNTS_QUANTITY()),
            isNumber: true,
            cell: ({ quantity_kwh }) => <Energy value={quantity_kwh} />,
          },
          {
            id: 'amount',
            title: t(AMOUNTS_TEXTS.AMOUNTS_AMOUNT()),
            isNumber: true,
            cell: ({ amount_try }) => <Money value={amount_try} />,
          },
          {
            id: 'gaps',
            title: t(AMOUNTS_TEXTS.AMOUNTS_GAPS()),
            isNumber: true,
            cell: ({ rows_without_price }) =>
              rows_without_price === 0 ? 0 : <Tag tone="warning">{rows_without_price}</Tag>,
          },
          { id: 'rows', title: t(AMOUNTS_TEXTS.AMOUNTS_ROWS()), isNumber: true, cell: (row) => row.rows },
          {
            id: 'show',
            title: t(AMOUNTS_TEXTS.AMOUNTS_SHOW()),
            cell: ({ amount_type }) => (
              <Button
                isDisabled={amount_type === type}
                aria-label={t(AMOUNTS_TEXTS.AMOUNTS_SHOW_OF({ type: word(AMOUNT_TYPES, amount_type) }))}
                onPress={() =>
                  void navigate({
                    search: (previous) => ({ month: previous.month ?? month, type: amount_type }),
                    replace: true,
                    resetScroll: false,
                  })
                }
              >
                {t(AMOUNTS_TEXTS.AMOUNTS_SHOW())}
              </Button>
            ),
          },
        ]}
      />
      <p className="muted">{t(AMOUNTS_TEXTS.AMOUNTS_NOTE())}</p>
    </section>
  )
}

import { useGet } from '../../api/queries.ts'
import { useText } from '../../kernel/text.tsx'
import { Notice } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Loaded } from '../../ui/page.tsx'
import { Energy, Money } from '../../ui/value.tsx'
import { NETTING_TEXTS } from './texts.ts'

const FIELDS = [
  { field: 'matched_kwh', text: NETTING_TEXTS.NETTING_MATCHED },
  { field: 'net_import_kwh', text: NETTING_TEXTS.NETTING_NET_IMPORT },
  { field: 'bedelli_kwh', text: NETTING_TEXTS.NETTING_PAID },
  { field: 'skb_kwh', text: NETTING_TEXTS.NETTING_OVER_LIMIT },
  { field: 'bedelsiz_kwh', text: NETTING_TEXTS.NETTING_FREE },
] as const

export const useComparison = (groupId: string, month: string) =>
  useGet('/api/mahsuplasma/groups/{id}/comparison', {
    path: { id: groupId },
    query: { billing_period: `${month}-01` },
  })

/** What hourly netting cost in comparison with monthly netting, on the same facts. */
export function Comparison({ groupId, month }: { readonly groupId: string; readonly month: string }) {
  const t = useText()
  const query = useComparison(groupId, month)
  return (
    <Loaded query={query}>
      {({ hourly, monthly, difference, warnings }) => (
        <div className="stack">
          {warnings.map((warning) => (
            <Notice key={warning} tone="warning">
              {warning}
            </Notice>
          ))}
          <DataTable
            report={{ list: 'group_comparison', query: { id: groupId, billing_period: `${month}-01` } }}
            caption={t(NETTING_TEXTS.NETTING_COMPARISON())}
            empty=""
            rows={[
              ...FIELDS.map(({ field, text }) => ({
                id: field,
                title: t(text()),
                cells: [hourly, monthly, difference].map((side) => (
                  <Energy key={field} value={side[field]} />
                )),
              })),
              {
                id: 'total',
                title: t(NETTING_TEXTS.NETTING_TOTAL()),
                cells: [hourly, monthly, difference].map((side) => (
                  <Money key="total" value={side.total_try} />
                )),
              },
            ]}
            keyOf={({ id }) => id}
            columns={[
              { id: 'title', title: t(NETTING_TEXTS.NETTING_QUANTITY()), cell: ({ title }) => title },
              ...[
                NETTING_TEXTS.NETTING_BY_HOUR,
                NETTING_TEXTS.NETTING_BY_MONTH,
                NETTING_TEXTS.NETTING_DIFFERENCE,
              ].map((text, index) => ({
                id: String(index),
                title: t(text()),
                isNumber: true,
                cell: ({ cells }: { readonly cells: readonly React.ReactNode[] }) => cells[index],
              })),
            ]}
          />
        </div>
      )}
    </Loaded>
  )
}

import type { ListItem } from '../../../../../clients/typescript/src/index.ts'
import { useGet } from '../../../api/queries.ts'
import { formatDay, formatInstant, formatMonth } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { Button, Tag } from '../../../ui/controls.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Loaded } from '../../../ui/page.tsx'
import { ExactMoney } from '../../../ui/value.tsx'
import { useGroupMonth } from '../group-month.ts'
import { CHECK_TEXTS as TEXTS } from './check-texts.ts'

export const CHECKS = '/api/mahsuplasma/invoice-checks'
type CheckHead = ListItem<typeof CHECKS>
const SHOWN = 100

const STATUS_TEXTS: Readonly<Record<string, () => ReturnType<typeof TEXTS.CHECKS_OPEN>>> = {
  open: TEXTS.CHECKS_OPEN,
  sent: TEXTS.CHECKS_SENT,
  answered: TEXTS.CHECKS_ANSWERED,
  settled: TEXTS.CHECKS_SETTLED,
}
export const STATUSES = ['sent', 'answered', 'settled', 'open'] as const

export function StatusText({ status }: { readonly status: string }) {
  const t = useText()
  const text = STATUS_TEXTS[status]
  return <>{text ? t(text()) : status}</>
}

/** The stored checks of the group and month. */
export function CheckList({ onOpen }: { readonly onOpen: (id: string) => void }) {
  const t = useText()
  const { language } = useLanguage()
  const { groupId, month, period } = useGroupMonth()
  const filters = { group_id: groupId, billing_period: period }
  const query = useGet(CHECKS, { query: { ...filters, limit: SHOWN } })
  return (
    <Loaded query={query}>
      {(checks) => (
        <DataTable<CheckHead>
          report={{ list: 'invoice_checks', query: filters }}
          caption={t(TEXTS.CHECKS({ month: formatMonth(month, language) }))}
          rows={checks}
          keyOf={({ id }) => id}
          empty={t(TEXTS.CHECKS_NONE())}
          columns={[
            {
              id: 'file',
              title: t(TEXTS.CHECKS_FILE()),
              cell: ({ id, file_name }) => <Button onPress={() => onOpen(id)}>{file_name}</Button>,
            },
            {
              id: 'at',
              title: t(TEXTS.CHECKS_AT()),
              cell: ({ created_at }) => formatInstant(created_at, 'dateTime', language),
            },
            {
              id: 'lines',
              title: t(TEXTS.CHECKS_LINES()),
              isNumber: true,
              cell: ({ differing }) => <Tag tone={differing === 0 ? 'success' : 'warning'}>{differing}</Tag>,
            },
            {
              id: 'claim',
              title: t(TEXTS.CHECKS_CLAIM()),
              isNumber: true,
              cell: ({ claim_try }) => <ExactMoney value={claim_try} />,
            },
            {
              id: 'due',
              title: t(TEXTS.CHECKS_DUE()),
              cell: ({ objection_due_on }) => formatDay(objection_due_on, language),
            },
            {
              id: 'state',
              title: t(TEXTS.CHECKS_STATE()),
              cell: ({ objection_status }) => <StatusText status={objection_status} />,
            },
          ]}
        />
      )}
    </Loaded>
  )
}

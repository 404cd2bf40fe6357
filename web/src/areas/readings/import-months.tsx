import { Link } from '@tanstack/react-router'
import { useGet } from '../../api/queries.ts'
import { formatInstant, formatMonth } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { Tag } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Loaded } from '../../ui/page.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { READING_TEXTS } from './texts.ts'

const MONTHS_MAX = 200

interface ImportMonthsProps {
  readonly id: string
  /** The file of the import, or its time. */
  readonly name: string
  readonly importedAt: string
}

/** The netted months whose hours an import stored, and whether they were calculated since. */
export function ImportMonths({ id, name, importedAt }: ImportMonthsProps) {
  const t = useText()
  const { language } = useLanguage()
  const query = useGet('/api/osos/imports/{id}/months', { path: { id }, query: { limit: MONTHS_MAX } })
  return (
    <Loaded query={query}>
      {(rows) => (
        <DataTable
          report={{ list: 'osos_import_months', query: { id } }}
          caption={t(READING_TEXTS.READINGS_MONTHS_OF({ name }))}
          rows={rows}
          keyOf={({ billing_period, group_id }) => `${billing_period} ${group_id}`}
          empty={t(READING_TEXTS.READINGS_NO_MONTHS())}
          columns={[
            {
              id: 'month',
              title: t(READING_TEXTS.READINGS_MONTH()),
              cell: ({ billing_period }) => formatMonth(billing_period, language),
            },
            {
              id: 'group',
              title: t(READING_TEXTS.READINGS_GROUP()),
              cell: ({ group_id, group_name, billing_period }) =>
                group_id === null ? (
                  t(UI_TEXTS.UI_NONE())
                ) : (
                  <Link
                    to="/netting/groups/$groupId/runs"
                    params={{ groupId: group_id }}
                    search={{ month: billing_period.slice(0, 7) }}
                  >
                    {group_name}
                  </Link>
                ),
            },
            {
              id: 'hours',
              title: t(READING_TEXTS.READINGS_HOURS()),
              isNumber: true,
              cell: ({ hours }) => hours.toLocaleString(language),
            },
            {
              id: 'calculated',
              title: t(READING_TEXTS.READINGS_CALCULATED()),
              cell: ({ calculated_at }) => (
                <span className="row">
                  {calculated_at === null
                    ? t(READING_TEXTS.READINGS_NOT_CALCULATED())
                    : formatInstant(calculated_at, 'dateTime', language)}
                  {calculated_at !== null && Date.parse(calculated_at) < Date.parse(importedAt) && (
                    <Tag tone="warning">{t(READING_TEXTS.READINGS_BEFORE_IMPORT())}</Tag>
                  )}
                </span>
              ),
            },
          ]}
        />
      )}
    </Loaded>
  )
}

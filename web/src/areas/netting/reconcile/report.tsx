import { formatDecimal } from '../../../kernel/decimal.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { Notice, Tag } from '../../../ui/controls.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { UI_TEXTS } from '../../../ui/texts.ts'
import { Energy, ExactMoney } from '../../../ui/value.tsx'
import { NETTING_TEXTS } from '../texts.ts'
import { timeText } from './display-texts.ts'
import { Evidence } from './evidence.tsx'
import type { ReconcileReport } from './reconcile-page.tsx'
import { RECONCILE_TEXTS } from './texts.ts'

type Field = ReconcileReport['totals'][number]['field']
/** Entries of each list that are shown; the headings have the numbers of all. */
const SHOWN = 200

const FIELDS = {
  production_kwh: NETTING_TEXTS.NETTING_PRODUCTION,
  consumption_kwh: NETTING_TEXTS.NETTING_CONSUMPTION,
  matched_kwh: NETTING_TEXTS.NETTING_MATCHED,
  surplus_kwh: RECONCILE_TEXTS.RECONCILE_SURPLUS,
  net_import_kwh: NETTING_TEXTS.NETTING_NET_IMPORT,
  bedelli_kwh: NETTING_TEXTS.NETTING_PAID,
  skb_kwh: NETTING_TEXTS.NETTING_OVER_LIMIT,
  bedelsiz_kwh: NETTING_TEXTS.NETTING_FREE,
  matched_try: RECONCILE_TEXTS.RECONCILE_TRY_MATCHED,
  bedelli_try: RECONCILE_TEXTS.RECONCILE_TRY_PAID,
  skb_try: RECONCILE_TEXTS.RECONCILE_TRY_SKB,
  sktt_try: RECONCILE_TEXTS.RECONCILE_TRY_SKTT,
  mesken_try: RECONCILE_TEXTS.RECONCILE_TRY_MESKEN,
} as const satisfies Readonly<Record<Field, unknown>>

const Figure = ({ field, value }: { readonly field: Field; readonly value: string | null }) =>
  field.endsWith('_try') ? <ExactMoney value={value} /> : <Energy value={value} />

/** What a file and the results differ in. */
export function Report({ report, name }: { readonly report: ReconcileReport; readonly name: string }) {
  const t = useText()
  const { language } = useLanguage()
  const { rows_read, different_rows, hints, tolerance_kwh, tolerance_try, ignored_columns } = report
  return (
    <section className="stack" aria-live="polite">
      <h2>{t(RECONCILE_TEXTS.RECONCILE_RESULT({ name }))}</h2>
      <Notice tone={different_rows === 0 ? 'success' : 'warning'}>
        {different_rows === 0
          ? t(RECONCILE_TEXTS.RECONCILE_AGREES({ rows: rows_read }))
          : t(RECONCILE_TEXTS.RECONCILE_DIFFERS({ rows: rows_read, different: different_rows }))}
      </Notice>
      {hints.map((hint) => (
        <Notice key={hint.code}>{hint.message}</Notice>
      ))}
      <p className="muted">
        {t(
          RECONCILE_TEXTS.RECONCILE_SETTINGS({
            kwh: formatDecimal(tolerance_kwh, 3, language),
            try: formatDecimal(tolerance_try, 2, language),
            columns: ignored_columns.length === 0 ? t(UI_TEXTS.UI_NONE()) : ignored_columns.join(', '),
          }),
        )}
      </p>
      <Lines report={report} />
      <Totals report={report} />
      <DifferentRows report={report} />
      <Missing report={report} />
      <BadRows report={report} />
    </section>
  )
}

interface PartProps {
  readonly report: ReconcileReport
}

interface Comparison {
  readonly field: Field
  readonly theirs: string | null
  readonly ours: string | null
  readonly difference: string | null
}

/** A figure of the file, ours, and their difference. */
function useFigureColumns(): readonly Column<Comparison>[] {
  const t = useText()
  return [
    {
      id: 'figure',
      title: t(RECONCILE_TEXTS.RECONCILE_FIGURE()),
      cell: ({ field }) => t(FIELDS[field]()),
    },
    {
      id: 'theirs',
      title: t(RECONCILE_TEXTS.RECONCILE_THEIRS()),
      isNumber: true,
      cell: ({ field, theirs }) => <Figure field={field} value={theirs} />,
    },
    {
      id: 'ours',
      title: t(RECONCILE_TEXTS.RECONCILE_OURS()),
      isNumber: true,
      cell: ({ field, ours }) => <Figure field={field} value={ours} />,
    },
    {
      id: 'difference',
      title: t(RECONCILE_TEXTS.RECONCILE_DIFFERENCE()),
      isNumber: true,
      cell: ({ field, difference }) => <Figure field={field} value={difference} />,
    },
  ]
}

/** The lines of the file that do not agree, with the probable causes. */
function Lines({ report: { lines, line_counts } }: PartProps) {
  const t = useText()
  const { language } = useLanguage()
  const shown = lines.filter(({ verdict }) => verdict !== 'agreeing').slice(0, SHOWN)
  if (shown.length === 0) return null
  return (
    <DataTable
      report={null}
      caption={t(RECONCILE_TEXTS.RECONCILE_LINES({ ...line_counts }))}
      rows={shown}
      keyOf={({ line, key, kind, description }) => `${line} ${key} ${kind} ${description}`}
      empty={t(UI_TEXTS.UI_NONE())}
      columns={[
        {
          id: 'line',
          title: t(RECONCILE_TEXTS.RECONCILE_ROW()),
          isNumber: true,
          cell: ({ line }) => line,
        },
        {
          id: 'charge',
          title: t(RECONCILE_TEXTS.RECONCILE_CHARGE()),
          cell: ({ description, kind }) => description ?? kind ?? '',
        },
        {
          id: 'time',
          title: t(RECONCILE_TEXTS.RECONCILE_TIME()),
          cell: ({ key }) => timeText(key, language),
        },
        {
          id: 'verdict',
          title: t(RECONCILE_TEXTS.RECONCILE_VERDICT()),
          cell: ({ verdict }) => (
            <Tag tone={verdict === 'differing' ? 'warning' : 'neutral'}>
              {t(
                verdict === 'differing'
                  ? RECONCILE_TEXTS.RECONCILE_DIFFERING()
                  : RECONCILE_TEXTS.RECONCILE_UNDECIDABLE(),
              )}
            </Tag>
          ),
        },
        {
          id: 'reason',
          title: t(RECONCILE_TEXTS.RECONCILE_REASON()),
          cell: (line) => <Evidence line={line} />,
        },
        {
          id: 'claim',
          title: t(RECONCILE_TEXTS.RECONCILE_CLAIM()),
          isNumber: true,
          cell: ({ claim_try }) => <ExactMoney value={claim_try} />,
        },
      ]}
    />
  )
}

function Totals({ report: { totals } }: PartProps) {
  const t = useText()
  const figures = useFigureColumns()
  return (
    <DataTable
      report={null}
      caption={t(RECONCILE_TEXTS.RECONCILE_TOTALS())}
      rows={totals}
      keyOf={({ field }) => field}
      empty={t(UI_TEXTS.UI_NONE())}
      columns={[
        ...figures,
        {
          id: 'different',
          title: t(RECONCILE_TEXTS.RECONCILE_DIFFERENT()),
          isNumber: true,
          cell: ({ different, compared }) => (
            <Tag tone={different === 0 ? 'success' : 'warning'}>
              {different} / {compared}
            </Tag>
          ),
        },
      ]}
    />
  )
}

function DifferentRows({ report: { rows, counts } }: PartProps) {
  const t = useText()
  const { language } = useLanguage()
  const figures = useFigureColumns()
  return (
    <DataTable
      report={null}
      caption={t(RECONCILE_TEXTS.RECONCILE_ROWS({ count: counts.rows }))}
      rows={rows.slice(0, SHOWN)}
      keyOf={({ row, key, field, facility_id }) => `${row} ${key} ${field} ${facility_id}`}
      empty={t(RECONCILE_TEXTS.RECONCILE_NO_ROWS())}
      columns={[
        {
          id: 'time',
          title: t(RECONCILE_TEXTS.RECONCILE_TIME()),
          cell: ({ key }) => timeText(key, language),
        },
        {
          id: 'row',
          title: t(RECONCILE_TEXTS.RECONCILE_ROW()),
          isNumber: true,
          cell: ({ row }) => row,
        },
        ...figures,
      ]}
    />
  )
}

/** The hours or days that only one side has. */
function Missing({ report: { missing_theirs, missing_ours, counts } }: PartProps) {
  const t = useText()
  const { language } = useLanguage()
  const lists = [
    {
      title: t(RECONCILE_TEXTS.RECONCILE_MISSING_THEIRS({ count: counts.missing_theirs })),
      keys: missing_theirs,
    },
    {
      title: t(RECONCILE_TEXTS.RECONCILE_MISSING_OURS({ count: counts.missing_ours })),
      keys: missing_ours.map(({ key }) => key),
    },
  ]
  return lists
    .filter(({ keys }) => keys.length > 0)
    .map(({ title, keys }) => (
      <details key={title} className="card">
        <summary>{title}</summary>
        <p>
          {keys
            .slice(0, SHOWN)
            .map((key) => timeText(key, language))
            .join('; ')}
        </p>
      </details>
    ))
}

function BadRows({ report: { bad_rows, counts } }: PartProps) {
  const t = useText()
  if (bad_rows.length === 0) return null
  return (
    <DataTable
      report={null}
      caption={t(RECONCILE_TEXTS.RECONCILE_BAD_ROWS({ count: counts.bad_rows }))}
      rows={bad_rows.slice(0, SHOWN)}
      keyOf={({ row, column, message }) => `${row} ${column} ${message}`}
      empty=""
      columns={[
        { id: 'row', title: t(RECONCILE_TEXTS.RECONCILE_ROW()), cell: ({ row }) => row },
        {
          id: 'column',
          title: t(RECONCILE_TEXTS.RECONCILE_COLUMN()),
          cell: ({ column }) => column ?? t(UI_TEXTS.UI_NONE()),
        },
        { id: 'problem', title: t(RECONCILE_TEXTS.RECONCILE_PROBLEM()), cell: ({ message }) => message },
      ]}
    />
  )
}

import { DAY_MS, parseValidInstant } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import { languageOf } from '../../../platform/pdf/language.ts'
import type { Report } from '../../../platform/reports/report.ts'
import { type Labels, type ReportColumn, tableReport } from '../../../platform/reports/table-report.ts'
import { CHANGE_REPORT_DAYS_MAX, CHANGE_REPORT_PAGE_ROWS } from './limits.ts'
import { CHANGE_TEXTS } from './messages.ts'
import { RESOURCE_TYPES } from './resource-types.ts'
import type { ChangeReportQuery } from './schema.ts'
import { type ChangeRow, listAfter } from './store.ts'

type Column = ReportColumn<ChangeRow>

const ACTION_WORDS = {
  create: { tr: 'oluşturma', en: 'create' },
  update: { tr: 'değişiklik', en: 'update' },
  delete: { tr: 'silme', en: 'delete' },
}
const ACTOR_WORDS = {
  user: { tr: 'kullanıcı', en: 'user' },
  anonymous: { tr: 'kimliksiz', en: 'anonymous' },
  job: { tr: 'iş', en: 'job' },
  command: { tr: 'komut', en: 'command' },
  service: { tr: 'hizmet', en: 'service' },
}

const column = (name: string, label: Labels, value: Column['value'], rest: Partial<Column> = {}): Column => ({
  name,
  label,
  value,
  kind: 'text',
  ...rest,
})

const COLUMNS: readonly Column[] = [
  column('at', { tr: 'Zaman (Türkiye saati)', en: 'Time (Turkish time)' }, ({ at }) => at.getTime(), {
    kind: 'instant',
    width: 1.8,
  }),
  column('actor_kind', { tr: 'Yapan', en: 'Actor' }, (row) => row.actor_kind, {
    words: ACTOR_WORDS,
    width: 1.2,
  }),
  column('user_email', { tr: 'Kullanıcı', en: 'User' }, (row) => row.user_email ?? row.user_id, {
    width: 2.2,
  }),
  column('api_key_name', { tr: 'API anahtarı', en: 'API key' }, (row) => row.api_key_name ?? row.api_key_id),
  column('operation', { tr: 'İşlem', en: 'Operation' }, (row) => row.operation, { width: 1.8 }),
  column('request_id', { tr: 'İstek no', en: 'Request id' }, (row) => row.request_id),
  column('ip', { tr: 'Adres', en: 'Address' }, (row) => row.ip),
  column('action', { tr: 'Eylem', en: 'Action' }, (row) => row.action, { words: ACTION_WORDS, width: 1.2 }),
  column('resource_type', { tr: 'Kayıt türü', en: 'Type' }, (row) => row.resource_type, {
    words: RESOURCE_TYPES,
    width: 1.8,
  }),
  column('resource_id', { tr: 'Kayıt no', en: 'Id' }, (row) => row.resource_id),
  column('resource_name', { tr: 'Ad', en: 'Name' }, (row) => row.resource_name, { width: 2.2 }),
  column('changes', { tr: 'Değişen alanlar', en: 'Changed fields' }, ({ changes }) => changesText(changes), {
    width: 5,
  }),
]

/** `name: "Pump" -> "Pump 2"; slave_id: 3 -> 4`, cut off at the length that a cell can hold. */
function changesText(changes: ChangeRow['changes']): string {
  const valueText = (value: unknown) => (value === undefined ? '–' : JSON.stringify(value))
  const fields = Object.entries(changes).map(([name, { from, to, is_hidden }]) =>
    is_hidden ? `${name}: ***` : `${name}: ${valueText(from)} → ${valueText(to)}`,
  )
  return fields.join('; ').slice(0, CELL_CHARACTERS_MAX)
}
/** The most that a cell of XLSX holds is 32,767. */
const CELL_CHARACTERS_MAX = 32_000

const TITLE: Labels = { tr: 'Değişiklik kaydı', en: 'Change log' }
const PERIOD: Labels = { tr: 'Aralık', en: 'Range' }

/** Throws 422 for an empty range and for one that is too long. */
export function refuseLongRange({ from, to }: Pick<ChangeReportQuery, 'from' | 'to'>): void {
  const length = parseValidInstant(to).getTime() - parseValidInstant(from).getTime()
  if (length <= 0) throw invalidInput(['query', 'to'], CHANGE_TEXTS.CHANGE_RANGE_EMPTY())
  if (length > CHANGE_REPORT_DAYS_MAX * DAY_MS)
    throw invalidInput(['query', 'to'], CHANGE_TEXTS.CHANGE_RANGE_TOO_LONG({ days: CHANGE_REPORT_DAYS_MAX }))
}

/** The changes of a range, oldest first, read in portions while the file is written. */
export function changeReport(tenant: TenantDb, query: ChangeReportQuery): Report {
  const { format: _, locale, headers, ...filters } = query
  const language = languageOf(locale)
  const span = [query.from, query.to].map((text) => language.time(parseValidInstant(text).getTime()))
  return tableReport(
    {
      title: TITLE,
      fileName: `netsaat-changes-${query.from.slice(0, 10)}-${query.to.slice(0, 10)}`,
      columns: COLUMNS,
      pages,
      lines: [`${PERIOD[locale]}: ${span.join(' – ')}`],
    },
    { locale, headers },
  )

  async function* pages() {
    let after = '0'
    for (;;) {
      const rows = await listAfter(tenant, filters, { after, limit: CHANGE_REPORT_PAGE_ROWS })
      yield rows
      after = rows.at(-1)?.id ?? after
      if (rows.length < CHANGE_REPORT_PAGE_ROWS) return
    }
  }
}

import { DAY_MS, parseValidInstant } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import { languageOf } from '../../../platform/pdf/language.ts'
import type { Report } from '../../../platform/reports/report.ts'
import { type Labels, type ReportColumn, tableReport } from '../../../platform/reports/table-report.ts'
import { SESSION_REPORT_DAYS_MAX, SESSION_REPORT_PAGE_ROWS } from '../limits.ts'
import { CHARGING_TEXTS } from '../messages.ts'
import type { SessionReportQuery } from './schema.ts'
import { listSessions, type ReadDeps } from './service.ts'
import { readChargerNames } from './store.ts'

/** A session with the name of its station. */
type Session = Awaited<ReturnType<typeof listSessions>>['items'][number] & { readonly charger: string }

const instant = (value: unknown): number | null =>
  value === null ? null : value instanceof Date ? value.getTime() : Date.parse(String(value))

const STATES: Readonly<Record<string, Labels>> = {
  active: { tr: 'Sürüyor', en: 'Active' },
  ended: { tr: 'Bitti', en: 'Ended' },
}

const COLUMNS: readonly ReportColumn<Session>[] = [
  {
    name: 'transaction_number',
    label: { tr: 'İşlem no', en: 'Transaction' },
    kind: 'number',
    value: (session) => session.transaction_number,
    width: 1,
  },
  {
    name: 'charger',
    label: { tr: 'Şarj istasyonu', en: 'Charging station' },
    kind: 'text',
    value: (session) => session.charger,
    width: 2.6,
  },
  {
    name: 'connector_id',
    label: { tr: 'Soket', en: 'Connector' },
    kind: 'number',
    value: (session) => session.connector_id,
    width: 0.8,
  },
  {
    name: 'id_tag',
    label: { tr: 'Kart', en: 'Id tag' },
    kind: 'text',
    value: (session) => session.id_tag,
    width: 1.8,
  },
  {
    name: 'started_at',
    label: { tr: 'Başlangıç (Türkiye saati)', en: 'Start (Turkish time)' },
    kind: 'instant',
    value: (session) => instant(session.started_at),
    width: 1.8,
  },
  {
    name: 'ended_at',
    label: { tr: 'Bitiş (Türkiye saati)', en: 'End (Turkish time)' },
    kind: 'instant',
    value: (session) => instant(session.ended_at),
    width: 1.8,
  },
  {
    name: 'state',
    label: { tr: 'Durum', en: 'State' },
    kind: 'text',
    value: (session) => session.state,
    words: STATES,
  },
  {
    name: 'energy_kwh',
    label: { tr: 'Enerji (kWh)', en: 'Energy (kWh)' },
    kind: 'number',
    value: (session) => session.energy_kwh,
    isDecimal: true,
    width: 1.4,
  },
  {
    name: 'cost_try',
    label: { tr: 'Tutar (TL)', en: 'Cost (TRY)' },
    kind: 'number',
    value: (session) => session.cost_try,
    isDecimal: true,
    width: 1.4,
  },
  {
    name: 'cost_reason',
    label: { tr: 'Tutarın olmama nedeni', en: 'Reason for a missing cost' },
    kind: 'text',
    value: (session) => session.cost_reason,
  },
  {
    name: 'stop_reason',
    label: { tr: 'Bitiş nedeni', en: 'Stop reason' },
    kind: 'text',
    value: (session) => session.stop_reason,
  },
]

const TITLE: Labels = { tr: 'Şarj oturumları', en: 'Charging sessions' }
const PERIOD: Labels = { tr: 'Başlangıç', en: 'Started' }
const NOTE: Labels = {
  tr: 'Tutarlar, enerjinin kullanıldığı zamanların onaylı tarifeleriyledir; vergisizdir.',
  en: 'Costs are by the approved tariffs of the times at which the energy was used, without taxes.',
}

/** Throws 422 for an empty range and for one that is too long. */
export function refuseLongReport({ from, to }: Pick<SessionReportQuery, 'from' | 'to'>): void {
  const length = parseValidInstant(to).getTime() - parseValidInstant(from).getTime()
  if (length <= 0) throw invalidInput(['query', 'to'], CHARGING_TEXTS.SESSION_REPORT_EMPTY())
  if (length > SESSION_REPORT_DAYS_MAX * DAY_MS) {
    throw invalidInput(
      ['query', 'to'],
      CHARGING_TEXTS.SESSION_REPORT_TOO_LONG({ days: SESSION_REPORT_DAYS_MAX }),
    )
  }
}

/** The sessions that began in a range, in the order of their start, read in pages while the file is written. */
export function sessionReport(deps: ReadDeps, tenant: TenantDb, query: SessionReportQuery): Report {
  const { locale, headers, from, to } = query
  const language = languageOf(locale)
  const span = [from, to].map((text) => language.time(parseValidInstant(text).getTime())).join(' – ')
  return tableReport(
    {
      title: TITLE,
      fileName: `netsaat-charging-sessions-${from.slice(0, 10)}-${to.slice(0, 10)}`,
      columns: COLUMNS,
      pages,
      lines: [`${PERIOD[locale]}: ${span}`],
      notes: [NOTE[locale]],
    },
    { locale, headers },
  )

  async function* pages() {
    for (let skip = 0; ; skip += SESSION_REPORT_PAGE_ROWS) {
      const page = {
        skip,
        limit: SESSION_REPORT_PAGE_ROWS,
        sort_by: 'started_at',
        sort_order: 'asc',
      } as const
      const { items } = await listSessions(deps, tenant, { ...query, ...page })
      const chargers = await readChargerNames(tenant, [...new Set(items.map((item) => item.charger_id))])
      yield items.map((item) => ({ ...item, charger: chargers.get(item.charger_id) ?? item.charger_id }))
      if (items.length < SESSION_REPORT_PAGE_ROWS) return
    }
  }
}

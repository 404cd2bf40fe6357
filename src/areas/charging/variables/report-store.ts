import { sql } from 'kysely'
import { readPage } from '../../../platform/db/list.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import type { EndedCommand } from '../commands/index.ts'
import { CHARGER_REPORTS_MAX } from '../limits.ts'
import type { ChargerRef } from '../registry/index.ts'
import { isComplete, type ReportKind, reportState } from './report-state.ts'
import type { ReportQuery } from './schema.ts'

export interface ReportPart {
  readonly kind: ReportKind
  readonly requestId: number
  /** Undefined for a kind whose parts have no numbers. */
  readonly seqNo: number | undefined
  readonly isLast: boolean
  /** By the station's clock; null where the message has no time. */
  readonly generatedAt: Date | null
  readonly now: Date
}

/** Deletes all but the newest reports of a charger. */
const removeBeyondLimit = ({ db, tenantId }: TenantTx, chargerId: string) =>
  sql`
    delete from charger_report where tenant_id = ${tenantId} and id in (
      select id from charger_report where tenant_id = ${tenantId} and charger_id = ${chargerId}
      order by received_at desc, request_id desc offset ${CHARGER_REPORTS_MAX})`.execute(db)

/** Records a part of a report. A part without a number counts only when it is the last one. */
export async function recordReportPart(tx: TenantTx, { chargerId }: ChargerRef, part: ReportPart) {
  const { kind, requestId, isLast, generatedAt, now } = part
  const seqNo = part.seqNo ?? (isLast ? 0 : undefined)
  const parts = seqNo === undefined ? [] : [seqNo]
  await sql`
    insert into charger_report as r (tenant_id, charger_id, kind, request_id, parts, last_part, generated_at, received_at)
    values (${tx.tenantId}, ${chargerId}, ${kind}, ${requestId}, ${parts}::int[], ${isLast ? (seqNo ?? null) : null},
      ${generatedAt}, ${now})
    on conflict (tenant_id, charger_id, kind, request_id) do update set
      parts = case when excluded.parts <@ r.parts then r.parts else r.parts || excluded.parts end,
      last_part = coalesce(excluded.last_part, r.last_part),
      generated_at = greatest(r.generated_at, excluded.generated_at),
      received_at = case when excluded.parts <> '{}' and excluded.parts <@ r.parts then r.received_at
        else greatest(r.received_at, excluded.received_at) end`.execute(tx.db)
  await removeBeyondLimit(tx, chargerId)
}

/** The effect of a command that requests a report: when the station agrees, its parts are awaited. */
export const expectReport =
  (kind: ReportKind) =>
  async (tx: TenantTx, { command, response: answer, now }: EndedCommand): Promise<void> => {
    const { status } = (answer ?? {}) as { readonly status?: unknown }
    const isEmpty = (command.request as { readonly report?: unknown }).report === false
    if (command.state !== 'accepted' || status !== 'Accepted' || isEmpty) return
    const { charger_id: chargerId, number } = command
    await sql`
      insert into charger_report (tenant_id, charger_id, kind, request_id, received_at)
      values (${tx.tenantId}, ${chargerId}, ${kind}, ${number}, ${now})
      on conflict (tenant_id, charger_id, kind, request_id) do nothing`.execute(tx.db)
    await removeBeyondLimit(tx, chargerId)
  }

interface ReportListInput {
  readonly chargerId: string
  readonly query: ReportQuery
  readonly now: Date
}

export async function listReports(tenant: TenantDb, { chargerId, query, now }: ReportListInput) {
  let rows = selectRows(tenant, 'charger_report')
    .select(['id', 'request_id', 'parts', 'last_part', 'generated_at', 'received_at as heard_at'])
    .select(sql<ReportKind>`kind`.as('kind'))
    .where('charger_id', '=', chargerId)
  if (query.kind !== undefined) rows = rows.where('kind', '=', query.kind)
  if (query.request_id !== undefined) rows = rows.where('request_id', '=', `${query.request_id}`)
  const page = await readPage(rows, query)
  const items = page.items.map((report) => ({
    ...report,
    parts: report.parts.toSorted((one, other) => one - other),
    request_id: Number(report.request_id),
    is_complete: isComplete(report),
    ...reportState(report, now),
  }))
  return { ...page, items }
}

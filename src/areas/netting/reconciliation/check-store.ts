import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { sql } from 'kysely'
import type { BillingPeriod } from '../../../kernel/time.ts'
import { readList } from '../../../platform/db/list.ts'
import { lockResource } from '../../../platform/db/locks.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows } from '../../../platform/db/tenant-rows.ts'
import type { ChecksQuery } from './check-schema.ts'
import { INVOICE_REPORT_BYTES_MAX } from './limits.ts'
import type { StoredCheck } from './stored-check.ts'

const pack = (bytes: Buffer | string): Promise<Buffer> => promisify(gzip)(bytes)
const unpack = (bytes: Buffer, maxOutputLength: number): Promise<Buffer> =>
  promisify(gunzip)(bytes, { maxOutputLength })

export const lock = (tx: TenantTx) => lockResource(tx, `invoice checks ${tx.tenantId}`)

/** The number of stored checks, and the bytes of their files and reports. */
export async function readUse({ db, tenantId }: TenantDb) {
  const { rows } = await sql<{ checks: number; bytes: string }>`
    select (select count(*)::int from invoice_check where tenant_id = ${tenantId}) as checks,
      (select coalesce(sum(octet_length(report)), 0) from invoice_check where tenant_id = ${tenantId})
        + (select coalesce(sum(octet_length(content)), 0) from invoice_file where tenant_id = ${tenantId}) as bytes`.execute(
    db,
  )
  return { checks: rows[0]?.checks ?? 0, bytes: Number(rows[0]?.bytes ?? 0) }
}

interface NewFile {
  readonly sha256: string
  readonly bytes: Buffer
  readonly at: number
}

/** Stores a content once. */
export async function saveFile({ db, tenantId }: TenantTx, { sha256, bytes, at }: NewFile): Promise<void> {
  await db
    .insertInto('invoice_file')
    .values({
      ...{ tenant_id: tenantId, sha256, size_bytes: bytes.length, created_at: new Date(at) },
      content: await pack(bytes),
    })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'sha256']).doNothing())
    .execute()
}

export async function readFile(tenant: TenantDb, sha256: string): Promise<Buffer | undefined> {
  const row = await selectRows(tenant, 'invoice_file')
    .select(['content', 'size_bytes'])
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  return row && unpack(row.content, row.size_bytes)
}

export interface NewCheck {
  readonly groupId: string
  readonly billingPeriod: BillingPeriod
  readonly repeats: string | null
  readonly fileName: string
  readonly fileHash: string
  readonly supplier: string | null
  readonly inputHash: string
  readonly content: StoredCheck
  readonly by: string
  readonly at: number
}

export async function insert({ db, tenantId }: TenantTx, check: NewCheck): Promise<string> {
  const { report } = check.content
  const { id } = await db
    .insertInto('invoice_check')
    .values({
      ...{ tenant_id: tenantId, group_id: check.groupId, billing_period: check.billingPeriod },
      ...{ repeats: check.repeats, file_name: check.fileName, file_sha256: check.fileHash },
      ...{ format: report.format, supplier: check.supplier, invoice_number: report.invoice.number },
      ...{ input_hash: check.inputHash, run_ids: report.runs.map(({ run_id }) => run_id) },
      ...report.line_counts,
      claim_try: report.claim_try,
      report: await pack(JSON.stringify(check.content)),
      ...{ created_by: check.by, created_at: new Date(check.at) },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A run that is no longer current, or one of the month that was calculated since. */
const isStale = (tenantId: number) => sql<boolean>`(c.run_ids is distinct from array(
  select r.id from calculation_run r where r.tenant_id = ${tenantId} and r.group_id = c.group_id
    and r.billing_period = c.billing_period and r.is_current order by r.from_hour))`

const checks = (tenant: TenantDb) =>
  selectRows(tenant, 'invoice_check as c')
    .innerJoin('netting_group as g', (join) =>
      join.onRef('g.tenant_id', '=', 'c.tenant_id').onRef('g.id', '=', 'c.group_id'),
    )
    .innerJoin('invoice_objection as o', (join) =>
      join
        .onRef('o.tenant_id', '=', 'c.tenant_id')
        .onRef('o.group_id', '=', 'c.group_id')
        .onRef('o.billing_period', '=', 'c.billing_period')
        .onRef('o.file_sha256', '=', 'c.file_sha256'),
    )
    .select(['c.id', 'c.group_id', 'g.name as group_name', 'c.billing_period', 'c.repeats', 'c.file_name'])
    .select(['c.file_sha256', 'c.format', 'c.supplier', 'c.invoice_number', 'c.input_hash', 'c.run_ids'])
    .select(['c.agreeing', 'c.differing', 'c.undecidable', 'c.claim_try', 'c.created_at', 'c.created_by'])
    .select([
      'o.id as objection_id',
      'o.status',
      'o.received_on',
      'o.received_from',
      'o.objection_days',
      'o.due_on',
    ])
    .select(isStale(tenant.tenantId).as('is_stale'))

export const find = (tenant: TenantDb, id: string) => checks(tenant).where('c.id', '=', id).executeTakeFirst()
export type CheckRow = NonNullable<Awaited<ReturnType<typeof find>>>

export async function readContent(tenant: TenantDb, id: string): Promise<StoredCheck | undefined> {
  const row = await selectRows(tenant, 'invoice_check')
    .select('report')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  return JSON.parse((await unpack(row.report, INVOICE_REPORT_BYTES_MAX)).toString('utf8')) as StoredCheck
}

export function list(
  tenant: TenantDb,
  { group_id, status, search, limit, offset }: Omit<ChecksQuery, 'billing_period'>,
  billingPeriod: BillingPeriod | undefined,
) {
  let rows = checks(tenant).where(matchesSearch(search, ['c.file_name', 'c.supplier', 'c.invoice_number']))
  if (group_id !== undefined) rows = rows.where('c.group_id', '=', group_id)
  if (billingPeriod !== undefined) rows = rows.where('c.billing_period', '=', billingPeriod)
  if (status !== undefined) rows = rows.where('o.status', '=', status)
  return readList(rows.orderBy('c.created_at', 'desc').orderBy('c.id'), { limit, offset })
}

export const remove = (tx: TenantTx, id: string) =>
  deleteRows(tx, 'invoice_check').where('id', '=', id).returning('id').executeTakeFirst()

/** Deletes the files that no check has any more. */
export const removeUnusedFiles = ({ db, tenantId }: TenantTx) =>
  sql`delete from invoice_file f where f.tenant_id = ${tenantId} and not exists (
    select 1 from invoice_check c where c.tenant_id = ${tenantId} and c.file_sha256 = f.sha256)`.execute(db)

/** Deletes checks before an instant, at most `limit`; returns their number. */
export async function removeBefore(
  { db, tenantId }: TenantTx,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    delete from invoice_check where tenant_id = ${tenantId} and id in (
      select id from invoice_check where tenant_id = ${tenantId} and created_at < ${new Date(before)}
      order by created_at limit ${limit}) returning id`.execute(db)
  return rows.length
}

import { conflict, found, unprocessable } from '../../../kernel/errors.ts'
import type { Language } from '../../../kernel/messages.ts'
import { addMonths, DAY_MS, parsePeriod, periodOf, periodStart } from '../../../kernel/time.ts'
import { inTenantTx, type TenantDb, type TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { daysBefore } from '../alarms/index.ts'
import { readSettings } from '../tenant-settings/index.ts'
import type { Check, CheckHead, CheckQuery, ChecksQuery } from './check-schema.ts'
import * as store from './check-store.ts'
import {
  INVOICE_CHECK_KEPT_YEARS,
  INVOICE_CHECKS_BYTES_MAX,
  INVOICE_CHECKS_DELETED_AT_ONCE,
  INVOICE_CHECKS_MAX,
} from './limits.ts'
import { INVOICE_TEXTS } from './messages.ts'
import { listSteps, openObjectionOf, removeUnusedObjections } from './objection-service.ts'
import { type CheckedFile, checkFile, periodOfQuery, reportResponse, settingsOf } from './service.ts'
import type { CheckSettings, StoredCheck } from './stored-check.ts'

/** The read and the write side of one request: files are read outside of the transaction that stores the check. */
interface Databases {
  readonly tenant: TenantDb
  readonly inTx: <T>(work: (tx: TenantTx) => Promise<T>) => Promise<T>
}
interface By {
  readonly by: string
  readonly at: number
}

export interface CheckRequest extends By {
  readonly groupId: string
  readonly query: CheckQuery
  readonly file: { readonly name: string; readonly bytes: Buffer }
}

const FILE_NAME_LENGTH = 200

/** Checks a file and stores the check; returns its id. Throws as `checkFile`, and 409 beyond the limits of a tenant. */
export async function createCheck(
  { tenant, inTx }: Databases,
  { groupId, query, file, by, at }: CheckRequest,
): Promise<string> {
  const billingPeriod = periodOfQuery(query)
  const settings = settingsOf(query)
  await refuseBeyondLimits(tenant)
  const checked = await checkFile(tenant, { groupId, billingPeriod, settings, bytes: file.bytes })
  const fileName = file.name.slice(0, FILE_NAME_LENGTH) || 'invoice'
  const receivedOn = query.received_on?.slice(0, 10)
  return inTx((tx) =>
    storeCheck(tx, { checked, settings, fileName, bytes: file.bytes, repeats: null, receivedOn }, { by, at }),
  )
}

/** Checks the file of a stored check again, with the mapping and results of now; returns the id of the new check. */
export async function repeatCheck({ tenant, inTx }: Databases, id: string, { by, at }: By): Promise<string> {
  const check = found('invoice check', await store.find(tenant, id))
  const { settings } = found('invoice check', await store.readContent(tenant, id))
  const bytes = found('invoice file', await store.readFile(tenant, check.file_sha256))
  await refuseBeyondLimits(tenant)
  const { group_id: groupId, billing_period: billingPeriod, file_name: fileName } = check
  const checked = await checkFile(tenant, { groupId, billingPeriod, settings, bytes })
  return inTx((tx) =>
    storeCheck(tx, { checked, settings, fileName, bytes, repeats: id, receivedOn: undefined }, { by, at }),
  )
}

async function refuseBeyondLimits(tenant: TenantDb): Promise<void> {
  const { checks, bytes } = await store.readUse(tenant)
  if (checks >= INVOICE_CHECKS_MAX)
    throw conflict('STATE_CONFLICT', INVOICE_TEXTS.INVOICE_CHECKS_KEPT({ max: INVOICE_CHECKS_MAX }))
  if (bytes >= INVOICE_CHECKS_BYTES_MAX) {
    const max_mib = INVOICE_CHECKS_BYTES_MAX / 1024 / 1024
    throw conflict('STATE_CONFLICT', INVOICE_TEXTS.INVOICE_CHECKS_SIZE({ max_mib }))
  }
}

interface ToStore {
  readonly checked: CheckedFile
  readonly settings: CheckSettings
  readonly fileName: string
  readonly bytes: Buffer
  readonly repeats: string | null
  readonly receivedOn: string | undefined
}

async function storeCheck(tx: TenantTx, check: ToStore, { by, at }: By): Promise<string> {
  const { checked, settings, fileName, bytes, repeats, receivedOn } = check
  const { report, mapping, supplier, fileHash, inputHash } = checked
  const { group_id: groupId, billing_period: billingPeriod } = report
  await store.lock(tx)
  await refuseBeyondLimits(tx)
  await store.saveFile(tx, { sha256: fileHash, bytes, at })
  const id = await store.insert(tx, {
    ...{ groupId, billingPeriod, repeats, fileName, fileHash, supplier, inputHash },
    content: { settings, mapping, report },
    ...{ by, at },
  })
  const issueDate = report.invoice.issue_date
  await openObjectionOf(tx, { groupId, billingPeriod, fileHash, fileName, receivedOn, issueDate }, { by, at })
  return id
}

const headOf = (row: store.CheckRow, reminderDays: number): CheckHead => ({
  id: row.id,
  group_id: row.group_id,
  group_name: row.group_name,
  billing_period: row.billing_period,
  repeats: row.repeats,
  file_name: row.file_name,
  file_sha256: row.file_sha256,
  format: row.format,
  supplier: row.supplier,
  invoice_number: row.invoice_number,
  agreeing: row.agreeing,
  differing: row.differing,
  undecidable: row.undecidable,
  claim_try: row.claim_try,
  is_stale: row.is_stale,
  created_at: row.created_at,
  created_by: row.created_by,
  objection_status: row.status,
  received_on: row.received_on,
  received_from: row.received_from,
  objection_days: row.objection_days,
  objection_due_on: row.due_on,
  objection_reminder_on: daysBefore(row.due_on, reminderDays),
})

export async function listChecks(tenant: TenantDb, { billing_period, ...query }: ChecksQuery) {
  const period = billing_period === undefined ? undefined : (parsePeriod(billing_period) ?? billing_period)
  const { items, total } = await store.list(tenant, query, period)
  const { objection_reminder_days: reminderDays } = await readSettings(tenant)
  return { items: items.map((row) => headOf(row, reminderDays)), total }
}

export const findRow = async (tenant: TenantDb, id: string): Promise<store.CheckRow> =>
  found('invoice check', await store.find(tenant, id))
export const findContent = async (tenant: TenantDb, id: string): Promise<StoredCheck> =>
  found('invoice check', await store.readContent(tenant, id))

/** A stored check with its report in a language. */
export async function findCheck(tenant: TenantDb, id: string, language: Language): Promise<Check> {
  const row = await findRow(tenant, id)
  const { report } = await findContent(tenant, id)
  const { objection_reminder_days: reminderDays } = await readSettings(tenant)
  return {
    ...headOf(row, reminderDays),
    input_hash: row.input_hash,
    report: reportResponse(report, language),
    steps: await listSteps(tenant, row.objection_id),
  }
}

/** Deletes a check; the file and the objection with the last check of the file. */
export async function deleteCheck(tx: TenantTx, id: string, at: number): Promise<void> {
  await store.lock(tx)
  found('invoice check', await store.remove(tx, id))
  await removeUnused(tx, at)
}

async function removeUnused(tx: TenantTx, at: number): Promise<void> {
  await removeUnusedObjections(tx, at)
  await store.removeUnusedFiles(tx)
}

/** Deletes the checks of a tenant that are older than INVOICE_CHECK_KEPT_YEARS. */
export async function clearOldChecks(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  tenantId: number,
): Promise<void> {
  const now = clock.now()
  const before = periodStart(addMonths(periodOf(now), -12 * INVOICE_CHECK_KEPT_YEARS)) - DAY_MS
  let removed: number
  do {
    removed = await inTenantTx(database.kysely, tenantId, async (tx) => {
      await store.lock(tx)
      const count = await store.removeBefore(tx, { before, limit: INVOICE_CHECKS_DELETED_AT_ONCE })
      if (count > 0) await removeUnused(tx, now)
      return count
    })
  } while (removed === INVOICE_CHECKS_DELETED_AT_ONCE)
}

/** The two checks of a comparison. 422 without an earlier one, and for checks of other groups and months. */
export async function findCompared(tenant: TenantDb, id: string, wanted: string | undefined) {
  const after = await findRow(tenant, id)
  const beforeId = wanted ?? after.repeats
  if (beforeId === null)
    throw unprocessable('BUSINESS_RULE_VIOLATION', INVOICE_TEXTS.INVOICE_NOTHING_TO_COMPARE(), {
      field: 'with',
    })
  const before = await findRow(tenant, beforeId)
  if (before.group_id !== after.group_id || before.billing_period !== after.billing_period)
    throw unprocessable('BUSINESS_RULE_VIOLATION', INVOICE_TEXTS.INVOICE_CHECKS_OF_OTHER_FILES(), {
      field: 'with',
    })
  return {
    before: { row: before, content: await findContent(tenant, before.id) },
    after: { row: after, content: await findContent(tenant, after.id) },
  }
}

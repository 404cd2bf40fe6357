import { sql } from 'kysely'
import type { BillingPeriod } from '../../../kernel/time.ts'
import type { SystemDb, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import type { ObjectionState } from '../alarms/index.ts'

export interface ObjectionKey {
  readonly groupId: string
  readonly billingPeriod: BillingPeriod
  readonly fileHash: string
}

interface NewObjection extends ObjectionKey {
  readonly fileName: string
  readonly receivedOn: string
  readonly receivedFrom: 'user' | 'invoice' | 'check'
  readonly days: number
  readonly dueOn: string
  readonly by: string
  readonly at: number
}

/** Opens the objection of a file; one that exists is unchanged, unless a user states the day of receipt. */
export async function open({ db, tenantId }: TenantTx, objection: NewObjection): Promise<string> {
  const term = {
    ...{ received_on: objection.receivedOn, received_from: objection.receivedFrom },
    ...{ objection_days: objection.days, due_on: objection.dueOn },
    ...{ updated_by: objection.by, updated_at: new Date(objection.at) },
  }
  const inserted = db
    .insertInto('invoice_objection')
    .values({
      ...{ tenant_id: tenantId, group_id: objection.groupId, billing_period: objection.billingPeriod },
      ...{ file_sha256: objection.fileHash, file_name: objection.fileName },
      ...term,
    })
    .onConflict((conflict) => {
      const key = conflict.columns(['tenant_id', 'group_id', 'billing_period', 'file_sha256'])
      return objection.receivedFrom === 'user' ? key.doUpdateSet(term) : key.doNothing()
    })
    .returning('id')
  return (await inserted.executeTakeFirst())?.id ?? (await findId({ db, tenantId }, objection))
}

async function findId(tenant: TenantDb, { groupId, billingPeriod, fileHash }: ObjectionKey): Promise<string> {
  const { id } = await selectRows(tenant, 'invoice_objection')
    .select('id')
    .where('group_id', '=', groupId)
    .where('billing_period', '=', billingPeriod)
    .where('file_sha256', '=', fileHash)
    .executeTakeFirstOrThrow()
  return id
}

interface Term {
  readonly receivedOn: string
  readonly receivedFrom: string
  readonly days: number
  readonly dueOn: string
}
interface By {
  readonly by: string
  readonly at: number
}

export const updateTerm = (tx: TenantTx, id: string, term: Term, { by, at }: By) =>
  updateRows(tx, 'invoice_objection')
    .set({
      ...{ received_on: term.receivedOn, received_from: term.receivedFrom, objection_days: term.days },
      ...{ due_on: term.dueOn, updated_by: by, updated_at: new Date(at) },
    })
    .where('id', '=', id)
    .execute()

export const updateStatus = (tx: TenantTx, id: string, status: string, { by, at }: By) =>
  updateRows(tx, 'invoice_objection')
    .set({ status, updated_by: by, updated_at: new Date(at) })
    .where('id', '=', id)
    .execute()

/** Locks an objection until the end of the transaction, and returns its status. */
export async function lockStatus(tx: TenantTx, id: string): Promise<string> {
  const { status } = await selectRows(tx, 'invoice_objection')
    .select('status')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return status
}

interface NewStep extends By {
  readonly seq: number
  readonly status: string
  readonly on: string
  readonly amountTry: string | null
  readonly note: string | null
}

export const insertStep = ({ db, tenantId }: TenantTx, objectionId: string, step: NewStep) =>
  db
    .insertInto('invoice_objection_step')
    .values({
      ...{
        tenant_id: tenantId,
        objection_id: objectionId,
        seq: step.seq,
        status: step.status,
        on_date: step.on,
      },
      ...{ amount_try: step.amountTry, note: step.note },
      ...{ created_by: step.by, created_at: new Date(step.at) },
    })
    .execute()

export const listSteps = (tenant: TenantDb, objectionId: string) =>
  selectRows(tenant, 'invoice_objection_step')
    .select(['id', 'status', 'on_date', 'amount_try', 'note', 'created_at', 'created_by'])
    .where('objection_id', '=', objectionId)
    .orderBy('seq')
    .execute()

/** Deletes the objections of files without a check; returns their ids with their groups and months. */
export async function removeUnused({ db, tenantId }: TenantTx) {
  const { rows } = await sql<{ id: string; group_id: string; billing_period: BillingPeriod }>`
    delete from invoice_objection o where o.tenant_id = ${tenantId} and not exists (
      select 1 from invoice_check c where c.tenant_id = ${tenantId} and c.group_id = o.group_id
        and c.billing_period = o.billing_period and c.file_sha256 = o.file_sha256)
    returning o.id, o.group_id, o.billing_period`.execute(db)
  return rows
}

/** The open objections of a tenant, or one objection, with the result of their latest check. */
export async function listStates({ db, tenantId }: TenantDb, id?: string): Promise<ObjectionState[]> {
  const wanted = id === undefined ? sql`o.status = 'open'` : sql`o.id = ${id}`
  const { rows } = await sql<ObjectionState>`
    select o.id, o.group_id as "groupId", o.billing_period as "billingPeriod", o.file_name as "fileName",
      o.due_on as "dueOn", o.status, c.invoice_number as "invoiceNumber", c.differing, c.claim_try as "claimTry"
    from invoice_objection o
    cross join lateral (
      select c.invoice_number, c.differing, c.claim_try from invoice_check c
      where c.tenant_id = ${tenantId} and c.group_id = o.group_id and c.billing_period = o.billing_period
        and c.file_sha256 = o.file_sha256
      order by c.created_at desc, c.id limit 1) c
    where o.tenant_id = ${tenantId} and ${wanted} order by o.due_on, o.id`.execute(db)
  return rows
}

/** The active tenants, by id. */
export async function listTenants(
  { db }: SystemDb,
  { after, limit }: { readonly after: number | undefined; readonly limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('tenant')
    .select('id')
    .where('is_active', '=', true)
    .where('id', '>', after ?? 0)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

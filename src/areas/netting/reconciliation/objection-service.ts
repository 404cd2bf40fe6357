import { decimalText } from '../../../kernel/decimal.ts'
import { conflict, unprocessable } from '../../../kernel/errors.ts'
import { DAY_MS, dayStart, localDate } from '../../../kernel/time.ts'
import { inTenantTx, type SystemDb, type TenantDb, type TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { applyNettingAlarms, objectionAlarm, objectionDeleted } from '../alarms/index.ts'
import { readSettings } from '../tenant-settings/index.ts'
import type { NewStep, UpdateObjection } from './check-schema.ts'
import type { CheckRow } from './check-store.ts'
import { OBJECTION_STEPS_MAX } from './limits.ts'
import { INVOICE_TEXTS } from './messages.ts'
import * as store from './objection-store.ts'

interface By {
  readonly by: string
  readonly at: number
}

/** The last day of a term of days after a date. */
export const lastDay = (receivedOn: string, days: number): string =>
  localDate(dayStart(receivedOn) + days * DAY_MS)

interface Receipt extends store.ObjectionKey {
  readonly fileName: string
  /** Stated by the user. */
  readonly receivedOn: string | undefined
  /** Date of the invoice. */
  readonly issueDate: string | null
}

/**
 * Opens the objection of a checked file. Without a stated day the date of the invoice counts: an invoice is not
 * received before it, so that the computed last day is not too late.
 */
export async function openObjectionOf(tx: TenantTx, receipt: Receipt, { by, at }: By): Promise<void> {
  const { objection_days: days } = await readSettings(tx)
  const { receivedOn: stated, issueDate } = receipt
  const receivedOn = stated ?? issueDate ?? localDate(at)
  const id = await store.open(tx, {
    ...receipt,
    receivedOn,
    receivedFrom: stated !== undefined ? 'user' : issueDate === null ? 'check' : 'invoice',
    days,
    dueOn: lastDay(receivedOn, days),
    by,
    at,
  })
  await refreshReminder(tx, id, at)
}

/** Opens, updates or closes the reminder of an objection. */
async function refreshReminder(tx: TenantTx, id: string, now: number): Promise<void> {
  const { objection_reminder_days: reminderDays } = await readSettings(tx)
  const states = await store.listStates(tx, id)
  await applyNettingAlarms(
    tx,
    states.map((state) => objectionAlarm(state, { reminderDays, now })),
    now,
  )
}

/** Changes the day of receipt or the days of an objection. */
export async function updateObjection(
  tx: TenantTx,
  check: CheckRow,
  { body, by, at }: By & { readonly body: UpdateObjection },
): Promise<void> {
  const receivedOn = body.received_on?.slice(0, 10) ?? check.received_on
  const days = body.objection_days ?? check.objection_days
  const receivedFrom = body.received_on === undefined ? check.received_from : 'user'
  await store.updateTerm(
    tx,
    check.objection_id,
    { receivedOn, receivedFrom, days, dueOn: lastDay(receivedOn, days) },
    { by, at },
  )
  await refreshReminder(tx, check.objection_id, at)
}

/** Records what happened with an objection. 409 for an answer to one that was not sent, and beyond the limit. */
export async function addStep(
  tx: TenantTx,
  { objection_id: id }: Pick<CheckRow, 'objection_id'>,
  { body, by, at }: By & { readonly body: NewStep },
): Promise<void> {
  const on = body.on.slice(0, 10)
  if (on > localDate(at))
    throw unprocessable('BUSINESS_RULE_VIOLATION', INVOICE_TEXTS.INVOICE_OBJECTION_DATE(), { field: 'on' })
  const status = await store.lockStatus(tx, id)
  if (body.status === 'answered' && status === 'open')
    throw conflict('STATE_CONFLICT', INVOICE_TEXTS.INVOICE_OBJECTION_NOT_SENT())
  const steps = await store.listSteps(tx, id)
  if (steps.length >= OBJECTION_STEPS_MAX)
    throw conflict('STATE_CONFLICT', INVOICE_TEXTS.INVOICE_OBJECTION_STEPS({ max: OBJECTION_STEPS_MAX }))
  const amountTry = body.amount_try === undefined ? null : decimalText(body.amount_try)
  await store.insertStep(tx, id, {
    seq: steps.length + 1,
    status: body.status,
    on,
    amountTry,
    note: body.note ?? null,
    by,
    at,
  })
  await store.updateStatus(tx, id, body.status, { by, at })
  await refreshReminder(tx, id, at)
}

export async function listSteps(tenant: TenantDb, objectionId: string) {
  const steps = await store.listSteps(tenant, objectionId)
  return steps.map(({ on_date, ...step }) => ({ ...step, on: on_date }))
}

/** Deletes the objections of files without a check, and closes their reminders. */
export async function removeUnusedObjections(tx: TenantTx, at: number): Promise<void> {
  const removed = await store.removeUnused(tx)
  const closed = removed.map(({ id, group_id: groupId, billing_period: billingPeriod }) =>
    objectionDeleted({ id, groupId, billingPeriod }),
  )
  await applyNettingAlarms(tx, closed, at)
}

/** Opens and closes the reminders of a tenant for the day of an instant. */
export const remindTenant = (deps: Pick<Deps, 'database'>, tenantId: number, now: number): Promise<void> =>
  inTenantTx(deps.database.kysely, tenantId, async (tx) => {
    const { objection_reminder_days: reminderDays } = await readSettings(tx)
    const states = await store.listStates(tx)
    await applyNettingAlarms(
      tx,
      states.map((state) => objectionAlarm(state, { reminderDays, now })),
      now,
    )
  })

/** The active tenants, whose reminders and old checks are looked after. */
export const listTenantsOfChecks = (
  db: SystemDb,
  page: { readonly after: number | undefined; readonly limit: number },
): Promise<number[]> => store.listTenants(db, page)

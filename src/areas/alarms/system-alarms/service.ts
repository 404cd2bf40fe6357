import { contentFields, type Message, textOf } from '../../../kernel/messages.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import { lockAlarms } from '../incidents/index.ts'
import { type Clear, isEmpty, type PlannedChange, planAlarms, type Raise } from './plan.ts'
import * as store from './store.ts'
import { FURTHER_POLICIES, SYSTEM_POLICIES } from './system-policies.ts'

/** An alarm condition that holds, with the content of its message. */
export type AlarmRaise = Omit<Raise, 'message'> & { readonly message: Message }
export type AlarmChange = (AlarmRaise & { readonly isOpen: true }) | (Clear & { readonly isOpen: false })

/** The column has the English text; the payload has the content, from which other languages are composed. */
const toPlanned = (change: AlarmChange): PlannedChange =>
  change.isOpen
    ? {
        ...change,
        message: textOf(change.message),
        payload: { ...change.payload, ...contentFields(change.message) },
      }
    : change

/**
 * Opens, updates and closes incidents so that they agree with the changes, in the given transaction.
 * Idempotent; without a difference it executes one query. When several writers process a cause concurrently,
 * only one of them opens the incident.
 */
export async function applyAlarms(
  tx: TenantTx,
  wanted: readonly AlarmChange[],
  { at }: { readonly at: number },
): Promise<void> {
  if (wanted.length === 0) return
  const changes = wanted.map(toPlanned)
  const before = planAlarms(changes, await store.readOpen(tx, changes, 'no lock'))
  if (isEmpty(before)) return
  await lockAlarms(tx)
  if (before.raises.length > 0) await store.createSystemPolicies(tx, policiesFor(before.raises))
  const plan = planAlarms(changes, await store.readOpen(tx, changes, 'lock'))
  await store.openIncidents(tx, plan.raises, at)
  await store.updateIncidents(tx, plan.updates, at)
  await store.closeIncidents(tx, plan.closes, at)
}

/** Returns the policies that every tenant has, and those of charging stations among the raised ones. */
const policiesFor = (raises: readonly Raise[]) => [
  ...SYSTEM_POLICIES,
  ...FURTHER_POLICIES.filter(({ name }) => raises.some(({ policy }) => policy === name)),
]

interface At {
  /** Epoch milliseconds. */
  readonly at: number
}

/** Opens the incident of a policy and cause, or updates the open one. */
export const raise = (tx: TenantTx, { at, ...change }: AlarmRaise & At): Promise<void> =>
  applyAlarms(tx, [{ ...change, isOpen: true }], { at })

/** Closes the open incident of a policy and cause, if there is one. */
export const clear = (tx: TenantTx, { at, ...change }: Clear & At): Promise<void> =>
  applyAlarms(tx, [{ ...change, isOpen: false }], { at })

/** Closes all open incidents of a subject that is no longer watched, for every policy. */
export async function clearSubject(
  tx: TenantTx,
  { subject, reason, at }: { readonly subject: string; readonly reason: Message } & At,
): Promise<void> {
  await lockAlarms(tx)
  const ids = await store.lockOpenOf(tx, subject)
  await store.closeIncidents(
    tx,
    ids.map((id) => ({ id, reason })),
    at,
  )
}

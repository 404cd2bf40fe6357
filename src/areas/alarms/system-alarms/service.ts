import type { TenantTx } from '../../../platform/db/tenant.ts'
import { lockAlarms } from '../incidents/index.ts'
import { type AlarmChange, type Clear, isEmpty, planAlarms, type Raise } from './plan.ts'
import * as store from './store.ts'
import { CHARGING_POLICIES, SYSTEM_POLICIES } from './system-policies.ts'

/**
 * Makes the open incidents say what the changes say, in the transaction given: opens, tells anew, closes. Repeating it
 * changes nothing, and where nothing changes it costs one reading. Of several writers of one cause one opens the
 * incident.
 */
export async function applyAlarms(
  tx: TenantTx,
  changes: readonly AlarmChange[],
  { at }: { readonly at: number },
): Promise<void> {
  if (changes.length === 0) return
  const before = planAlarms(changes, await store.readOpen(tx, changes, 'no lock'))
  if (isEmpty(before)) return
  await lockAlarms(tx)
  if (before.raises.length > 0) await store.createSystemPolicies(tx, policiesFor(before.raises))
  const plan = planAlarms(changes, await store.readOpen(tx, changes, 'lock'))
  await store.openIncidents(tx, plan.raises, at)
  await store.updateIncidents(tx, plan.updates, at)
  await store.closeIncidents(tx, plan.closes, at)
}

/** Those that every tenant has, and of those of charging stations the ones that are raised. */
const policiesFor = (raises: readonly Raise[]) => [
  ...SYSTEM_POLICIES,
  ...CHARGING_POLICIES.filter(({ name }) => raises.some(({ policy }) => policy === name)),
]

interface At {
  /** Epoch milliseconds. */
  readonly at: number
}

/** Opens the incident of a policy and cause, or tells the open one anew. */
export const raise = (tx: TenantTx, { at, ...change }: Raise & At): Promise<void> =>
  applyAlarms(tx, [{ ...change, isOpen: true }], { at })

/** Closes the open incident of a policy and cause, if there is one. */
export const clear = (tx: TenantTx, { at, ...change }: Clear & At): Promise<void> =>
  applyAlarms(tx, [{ ...change, isOpen: false }], { at })

/** Closes everything that is open about a subject that is no longer watched, whatever the policy. */
export async function clearSubject(
  tx: TenantTx,
  { subject, reason, at }: { readonly subject: string; readonly reason: string } & At,
): Promise<void> {
  await lockAlarms(tx)
  const ids = await store.lockOpenOf(tx, subject)
  await store.closeIncidents(
    tx,
    ids.map((id) => ({ id, reason })),
    at,
  )
}

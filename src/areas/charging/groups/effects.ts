import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { Ended } from '../commands/effect.ts'
import { findAsked, noteEnd } from './member-store.ts'
import { type Outcome, settle } from './plan.ts'
import * as store from './store.ts'

/** What a station said to its share; the group is looked at again at once. A charger that has left it has none. */
export async function endShare(tx: TenantTx, { command, now }: Ended): Promise<void> {
  const { charger_id: chargerId } = command
  const groupId = await store.findGroupOf(tx, chargerId)
  if (groupId === undefined || !(await store.lock(tx, groupId))) return
  const member = await findAsked(tx, chargerId, command.id)
  if (!member) return
  await noteEnd(tx, chargerId, settle(member, command.state as Outcome, now.getTime()))
  await store.setDue(tx, groupId, now)
}

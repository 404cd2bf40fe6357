import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { SetChargingProfile } from '../charging-profiles/index.ts'
import type { EndedCommand } from '../commands/index.ts'
import { PROFILE_NUMBER_FIRST } from '../limits.ts'
import { findByCommand, setSettled } from './member-store.ts'
import { type CommandEndState, settleMember } from './plan.ts'
import * as store from './store.ts'

/**
 * Whether a `set_charging_profile` carries the share of a group, and not a profile of the table
 * `charging_profile`.
 */
export const isShareCommand = ({ command }: EndedCommand): boolean =>
  (command.request as SetChargingProfile).profile.profile_number < PROFILE_NUMBER_FIRST

/**
 * Applies the end of the command that sent a share, and makes the group due. Does nothing where the charger
 * has left the group.
 */
export async function settleShare(tx: TenantTx, { command, now }: EndedCommand): Promise<void> {
  const { charger_id: chargerId } = command
  const groupId = await store.findGroupOf(tx, chargerId)
  if (groupId === undefined || !(await store.lock(tx, groupId))) return
  const member = await findByCommand(tx, chargerId, command.id)
  if (!member) return
  await setSettled(tx, chargerId, settleMember(member, command.state as CommandEndState, now.getTime()))
  await store.setDue(tx, groupId, now)
}

import { AppError } from '../../../kernel/errors.ts'
import { inTenantTx, type TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { enqueueCommand } from '../commands/index.ts'
import { GROUP_AGAIN_MS, GROUP_BY_NEED_EVERY_MS, GROUPS_AT_ONCE, SHARE_COMMAND_MAX_MS } from '../limits.ts'
import { setRequested } from './member-store.ts'
import { type KnownMember, readMembers } from './members.ts'
import { exposureOf, type Plan, planShares } from './plan.ts'
import { toChargingProfile } from './share-profile.ts'
import * as store from './store.ts'

type BalanceDeps = Pick<Deps, 'database' | 'clock' | 'log' | 'bus'>

/**
 * Enqueues the profile of a share; before the first one, the profiles that others have sent are cleared.
 * False when too many commands are open.
 */
async function sendShare(
  tx: TenantTx,
  { row }: KnownMember,
  { profile, isRaise }: Plan['requests'][number],
  now: Date,
): Promise<boolean> {
  const common = {
    charger: { chargerId: row.charger_id },
    requestedBy: null,
    now,
    timeoutMs: SHARE_COMMAND_MAX_MS,
  }
  try {
    if (row.accepted_profile === null) {
      const request = { purpose: 'charge_point_max' }
      await enqueueCommand(tx, { ...common, action: 'clear_charging_profile', request })
    }
    const request = toChargingProfile(profile, row)
    const command = await enqueueCommand(tx, { ...common, action: 'set_charging_profile', request })
    await setRequested(tx, row.charger_id, {
      profile,
      commandId: command.id,
      raisedAt: isRaise ? now : null,
    })
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/** Removes members that are out of service and may draw nothing any more. */
async function removeRetired(tx: TenantTx, known: readonly KnownMember[], now: Date) {
  const isRetired = ({ row, member }: KnownMember) =>
    row.is_removed && exposureOf(member, now.getTime()) === 0
  const retired = known.filter(isRetired).map(({ row }) => row.charger_id)
  if (retired.length > 0) await store.removeMembers(tx, retired)
  return known.filter((one) => !isRetired(one))
}

/**
 * Balances one group under its lock, unless another process has it. Returns the chargers with new commands.
 */
async function balanceGroup(deps: BalanceDeps, { tenantId, id }: store.GroupKey): Promise<readonly string[]> {
  const now = new Date(deps.clock.now())
  return inTenantTx(deps.database.kysely, tenantId, async (tx) => {
    const group = await store.lockDue(tx, id, now)
    if (!group) return []
    const known = await removeRetired(tx, await readMembers(tx, group, now), now)
    const { requests } = planShares({
      limitW: group.limit_w,
      minW: group.min_w_per_connector,
      members: known.map(({ member }) => member),
      now: now.getTime(),
    })
    const notified: string[] = []
    for (const request of requests) {
      const one = known.find(({ row }) => row.charger_id === request.chargerId)
      if (one && (await sendShare(tx, one, request, now))) notified.push(request.chargerId)
    }
    const againMs = group.split === 'by_need' ? GROUP_BY_NEED_EVERY_MS : GROUP_AGAIN_MS
    await store.setDue(tx, id, new Date(now.getTime() + againMs))
    return notified
  })
}

/**
 * Balances the power of due groups of the tenants, GROUPS_AT_ONCE at most. What changes the shares of a group makes it
 * due in its own transaction. The row lock of the group excludes other processes. The plan is in `plan.ts`.
 */
export async function balanceDueGroups(
  deps: BalanceDeps,
  tenantIds: readonly number[],
  isStopped: () => boolean,
): Promise<void> {
  const { database, clock, log, bus } = deps
  let remaining = GROUPS_AT_ONCE
  for (const tenantId of tenantIds) {
    if (remaining === 0) return
    const tenant = { db: database.kysely, tenantId }
    const due = await store.listDue(tenant, new Date(clock.now()), remaining)
    remaining -= due.length
    for (const group of due) {
      if (isStopped()) return
      try {
        for (const chargerId of await balanceGroup(deps, group))
          bus.emit('charger_command', { tenantId, chargerId })
      } catch (error) {
        log.warn(
          { reason: (error as Error).message, group: group.id },
          'the power of a charging group could not be balanced',
        )
      }
    }
  }
}

import { AppError } from '../../../kernel/errors.ts'
import type { Range } from '../../../kernel/time.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { listLockedOut, listLockedTimes, shareInterlock } from './interlock-store.ts'

/**
 * For whoever makes devices do something (commands, updates, starts of charging): 409 LOTO_LOCKED_OUT, with `device_ids`,
 * while people may be at work on one of them. Called in the transaction that puts the command down: a session that is
 * applied, and a lock that is placed, wait for its end, so that either the command comes first or is refused.
 */
export async function refuseLockedOut(tx: TenantTx, deviceIds: readonly string[]): Promise<void> {
  if (deviceIds.length === 0) return
  await shareInterlock(tx)
  const lockedOut = await listLockedOut(tx, deviceIds)
  if (lockedOut.length === 0) return
  const names = lockedOut.map(({ name }) => name).join(', ')
  throw new AppError(409, 'LOTO_LOCKED_OUT', `locked out, people may be at work on it: ${names}`, {
    extra: { device_ids: lockedOut.map(({ id }) => id) },
    shape: 'extended',
  })
}

/** Those of the devices that are locked out now, by id; of the whole tenant where none are named. */
export const lockedOutDevices = async (
  db: TenantDb,
  deviceIds?: readonly string[],
): Promise<ReadonlySet<string>> => new Set((await listLockedOut(db, deviceIds)).map(({ id }) => id))

/** When any of the devices was locked out within a span: what is waited for from a device does not count meanwhile. */
export const lockedOutTimes = async (
  db: TenantDb,
  deviceIds: readonly string[],
  span: Range,
): Promise<Range[]> => (deviceIds.length === 0 ? [] : listLockedTimes(db, deviceIds, span))

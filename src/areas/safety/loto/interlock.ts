/**
 * LOTO interlock: no command reaches a device while people may be at work on it.
 *
 * Purpose. A device is locked out while one of its isolation points is in an applied session, or a personal
 * lock hangs there. Meanwhile commands, firmware updates and remote starts of charging are refused. Without
 * mutual exclusion a command could be accepted between the check and the application of a session, and run
 * while people rely on the isolation.
 *
 * Mechanism. A readers-writer lock: one advisory lock per tenant, held until the end of the transaction.
 * - Commands share it (shareInterlock): refuseLockedOut() is called in the transaction that stores the
 *   command, checks the devices and throws 409 LOTO_LOCKED_OUT.
 * - Applying a session and placing a lock hold it exclusively (lockInterlock). They wait for running commands
 *   to commit, and later commands see the locked-out device. Either the command was accepted before, or it is
 *   refused.
 *
 * Lock order: the interlock first, then the session, then its points and locks.
 *
 * Modes. refuseLockedOut() is for writers. lockedOutDevices() is a plain read, for example to suppress alarms
 * of silence. lockedOutTimes() returns past times, which do not count where something is awaited from a
 * device.
 *
 * Trade-offs. One lock per tenant, not one per device: an update may address thousands of devices, and
 * PostgreSQL's lock table is small. Commands of a tenant do not wait for each other, only for sessions being
 * applied. Meters are read before the exclusive lock is taken, since a waiting transaction must not need a
 * second connection. Releasing a session or removing a lock needs no interlock: it only permits more.
 * Configuration pushes and pairing are not commands and are not refused.
 *
 * See docs/understand/loto.md and ADR 0036.
 */
import { AppError } from '../../../kernel/errors.ts'
import type { Range } from '../../../kernel/time.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { listLockedOut, listLockedTimes, shareInterlock } from './interlock-store.ts'
import { LOTO_TEXTS } from './messages.ts'

/**
 * Throws 409 LOTO_LOCKED_OUT with `device_ids` while one of the devices is locked out. Every command, update
 * and start of charging calls it in the transaction that stores the command.
 */
export async function refuseLockedOut(tx: TenantTx, deviceIds: readonly string[]): Promise<void> {
  if (deviceIds.length === 0) return
  await shareInterlock(tx)
  const lockedOut = await listLockedOut(tx, deviceIds)
  if (lockedOut.length === 0) return
  const names = lockedOut.map(({ name }) => name)
  throw new AppError(409, 'LOTO_LOCKED_OUT', LOTO_TEXTS.LOTO_IN_PROGRESS({ names }), {
    extra: { device_ids: lockedOut.map(({ id }) => id) },
    shape: 'extended',
  })
}

/** Returns the ids of the devices that are locked out now, among `deviceIds` or in the whole tenant. */
export const lockedOutDevices = async (
  db: TenantDb,
  deviceIds?: readonly string[],
): Promise<ReadonlySet<string>> => new Set((await listLockedOut(db, deviceIds)).map(({ id }) => id))

/**
 * Returns the ranges within a span in which any of the devices was locked out. Deadlines of a device do not
 * run in these ranges.
 */
export const lockedOutTimes = async (
  db: TenantDb,
  deviceIds: readonly string[],
  span: Range,
): Promise<Range[]> => (deviceIds.length === 0 ? [] : listLockedTimes(db, deviceIds, span))

import { AppError, conflict, found, invalidReference, notFound } from '../../../../kernel/errors.ts'
import type { TenantTx } from '../../../../platform/db/tenant.ts'
import type { Principal } from '../../../../platform/http/app-type.ts'
import { invalidInput } from '../../../../platform/http/validation.ts'
import { lockInterlock } from '../interlock-store.ts'
import { LOTO_LOCKS_MAX } from '../limits.ts'
import { LOTO_TEXTS } from '../messages.ts'
import type { PlaceLotoLock } from '../sessions/schema.ts'
import { requireTransition } from '../sessions/states.ts'
import * as sessions from '../sessions/store.ts'
import * as trail from '../sessions/trail-store.ts'
import { LOCK_TRANSITIONS, lockAfter, lockStatus } from './states.ts'
import * as locks from './store.ts'

interface LockAction {
  readonly principal: Pick<Principal, 'id' | 'permissions'>
  readonly now: Date
}

/**
 * Records the caller's personal lock at a point. 422 for an unknown session or point, 409 for a second lock
 * of the caller at the same point.
 */
export async function placeLock(tx: TenantTx, body: PlaceLotoLock, { principal, now }: LockAction) {
  const { session_id, point_id } = body
  await lockInterlock(tx)
  const session = await sessions.lock(tx, session_id)
  if (!session) throw invalidReference('session_id')
  if (!(await locks.hasPoint(tx, session_id, point_id))) throw invalidReference('point_id')
  requireTransition('lock', session.status)
  if ((await locks.countAll(tx, session_id)) >= LOTO_LOCKS_MAX) {
    throw conflict('STATE_CONFLICT', LOTO_TEXTS.LOTO_LOCK_LIMIT_REACHED({ max: LOTO_LOCKS_MAX }))
  }
  const lock = await locks.insertLock(tx, {
    session_id,
    point_id,
    lock_number: body.lock_number == null ? null : String(body.lock_number),
    owner_id: principal.id,
    owner_name: await trail.readName(tx, principal.id),
    placed_at: now,
  })
  await trail.append(tx, session.id, {
    type: 'lock_placed',
    at: now,
    byUser: principal.id,
    details: { lock_id: lock.id, point_id: lock.point_id, lock_number: lock.lock_number },
  })
  return lock
}

/**
 * Removes a lock. Its owner may always remove it; another user needs manage:loto_override (403
 * LOTO_NOT_LOCK_OWNER) and a reason (422). 404 for a lock that is unknown or already removed.
 */
export async function removeLock(
  tx: TenantTx,
  id: string,
  { principal, now, reason }: LockAction & { readonly reason: string | null },
): Promise<void> {
  const lock = found('LOTO lock', await locks.lock(tx, id))
  const isForced = lock.owner_id !== principal.id
  const transition = isForced ? 'force' : 'remove'
  // A lock that was removed before is answered like an unknown one.
  if (lockAfter(transition, lockStatus(lock)) === undefined) throw notFound('LOTO lock')
  if (isForced && !principal.permissions.has('manage:loto_override')) {
    throw new AppError(403, 'LOTO_NOT_LOCK_OWNER', LOTO_TEXTS.LOTO_LOCK_OF_OTHER())
  }
  if (isForced && !reason) {
    throw invalidInput(['body', 'reason'], LOTO_TEXTS.LOTO_REASON_NEEDED())
  }
  await locks.remove(tx, id, {
    removed_at: now,
    removed_by: principal.id,
    removed_by_name: await trail.readName(tx, principal.id),
    is_forced: isForced,
    removal_reason: reason,
  })
  await trail.append(tx, lock.session_id, {
    type: LOCK_TRANSITIONS[transition].event,
    at: now,
    byUser: principal.id,
    details: {
      lock_id: lock.id,
      point_id: lock.point_id,
      lock_number: lock.lock_number,
      ...(isForced && { owner_id: lock.owner_id, owner_name: lock.owner_name }),
      ...(reason && { reason }),
    },
  })
}

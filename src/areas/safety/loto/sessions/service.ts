import { AppError, conflict, found, invalidReference } from '../../../../kernel/errors.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import * as locks from '../locks/store.ts'
import { LOTO_TEXTS } from '../messages.ts'
import * as points from '../points/store.ts'
import type { CreateLotoSession, UpdateLotoSession } from './schema.ts'
import { requireTransition } from './states.ts'
import * as sessions from './store.ts'
import * as trail from './trail-store.ts'

const RESOURCE = 'LOTO session'

/** The caller of a transition, with time and note. */
export interface SessionAction {
  readonly userId: string
  readonly now: Date
  /** A note, which is stored in the audit trail. */
  readonly note?: string | null | undefined
}

const noteOf = ({ note }: SessionAction) => (note ? { note } : {})

/** A session with its points and its locks; 404. */
export async function findSession(db: TenantDb, id: string) {
  const session = found(RESOURCE, await sessions.find(db, id))
  const rows = await sessions.listPoints(db, id)
  return {
    ...session,
    points: rows.map((row) => ({ id: row.id, ...row.picture, verification: row.verification })),
    locks: await locks.list(db, id),
  }
}
export type SessionDetail = Awaited<ReturnType<typeof findSession>>

export async function listSessionEvents(
  db: TenantDb,
  id: string,
  slice: { readonly limit: number; readonly offset: number },
) {
  if (!(await sessions.exists(db, id))) found(RESOURCE, undefined)
  return trail.list(db, id, slice)
}

export const lockSession = async (tx: TenantTx, id: string) => found(RESOURCE, await sessions.lock(tx, id))

/**
 * Reads points without duplicates, in the order given, and locks them against changes until the transaction
 * ends. 422 for an unknown point.
 */
async function readPoints(tx: TenantTx, ids: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  if ((await points.share(tx, wanted)).length < wanted.length) throw invalidReference('point_ids')
  return wanted
}

export async function requestSession(tx: TenantTx, body: CreateLotoSession, action: SessionAction) {
  const pointIds = await readPoints(tx, body.point_ids)
  const { id } = await sessions.create(tx, { body, userId: action.userId, now: action.now })
  await sessions.setPoints(tx, id, pointIds)
  await trail.append(tx, id, {
    type: 'requested',
    at: action.now,
    byUser: action.userId,
    details: { title: body.title, reason: body.reason, point_ids: pointIds },
  })
  return findSession(tx, id)
}

/** Changes a pending session. Only its requester may, so that nobody approves their own changes. */
export async function changeSession(
  tx: TenantTx,
  id: string,
  { body, action }: { body: UpdateLotoSession; action: SessionAction },
) {
  const { title, reason, point_ids } = body
  const session = await lockSession(tx, id)
  if (session.requested_by !== action.userId) {
    throw new AppError(403, 'LOTO_NOT_REQUESTER', LOTO_TEXTS.LOTO_REQUESTER_ONLY())
  }
  const pointIds = point_ids && (await readPoints(tx, point_ids))
  requireTransition('change', session.status)
  const texts = { ...(title !== undefined && { title }), ...(reason !== undefined && { reason }) }
  if (Object.keys(texts).length === 0 && !pointIds) return findSession(tx, id)
  await sessions.change(tx, id, { ...texts, updated_at: action.now })
  if (pointIds) await sessions.setPoints(tx, id, pointIds)
  const details = { ...texts, ...(pointIds && { point_ids: pointIds }) }
  await trail.append(tx, id, { type: 'changed', at: action.now, byUser: action.userId, details })
  return findSession(tx, id)
}

/**
 * Approves a session. 403 LOTO_FOUR_EYES for its requester, whatever their permissions (four-eyes principle).
 * From now on the session has a snapshot of its points.
 */
export async function approveSession(tx: TenantTx, id: string, action: SessionAction) {
  const session = await lockSession(tx, id)
  const { userId, now } = action
  if (session.requested_by === userId) {
    throw new AppError(403, 'LOTO_FOUR_EYES', LOTO_TEXTS.LOTO_REQUESTER_APPROVES())
  }
  const status = requireTransition('approve', session.status)
  await sessions.snapshotPoints(tx, id)
  await sessions.change(tx, id, { status, approved_by: userId, approved_at: now, updated_at: now })
  await trail.append(tx, id, { type: 'approved', at: now, byUser: userId, details: noteOf(action) })
  return findSession(tx, id)
}

async function refuseWhileLocked(tx: TenantTx, id: string, done: string): Promise<void> {
  const left = await locks.countHanging(tx, id)
  if (left === 0) return
  throw conflict('LOTO_LOCKS_LEFT', LOTO_TEXTS.LOTO_LOCKS_HANGING({ done, count: left }))
}

/**
 * Rejects a session. An approval can be withdrawn in the same way while no lock is placed, also by the
 * requester.
 */
export async function rejectSession(
  tx: TenantTx,
  id: string,
  action: SessionAction & { readonly reason?: string | null | undefined },
) {
  const session = await lockSession(tx, id)
  const { userId, now, reason } = action
  const status = requireTransition('reject', session.status)
  await refuseWhileLocked(tx, id, 'rejected')
  await sessions.change(tx, id, { status, rejected_by: userId, rejected_at: now, updated_at: now })
  const details = { ...noteOf(action), ...(reason && { reason }) }
  await trail.append(tx, id, { type: 'rejected', at: now, byUser: userId, details })
  return findSession(tx, id)
}

/** Releases a session. 409 LOTO_LOCKS_LEFT while any lock is placed. */
export async function releaseSession(tx: TenantTx, id: string, action: SessionAction) {
  const session = await lockSession(tx, id)
  const { userId, now } = action
  const status = requireTransition('release', session.status)
  await refuseWhileLocked(tx, id, 'released')
  await sessions.releasePoints(tx, id)
  await sessions.change(tx, id, { status, released_by: userId, released_at: now, updated_at: now })
  await trail.append(tx, id, { type: 'released', at: now, byUser: userId, details: noteOf(action) })
  return findSession(tx, id)
}

import { conflict, found } from '../../../../kernel/errors.ts'
import { changes } from '../../../../platform/db/columns.ts'
import { requireReferences } from '../../../../platform/db/references.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { LOTO_TEXTS } from '../messages.ts'
import type { CreateLotoPoint, UpdateLotoPoint } from './schema.ts'
import * as points from './store.ts'

const RESOURCE = 'LOTO point'

export const findPoint = async (db: TenantDb, id: string) => found(RESOURCE, await points.find(db, id))

const requireLocation = (tx: TenantTx, { subregion_id, device_id }: UpdateLotoPoint) =>
  requireReferences(tx, [
    ['subregion_id', 'subregion', subregion_id],
    ['device_id', 'device', device_id],
  ])

/** Creates a point. 422 for an unknown subregion or device, 409 for a name that exists. */
export async function createPoint(tx: TenantTx, body: CreateLotoPoint, now: Date) {
  await requireLocation(tx, body)
  return points.create(tx, body, now)
}

/** A point of an open session must not change, because the session was requested or approved as it was. */
async function lockUnused(tx: TenantTx, id: string): Promise<void> {
  found(RESOURCE, await points.lock(tx, id))
  const title = await points.openSessionOf(tx, id)
  if (title === undefined) return
  throw conflict('LOTO_POINT_IN_USE', LOTO_TEXTS.LOTO_POINT_IN_SESSION({ title }))
}

/** Updates a point. 404; 409 LOTO_POINT_IN_USE while an open session contains it. */
export async function updatePoint(tx: TenantTx, id: string, change: { body: UpdateLotoPoint; now: Date }) {
  const { body, now } = change
  await findPoint(tx, id)
  await requireLocation(tx, body)
  if (!changes(body, points.WRITABLE)) return findPoint(tx, id)
  await lockUnused(tx, id)
  return found(RESOURCE, await points.update(tx, id, body, now))
}

/** Deletes a point, with the errors of an update. Ended sessions keep a snapshot of it. */
export async function deletePoint(tx: TenantTx, id: string, now: Date): Promise<void> {
  await lockUnused(tx, id)
  await points.remove(tx, id, now)
}

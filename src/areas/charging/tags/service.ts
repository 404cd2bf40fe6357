import { found, invalidReference, unprocessable } from '../../../kernel/errors.ts'
import { parseInstant } from '../../../kernel/time.ts'
import { insertable } from '../../../platform/db/columns.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import { ID_TAG_DEPTH_MAX } from '../limits.ts'
import { CHARGING_TEXTS } from '../messages.ts'
import type { CreateIdTag, UpdateIdTag } from './schema.ts'
import * as store from './store.ts'

const writable = ['tag', 'name', 'status', 'parent_id', 'allows_concurrent'] as const

function columnsOf(body: UpdateIdTag) {
  const { expires_at } = body
  if (expires_at === undefined) return insertable(body, writable)
  const at = expires_at === null ? undefined : parseInstant(expires_at)?.at
  return { ...insertable(body, writable), expires_at: at === undefined ? null : new Date(at) }
}

async function checkParent(tx: TenantTx, id: string | undefined, parentId: string | null | undefined) {
  if (!parentId) return
  await store.lockGroups(tx)
  const line = await store.groupsAbove(tx, parentId)
  if (line.length === 0) throw invalidReference('parent_id')
  if (id !== undefined && line.includes(id)) {
    const message = CHARGING_TEXTS.TAG_GROUP_OF_ITSELF()
    throw unprocessable('BUSINESS_RULE_VIOLATION', message, { field: 'parent_id' })
  }
  const below = id === undefined ? 0 : await store.levelsBelow(tx, id)
  if (line.length + below > ID_TAG_DEPTH_MAX) {
    const message = CHARGING_TEXTS.TAG_LEVELS_EXCEEDED({ max: ID_TAG_DEPTH_MAX })
    throw unprocessable('BUSINESS_RULE_VIOLATION', message, { field: 'parent_id' })
  }
}

/** Creates a tag and returns its id. 409 for a tag that exists, 422 for an unknown group. */
export async function createIdTag(tx: TenantTx, body: CreateIdTag, now: Date): Promise<string> {
  await checkParent(tx, undefined, body.parent_id)
  const { id } = await store.create(tx, { ...columnsOf(body), tag: body.tag }, now)
  return id
}

/** Updates a tag. 404 when unknown, 422 for a group that would contain itself. */
export async function updateIdTag(tx: TenantTx, id: string, body: UpdateIdTag, now: Date): Promise<void> {
  const before = found('id tag', await store.find(tx, id))
  await checkParent(tx, before.id, body.parent_id)
  const set = columnsOf(body)
  if (Object.keys(set).length > 0) await store.update(tx, before.id, set, now)
}

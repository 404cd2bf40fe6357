import { conflict, invalidReference } from '../../../kernel/errors.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { enqueueCommand } from '../commands/index.ts'
import { CHARGING_TEXTS } from '../messages.ts'
import { requireCharger } from '../registry/index.ts'
import type { SendLocalList } from './entries.ts'
import type { ChooseTags } from './schema.ts'
import * as store from './store.ts'
import { sendNextPart } from './sync.ts'

export interface Caller {
  readonly userId: string
  readonly now: Date
}

/** The list of a station as far as it is known; 404 for an unknown charger. */
export async function findList(db: TenantDb, chargerId: string) {
  const charger = await requireCharger(db, chargerId)
  const list = await store.find(db, charger.id)
  return {
    charger_id: charger.id,
    is_chosen: list?.is_chosen ?? false,
    tag_ids: await store.listChosen(db, charger.id),
    state: list?.state ?? ('never_sent' as const),
    reason: list?.reason ?? null,
    version: await store.findVersion(db, charger.id),
    is_uncertain: list?.is_uncertain ?? false,
    entries: Object.values(list?.held ?? {}),
    command_id: list?.command_id ?? null,
    synced_at: list?.synced_at ?? null,
  }
}

/** Chooses the tags of a list. The station gets them with the next sync. 422 for an unknown tag. */
export async function chooseTags(tx: TenantTx, chargerId: string, { tag_ids }: ChooseTags, now: Date) {
  const charger = await requireCharger(tx, chargerId)
  await store.lock(tx, charger.id, now)
  const ids = [...new Set((tag_ids ?? []).map((id) => id.toLowerCase()))]
  if (!(await store.replaceChosen(tx, charger.id, ids))) throw invalidReference('tag_ids')
  await store.update(tx, charger.id, { is_chosen: tag_ids !== null, updated_at: now })
  return findList(tx, charger.id)
}

/** Starts to send what has changed, part by part. 409 STATE_CONFLICT while a part is on its way. */
export async function syncList(
  tx: TenantTx,
  chargerId: string,
  { mode, caller }: { readonly mode: SendLocalList['mode']; readonly caller: Caller },
) {
  const charger = await requireCharger(tx, chargerId)
  const list = await store.lock(tx, charger.id, caller.now)
  if (list.state === 'syncing') throw conflict('STATE_CONFLICT', CHARGING_TEXTS.LOCAL_LIST_SYNCING())
  const isFull = mode === 'full' || list.is_uncertain || list.synced_at === null
  await sendNextPart(tx, charger, list, {
    mode: isFull ? 'full' : 'differential',
    requestedBy: caller.userId,
    now: caller.now,
  })
  return findList(tx, charger.id)
}

/** Requests the version of the list from a station. */
export async function requestVersion(tx: TenantTx, chargerId: string, { userId, now }: Caller) {
  const charger = await requireCharger(tx, chargerId)
  return enqueueCommand(tx, {
    charger: { chargerId: charger.id },
    action: 'get_local_list_version',
    request: {},
    requestedBy: userId,
    now,
  })
}

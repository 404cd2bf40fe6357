import { conflict } from '../../../kernel/errors.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { enqueueCommand } from '../commands/index.ts'
import { ID_TAG_LENGTH_16, LOCAL_LIST_ENTRIES_MAX, LOCAL_LIST_PART, LOCAL_LIST_WAIT_MS } from '../limits.ts'
import { CHARGING_TEXTS } from '../messages.ts'
import type { KnownCharger } from '../registry/index.ts'
import { type ListEntry, nextPart, type SendLocalList } from './entries.ts'
import * as store from './store.ts'

/** The wanted entries. Tags that are too long for its version of OCPP are left out. */
async function readWanted(db: TenantDb, charger: KnownCharger, isChosen: boolean, now: Date) {
  const tags = await store.readTags(db, charger.id, isChosen)
  const fits = (text: string | null) => charger.version !== '1.6' || (text?.length ?? 0) <= ID_TAG_LENGTH_16
  return tags
    .filter(({ tag, parent_tag }) => fits(tag) && fits(parent_tag))
    .map(({ tag, parent_tag, is_blocked, expires_at }): ListEntry => {
      const isOver = expires_at !== null && expires_at <= now
      return {
        id_tag: tag,
        status: is_blocked ? 'blocked' : isOver ? 'expired' : 'accepted',
        parent_tag,
        expires_at: expires_at?.toISOString() ?? null,
      }
    })
}

interface PartOptions {
  readonly mode: SendLocalList['mode']
  readonly requestedBy: string | null
  readonly now: Date
}

/**
 * Enqueues the next part of a locked list; without one, the list is synced. 409 LOCAL_LIST_TOO_LONG when the
 * station cannot hold all tags.
 */
export async function sendNextPart(
  tx: TenantTx,
  charger: KnownCharger,
  list: Pick<store.ListRow, 'held' | 'is_chosen' | 'sent_version'>,
  { mode, requestedBy, now }: PartOptions,
): Promise<void> {
  const sizes = await store.readSizes(tx, charger.id)
  const wanted = await readWanted(tx, charger, list.is_chosen, now)
  const max = Math.min(LOCAL_LIST_ENTRIES_MAX, sizes.whole ?? LOCAL_LIST_ENTRIES_MAX)
  if (wanted.length > max) throw conflict('LOCAL_LIST_TOO_LONG', CHARGING_TEXTS.LOCAL_LIST_CAPACITY({ max }))
  const part = nextPart(list.held, wanted, { mode, max: sizes.piece ?? LOCAL_LIST_PART })
  if (!part) {
    await store.update(tx, charger.id, {
      state: 'synced',
      reason: null,
      is_uncertain: false,
      synced_at: now,
      updated_at: now,
    })
    return
  }
  const known = await store.findVersion(tx, charger.id)
  const version = Math.max(known ?? 0, list.sent_version, 0) + 1
  const request: SendLocalList = { ...part, version }
  const command = await enqueueCommand(tx, {
    charger: { chargerId: charger.id },
    action: 'send_local_list',
    request,
    requestedBy,
    now,
    timeoutMs: LOCAL_LIST_WAIT_MS,
  })
  await store.update(tx, charger.id, {
    state: 'syncing',
    reason: null,
    command_id: command.id,
    sent_version: version,
    updated_at: now,
  })
}

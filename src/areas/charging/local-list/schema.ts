import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable, OneOf, Word } from '../../../platform/http/fields.ts'
import { LOCAL_LIST_ENTRIES_MAX } from '../limits.ts'

export const LIST_STATES = ['never_sent', 'syncing', 'synced', 'failed', 'not_supported'] as const
export type ListState = (typeof LIST_STATES)[number]
const MODES = ['full', 'differential'] as const

const Entry = Type.Object({
  id_tag: Type.String({ description: 'As it was sent.' }),
  status: Word(['accepted', 'blocked', 'expired']),
  parent_tag: Nullable(Type.String({ description: 'The group of the tag.' })),
  expires_at: Nullable({ ...Instant, description: 'When it ends, its groups included.' }),
})

export const LocalList = Type.Object({
  charger_id: Id,
  is_chosen: Type.Boolean({ description: 'Only the chosen tags; otherwise all of the tenant.' }),
  tag_ids: Type.Array(Id, { description: 'The chosen tags.' }),
  state: { ...Word(LIST_STATES), description: 'Syncing while a piece of it is on its way.' },
  reason: Nullable(Type.String({ description: 'Why it failed, or is not certain.' })),
  version: Nullable(
    Type.Integer({ description: "Of the station's list, as far as it is known; 0: it is empty." }),
  ),
  is_uncertain: Type.Boolean({
    description: 'The station may hold something else than the entries; the next sync sends all of them.',
  }),
  entries: Type.Array(Entry, {
    description: `What the station has taken, at most ${LOCAL_LIST_ENTRIES_MAX}.`,
  }),
  command_id: Nullable({ ...Id, description: 'The command with the last piece.' }),
  synced_at: Nullable({ ...Instant, description: 'When it had last taken everything.' }),
})

export const ChooseTags = Type.Object({
  tag_ids: Nullable(
    Type.Array(Id, {
      maxItems: LOCAL_LIST_ENTRIES_MAX,
      description: 'The tags that the station is to know; null: all of the tenant.',
    }),
  ),
})

export const SyncList = Type.Object({
  mode: {
    ...OneOf(MODES),
    default: 'differential' as const,
    description:
      'Differential: what has changed since the station last took something. Full: all of it, ' +
      'which is also sent when that is not certain.',
  },
})

export type ChooseTags = Static<typeof ChooseTags>

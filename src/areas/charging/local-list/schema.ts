import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable, OneOf, Word } from '../../../platform/http/fields.ts'
import { LOCAL_LIST_ENTRIES_MAX } from '../limits.ts'

export const LIST_STATES = ['never_sent', 'syncing', 'synced', 'failed', 'not_supported'] as const
export type ListState = (typeof LIST_STATES)[number]
const MODES = ['full', 'differential'] as const

const Entry = Type.Object({
  id_tag: Type.String({ description: 'Id tag as it was sent.' }),
  status: Word(['accepted', 'blocked', 'expired']),
  parent_tag: Nullable(Type.String({ description: 'Group of the tag.' })),
  expires_at: Nullable({ ...Instant, description: 'Expiry of the tag, including that of its groups.' }),
})

export const LocalList = Type.Object(
  {
    charger_id: Id,
    is_chosen: Type.Boolean({
      description: 'Whether only the chosen tags are synchronized; otherwise all tags of the tenant.',
    }),
    tag_ids: Type.Array(Id, { description: 'Chosen tags.' }),
    state: {
      ...Word(LIST_STATES),
      description: 'State of the local list; syncing while a part is being sent.',
    },
    reason: Nullable(Type.String({ description: 'Reason for a failed or uncertain state.' })),
    version: Nullable(
      Type.Integer({
        description: 'Version of the local list of the station, as far as it is known; 0: the list is empty.',
      }),
    ),
    is_uncertain: Type.Boolean({
      description:
        'Whether the list of the station may differ from the entries; the next sync then sends the full list.',
    }),
    entries: Type.Array(Entry, {
      description: `Entries accepted by the station, at most ${LOCAL_LIST_ENTRIES_MAX}.`,
    }),
    command_id: Nullable({ ...Id, description: 'Command with the last part.' }),
    synced_at: Nullable({ ...Instant, description: 'Time of the last complete sync.' }),
  },
  { title: 'LocalList' },
)

export const ChooseTags = Type.Object(
  {
    tag_ids: Nullable(
      Type.Array(Id, {
        maxItems: LOCAL_LIST_ENTRIES_MAX,
        description: 'Tags for the local list; null: all tags of the tenant.',
      }),
    ),
  },
  { title: 'ChooseLocalListTags' },
)

export const SyncList = Type.Object(
  {
    mode: {
      ...OneOf(MODES),
      default: 'differential' as const,
      description:
        'Differential: only changes since the last accepted part. Full: the whole list, which is also sent ' +
        'if the state of the station is uncertain.',
    },
  },
  { title: 'SyncLocalList' },
)

export type ChooseTags = Static<typeof ChooseTags>

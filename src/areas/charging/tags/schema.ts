import { type Static, Type } from 'typebox'
import { Id, Instant, InstantIn, Nullable, OneOf, Text, Word } from '../../../platform/http/fields.ts'
import { PageQuery } from '../../../platform/http/page.ts'
import { ID_TAG_LENGTH_MAX } from '../limits.ts'

const STATUSES = ['accepted', 'blocked'] as const

const Tag = Type.String({
  pattern: `^[!-~](?:[ -~]{0,${ID_TAG_LENGTH_MAX - 2}}[!-~])?$`,
  description:
    'What the station reads; at most 20 characters in OCPP 1.6. Unique in the tenant, whatever the case.',
})
const Name = Type.String({ maxLength: 200, description: 'Whose it is.' })
const Status = {
  ...OneOf(STATUSES),
  description: 'A blocked tag, or one whose group is blocked, does not charge.',
}
const Parent = Nullable({
  ...Id,
  description:
    "Its group, which is a tag too: tags of one group may end each other's sessions and use each other's reservations.",
})
const Concurrent = Type.Boolean({ description: 'May have several sessions at once; false when absent.' })

export const IdTag = Type.Object({
  id: Id,
  tag: Type.String({ description: 'What the station reads.' }),
  name: Nullable(Type.String()),
  status: Word(STATUSES),
  parent_id: Parent,
  parent_tag: Nullable(Type.String({ description: 'The tag of its group.' })),
  expires_at: Nullable({
    ...Instant,
    description: 'It does not charge from then on; nor do the tags of its group.',
  }),
  allows_concurrent: Concurrent,
  created_at: Instant,
  updated_at: Instant,
})

export const CreateIdTag = Type.Object({
  tag: Tag,
  name: Type.Optional(Nullable(Name)),
  status: Type.Optional(Status),
  parent_id: Type.Optional(Parent),
  expires_at: Type.Optional(Nullable({ ...InstantIn, description: 'Without an offset Turkey-local.' })),
  allows_concurrent: Type.Optional(Concurrent),
})
/** Omitted fields are unchanged; null clears. */
export const UpdateIdTag = Type.Partial(CreateIdTag)

export const IdTagQuery = Type.Object({
  ...PageQuery(['created_at', 'tag', 'name', 'expires_at']),
  tag: Type.Optional({ ...Text(ID_TAG_LENGTH_MAX), description: 'The whole tag, whatever the case.' }),
  status: Type.Optional(OneOf(STATUSES)),
  parent_id: Type.Optional({ ...Id, description: 'The members of this group.' }),
  search: Type.Optional({ ...Text(100), description: 'A part of the tag or name, whatever the case.' }),
})

export type CreateIdTag = Static<typeof CreateIdTag>
export type UpdateIdTag = Static<typeof UpdateIdTag>
export type IdTagQuery = Static<typeof IdTagQuery>

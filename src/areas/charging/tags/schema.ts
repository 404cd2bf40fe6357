import { type Static, Type } from 'typebox'
import { Id, Instant, InstantIn, Nullable, OneOf, Text, Word } from '../../../platform/http/fields.ts'
import { PageQuery, Search } from '../../../platform/http/page.ts'
import { ID_TAG_LENGTH_MAX } from '../limits.ts'

const STATUSES = ['accepted', 'blocked'] as const

const Tag = Type.String({
  pattern: `^[!-~](?:[ -~]{0,${ID_TAG_LENGTH_MAX - 2}}[!-~])?$`,
  description:
    'Id tag as read by the station; at most 20 characters in OCPP 1.6. Unique in the tenant, ' +
    'case-insensitive.',
})
const Name = Type.String({ maxLength: 200, description: 'Name of the holder of the tag.' })
const Status = {
  ...OneOf(STATUSES),
  description: 'Status; a blocked tag, or a tag of a blocked group, cannot charge.',
}
const Parent = Nullable({
  ...Id,
  description:
    "Group of the tag, which is itself a tag: tags of one group may end each other's sessions and use " +
    "each other's reservations.",
})
const Concurrent = Type.Boolean({
  description: 'Whether the tag may have several sessions at the same time. Default: false.',
})

export const IdTag = Type.Object(
  {
    id: Id,
    tag: Type.String({ description: 'Id tag as read by the station.' }),
    name: Nullable(Type.String()),
    status: Word(STATUSES),
    parent_id: Parent,
    parent_tag: Nullable(Type.String({ description: 'Tag of the group.' })),
    expires_at: Nullable({
      ...Instant,
      description:
        'Expiry of the tag; afterwards it cannot charge. The expiry of a group applies to its tags.',
    }),
    allows_concurrent: Concurrent,
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'IdTag' },
)

export const CreateIdTag = Type.Object(
  {
    tag: Tag,
    name: Type.Optional(Nullable(Name)),
    status: Type.Optional(Status),
    parent_id: Type.Optional(Parent),
    expires_at: Type.Optional(
      Nullable({ ...InstantIn, description: 'Expiry of the tag; Turkey-local without an offset.' }),
    ),
    allows_concurrent: Type.Optional(Concurrent),
  },
  { title: 'CreateIdTag' },
)
/** Omitted fields are unchanged; null clears. */
export const UpdateIdTag = Type.Partial(CreateIdTag, { title: 'UpdateIdTag' })

export const IdTagQuery = Type.Object({
  ...PageQuery(['created_at', 'tag', 'name', 'expires_at']),
  tag: Type.Optional({ ...Text(ID_TAG_LENGTH_MAX), description: 'Exact tag, case-insensitive.' }),
  status: Type.Optional(OneOf(STATUSES)),
  parent_id: Type.Optional({ ...Id, description: 'Only members of this group.' }),
  search: Search('tag and name'),
})

export type CreateIdTag = Static<typeof CreateIdTag>
export type UpdateIdTag = Static<typeof UpdateIdTag>
export type IdTagQuery = Static<typeof IdTagQuery>

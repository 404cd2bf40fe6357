import { type Static, Type } from 'typebox'
import { described, Id, Instant, InstantIn, Nullable, OneOf, Word } from '../../../platform/http/fields.ts'
import { Page, PageQuery, Search } from '../../../platform/http/page.ts'
import { ReportOptionsQuery, type WithLocale } from '../../../platform/http/reports.ts'
import { CHANGE_REPORT_DAYS_MAX } from './limits.ts'
import { RESOURCE_TYPE_NAMES, type ResourceType } from './resource-types.ts'

/** Named, because it is in three operations and has many words. */
const CHANGED_RESOURCE_TYPE = { enum: [...RESOURCE_TYPE_NAMES], title: 'ChangedResourceType' }

const ACTOR_KINDS = ['user', 'anonymous', 'job', 'command', 'service'] as const
const ACTIONS = ['create', 'update', 'delete'] as const

const orNull = <T extends Type.TSchema>(schema: T, description: string) =>
  Nullable(described(schema, description))

const Value = Type.Unknown({
  description: 'The value as stored; {"omitted_characters": n} in place of one of over 4,000 characters.',
})

const ChangedField = Type.Object(
  {
    from: Type.Optional(Value),
    to: Type.Optional(Value),
    is_hidden: Type.Optional(
      Type.Literal(true, { description: 'The field is secret: only that it changed is recorded.' }),
    ),
  },
  { description: 'The old and the new value; absent where there was or is none.' },
)

const Change = Type.Object(
  {
    id: Type.String({
      description: 'Number of the record, ascending in the sequence of the changes of the tenant.',
    }),
    at: described(Instant, 'Time of the change.'),
    actor_kind: described(
      Word(ACTOR_KINDS),
      'user: a user, or a program with an API key (see api_key_id). anonymous: a request ' +
        'without a token, such as the acceptance of an invitation. job: a job of the service. command: the command ' +
        'line of the operator. service: messages of devices, and other work of the service.',
    ),
    user_id: orNull(Id, 'User who made the change, or the owner of the API key.'),
    user_email: orNull(
      Type.String(),
      'Current e-mail address of the user; null for users of other tenants (superusers) and deleted users.',
    ),
    api_key_id: orNull(Id, 'API key that was used.'),
    api_key_name: orNull(Type.String(), 'Current name of the API key; null if it was deleted.'),
    operation: orNull(Type.String(), 'Operation id of the API, name of the job, or the command.'),
    request_id: orNull(Type.String(), 'X-Request-Id of the request.'),
    ip: orNull(Type.String(), 'Address of the client.'),
    action: described(Word(ACTIONS), 'What happened to the resource.'),
    resource_type: described(Type.String(CHANGED_RESOURCE_TYPE), 'Type of the resource.'),
    resource_id: Type.String({
      description:
        'Id of the resource. Parts of another resource have its id, for example a user_role that of its user.',
    }),
    resource_name: orNull(Type.String(), 'Name of the resource after the change.'),
    changes: Type.Record(Type.String(), ChangedField, {
      description: 'The changed fields, by the names of the stored columns.',
    }),
  },
  { title: 'Change' },
)

const filters = {
  from: Type.Optional(described(InstantIn, 'Only changes at or after this time.')),
  to: Type.Optional(described(InstantIn, 'Only changes before this time.')),
  actor_kind: Type.Optional(described(OneOf(ACTOR_KINDS), 'Only changes by actors of this kind.')),
  user_id: Type.Optional(described(Id, 'Only changes by this user, with and without API keys.')),
  api_key_id: Type.Optional(described(Id, 'Only changes with this API key.')),
  operation: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only changes by this operation, job or command.' }),
  ),
  request_id: Type.Optional(
    Type.String({ maxLength: 128, description: 'Only changes of the request with this X-Request-Id.' }),
  ),
  action: Type.Optional(described(OneOf(ACTIONS), 'Only changes of this kind.')),
  resource_type: Type.Optional(
    described(
      Type.Unsafe<ResourceType>({ type: 'string', ...CHANGED_RESOURCE_TYPE }),
      'Only changes of resources of this type.',
    ),
  ),
  resource_id: Type.Optional(Type.String({ maxLength: 100, description: 'Only changes of this resource.' })),
  search: Search('name of the resource, e-mail address of the user, name of the API key, operation'),
}

export const ChangeQuery = Type.Object({ ...filters, ...PageQuery(['at']) })
export const ChangePage = Page(Change)

export const ChangeReportQuery = Type.Object({
  ...filters,
  from: described(InstantIn, 'Beginning of the range.'),
  to: described(
    InstantIn,
    `End of the range, exclusive; at most ${CHANGE_REPORT_DAYS_MAX} days after its beginning.`,
  ),
  ...ReportOptionsQuery,
})

export type ChangeFilters = Partial<
  Omit<Static<typeof ChangeQuery>, 'skip' | 'limit' | 'sort_by' | 'sort_order'>
>
export type ChangeQuery = Static<typeof ChangeQuery>
export type ChangeReportQuery = WithLocale<Static<typeof ChangeReportQuery>>

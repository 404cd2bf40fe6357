import { type Static, Type } from 'typebox'
import { described, Id, Instant, Nullable, OneOf } from '../../../platform/http/fields.ts'
import { PageQuery, Search } from '../../../platform/http/page.ts'

const STATUSES = ['queued', 'running', 'completed'] as const

export const TenantDeletion = Type.Object(
  {
    id: Id,
    tenant_id: described(Id, 'The tenant that is deleted.'),
    name: Type.String({ description: 'Name of the tenant at the request.' }),
    slug: Type.String({ description: 'Slug of the tenant; free again after the deletion.' }),
    status: described(
      OneOf(STATUSES),
      'queued: requested; running: rows are being deleted; completed: the tenant and all its rows are deleted.',
    ),
    requested_by: described(Id, 'The superuser who requested the deletion.'),
    requested_by_email: Type.String({ description: 'The address of that user at the request.' }),
    requested_at: described(Instant, 'Instant of the request.'),
    started_at: described(Nullable(Instant), 'Start of the deletion of rows.'),
    progressed_at: described(
      Nullable(Instant),
      'The last deletion of rows. An old value while the status is running means that the job does not progress.',
    ),
    finished_at: described(Nullable(Instant), 'End of the deletion.'),
    tables_total: Type.Integer({ description: 'Number of tables with data of tenants; 0 before the start.' }),
    tables_done: Type.Integer({
      description: 'Number of these tables that have no row of the tenant any more.',
    }),
    current_table: described(
      Nullable(Type.String()),
      'The table whose rows are being deleted; null before the start and after the end.',
    ),
    rows_deleted: Type.Integer({ description: 'Number of deleted rows.' }),
    rows_by_table: Type.Array(
      Type.Object({
        table: Type.String({ description: 'Name of the table.' }),
        rows: Type.Integer({ description: 'Number of rows that were deleted from it.' }),
      }),
      { description: 'The deleted rows by table, without tables that had none.' },
    ),
  },
  { title: 'TenantDeletion' },
)

export const DeletionConfirmation = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: 1000,
    description: 'Confirms the deletion: the exact name of the tenant.',
  }),
})

export const DeletionQuery = Type.Object({
  ...PageQuery(['requested_at', 'name']),
  search: Search('name and slug'),
  status: Type.Optional(described(OneOf(STATUSES), 'Only deletions with this status.')),
})

export type DeletionQuery = Static<typeof DeletionQuery>
export type DeletionStatus = (typeof STATUSES)[number]

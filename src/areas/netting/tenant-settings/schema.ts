import { type Static, Type } from 'typebox'
import { described, Id, Instant, Nullable } from '../../../platform/http/fields.ts'

const strict = Type.Boolean({
  description:
    'Export of a facility with storage in hours in which its discharge is unknown. true (default): the whole ' +
    'export counts as storage export and is free (bedelsiz). false: it counts as production, and its surplus is ' +
    'paid within the limit.',
})

export const NettingSettings = Type.Object(
  {
    strict_storage_export: strict,
    updated_at: Nullable(described(Instant, 'Time of the last change; null before the first.')),
    updated_by: Nullable(described(Id, 'User who made the last change.')),
  },
  { title: 'NettingSettings' },
)

export const UpdateNettingSettings = Type.Object(
  { strict_storage_export: strict },
  { title: 'UpdateNettingSettings' },
)

export type NettingSettings = Static<typeof NettingSettings>
export type UpdateNettingSettings = Static<typeof UpdateNettingSettings>

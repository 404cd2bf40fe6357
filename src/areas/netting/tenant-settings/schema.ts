import { type Static, Type } from 'typebox'
import { described, Id, Instant, Nullable } from '../../../platform/http/fields.ts'
import { OBJECTION_DAYS, OBJECTION_DAYS_SETTING_MAX, OBJECTION_REMINDER_DAYS } from '../limits.ts'

const strict = Type.Boolean({
  description:
    'Export of a facility with storage in hours in which its discharge is unknown. true (default): the whole ' +
    'export counts as storage export and is free (bedelsiz). false: it counts as production, and its surplus is ' +
    'paid within the limit.',
})

const days = (minimum: number, description: string) =>
  Type.Integer({ minimum, maximum: OBJECTION_DAYS_SETTING_MAX, description })
const OBJECTION = {
  objection_days: days(
    1,
    `Days from the receipt of an invoice to the last day of an objection; default ${OBJECTION_DAYS}.`,
  ),
  objection_reminder_days: days(
    0,
    `Days before that day on which the reminder begins; default ${OBJECTION_REMINDER_DAYS}.`,
  ),
}

export const NettingSettings = Type.Object(
  {
    strict_storage_export: strict,
    ...OBJECTION,
    updated_at: Nullable(described(Instant, 'Time of the last change; null before the first.')),
    updated_by: Nullable(described(Id, 'User who made the last change.')),
  },
  { title: 'NettingSettings' },
)

export const UpdateNettingSettings = Type.Object(
  {
    strict_storage_export: Type.Optional(strict),
    objection_days: Type.Optional(OBJECTION.objection_days),
    objection_reminder_days: Type.Optional(OBJECTION.objection_reminder_days),
  },
  { title: 'UpdateNettingSettings', minProperties: 1 },
)

export type NettingSettings = Static<typeof NettingSettings>
export type UpdateNettingSettings = Static<typeof UpdateNettingSettings>

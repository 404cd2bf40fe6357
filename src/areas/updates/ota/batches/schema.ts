import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable, OneOf, Word } from '../../../../platform/http/fields.ts'
import { PageQuery } from '../../../../platform/http/page.ts'
import { OTA_BATCH_TARGETS_MAX, OTA_WAVES_MAX } from '../limits.ts'
import { Pct, startFields } from '../updates/schema.ts'
import { BATCH_STATUSES } from './states.ts'

const Ids = (description: string) =>
  Type.Optional(Type.Array(Id, { minItems: 1, maxItems: OTA_BATCH_TARGETS_MAX, description }))

export const StartBatch = Type.Object({
  device_ids: Ids('In this order. Either ids or a filter.'),
  gateway_ids: Ids('In this order, after the devices.'),
  filter: Type.Optional(
    Type.Object(
      {
        target: {
          ...OneOf(['device', 'gateway']),
          description: 'All of the firmware’s model that can be reached and have no open update.',
        },
        subregion_id: Type.Optional({ ...Id, description: 'Only there.' }),
      },
      { description: 'Instead of ids.' },
    ),
  ),
  ...startFields,
  groups: Type.Array(Type.Integer({ minimum: 1, maximum: OTA_BATCH_TARGETS_MAX }), {
    maxItems: OTA_WAVES_MAX,
    default: [],
    description: 'The sizes of the first waves; the rest is one more. Default: all in one.',
  }),
  success_threshold_pct: {
    ...Pct('So many of a wave must have succeeded before the next one begins; else the batch stops.'),
    default: 100,
  },
  error_threshold_pct: {
    ...Pct('When so many of a wave have failed the batch stops at once.', 1),
    default: 10,
  },
  rollback_on_error: Type.Boolean({
    default: false,
    description:
      'When the error threshold stops the batch, devices that were changed go back to their last ' +
      'good version.',
  }),
})

export const OtaBatch = Type.Object({
  id: Id,
  firmware_version_id: { ...Id, description: 'What is installed.' },
  status: Type.String({
    ...Word(BATCH_STATUSES),
    description: 'running, completed (every wave was good enough), stopped by a threshold, or cancelled.',
  }),
  wave: Type.Integer({ description: 'The one that is under way, or was last; from 1.' }),
  wave_sizes: Type.Array(Type.Integer(), { description: 'How many updates each wave has.' }),
  success_threshold_pct: Pct('As it was asked for.'),
  error_threshold_pct: Pct('As it was asked for.'),
  rollback_on_error: Type.Boolean({ description: 'As it was asked for.' }),
  reason: Nullable(Type.String({ description: 'Why it stopped.' })),
  counts: Type.Record(Type.String(), Type.Integer({ description: 'So many updates have this status.' }), {
    description: 'Updates by status; GET /api/ota/updates?batch_id= lists them.',
  }),
  created_by: Nullable({ ...Id, description: 'Who began it.' }),
  created_at: Instant,
  finished_at: Nullable(Instant),
})

export const Rollback = Type.Object({
  updates: Type.Array(Id, { description: 'The updates back that were begun.' }),
  skipped: Type.Array(
    Type.Object({ update_id: Id, reason: Type.String({ description: 'Why there is none.' }) }),
    { description: 'Updates of the batch that cannot be undone.' },
  ),
})

export const BatchQuery = Type.Object({
  ...PageQuery(['created_at', 'status']),
  status: Type.Optional(OneOf(BATCH_STATUSES)),
  firmware_version_id: Type.Optional(Id),
})

export type StartBatch = Static<typeof StartBatch>
export type BatchQuery = Static<typeof BatchQuery>

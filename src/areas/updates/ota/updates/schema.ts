import { type Static, Type } from 'typebox'
import { Id, Instant, InstantIn, Nullable, OneOf, Word } from '../../../../platform/http/fields.ts'
import { PageQuery } from '../../../../platform/http/page.ts'
import { BATCH_STATUSES } from '../batches/states.ts'
import { OTA_BATCH_TARGETS_MAX, OTA_RETRIES_DEFAULT, OTA_RETRIES_MAX, OTA_WAVES_MAX } from '../limits.ts'
import { MOVERS, OTA_MOVES, OTA_STATUSES } from './states.ts'

const Device = {
  ...Id,
  description: 'The device to be updated; a gateway on a message broker speaks for it.',
}
const Gateway = { ...Id, description: 'The gateway itself is to be updated; it is on a message broker.' }
const Pct = (description: string, minimum = 0) => Type.Integer({ minimum, maximum: 100, description })

const updateFields = {
  id: Id,
  device_id: Nullable(Device),
  gateway_id: Nullable(Gateway),
  firmware_version_id: { ...Id, description: 'What is installed.' },
  version: Type.String({ description: 'Of that firmware.' }),
  from_version: Nullable(
    Type.String({ description: 'What was on the device before, as far as it is known.' }),
  ),
  batch_id: Nullable({ ...Id, description: 'The batch that it belongs to.' }),
  wave: Type.Integer({ description: 'Of the batch, from 1.' }),
  status: Type.String({ ...Word(OTA_STATUSES), description: 'The moves between them: docs/ota.md.' }),
  progress_pct: Pct('As the device tells it, or by what it has fetched.'),
  attempt: Type.Integer({ description: 'From 1.' }),
  retries_left: Type.Integer({ description: 'So often it is tried again by itself after a deadline.' }),
  error: Nullable(Type.String({ description: 'Why it failed.' })),
  deadline_at: Nullable({ ...Instant, description: 'Of this attempt; null until its wave begins.' }),
  rollback_of: Nullable({ ...Id, description: 'The update that it undoes.' }),
  created_by: Nullable({ ...Id, description: 'Who began it; null for the service.' }),
  created_at: Instant,
  notified_at: Nullable({ ...Instant, description: 'When the device was told last.' }),
  changed_at: { ...Instant, description: 'When the status changed last.' },
  finished_at: Nullable(Instant),
}
export const OtaUpdate = Type.Object(updateFields)

export const OtaUpdateDetail = Type.Object({
  ...updateFields,
  events: Type.Array(
    Type.Object({
      move: Type.String({ ...Word(Object.keys(OTA_MOVES)), description: 'What happened.' }),
      status: Type.String({ ...Word(OTA_STATUSES), description: 'The status after it.' }),
      by: Type.String({ ...Word(MOVERS), description: 'Who did it.' }),
      user_id: Nullable({ ...Id, description: 'Which operator.' }),
      detail: Nullable(Type.String({ description: 'Why, for people.' })),
      at: Instant,
    }),
    { description: 'The trail, oldest first; the last 200.' },
  ),
})

const orderFields = {
  firmware_version_id: { ...Id, description: 'A released version of the model that the devices have.' },
  deadline: Type.Optional({
    ...InstantIn,
    description:
      'Until then it is to succeed; an attempt that is begun later has as long. Default: a day from now.',
  }),
  retries: Type.Integer({
    minimum: 0,
    maximum: OTA_RETRIES_MAX,
    default: OTA_RETRIES_DEFAULT,
    description: 'So often it is tried again by itself when a deadline has passed.',
  }),
}

export const StartUpdate = Type.Object({
  device_id: Type.Optional({ ...Device, description: `${Device.description} Either this or gateway_id.` }),
  gateway_id: Type.Optional(Gateway),
  ...orderFields,
  rollback_on_failure: Type.Boolean({
    default: false,
    description:
      'When it has failed after the installation began, an update back to the last good version is begun.',
  }),
})

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
  ...orderFields,
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
      'When the error threshold stops the batch, devices that were changed go back to their last good version.',
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

export const UpdateQuery = Type.Object({
  ...PageQuery(['created_at', 'changed_at', 'status', 'deadline_at', 'wave']),
  status: Type.Optional(OneOf(OTA_STATUSES)),
  device_id: Type.Optional(Id),
  gateway_id: Type.Optional(Id),
  firmware_version_id: Type.Optional(Id),
  batch_id: Type.Optional(Id),
})
export const BatchQuery = Type.Object({
  ...PageQuery(['created_at', 'status']),
  status: Type.Optional(OneOf(BATCH_STATUSES)),
  firmware_version_id: Type.Optional(Id),
})

export type StartUpdate = Static<typeof StartUpdate>
export type StartBatch = Static<typeof StartBatch>
export type UpdateQuery = Static<typeof UpdateQuery>
export type BatchQuery = Static<typeof BatchQuery>

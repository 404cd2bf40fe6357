import { type Static, Type } from 'typebox'
import { Id, Instant, InstantIn, Nullable, OneOf, Word } from '../../../../platform/http/fields.ts'
import { MessageText } from '../../../../platform/http/message-texts.ts'
import { PageQuery } from '../../../../platform/http/page.ts'
import { OTA_RETRIES_DEFAULT, OTA_RETRIES_MAX } from '../limits.ts'
import { ACTORS, OTA_STATUSES, OTA_TRANSITIONS } from './states.ts'

const Device = {
  ...Id,
  description: 'Device of the update, reached through a gateway on a message broker.',
}
const Gateway = { ...Id, description: 'Gateway of the update; it must be connected to a message broker.' }
/** A whole percentage. */
export const Pct = (description: string, minimum = 0) => Type.Integer({ minimum, maximum: 100, description })

const updateFields = {
  id: Id,
  device_id: Nullable(Device),
  gateway_id: Nullable(Gateway),
  firmware_version_id: { ...Id, description: 'Firmware version that is installed.' },
  version: Type.String({ description: 'Version of the firmware.' }),
  from_version: Nullable(Type.String({ description: 'Previous version of the device, if known.' })),
  batch_id: Nullable({ ...Id, description: 'Batch of the update.' }),
  wave: Type.Integer({ description: 'Wave of the batch, from 1.' }),
  status: Type.String({
    ...Word(OTA_STATUSES),
    description: 'Status of the update; docs/understand/ota.md describes the transitions.',
  }),
  progress_pct: Pct('Progress in %, reported by the device or derived from the downloaded bytes.'),
  attempt: Type.Integer({ description: 'Number of the attempt, from 1.' }),
  retries_left: Type.Integer({ description: 'Number of remaining automatic retries after a deadline.' }),
  error: Nullable(MessageText('Reason for the failure.')),
  deadline_at: Nullable({
    ...Instant,
    description: 'Deadline of the current attempt; null until its wave begins.',
  }),
  rollback_of: Nullable({ ...Id, description: 'Update that this update rolls back.' }),
  created_by: Nullable({ ...Id, description: 'User who started the update; null: the service.' }),
  created_at: Instant,
  notified_at: Nullable({ ...Instant, description: 'Time of the last notification of the device.' }),
  changed_at: { ...Instant, description: 'Time of the last change of the status.' },
  finished_at: Nullable(Instant),
}
export const OtaUpdate = Type.Object(updateFields, { title: 'OtaUpdate' })

export const OtaUpdateDetail = Type.Object(
  {
    ...updateFields,
    events: Type.Array(
      Type.Object({
        move: Type.String({ ...Word(Object.keys(OTA_TRANSITIONS)), description: 'What happened.' }),
        status: Type.String({ ...Word(OTA_STATUSES), description: 'Status after the event.' }),
        by: Type.String({ ...Word(ACTORS), description: 'Who did it.' }),
        user_id: Nullable({ ...Id, description: 'User who performed the action.' }),
        detail: Nullable(MessageText('Human-readable reason.')),
        at: Instant,
      }),
      { description: 'Audit trail, oldest first; the last 200 events.' },
    ),
  },
  { title: 'OtaUpdateDetail' },
)

/** Fields of a request that starts one update or a batch. */
export const startFields = {
  firmware_version_id: { ...Id, description: 'Released version for the model of the devices.' },
  deadline: Type.Optional({
    ...InstantIn,
    description:
      'Deadline of the update; an attempt that begins later has the same duration. Default: 24 hours ' +
      'from now.',
  }),
  retries: Type.Integer({
    minimum: 0,
    maximum: OTA_RETRIES_MAX,
    default: OTA_RETRIES_DEFAULT,
    description: 'Number of automatic retries after a deadline has passed.',
  }),
}

export const StartUpdate = Type.Object(
  {
    device_id: Type.Optional({ ...Device, description: `${Device.description} Either this or gateway_id.` }),
    gateway_id: Type.Optional(Gateway),
    ...startFields,
    rollback_on_failure: Type.Boolean({
      default: false,
      description:
        'Whether a rollback to the last good version starts when the update fails after the installation ' +
        'began.',
    }),
  },
  { title: 'StartOtaUpdate' },
)

export const UpdateQuery = Type.Object({
  ...PageQuery(['created_at', 'changed_at', 'status', 'deadline_at', 'wave']),
  status: Type.Optional(OneOf(OTA_STATUSES)),
  device_id: Type.Optional(Id),
  gateway_id: Type.Optional(Id),
  firmware_version_id: Type.Optional(Id),
  batch_id: Type.Optional(Id),
})
export type StartUpdate = Static<typeof StartUpdate>
export type UpdateQuery = Static<typeof UpdateQuery>

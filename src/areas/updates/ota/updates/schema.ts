import { type Static, Type } from 'typebox'
import { Id, Instant, InstantIn, Nullable, OneOf, Word } from '../../../../platform/http/fields.ts'
import { PageQuery } from '../../../../platform/http/page.ts'
import { OTA_RETRIES_DEFAULT, OTA_RETRIES_MAX } from '../limits.ts'
import { ACTORS, OTA_STATUSES, OTA_TRANSITIONS } from './states.ts'

const Device = {
  ...Id,
  description: 'The device to be updated; a gateway on a message broker speaks for it.',
}
const Gateway = { ...Id, description: 'The gateway itself is to be updated; it is on a message broker.' }
/** A whole percentage. */
export const Pct = (description: string, minimum = 0) => Type.Integer({ minimum, maximum: 100, description })

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
  status: Type.String({
    ...Word(OTA_STATUSES),
    description: 'The moves between them: docs/understand/ota.md.',
  }),
  progress_pct: Pct('As the device tells it, or by what it has fetched.'),
  attempt: Type.Integer({ description: 'From 1.' }),
  retries_left: Type.Integer({ description: 'So often it is tried again by itself after a deadline.' }),
  error: Nullable(Type.String({ description: 'Reason for the failure.' })),
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
      move: Type.String({ ...Word(Object.keys(OTA_TRANSITIONS)), description: 'What happened.' }),
      status: Type.String({ ...Word(OTA_STATUSES), description: 'The status after it.' }),
      by: Type.String({ ...Word(ACTORS), description: 'Who did it.' }),
      user_id: Nullable({ ...Id, description: 'Which operator.' }),
      detail: Nullable(Type.String({ description: 'Why, for people.' })),
      at: Instant,
    }),
    { description: 'The trail, oldest first; the last 200.' },
  ),
})

/** Fields of a request that starts one update or a batch. */
export const startFields = {
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
  ...startFields,
  rollback_on_failure: Type.Boolean({
    default: false,
    description:
      'When it has failed after the installation began, an update back to the last good version is begun.',
  }),
})

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

import { type Static, Type } from 'typebox'
import type { Parameters } from '../../../../kernel/messages.ts'
import { Id, Instant, Nullable, OneOf, Word } from '../../../../platform/http/fields.ts'
import { MessageText } from '../../../../platform/http/message-texts.ts'
import { PageQuery } from '../../../../platform/http/page.ts'
import { OTA_BATCH_TARGETS_MAX, OTA_WAVES_MAX } from '../limits.ts'
import { Pct, startFields } from '../updates/schema.ts'
import { BATCH_STATUSES } from './states.ts'

const Ids = (description: string) =>
  Type.Optional(Type.Array(Id, { minItems: 1, maxItems: OTA_BATCH_TARGETS_MAX, description }))

export const StartBatch = Type.Object(
  {
    device_ids: Ids('Devices, in the order of the update. Either ids or a filter.'),
    gateway_ids: Ids('Gateways, in the order of the update, after the devices.'),
    filter: Type.Optional(
      Type.Object(
        {
          target: {
            ...OneOf(['device', 'gateway']),
            description:
              'All reachable targets of this kind with the model of the firmware and without an open update.',
          },
          subregion_id: Type.Optional({ ...Id, description: 'Only targets in this subregion.' }),
        },
        { description: 'Filter, instead of ids.' },
      ),
    ),
    ...startFields,
    groups: Type.Array(Type.Integer({ minimum: 1, maximum: OTA_BATCH_TARGETS_MAX }), {
      maxItems: OTA_WAVES_MAX,
      default: [],
      description: 'Sizes of the first waves; the remaining devices form one more wave. Default: one wave.',
    }),
    success_threshold_pct: {
      ...Pct(
        'Minimum share of successful updates of a wave before the next wave begins, %; otherwise the batch ' +
          'stops.',
      ),
      default: 100,
    },
    error_threshold_pct: {
      ...Pct('Share of failed updates of a wave at which the batch stops immediately, %.', 1),
      default: 10,
    },
    rollback_on_error: Type.Boolean({
      default: false,
      description:
        'Whether changed devices are rolled back to their last good version when the error threshold stops ' +
        'the batch.',
    }),
  },
  { title: 'StartOtaBatch' },
)

export const OtaBatch = Type.Object(
  {
    id: Id,
    firmware_version_id: { ...Id, description: 'Firmware version that is installed.' },
    status: Type.String({
      ...Word(BATCH_STATUSES),
      description: 'running, completed (every wave met its threshold), stopped by a threshold, or cancelled.',
    }),
    wave: Type.Integer({ description: 'Current or last wave, from 1.' }),
    wave_sizes: Type.Array(Type.Integer(), { description: 'Number of updates of each wave.' }),
    success_threshold_pct: Pct('Value of the request.'),
    error_threshold_pct: Pct('Value of the request.'),
    rollback_on_error: Type.Boolean({ description: 'Value of the request.' }),
    reason: Nullable(MessageText('Reason why the batch stopped.')),
    counts: Type.Record(Type.String(), Type.Integer({ description: 'Number of updates with this status.' }), {
      description: 'Number of updates by status; GET /api/ota/updates?batch_id= lists them.',
    }),
    created_by: Nullable({ ...Id, description: 'User who started the batch.' }),
    created_at: Instant,
    finished_at: Nullable(Instant),
  },
  { title: 'OtaBatch' },
)

export const Rollback = Type.Object(
  {
    updates: Type.Array(Id, { description: 'Started rollback updates.' }),
    skipped: Type.Array(
      Type.Object({
        update_id: Id,
        reason: Type.String({
          description: 'Reason why there is no rollback, in the language of Accept-Language.',
        }),
        message_code: Type.String({ description: 'Code of the reason.' }),
        parameters: Type.Unsafe<Parameters>({
          ...Type.Object({}),
          additionalProperties: true,
          description: 'The values in the reason, by their names.',
        }),
      }),
      { description: 'Updates of the batch that cannot be rolled back.' },
    ),
  },
  { title: 'RollbackOtaBatch' },
)

export const BatchQuery = Type.Object({
  ...PageQuery(['created_at', 'status']),
  status: Type.Optional(OneOf(BATCH_STATUSES)),
  firmware_version_id: Type.Optional(Id),
})

export type StartBatch = Static<typeof StartBatch>
export type BatchQuery = Static<typeof BatchQuery>

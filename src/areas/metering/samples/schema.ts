import { type Static, Type } from 'typebox'
import { described, Id, Instant, InstantIn, Nullable, OneOf } from '../../../platform/http/fields.ts'
import { PageQuery } from '../../../platform/http/page.ts'
import { Reason } from '../intake/index.ts'
import {
  LATEST_AGE_DEFAULT_S,
  LATEST_AGE_MAX_S,
  LATEST_DEVICES_MAX,
  LATEST_METRICS_MAX,
  LATEST_PAGE_MAX,
  LATEST_SAMPLES_PER_DEVICE,
  SAMPLES_READ_MAX,
} from './limits.ts'

export const DeviceParams = Type.Object({ device_id: Id })

export const SamplesQuery = Type.Object({
  from: Type.Optional(InstantIn),
  to: Type.Optional(InstantIn),
  limit: Type.Integer({ minimum: 1, maximum: SAMPLES_READ_MAX, default: 100 }),
})
export const StoredSample = Type.Object(
  {
    timestamp: Instant,
    values: Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: { type: 'number' },
      description: 'Values as they were sent.',
    }),
  },
  { title: 'StoredSample' },
)

export const SetAsideQuery = Type.Object({
  ...PageQuery(['received_at', 'timestamp']),
  device_id: Type.Optional(Id),
  reason: Type.Optional(Reason),
})
export const SetAsideSample = Type.Object(
  {
    id: Id,
    device_id: Id,
    timestamp: Instant,
    reason: Reason,
    values: StoredSample.properties.values,
    received_at: Instant,
  },
  { title: 'SetAsideSample' },
)

export const LatestQuery = Type.Object({
  device_ids: Type.Optional(
    Type.String({
      minLength: 36,
      maxLength: LATEST_DEVICES_MAX * 40,
      description:
        `Devices: ids separated by commas, at most ${LATEST_DEVICES_MAX}. Without it: a page of the devices of ` +
        'the tenant, or of a gateway, by id; the other parameters of the page are for it only.',
    }),
  ),
  gateway_id: Type.Optional(described(Id, 'Only the devices of this gateway.')),
  skip: Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    default: 0,
    description: 'Offset of the first device.',
  }),
  limit: Type.Integer({
    minimum: 1,
    maximum: LATEST_PAGE_MAX,
    default: LATEST_PAGE_MAX,
    description: 'Maximum number of devices of the page.',
  }),
  metrics: Type.Optional(
    Type.String({
      maxLength: 4_000,
      description:
        `Only these metrics: names separated by commas, at most ${LATEST_METRICS_MAX}. Without it: every ` +
        'metric that the device sends.',
    }),
  ),
  max_age_s: Type.Integer({
    minimum: 1,
    maximum: LATEST_AGE_MAX_S,
    default: LATEST_AGE_DEFAULT_S,
    description: 'Largest age of a value, seconds; older values are left out.',
  }),
})
const LatestValue = Type.Object(
  {
    metric: Type.String({ description: 'Name of the metric.' }),
    value: Type.Number({ description: 'Value as it was sent.' }),
    unit: Nullable(Type.String({ description: 'Unit of the metric; null: none, or not known.' })),
    timestamp: described(Instant, 'Time of the sample that contains the value.'),
    quality: described(
      OneOf(['current', 'old']),
      'current: not older than the offline threshold of the device; old: older.',
    ),
  },
  { title: 'LatestValue' },
)
export const LatestValues = Type.Object(
  {
    timestamp: described(Instant, 'Time of the response.'),
    devices: Type.Array(
      Type.Object(
        {
          device_id: described(Id, 'Device.'),
          is_online: Type.Boolean({ description: 'Whether a sample arrived within the offline threshold.' }),
          last_seen: Nullable(described(Instant, 'Arrival of the newest sample.')),
          values: Type.Array(LatestValue, {
            description:
              `The newest value of each metric in the newest ${LATEST_SAMPLES_PER_DEVICE} samples of the ` +
              'device, by name of the metric.',
          }),
        },
        { title: 'DeviceLatestValues' },
      ),
      { description: 'The devices in the order of the request, each once; those of a page by id.' },
    ),
    total: Type.Integer({
      description: 'Number of devices of the request, or of those that the page is of.',
    }),
    not_found_device_ids: Type.Array(Id, { description: 'Ids of the request that are no device.' }),
  },
  { title: 'LatestValues' },
)

export type LatestQuery = Static<typeof LatestQuery>
export type LatestValues = Static<typeof LatestValues>
export type SamplesQuery = Static<typeof SamplesQuery>
export type SetAsideQuery = Static<typeof SetAsideQuery>

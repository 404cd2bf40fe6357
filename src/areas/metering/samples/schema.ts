import { type Static, Type } from 'typebox'
import { Id, Instant, InstantIn } from '../../../platform/http/fields.ts'
import { PageQuery } from '../../../platform/http/page.ts'
import { Reason } from '../intake/index.ts'
import { SAMPLES_READ_MAX } from './limits.ts'

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

export type SamplesQuery = Static<typeof SamplesQuery>
export type SetAsideQuery = Static<typeof SetAsideQuery>

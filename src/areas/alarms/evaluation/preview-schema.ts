import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable } from '../../../platform/http/fields.ts'
import { EvaluatedPolicy } from '../policies/index.ts'
import { PREVIEW_DAYS_MAX, PREVIEW_DEVICES_MAX, PREVIEW_INCIDENTS_MAX } from './limits.ts'

export const PreviewRequest = Type.Object({
  policy: { ...EvaluatedPolicy, description: 'As it would be created; it need not exist.' },
  days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: PREVIEW_DAYS_MAX, description: 'Up to now; 30 when left out.' }),
  ),
  device_ids: Type.Optional(
    Type.Array(Id, {
      minItems: 1,
      maxItems: PREVIEW_DEVICES_MAX,
      uniqueItems: true,
      description: 'Of those that the policy watches; when left out all of them, the first by name.',
    }),
  ),
})
export type PreviewRequest = Static<typeof PreviewRequest>

const METRIC_VALUE = Nullable(
  Type.Number({ description: 'In the unit of the metric; of rates per minute or hour.' }),
)

export const Preview = Type.Object({
  from: Instant,
  to: Instant,
  devices_in_scope: Type.Integer({ description: 'Devices that the policy watches.' }),
  devices_judged: Type.Integer({ description: 'Of them, those that were judged.' }),
  samples_judged: Type.Integer({ description: 'Samples that were read.' }),
  incidents_total: Type.Integer({ description: 'Of all devices that were judged.' }),
  is_truncated: Type.Boolean({ description: 'Not everything was judged, or not every incident is listed.' }),
  truncated_reasons: Type.Array(Type.String(), { description: 'devices, samples, time, incidents.' }),
  items: Type.Array(
    Type.Object({
      device_id: Id,
      device_name: Type.String(),
      incidents_count: Type.Integer({ description: 'Of the device.' }),
      judged_to: { ...Instant, description: 'Earlier than `to` where the samples were too many.' },
      incidents: Type.Array(
        Type.Object({
          from: Instant,
          to: Nullable({ ...Instant, description: 'Null: it would still be open.' }),
          value: METRIC_VALUE,
          peak: METRIC_VALUE,
        }),
        { maxItems: PREVIEW_INCIDENTS_MAX, description: `The first ${PREVIEW_INCIDENTS_MAX}.` },
      ),
    }),
    { description: 'The devices that were judged, by name.' },
  ),
})

import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable } from '../../../platform/http/fields.ts'
import { EvaluatedPolicy } from '../policies/index.ts'
import { PREVIEW_DAYS_MAX, PREVIEW_DEVICES_MAX, PREVIEW_INCIDENTS_MAX } from './limits.ts'

export const PreviewRequest = Type.Object(
  {
    policy: { ...EvaluatedPolicy, description: 'Policy as for creation; it need not exist.' },
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: PREVIEW_DAYS_MAX,
        description: 'Number of days up to now; default 30.',
      }),
    ),
    device_ids: Type.Optional(
      Type.Array(Id, {
        minItems: 1,
        maxItems: PREVIEW_DEVICES_MAX,
        uniqueItems: true,
        description:
          'Subset of the devices that the policy monitors; default: all of them, ordered by name, up to the ' +
          'limit.',
      }),
    ),
  },
  { title: 'PreviewAlarmPolicy' },
)
export type PreviewRequest = Static<typeof PreviewRequest>

const METRIC_VALUE = Nullable(
  Type.Number({ description: 'Value in the unit of the metric; for rates per minute or hour.' }),
)

export const Preview = Type.Object(
  {
    from: Instant,
    to: Instant,
    devices_in_scope: Type.Integer({ description: 'Number of devices that the policy monitors.' }),
    devices_judged: Type.Integer({ description: 'Number of these devices that were evaluated.' }),
    samples_judged: Type.Integer({ description: 'Number of samples evaluated.' }),
    incidents_total: Type.Integer({ description: 'Number of incidents of all evaluated devices.' }),
    is_truncated: Type.Boolean({
      description: 'Whether some data was not evaluated or some incidents are not listed.',
    }),
    truncated_reasons: Type.Array(Type.String(), {
      description: 'Limits that were reached: devices, samples, time, incidents.',
    }),
    items: Type.Array(
      Type.Object({
        device_id: Id,
        device_name: Type.String(),
        incidents_count: Type.Integer({ description: 'Number of incidents of the device.' }),
        judged_to: {
          ...Instant,
          description:
            'End of the evaluated data; earlier than `to` if the number of samples exceeded the limit.',
        },
        incidents: Type.Array(
          Type.Object({
            from: Instant,
            to: Nullable({ ...Instant, description: 'End of the incident; null: it would still be open.' }),
            value: METRIC_VALUE,
            peak: METRIC_VALUE,
          }),
          {
            maxItems: PREVIEW_INCIDENTS_MAX,
            description: `First ${PREVIEW_INCIDENTS_MAX} incidents of the device.`,
          },
        ),
      }),
      { description: 'Evaluated devices, ordered by name.' },
    ),
  },
  { title: 'AlarmPolicyPreview' },
)

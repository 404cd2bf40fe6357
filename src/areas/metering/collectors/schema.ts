import { type Static, Type } from 'typebox'
import { METRIC_NAME_MAX_LENGTH } from '../../../kernel/limits.ts'
import { described, Id, Instant, Nullable, Text } from '../../../platform/http/fields.ts'
import { PageQuery, Search } from '../../../platform/http/page.ts'
import {
  COLLECTOR_DEVICE_LABELS_MAX,
  COLLECTOR_METRIC_RULES_MAX,
  COLLECTOR_NAME_MAX_LENGTH,
} from './limits.ts'
import { PRECISIONS } from './line-protocol.ts'

const Name = Text(COLLECTOR_NAME_MAX_LENGTH)

const MetricRule = Type.Object(
  {
    measurement: Type.Optional(
      Nullable(
        described(
          Name,
          'Measurement to which the rule applies; null or omitted: any. Time series of Prometheus have none.',
        ),
      ),
    ),
    field: described(Name, 'Field in line protocol; metric name (`__name__`) of Prometheus.'),
    metric: Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9_.]*$',
      maxLength: METRIC_NAME_MAX_LENGTH,
      description:
        'Metric under which the value is stored; other names than those of samples are kept as extra values.',
    }),
    factor: Type.Optional(
      Type.Number({
        minimum: -1e12,
        maximum: 1e12,
        description:
          'The value times the factor is in the unit of the metric: 0.001 for W and Wh. Default: 1.',
      }),
    ),
  },
  { title: 'CollectorMetricRule' },
)
const StoredMetricRule = Type.Required(MetricRule, { title: 'StoredCollectorMetricRule' })

const NAME_TEXT =
  'Name, unique in the tenant: the bucket of line protocol, or the parameter `mapping` of remote write.'
const DeviceLabels = Type.Array(Name, {
  minItems: 1,
  maxItems: COLLECTOR_DEVICE_LABELS_MAX,
  description:
    'Tags or labels that may contain the name, external id or id of the device; the first that a point has counts. ' +
    'Default: device, host.',
})
const IgnoreUnknown = Type.Boolean({
  description:
    'Whether values without a rule whose name is not a metric are ignored instead of reported as a partial write. ' +
    'Default: false.',
})
const RULES_TEXT =
  'Rules by field; a rule with a measurement takes precedence. Without a rule, a field with the name of a metric ' +
  'is that metric, and so is the field `value` of a measurement with such a name.'

export const CollectorMapping = Type.Object(
  {
    id: Id,
    name: Type.String({ description: NAME_TEXT }),
    device_labels: DeviceLabels,
    metrics: Type.Array(StoredMetricRule, { description: RULES_TEXT }),
    ignore_unknown: IgnoreUnknown,
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'CollectorMapping' },
)

export const CreateCollectorMapping = Type.Object(
  {
    name: described(Name, NAME_TEXT),
    device_labels: Type.Optional(DeviceLabels),
    metrics: Type.Optional(
      Type.Array(MetricRule, { maxItems: COLLECTOR_METRIC_RULES_MAX, description: RULES_TEXT }),
    ),
    ignore_unknown: Type.Optional(IgnoreUnknown),
  },
  { title: 'CreateCollectorMapping' },
)
/** Omitted fields are unchanged. */
export const UpdateCollectorMapping = Type.Partial(CreateCollectorMapping, {
  title: 'UpdateCollectorMapping',
})

export const CollectorMappingQuery = Type.Object({
  ...PageQuery(['created_at', 'name']),
  search: Search('name'),
})

export const LineProtocolQuery = Type.Object({
  bucket: Type.Optional(
    Type.String({
      maxLength: COLLECTOR_NAME_MAX_LENGTH,
      description: 'Name of a collector mapping; without a mapping of this name the default mapping applies.',
    }),
  ),
  org: Type.Optional(Type.String({ maxLength: COLLECTOR_NAME_MAX_LENGTH, description: 'Ignored.' })),
  orgID: Type.Optional(Type.String({ maxLength: COLLECTOR_NAME_MAX_LENGTH, description: 'Ignored.' })),
  precision: Type.Optional(
    Type.Unsafe<(typeof PRECISIONS)[number]>({
      type: 'string',
      enum: PRECISIONS,
      description: 'Unit of the timestamps. Default: ns.',
    }),
  ),
})

export const RemoteWriteQuery = Type.Object({
  mapping: Type.Optional(
    Type.String({
      maxLength: COLLECTOR_NAME_MAX_LENGTH,
      description: 'Name of a collector mapping (404 when there is none); omitted: the default mapping.',
    }),
  ),
})

export type CreateCollectorMapping = Static<typeof CreateCollectorMapping>
export type UpdateCollectorMapping = Static<typeof UpdateCollectorMapping>
export type CollectorMappingQuery = Static<typeof CollectorMappingQuery>

import { Type } from 'typebox'
import {
  METRIC_NAME_MAX_LENGTH,
  SAMPLE_METRICS_MAX,
  SAMPLES_PER_REQUEST_MAX,
} from '../../../kernel/limits.ts'
import { Id, OneOf } from '../../../platform/http/fields.ts'
import { SET_ASIDE_REASONS } from '../intake-contract/index.ts'

const Values = Type.Record(Type.String({ minLength: 1, maxLength: METRIC_NAME_MAX_LENGTH }), Type.Number(), {
  minProperties: 1,
  maxProperties: SAMPLE_METRICS_MAX,
  description:
    'Values by metric. Cumulative registers in kWh (import_active_energy, export_active_energy, ' +
    'production_active_energy, battery_charge_energy, battery_discharge_energy) and kvarh ' +
    '(inductive_reactive_energy, capacitive_reactive_energy), kept to 6 decimals; voltage[_l1..3] V, ' +
    'current[_l1..3] A, active_power[_l1..3] kW with consumption positive, reactive_power kvar, apparent_power kVA, ' +
    'power_factor, frequency Hz, state_of_charge %, temperature °C. Other names are kept as extra values.',
})

export const PostSamples = Type.Object(
  {
    samples: Type.Array(
      Type.Object({
        device_id: Id,
        timestamp: Type.String({
          format: 'date-time',
          description:
            'Time of the sample: ISO 8601 with any offset; Turkey-local without one. Stored with millisecond ' +
            'precision.',
        }),
        values: Values,
      }),
      {
        minItems: 1,
        maxItems: SAMPLES_PER_REQUEST_MAX,
        description: 'Samples in any order; late samples are accepted.',
      },
    ),
  },
  { title: 'PostSamples' },
)

export const Reason = Type.Unsafe<string>({
  ...OneOf(SET_ASIDE_REASONS),
  description:
    'future_timestamp: over 5 minutes ahead. epoch_timestamp: before 2010, from a clock that was never set. ' +
    'negative_register: a cumulative register below zero. conflicts_with_stored: contradicts a value that is ' +
    'stored for the same device and instant, which stays. sealed_month: new to a month that is so old that it is ' +
    'closed to writing.',
})

export const SampleOutcome = Type.Object(
  {
    accepted: Type.Integer({
      description: 'Number of stored samples: new samples, and stored samples with new metrics.',
    }),
    duplicates: Type.Integer({
      description: 'Number of samples that were already stored and changed nothing.',
    }),
    set_aside: Type.Array(
      Type.Object({ index: Type.Integer({ description: 'Index in the request, from 0.' }), reason: Reason }),
      {
        description:
          'Samples that were set aside with a reason and are not used as data: GET /api/measurements/set-aside.',
      },
    ),
  },
  { title: 'SampleOutcome' },
)

import { type TProperties, Type } from 'typebox'
import { METRIC_NAME_MAX_LENGTH } from '../../../kernel/limits.ts'
import type { Message } from '../../../kernel/messages.ts'
import { WIDGET_PERIODS } from '../../../kernel/widget-periods.ts'
import { Id, OneOf } from '../../../platform/http/fields.ts'
import {
  invalidInputs,
  lazyValidator,
  makeAjv,
  ruleFailure,
  type ValidationFailure,
} from '../../../platform/http/validation.ts'
import { INTERVALS } from '../../metering/rollup/index.ts'
import { WIDGET_CONFIG_BYTES_MAX, WIDGET_DEVICES_MAX } from './limits.ts'
import { WIDGET_TEXTS } from './messages.ts'
import type { Config, WidgetType } from './types.ts'

/** The config keys of each type of widget. Other keys are stored unchanged for the client's own use. */
const described = <T extends Type.TSchema>(schema: T, description: string): T => ({ ...schema, description })
const optional = (schema: Type.TSchema, description: string) => Type.Optional(described(schema, description))

const period = optional(OneOf(WIDGET_PERIODS), 'What time is shown; absent: the query time_range, else 7d.')
const interval = optional(
  OneOf(INTERVALS),
  'Length of a bucket; absent, or where it would give over 750 points: that of the period.',
)
const device = described(Id, 'The device that is shown.')
const METER_RULE =
  'absent: the main consumption meters of the subregion by their assignments in the period; without any, ' +
  'the devices ' +
  'there that stand below no other one and are no inverters'
const meters = {
  device_id: optional(Id, 'One meter; with device_ids it is one more.'),
  device_ids: optional(
    Type.Array(Id, { maxItems: WIDGET_DEVICES_MAX, uniqueItems: true }),
    `Meters that are added up; ${METER_RULE}.`,
  ),
}
const flow = optional(
  OneOf(['consumption', 'production', 'export']),
  'Which energy of the meters; absent: consumption.',
)
const abone_grubu = optional(
  OneOf(['mesken', 'ticarethane', 'sanayi', 'tarimsal_sulama', 'aydinlatma', 'other']),
  "Subscriber group of all meters; absent: that of each meter's facility (its assignment's, else that of " +
    'the subregion).',
)
const is_multi_time = optional(
  Type.Boolean(),
  'Multi-time prices (day 06-17, peak 17-22, night 22-06); absent: as the facility has it.',
)
const metric = (isRequired: boolean) => {
  const schema = described(
    Type.String({ minLength: 1, maxLength: METRIC_NAME_MAX_LENGTH }),
    'Name of the metric, also one of your own. Absent: active_power.',
  )
  return isRequired ? schema : Type.Optional(schema)
}
const unit = optional(
  Type.String({ maxLength: 20 }),
  'Unit that is shown; absent: the unit of a known metric.',
)
const optionalNumber = (description: string) => optional(Type.Number(), description)
const expected = optional(
  Type.Integer({ minimum: 1, maximum: 86_400 }),
  'Seconds between samples, for devices that do not say it themselves (reporting_interval_s).',
)
const cost = { ...meters, period, interval, abone_grubu, is_multi_time }

export const CONFIG_SCHEMAS: Readonly<Record<WidgetType, TProperties>> = {
  device_read_rate: {
    device_id: optional(Id, 'One device; with device_ids it is one more.'),
    device_ids: optional(
      Type.Array(Id, { maxItems: WIDGET_DEVICES_MAX, uniqueItems: true }),
      'Devices that are listed; absent: those that stand in the subregion, by name, at most 50.',
    ),
    period,
    reporting_interval_s: expected,
  },
  consumption_chart: { ...meters, period, interval, flow },
  consumption_numeric: { ...meters, period, flow },
  cost_chart: cost,
  cost_numeric: { ...meters, period, abone_grubu, is_multi_time },
  reactive_ratio: {
    ...meters,
    period,
    interval,
    contracted_power_kw: optional(
      Type.Number({ minimum: 0, maximum: 1e9 }),
      'Whose limits are to hold; absent: the power of the facility of the subregion, else of the subregion.',
    ),
  },
  realtime_value: { device_id: device, metric: metric(false), unit },
  realtime_gauge: {
    device_id: device,
    metric: metric(false),
    unit,
    min_range: optionalNumber('Lower end of the scale. The old key min_value is read, too.'),
    max_range: optionalNumber('Upper end of the scale; above min_range. The old key max_value is read, too.'),
    warning_threshold: optionalNumber('Threshold of the warning range.'),
    critical_threshold: optionalNumber(
      'From here on it is critical. The old key danger_threshold is read, too.',
    ),
  },
  realtime_3phase: { device_id: device },
  realtime_power: { device_id: device },
  alarm_summary: {
    scope: optional(
      OneOf(['subregion', 'tenant']),
      'subregion: incidents of devices that stand there. tenant: all, system alarms included. Absent: ' +
        'subregion.',
    ),
    severities: optional(
      Type.Array(OneOf(['info', 'warning', 'critical']), { minItems: 1, maxItems: 3, uniqueItems: true }),
      'Only these severities are counted; absent: all.',
    ),
  },
  osos_consumption_chart: {
    installation_id: optional(Id, 'OSOS installation; its own endpoint has the data.'),
    period,
    interval,
  },
  mahsuplasma_balance: {
    group_id: optional(Id, 'Netting group; its own endpoint has the data.'),
    billing_period: optional(
      Type.String({ format: 'billing-period' }),
      'Month of the summary, YYYY-MM or its first day; absent: the current one.',
    ),
  },
}

/** Previous names of keys, which requests may still use. */
const RENAMED = {
  min_value: 'min_range',
  max_value: 'max_range',
  danger_threshold: 'critical_threshold',
} as const

const ajv = makeAjv({ coerceTypes: false })
const validators = new Map(
  Object.entries(CONFIG_SCHEMAS).map(([type, properties]) => [
    type,
    lazyValidator(() => ajv.compile(Type.Object(properties))),
  ]),
)

/**
 * Normalizes a config: known keys that are null are removed, and previous names are replaced by the present
 * ones (a present one takes precedence). 422 with every failure, each naming its field.
 */
export function checkConfig(type: WidgetType, given: Config): Config {
  const config = renameOldKeys(type, given)
  for (const key of Object.keys(CONFIG_SCHEMAS[type])) if (config[key] === null) delete config[key]
  const failures = [...schemaFailures(type, config), ...ruleFailures(type, config)]
  if (failures.length > 0) {
    throw invalidInputs(WIDGET_TEXTS.WIDGET_CONFIG_UNFIT(), failures)
  }
  return config
}

function renameOldKeys(type: WidgetType, given: Config): Record<string, unknown> {
  const config = { ...given }
  if (type !== 'realtime_gauge') return config
  for (const [old, name] of Object.entries(RENAMED)) {
    const value = config[old]
    delete config[old]
    if (value !== undefined && (config[name] === undefined || config[name] === null)) config[name] = value
  }
  return config
}

const at = (...path: (string | number)[]): (string | number)[] => ['body', 'config', ...path]

function schemaFailures(type: WidgetType, config: Config): ValidationFailure[] {
  const validate = validators.get(type)
  if (!validate || validate(config)) return []
  return (validate.errors ?? []).map((error) => {
    const path = error.instancePath
      .split('/')
      .slice(1)
      .map((part) => (/^\d+$/.test(part) ? Number(part) : part))
    const isMissing = error.keyword === 'required'
    return {
      loc: at(...path, ...(isMissing ? [String(error.params['missingProperty'])] : [])),
      msg: error.message ?? 'is not valid',
      type: isMissing ? 'missing' : error.keyword,
      violation: error,
    }
  })
}

function ruleFailures(type: WidgetType, config: Config): ValidationFailure[] {
  const failures: ValidationFailure[] = []
  const fail = (loc: (string | number)[], content: Message) => failures.push(ruleFailure(loc, content))
  if (Buffer.byteLength(JSON.stringify(config)) > WIDGET_CONFIG_BYTES_MAX) {
    fail(at(), WIDGET_TEXTS.WIDGET_CONFIG_TOO_LONG({ max: WIDGET_CONFIG_BYTES_MAX }))
  }
  const { min_range: low, max_range: high } = config
  if (type === 'realtime_gauge' && typeof low === 'number' && typeof high === 'number' && low >= high) {
    fail(at('max_range'), WIDGET_TEXTS.WIDGET_RANGE_EMPTY())
  }
  return failures
}

/** The devices that a widget names in its config, with the field of each. */
export function devicesIn(
  type: WidgetType,
  config: Config,
): { readonly field: (string | number)[]; readonly id: string }[] {
  if (!('device_id' in CONFIG_SCHEMAS[type])) return []
  const { device_id: one, device_ids: many } = config
  return [
    ...(typeof one === 'string' ? [{ field: at('device_id'), id: one.toLowerCase() }] : []),
    ...(Array.isArray(many) ? many : []).map((id: unknown, index) => ({
      field: at('device_ids', index),
      id: String(id).toLowerCase(),
    })),
  ]
}

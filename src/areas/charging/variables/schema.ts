import { type Static, Type } from 'typebox'
import { described, Id, Instant, Nullable, OneOf, Text, Word } from '../../../platform/http/fields.ts'
import { PageQuery } from '../../../platform/http/page.ts'
import { REPORT_KINDS, REPORT_REASONS, REPORT_STATES } from './report-state.ts'

const ATTRIBUTE_TYPES = ['Actual', 'Target', 'MinSet', 'MaxSet'] as const
/** Length of a component's or variable's name in OCPP 2.0.1. */
const NAME_MAX = 50

const nullable = <T extends Type.TSchema>(schema: T, description: string) =>
  Nullable(described(schema, description))
const text = (description: string) => nullable(Type.String(), description)
const flag = (description: string) => nullable(Type.Boolean(), description)

export const ChargerVariable = Type.Object(
  {
    id: Id,
    key: described(
      Type.String(),
      'Key in commands: Component[instance]@evse:connector.Variable[instance]#Target.',
    ),
    component: described(Type.String(), 'Name of the component, such as OCPPCommCtrlr; case-insensitive.'),
    component_instance: text('Instance of the component, if several have the same name.'),
    evse_id: nullable(Type.Integer(), 'EVSE of the component; null: the whole station.'),
    connector_id: nullable(Type.Integer(), 'Connector of the EVSE.'),
    variable: described(Type.String(), 'Name of the variable, such as HeartbeatInterval; case-insensitive.'),
    variable_instance: text('Instance of the variable, if several have the same name.'),
    attribute_type: described(
      Word(ATTRIBUTE_TYPES),
      'Attribute type: Actual is the value; the others are its target and bounds.',
    ),
    value: text('Reported value; null if the station reports none, and for write-only variables.'),
    mutability: text('Mutability: ReadOnly, WriteOnly or ReadWrite.'),
    is_persistent: flag('Whether the value persists across restarts of the station.'),
    is_constant: flag('Whether the station never changes the value.'),
    data_type: text(
      'OCPP data type of the value: string, decimal, integer, dateTime, boolean, OptionList ...',
    ),
    unit: text('Unit of the value.'),
    min_limit: nullable(Type.Number(), 'Minimum value.'),
    max_limit: nullable(Type.Number(), 'Maximum value; for a text the maximum length.'),
    values_list: text('Allowed values, separated by commas.'),
    supports_monitoring: flag('Whether the station supports monitoring of the variable.'),
    told_at: described(Instant, 'Time of the report.'),
  },
  { title: 'ChargerVariable' },
)

export const VariableQuery = Type.Object({
  ...PageQuery(['component', 'variable', 'evse_id', 'told_at']),
  component: Type.Optional(described(Text(NAME_MAX), 'Only variables of this component.')),
  variable: Type.Optional(described(Text(NAME_MAX), 'Only variables with this name.')),
  evse_id: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 255, description: 'Only variables of this EVSE.' }),
  ),
  attribute_type: Type.Optional(described(OneOf(ATTRIBUTE_TYPES), 'Only this attribute of the variables.')),
})

export const ChargerReport = Type.Object(
  {
    id: Id,
    kind: described(Word(REPORT_KINDS), 'Kind of the report.'),
    request_id: Type.Integer({ description: 'Number of the command that requested the report.' }),
    parts: Type.Array(Type.Integer(), {
      description: 'Received parts, from 0. Parts of charging profiles have no numbers: 0 is the last.',
    }),
    last_part: nullable(Type.Integer(), 'Number of the last part; null until it is received.'),
    is_complete: Type.Boolean({ description: 'Whether all parts are received.' }),
    state: described(
      Word(REPORT_STATES),
      'State of the report. Incomplete: parts are missing and none was received for ten minutes; later ' +
        'parts are still accepted.',
    ),
    reason: nullable(Word(REPORT_REASONS), 'Missing parts of an incomplete report.'),
    generated_at: nullable(
      Instant,
      'Time of the report by the clock of the station; null until a part contains it.',
    ),
    heard_at: described(
      Instant,
      'Time by the clock of the service at which the last part was received, or the station announced ' +
        'the report.',
    ),
  },
  { title: 'ChargerReport' },
)

export const ReportQuery = Type.Object({
  ...PageQuery(['heard_at', 'request_id']),
  kind: Type.Optional(described(OneOf(REPORT_KINDS), 'Only records of this kind.')),
  request_id: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Only reports of this command.',
    }),
  ),
})

export type VariableQuery = Static<typeof VariableQuery>
export type ReportQuery = Static<typeof ReportQuery>

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

export const ChargerVariable = Type.Object({
  id: Id,
  key: described(
    Type.String(),
    'As commands name it: Component[instance]@evse:connector.Variable[instance]#Target.',
  ),
  component: described(Type.String(), 'Such as OCPPCommCtrlr; compared without regard to case.'),
  component_instance: text('Which of several components of the name.'),
  evse_id: nullable(Type.Integer(), 'The EVSE that the component belongs to; null: the whole station.'),
  connector_id: nullable(Type.Integer(), 'The connector of the EVSE.'),
  variable: described(Type.String(), 'Such as HeartbeatInterval; compared without regard to case.'),
  variable_instance: text('Which of several variables of the name.'),
  attribute_type: described(
    Word(ATTRIBUTE_TYPES),
    'Actual is the value; the others are its target and bounds.',
  ),
  value: text('As the station told it; null where it tells none, and for what can only be written.'),
  mutability: text('ReadOnly, WriteOnly or ReadWrite.'),
  is_persistent: flag('The value outlives a restart of the station.'),
  is_constant: flag('The station never changes it.'),
  data_type: text(
    'Of the value, as OCPP names it: string, decimal, integer, dateTime, boolean, OptionList ...',
  ),
  unit: text('Of the value.'),
  min_limit: nullable(Type.Number(), 'The least value.'),
  max_limit: nullable(Type.Number(), 'The greatest value; of a text its greatest length.'),
  values_list: text('The values that are possible, separated by commas.'),
  supports_monitoring: flag('The station can watch it.'),
  told_at: described(Instant, 'When the station told it.'),
})

export const VariableQuery = Type.Object({
  ...PageQuery(['component', 'variable', 'evse_id', 'told_at']),
  component: Type.Optional(described(Text(NAME_MAX), 'Only of this component.')),
  variable: Type.Optional(described(Text(NAME_MAX), 'Only of this name.')),
  evse_id: Type.Optional(Type.Integer({ minimum: 0, maximum: 255, description: 'Only of this EVSE.' })),
  attribute_type: Type.Optional(described(OneOf(ATTRIBUTE_TYPES), 'Only this attribute.')),
})

export const ChargerReport = Type.Object({
  id: Id,
  kind: described(Word(REPORT_KINDS), 'What it is about.'),
  request_id: Type.Integer({ description: 'The number of the command that asked for it.' }),
  parts: Type.Array(Type.Integer(), {
    description:
      'The parts that have come, from 0. Those of charging profiles have no numbers: 0 is the last.',
  }),
  last_part: nullable(Type.Integer(), 'The number of the last part; null until it has come.'),
  is_complete: Type.Boolean({ description: 'Every part has come.' }),
  state: described(
    Word(REPORT_STATES),
    'Incomplete: nothing has come for ten minutes although something is missing. What comes later still counts.',
  ),
  reason: nullable(Word(REPORT_REASONS), 'What an incomplete one lacks.'),
  generated_at: nullable(Instant, "By the station's clock; null until a part tells it."),
  heard_at: described(
    Instant,
    'By our clock: when the last part came, or when the station agreed to send it.',
  ),
})

export const ReportQuery = Type.Object({
  ...PageQuery(['heard_at', 'request_id']),
  kind: Type.Optional(described(OneOf(REPORT_KINDS), 'Only of this kind.')),
  request_id: Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Only of this command.' }),
  ),
})

export type VariableQuery = Static<typeof VariableQuery>
export type ReportQuery = Static<typeof ReportQuery>

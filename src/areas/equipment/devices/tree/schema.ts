import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable } from '../../../../platform/http/fields.ts'
import { ListQuery } from '../../../../platform/http/page.ts'
import { AggregateQuery } from '../../../metering/aggregates/index.ts'
import { DEVICE_TREE_DEPTH_MAX, DEVICE_TREE_MAX, ENERGY_CHILDREN_MAX } from '../../limits.ts'

const Reference = (description: string) =>
  Nullable(
    Type.Object({ id: Id, name: Type.String({ description: 'Name of the object.' }) }, { description }),
  )

const node = {
  id: Id,
  name: Type.String({ description: 'Name of the device.' }),
  device_type: Type.String({
    description: 'Type of the device, for example energy_analyzer, inverter or charger.',
  }),
  device_role: Nullable(Type.String({ description: 'Role of the device, for example charger or inverter.' })),
  parent_id: Nullable({ ...Id, description: 'Parent device.' }),
  is_online: Type.Boolean({ description: 'Whether a sample was received within the offline threshold.' }),
  last_seen: Nullable(Instant),
  gateway: Reference('Gateway that reads the device, Modbus or message broker.'),
  subregion: Reference('Subregion of the device: its own (a charger), otherwise that of its gateway.'),
}

const Child = Type.Unsafe<TreeNode>({
  type: 'object',
  additionalProperties: true,
  description: 'A descendant device with the same structure, including its own children.',
})

export interface TreeNode extends Static<typeof TreeNodeFields> {
  children: TreeNode[]
}
const TreeNodeFields = Type.Object(node)

export const Hierarchy = Type.Object({
  ...node,
  ancestors: Type.Array(Type.Object(node), {
    description: 'Ancestors of the device, from the root of the tree.',
  }),
  children: Type.Array(Child, { description: 'Child devices, ordered by name.' }),
  total: Type.Integer({ description: 'Number of descendants in the response.' }),
  is_truncated: Type.Boolean({
    description:
      `Whether the tree is truncated: the response contains at most 2000 devices and max_depth levels. ${DEVICE_TREE_MAX} devices at most, ` +
      'and max_depth levels.',
  }),
})
export const HierarchyQuery = Type.Object({
  max_depth: Type.Integer({
    minimum: 1,
    maximum: DEVICE_TREE_DEPTH_MAX,
    default: DEVICE_TREE_DEPTH_MAX,
    description: 'Maximum number of levels below the device in the response.',
  }),
})

export const ChildrenQuery = Type.Object(ListQuery())

export const ConsumptionQuery = Type.Object({
  ...AggregateQuery.properties,
  include_children: Type.Boolean({
    default: false,
    description:
      `Also shows the devices directly below it (at most ${ENERGY_CHILDREN_MAX}, by name), each with its totals. ` +
      'Their sum is never added to the device’s own figures: a meter below usually measures a part of what ' +
      'the meter above has measured already, and would be counted twice.',
  }),
})

const kWh = (description: string) => Nullable(Type.Number({ description }))
const totals = {
  consumption_kwh: kWh(
    'kWh taken in: as total_energy of the aggregated answer. null: no data, or a device that only produces.',
  ),
  production_kwh: kWh(
    'kWh produced: as total_energy of aggregated-production. null: no data, or a device that does not ' +
      'produce.',
  ),
  export_kwh: kWh('kWh fed into the grid, by its register. null: no such register, or no data.'),
  is_estimated: Type.Boolean({
    description: 'A part was made from power, or is a share of what a register grew across a gap.',
  }),
}
const Totals = Type.Object(totals, { description: 'The exact sums of the rows.' })

export const EnergyConsumption = Type.Object({
  device_id: Id,
  interval: AggregateQuery.properties.interval,
  start: Type.String({ format: 'date-time', description: 'The start of the first bucket asked for.' }),
  end: Type.String({ format: 'date-time', description: 'The end of the last bucket asked for.' }),
  data: Type.Array(
    Type.Object({
      timestamp: Type.String({ format: 'date-time', description: 'The start of the bucket.' }),
      ...totals,
    }),
    { description: 'Ascending; a bucket of which nothing is known has no row.' },
  ),
  totals: Totals,
  children: Type.Optional(
    Type.Array(
      Type.Object({
        device_id: Id,
        device_name: Type.String({ description: 'Name of the child.' }),
        totals: Totals,
      }),
      { description: 'With include_children: the devices directly below.' },
    ),
  ),
  children_consumption_kwh: Type.Optional(
    kWh('With include_children: what the children took in together. A part of the device’s own consumption.'),
  ),
  not_submetered_kwh: Type.Optional(
    kWh(
      'With include_children: the device’s own consumption less that of its children; negative where ' +
        'they measure more. null where either is unknown.',
    ),
  ),
  children_truncated: Type.Optional(
    Type.Boolean({ description: 'With include_children: there are more children than are shown.' }),
  ),
})
export type EnergyConsumption = Static<typeof EnergyConsumption>
export type ConsumptionQuery = Static<typeof ConsumptionQuery>

import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable } from '../../../../platform/http/fields.ts'
import { ListQuery, Search } from '../../../../platform/http/page.ts'
import { AggregateQuery, Quality } from '../../../metering/aggregates/index.ts'
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

export const Hierarchy = Type.Object(
  {
    ...node,
    ancestors: Type.Array(Type.Object(node), {
      description: 'Ancestors of the device, from the root of the tree.',
    }),
    children: Type.Array(Child, { description: 'Child devices, ordered by name.' }),
    total: Type.Integer({ description: 'Number of descendants in the response.' }),
    is_truncated: Type.Boolean({
      description:
        `Whether the tree is truncated: the response contains at most ${DEVICE_TREE_MAX} devices ` +
        'and max_depth levels.',
    }),
  },
  { title: 'DeviceHierarchy' },
)
export const HierarchyQuery = Type.Object({
  max_depth: Type.Integer({
    minimum: 1,
    maximum: DEVICE_TREE_DEPTH_MAX,
    default: DEVICE_TREE_DEPTH_MAX,
    description: 'Maximum number of levels below the device in the response.',
  }),
})

export const ChildrenQuery = Type.Object({
  ...ListQuery(),
  search: Search('name, external_id and ieee_address'),
})

export const ConsumptionQuery = Type.Object({
  ...AggregateQuery.properties,
  include_children: Type.Boolean({
    default: false,
    description:
      `Also returns the child devices (at most ${ENERGY_CHILDREN_MAX}, by name), each with its totals. ` +
      'Their sum is never added to the figures of the device: a child meter usually measures a part of what ' +
      'the parent meter has already measured, which would be counted twice.',
  }),
})

const kWh = (description: string) => Nullable(Type.Number({ description }))
const totals = {
  consumption_kwh: kWh(
    'Consumed energy, kWh; equal to total_energy of the aggregated response. null: no data, or a ' +
      'device that only produces.',
  ),
  production_kwh: kWh(
    'Produced energy, kWh; equal to total_energy of aggregated-production. null: no data, or a device ' +
      'that does not produce.',
  ),
  export_kwh: kWh(
    'Energy fed into the grid, kWh, from the export register. null: no such register, or no data.',
  ),
  is_estimated: Type.Boolean({
    description:
      'Whether a part was calculated from power, or is a share of the register growth across a gap.',
  }),
  data_quality: Quality('the energies that the device measures'),
}
const Totals = Type.Object(totals, { title: 'EnergyTotals', description: 'Exact sums of the rows.' })

export const EnergyConsumption = Type.Object(
  {
    device_id: Id,
    interval: AggregateQuery.properties.interval,
    start: Type.String({ format: 'date-time', description: 'Start of the first requested bucket.' }),
    end: Type.String({ format: 'date-time', description: 'End of the last requested bucket.' }),
    data: Type.Array(
      Type.Object({
        timestamp: Type.String({ format: 'date-time', description: 'Start of the bucket.' }),
        ...totals,
      }),
      { description: 'Rows in ascending order; a bucket without data has no row.' },
    ),
    totals: Totals,
    children: Type.Optional(
      Type.Array(
        Type.Object({
          device_id: Id,
          device_name: Type.String({ description: 'Name of the child device.' }),
          totals: Totals,
        }),
        { description: 'With include_children: the child devices.' },
      ),
    ),
    children_consumption_kwh: Type.Optional(
      kWh(
        'With include_children: total consumption of the children; a part of the consumption of the device.',
      ),
    ),
    not_submetered_kwh: Type.Optional(
      kWh(
        'With include_children: consumption of the device minus that of its children; negative if the ' +
          'children measure more. null if either is unknown.',
      ),
    ),
    children_truncated: Type.Optional(
      Type.Boolean({ description: 'With include_children: whether the list of children is truncated.' }),
    ),
  },
  { title: 'DeviceEnergyConsumption' },
)
export type EnergyConsumption = Static<typeof EnergyConsumption>
export type ConsumptionQuery = Static<typeof ConsumptionQuery>

import { type Static, Type } from 'typebox'
import { WIDGET_PERIODS } from '../../../kernel/widget-periods.ts'
import { Id, Instant, Nullable, OneOf, Text } from '../../../platform/http/fields.ts'
import { ListQuery, Search } from '../../../platform/http/page.ts'
import { WIDGET_GRID_MAX, WIDGET_TITLE_MAX_LENGTH, WIDGETS_PER_SUBREGION_MAX } from './limits.ts'
import { type Config, WIDGET_TYPES } from './types.ts'

const cell = (minimum: number, description: string) =>
  Type.Integer({ minimum, maximum: WIDGET_GRID_MAX, description })
const Position = Type.Object(
  {
    x: cell(0, 'Column of the left edge on the grid.'),
    y: cell(0, 'Row of the upper edge on the grid.'),
    w: cell(1, 'Width in columns.'),
    h: cell(1, 'Height in rows.'),
  },
  { title: 'WidgetPosition', description: 'Position on the grid of the dashboard; null: not set.' },
)
export type Position = Static<typeof Position>
const WidgetTypeIn = { ...OneOf(WIDGET_TYPES), description: 'Widget type.' }
const ConfigIn = Type.Unsafe<Config>({
  type: 'object',
  additionalProperties: true,
  'x-json': true,
  description:
    'Configuration; docs/understand/widgets.md describes the keys of each type, other keys are stored ' +
    'for the client. A gauge accepts min_value, max_value and danger_threshold as aliases of ' +
    'min_range, max_range and critical_threshold.',
})

export const Widget = Type.Object(
  {
    id: Id,
    subregion_id: { ...Id, description: 'Subregion of the dashboard.' },
    widget_type: Type.String({ enum: [...WIDGET_TYPES], description: 'Widget type.' }),
    title: Type.String({ description: 'Title of the widget.' }),
    position: Nullable(Position),
    config: Type.Unsafe<Config>({
      type: 'object',
      additionalProperties: true,
      description: 'Configuration with the current key names.',
    }),
    is_active: Type.Boolean({
      description: 'Whether the widget is active; only active widgets are in the data of the dashboard.',
    }),
    created_at: Instant,
  },
  { title: 'Widget' },
)

export const CreateWidget = Type.Object(
  {
    subregion_id: { ...Id, description: 'Subregion of the dashboard.' },
    widget_type: WidgetTypeIn,
    title: { ...Text(WIDGET_TITLE_MAX_LENGTH), description: 'Title of the widget.' },
    position: Type.Optional(Nullable(Position)),
    config: Type.Optional(ConfigIn),
    is_active: Type.Optional(
      Type.Boolean({
        description:
          'Whether the widget is active; only active widgets are in the data of the dashboard. Default: true.',
      }),
    ),
  },
  { title: 'CreateWidget' },
)
/** Omitted fields are unchanged; config is replaced whole. */
export const UpdateWidget = Type.Partial(CreateWidget, { title: 'UpdateWidget' })

export const WidgetQuery = Type.Object({
  ...ListQuery(),
  search: Search('title'),
  widget_type: Type.Optional({ ...OneOf(WIDGET_TYPES), description: 'Only widgets of this type.' }),
  is_active: Type.Optional(
    Type.Boolean({ description: 'true: only active widgets; false: only inactive widgets.' }),
  ),
})

export const DataQuery = Type.Object({
  time_range: Type.Optional({
    ...OneOf(WIDGET_PERIODS),
    description: 'Period for widgets without a period in their config. Default: 7d.',
  }),
})

export const SubregionParams = Type.Object({ id: { ...Id, description: 'Subregion of the dashboard.' } })

/** The description of a type, from which a client makes the form of its config. */
export const WidgetTypeInfo = Type.Object(
  {
    widget_type: { ...OneOf(WIDGET_TYPES), description: 'Widget type.' },
    data_path: Nullable(
      Type.String({
        description:
          'Last part of /api/widgets/<id>/data/…; null if the endpoint of the feature has the data.',
      }),
    ),
    config_schema: Type.Unsafe<object>({
      type: 'object',
      additionalProperties: true,
      description:
        'JSON schema of the config. Other keys are stored for the client. Previous names of keys are not in it.',
    }),
  },
  { title: 'WidgetTypeInfo' },
)

const WidgetPlace = Type.Object({
  widget_id: { ...Id, description: 'Widget of the subregion.' },
  ...Position.properties,
})
export const ArrangeWidgets = Type.Object(
  {
    positions: Type.Array(WidgetPlace, {
      minItems: 1,
      maxItems: WIDGETS_PER_SUBREGION_MAX,
      description: 'The new positions; widgets that are not named keep theirs.',
    }),
  },
  { title: 'ArrangeWidgets' },
)

export type ArrangeWidgets = Static<typeof ArrangeWidgets>
export type CreateWidget = Static<typeof CreateWidget>
export type UpdateWidget = Static<typeof UpdateWidget>
export type WidgetQuery = Static<typeof WidgetQuery>
export type DataQuery = Static<typeof DataQuery>

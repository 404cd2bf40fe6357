import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable, OneOf, Text } from '../../../platform/http/fields.ts'
import { ListQuery } from '../../../platform/http/page.ts'
import { PERIODS } from './data/period.ts'
import { WIDGET_GRID_MAX, WIDGET_TITLE_MAX_LENGTH } from './limits.ts'
import { type Config, WIDGET_TYPES } from './types.ts'

const cell = (minimum: number, description: string) =>
  Type.Integer({ minimum, maximum: WIDGET_GRID_MAX, description })
const Position = Type.Object(
  {
    x: cell(0, 'Column of the left edge.'),
    y: cell(0, 'Row of the upper edge.'),
    w: cell(1, 'Width in columns.'),
    h: cell(1, 'Height in rows.'),
  },
  { description: 'Place on the grid of the dashboard; null: none was given.' },
)
export type Position = Static<typeof Position>
const WidgetTypeIn = { ...OneOf(WIDGET_TYPES), description: 'One of the 13 types.' }
const ConfigIn = Type.Unsafe<Config>({
  type: 'object',
  additionalProperties: true,
  'x-json': true,
  description:
    'What the type reads is described in docs/understand/widgets.md; other keys are kept for the client. A gauge may ' +
    'send min_value, ' +
    'max_value and danger_threshold for min_range, max_range and critical_threshold.',
})

export const Widget = Type.Object({
  id: Id,
  subregion_id: { ...Id, description: 'On whose dashboard it is.' },
  widget_type: Type.String({ enum: [...WIDGET_TYPES], description: 'One of the 13 types.' }),
  title: Type.String({ description: 'What stands above it.' }),
  position: Nullable(Position),
  config: Type.Unsafe<Config>({
    type: 'object',
    additionalProperties: true,
    description: 'As it was given, under the new names.',
  }),
  is_active: Type.Boolean({ description: 'Only active ones are in the data of the dashboard.' }),
  created_at: Instant,
})

export const CreateWidget = Type.Object({
  subregion_id: { ...Id, description: 'On whose dashboard it stands.' },
  widget_type: WidgetTypeIn,
  title: { ...Text(WIDGET_TITLE_MAX_LENGTH), description: 'What stands above it.' },
  position: Type.Optional(Nullable(Position)),
  config: Type.Optional(ConfigIn),
  is_active: Type.Optional(
    Type.Boolean({ description: 'Absent: true. Only active ones are in the data of the dashboard.' }),
  ),
})
/** Omitted fields are unchanged; config is replaced whole. */
export const UpdateWidget = Type.Partial(CreateWidget)

export const WidgetQuery = Type.Object({
  ...ListQuery(),
  widget_type: Type.Optional({ ...OneOf(WIDGET_TYPES), description: 'Only widgets of this type.' }),
  is_active: Type.Optional(Type.Boolean({ description: 'Only active ones, or only others.' })),
})

export const DataQuery = Type.Object({
  time_range: Type.Optional({
    ...OneOf(PERIODS),
    description: 'For widgets whose config has no period; without it 7d.',
  }),
})

export const SubregionParams = Type.Object({ id: { ...Id, description: 'The subregion.' } })

export type CreateWidget = Static<typeof CreateWidget>
export type UpdateWidget = Static<typeof UpdateWidget>
export type WidgetQuery = Static<typeof WidgetQuery>
export type DataQuery = Static<typeof DataQuery>

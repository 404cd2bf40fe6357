import { type Static, Type } from 'typebox'
import { described, Id, Instant, Nullable, OneOf } from '../../../../platform/http/fields.ts'
import { Quality } from '../schema.ts'
import { HOURS_CELLS_MAX, HOURS_DEVICES_MAX } from './limits.ts'

export const HoursQuery = Type.Object({
  start: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Start of the range, rounded down to the hour. Default: a day before end.',
    }),
  ),
  end: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'End of the range, exclusive, rounded up to the hour. Default: now. A response has at most ' +
        `${HOURS_CELLS_MAX} hours, counted for \`limit\` devices.`,
    }),
  ),
  variant: Type.Unsafe<'consumption' | 'production'>({
    ...OneOf(['consumption', 'production']),
    default: 'consumption',
    description: 'Consumption, or photovoltaic production.',
  }),
  gateway_id: Type.Optional(described(Id, 'Only the devices of this gateway. Without it: all devices.')),
  skip: Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    default: 0,
    description: 'Offset of the first device.',
  }),
  limit: Type.Integer({
    minimum: 1,
    maximum: HOURS_DEVICES_MAX,
    default: HOURS_DEVICES_MAX,
    description: 'Maximum number of devices of the response.',
  }),
})

const perHour = <T extends Type.TSchema>(item: T, description: string) => Type.Array(item, { description })

export const DeviceHours = Type.Object(
  {
    start: described(Instant, 'Start of the first hour.'),
    end: described(Instant, 'End of the last hour.'),
    timestamps: perHour(Type.String({ format: 'date-time' }), 'Start of each hour.'),
    devices: Type.Array(
      Type.Object(
        {
          device_id: described(Id, 'Device.'),
          total_energy: perHour(
            Nullable(Type.Number()),
            'Energy of each hour, kWh, by the rules of the aggregate of a device; null: no data.',
          ),
          is_estimated: perHour(
            Type.Boolean(),
            'For each hour: the energy was calculated from power, or is a share of the register growth across a gap.',
          ),
          data_quality: perHour(Quality('the energy of each hour'), 'Quality of the energy of each hour.'),
        },
        { title: 'HoursOfDevice' },
      ),
      { description: 'The devices by id. Each list has the order of `timestamps`.' },
    ),
    total: Type.Integer({ description: 'Number of devices that match the filter.' }),
    skip: Type.Integer({ description: 'Offset of the first device of this page.' }),
    limit: Type.Integer({ description: 'Maximum number of devices of this page.' }),
  },
  { title: 'DeviceHours' },
)
export type HoursQuery = Static<typeof HoursQuery>
export type DeviceHours = Static<typeof DeviceHours>

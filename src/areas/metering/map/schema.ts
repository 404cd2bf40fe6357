import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable } from '../../../platform/http/fields.ts'
import { MAP_DEVICES_MAX, MAP_SUBREGIONS_MAX } from './limits.ts'

export const MapQuery = Type.Object({
  region_id: Type.Optional({ ...Id, description: 'Only subregions of this region and their devices.' }),
  subregion_id: Type.Optional({ ...Id, description: 'Only this subregion and its devices.' }),
})
export type MapQuery = Static<typeof MapQuery>

const degrees = (description: string) => Nullable(Type.Number({ description }))
const kW = (description: string) => Nullable(Type.Number({ description }))

const MapDevice = Type.Object({
  id: Id,
  name: Type.String({ description: 'Name of the device.' }),
  device_type: Type.String({
    description: 'Type of the device, for example energy_analyzer, inverter or charger.',
  }),
  device_role: Nullable(Type.String({ description: 'Role of the device, for example charger or inverter.' })),
  parent_id: Nullable({ ...Id, description: 'Parent device in the device tree.' }),
  subregion_id: Nullable({
    ...Id,
    description:
      'Subregion of the device (a charger), otherwise of its gateway, otherwise of its current meter ' +
      'assignment.',
  }),
  latitude: degrees('Latitude in degrees north: extra_metadata.latitude, otherwise that of the subregion.'),
  longitude: degrees('Longitude in degrees east: extra_metadata.longitude, otherwise that of the subregion.'),
  is_online: Type.Boolean({ description: 'Whether a sample was received within the offline threshold.' }),
  last_seen: Nullable(Instant),
  active_power_kw: kW('Latest active_power, at most one hour old, kW; consumption is positive.'),
  energy_today_kwh: kW(
    'Growth of the import register from midnight (Turkey-local) to its latest reading, kWh. The ' +
      'endpoint energy-consumption of the device has the exact value.',
  ),
  production_today_kwh: kW(
    'Growth of the production register from midnight (Turkey-local) to its latest reading, kWh.',
  ),
})

const MapSubregion = Type.Object({
  id: Id,
  region_id: Id,
  name: Type.String({ description: 'Name of the subregion.' }),
  city: Nullable(Type.String({ description: 'City as it was entered.' })),
  latitude: degrees('Latitude in degrees north.'),
  longitude: degrees('Longitude in degrees east.'),
  device_count: Type.Integer({ description: 'Number of devices of the response in this subregion.' }),
  online_count: Type.Integer({ description: 'Number of these devices that are online.' }),
  active_power_kw: kW(
    'Sum of the devices without a parent device, excluding inverters; a parent device already measures ' +
      'its children.',
  ),
  energy_today_kwh: kW('Sum of the devices without a parent device.'),
  production_today_kwh: kW('Sum of the devices without a parent device and of all inverters.'),
})

export const MapData = Type.Object(
  {
    timestamp: Type.String({ format: 'date-time', description: 'Time of the snapshot.' }),
    subregions: Type.Array(MapSubregion, {
      description: `Subregions ordered by name, at most ${MAP_SUBREGIONS_MAX}.`,
    }),
    devices: Type.Array(MapDevice, { description: `Devices ordered by name, at most ${MAP_DEVICES_MAX}.` }),
    is_truncated: Type.Boolean({
      description: 'Whether the response is truncated; the parameters for a region or subregion narrow it.',
    }),
  },
  { title: 'MapData' },
)
export type MapData = Static<typeof MapData>

import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable } from '../../../platform/http/fields.ts'
import { MAP_DEVICES_MAX, MAP_SUBREGIONS_MAX } from './limits.ts'

export const MapQuery = Type.Object({
  region_id: Type.Optional({ ...Id, description: 'Only the subregions of this region, and their devices.' }),
  subregion_id: Type.Optional({ ...Id, description: 'Only this subregion, and its devices.' }),
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
    description: 'Its own (a charger), else that of its gateway, else that of its present meter assignment.',
  }),
  latitude: degrees('Degrees north: extra_metadata.latitude, else that of the subregion.'),
  longitude: degrees('Degrees east: extra_metadata.longitude, else that of the subregion.'),
  is_online: Type.Boolean({ description: 'Whether a sample was received within the offline threshold.' }),
  last_seen: Nullable(Instant),
  active_power_kw: kW('The last active_power, not older than an hour; consumption positive.'),
  energy_today_kwh: kW(
    'Growth of the import register since midnight in Turkey, up to its last reading; a snapshot. The exact figure: ' +
      'energy-consumption of the device.',
  ),
  production_today_kwh: kW('The same of the production register.'),
})

const MapSubregion = Type.Object({
  id: Id,
  region_id: Id,
  name: Type.String({ description: 'Name of the subregion.' }),
  city: Nullable(Type.String({ description: 'As it was entered.' })),
  latitude: degrees('Latitude in degrees north.'),
  longitude: degrees('Longitude in degrees east.'),
  device_count: Type.Integer({ description: 'Devices of the answer that stand here.' }),
  online_count: Type.Integer({ description: 'Those of them that are online.' }),
  active_power_kw: kW(
    'Sum over the devices that stand below no other one, inverters left out: what is below is measured above already.',
  ),
  energy_today_kwh: kW('Sum over the devices that stand below no other one.'),
  production_today_kwh: kW('Sum over the devices that stand below no other one, and over all inverters.'),
})

export const MapData = Type.Object({
  timestamp: Type.String({ format: 'date-time', description: 'The instant of the snapshot.' }),
  subregions: Type.Array(MapSubregion, { description: `By name, at most ${MAP_SUBREGIONS_MAX}.` }),
  devices: Type.Array(MapDevice, { description: `By name, at most ${MAP_DEVICES_MAX}.` }),
  is_truncated: Type.Boolean({
    description: 'There are more than are shown: ask for one region or subregion.',
  }),
})
export type MapData = Static<typeof MapData>

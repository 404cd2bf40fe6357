/** Sites, gateways, devices, chargers and LOTO points. */
import { KIND_TEXTS } from './kind-texts.ts'
import type { Reference, Resource } from './resource.ts'

const REGION: Reference = { list: '/api/regions', hasSearch: true }
export const SITE: Reference = { list: '/api/subregions', hasSearch: true }
export const DEVICE: Reference = { list: '/api/devices', hasSearch: true }
const TEMPLATE: Reference = { list: '/api/devices/device-templates', hasSearch: true }
const MODBUS_GATEWAY: Reference = {
  list: '/api/gateways',
  hasSearch: true,
  query: { gateway_type: 'modbus' },
}
const BROKER_GATEWAY: Reference = { list: '/api/gateways', hasSearch: true, query: { gateway_type: 'mqtt' } }

export const REGIONS: Resource = {
  name: 'regions',
  report: 'regions',
  permission: 'manage:region',
  title: KIND_TEXTS.KIND_REGIONS,
  empty: KIND_TEXTS.KIND_EMPTY,
  createTitle: KIND_TEXTS.KIND_NEW_REGION,
  list: '/api/regions',
  paging: 'skip',
  hasSearch: true,
  item: { path: '/api/regions/{id}', parameter: 'id', isReadable: true },
  update: 'PUT',
  isDeletable: true,
  columns: ['name', 'code', 'description'],
  dependents: [{ text: KIND_TEXTS.KIND_SITES, list: '/api/subregions', parameter: 'region_id' }],
}

export const SITES: Resource = {
  name: 'sites',
  report: 'subregions',
  permission: 'manage:region',
  title: KIND_TEXTS.KIND_SITES,
  empty: KIND_TEXTS.KIND_EMPTY,
  createTitle: KIND_TEXTS.KIND_NEW_SITE,
  list: '/api/subregions',
  paging: 'skip',
  hasSearch: true,
  item: { path: '/api/subregions/{id}', parameter: 'id', isReadable: true },
  update: 'PUT',
  isDeletable: true,
  columns: ['name', 'region_id', 'city', 'contracted_power_kw'],
  references: { region_id: REGION },
  dependents: [
    { text: KIND_TEXTS.KIND_GATEWAYS, list: '/api/gateways', parameter: 'subregion_id' },
    { text: KIND_TEXTS.KIND_DEVICES, list: '/api/devices', parameter: 'subregion_id' },
    { text: KIND_TEXTS.KIND_FACILITIES, list: '/api/mahsuplasma/facilities', parameter: 'subregion_id' },
    { text: KIND_TEXTS.KIND_CHARGERS, list: '/api/ocpp/chargers', parameter: 'subregion_id' },
    { text: KIND_TEXTS.KIND_LOTO_POINTS, list: '/api/loto/points', parameter: 'subregion_id' },
  ],
}

export const GATEWAYS: Resource = {
  name: 'gateways',
  report: 'gateways',
  permission: 'manage:gateway',
  title: KIND_TEXTS.KIND_GATEWAYS,
  empty: KIND_TEXTS.KIND_EMPTY,
  createTitle: KIND_TEXTS.KIND_NEW_GATEWAY,
  list: '/api/gateways',
  paging: 'skip',
  hasSearch: true,
  item: { path: '/api/gateways/{id}', parameter: 'id', isReadable: true },
  update: 'PUT',
  isDeletable: true,
  columns: ['name', 'gateway_type', 'subregion_id', 'host'],
  references: { subregion_id: SITE },
  dependents: [
    { text: KIND_TEXTS.KIND_MODBUS_DEVICES, list: '/api/devices', parameter: 'gateway_id' },
    { text: KIND_TEXTS.KIND_BROKER_DEVICES, list: '/api/devices', parameter: 'mqtt_gateway_id' },
  ],
  actions: [
    {
      name: 'login',
      title: KIND_TEXTS.KIND_NEW_LOGIN,
      note: KIND_TEXTS.KIND_NEW_LOGIN_NOTE,
      method: 'POST',
      path: '/api/gateways/{id}/credentials',
      permission: 'manage:gateway',
      isOffered: ({ gateway_type }) => gateway_type !== 'modbus',
      shown: ['username', 'password', 'topic_root'],
    },
    {
      name: 'revoke',
      title: KIND_TEXTS.KIND_REVOKE_LOGIN,
      note: KIND_TEXTS.KIND_REVOKE_LOGIN_NOTE,
      method: 'DELETE',
      path: '/api/gateways/{id}/credentials',
      permission: 'manage:gateway',
      isOffered: ({ gateway_type }) => gateway_type !== 'modbus',
    },
  ],
}

export const ZIGBEE_GATEWAYS: Resource = {
  name: 'zigbee',
  report: 'zigbee_gateways',
  permission: 'manage:zigbee',
  title: KIND_TEXTS.KIND_ZIGBEE_GATEWAYS,
  empty: KIND_TEXTS.KIND_EMPTY,
  createTitle: KIND_TEXTS.KIND_NEW_CLAIM,
  list: '/api/v1/zigbee/gateways',
  paging: 'skip',
  hasSearch: true,
  create: '/api/v1/zigbee/claims/generate',
  item: { path: '/api/v1/zigbee/gateways/{id}', parameter: 'id', isReadable: true },
  update: 'PUT',
  isDeletable: true,
  columns: ['name', 'subregion_id', 'device_count', 'is_online', 'permit_join_until'],
  references: { subregion_id: SITE },
  shown: ['code', 'expires_at'],
  dependents: [{ text: KIND_TEXTS.KIND_BROKER_DEVICES, list: '/api/devices', parameter: 'mqtt_gateway_id' }],
}

/** Codes with which a Zigbee gateway can join, and which none has used. */
export const CLAIMS: Resource = {
  name: 'claims',
  permission: 'manage:zigbee',
  title: KIND_TEXTS.KIND_CLAIMS,
  empty: KIND_TEXTS.KIND_EMPTY,
  list: '/api/v1/zigbee/claims/pending',
  paging: 'skip',
  item: { path: '/api/v1/zigbee/claims/{id}', parameter: 'id' },
  isDeletable: true,
  label: 'gateway_name',
  columns: ['gateway_name', 'subregion_id', 'code', 'expires_at'],
  references: { subregion_id: SITE },
}

/** How tags and fields of Telegraf and Prometheus become devices and metrics. */
export const COLLECTOR_MAPPINGS: Resource = {
  name: 'collectors',
  permission: 'manage:device',
  title: KIND_TEXTS.KIND_COLLECTORS,
  empty: KIND_TEXTS.KIND_EMPTY,
  createTitle: KIND_TEXTS.KIND_NEW_COLLECTOR,
  createNote: KIND_TEXTS.KIND_COLLECTOR_NOTE,
  list: '/api/collector-mappings',
  paging: 'skip',
  hasSearch: true,
  item: { path: '/api/collector-mappings/{id}', parameter: 'id', isReadable: true },
  update: 'PUT',
  isDeletable: true,
  columns: ['name', 'device_labels', 'ignore_unknown', 'updated_at'],
  initial: { device_labels: 'device, host' },
}

export const DEVICES: Resource = {
  name: 'devices',
  report: 'devices',
  permission: 'manage:device',
  title: KIND_TEXTS.KIND_DEVICES,
  empty: KIND_TEXTS.KIND_EMPTY,
  createTitle: KIND_TEXTS.KIND_NEW_DEVICE,
  list: '/api/devices',
  paging: 'skip',
  hasSearch: true,
  item: { path: '/api/devices/{id}', parameter: 'id', isReadable: true },
  update: 'PUT',
  isDeletable: true,
  columns: ['name', 'device_type', 'device_source', 'gateway_id'],
  references: {
    gateway_id: MODBUS_GATEWAY,
    mqtt_gateway_id: BROKER_GATEWAY,
    template_id: TEMPLATE,
    parent_id: DEVICE,
  },
  dependents: [
    { text: KIND_TEXTS.KIND_CHILD_DEVICES, list: '/api/devices', parameter: 'parent_id' },
    { text: KIND_TEXTS.KIND_LOTO_POINTS, list: '/api/loto/points', parameter: 'device_id' },
    { text: KIND_TEXTS.KIND_POLICIES, list: '/api/alarms', parameter: 'device_id' },
  ],
}

export const TEMPLATES: Resource = {
  name: 'templates',
  report: 'device_templates',
  permission: 'manage:device',
  title: KIND_TEXTS.KIND_TEMPLATES,
  empty: KIND_TEXTS.KIND_EMPTY,
  createTitle: KIND_TEXTS.KIND_NEW_TEMPLATE,
  list: '/api/devices/device-templates',
  query: { sort_by: 'name', sort_order: 'asc' },
  paging: 'skip',
  hasSearch: true,
  item: { path: '/api/devices/device-templates/{id}', parameter: 'id', isReadable: true },
  update: 'PUT',
  isDeletable: true,
  columns: ['name', 'vendor', 'model', 'device_type', 'protocols', 'is_system'],
  // The page of a template has the register map.
  hidden: ['register_map'],
  isOwn: ({ is_system }) => is_system !== true,
  dependents: [{ text: KIND_TEXTS.KIND_DEVICES, list: '/api/devices', parameter: 'template_id' }],
}

export const CHARGERS: Resource = {
  name: 'chargers',
  report: 'chargers',
  permission: 'manage:charger',
  title: KIND_TEXTS.KIND_CHARGERS,
  empty: KIND_TEXTS.KIND_EMPTY,
  createTitle: KIND_TEXTS.KIND_NEW_CHARGER,
  list: '/api/ocpp/chargers',
  paging: 'skip',
  hasSearch: true,
  item: { path: '/api/ocpp/chargers/{id}', parameter: 'id', isReadable: true },
  update: 'PUT',
  isDeletable: true,
  columns: ['name', 'cpid', 'subregion_id', 'vendor', 'model'],
  references: { subregion_id: SITE },
  shown: ['cpid', 'password'],
  actions: [
    {
      name: 'password',
      title: KIND_TEXTS.KIND_NEW_PASSWORD,
      note: KIND_TEXTS.KIND_NEW_PASSWORD_NOTE,
      method: 'POST',
      path: '/api/ocpp/chargers/{id}/password',
      permission: 'manage:charger',
      shown: ['password'],
    },
  ],
}

export const LOTO_POINTS: Resource = {
  name: 'loto-points',
  report: 'loto_points',
  permission: 'manage:loto',
  title: KIND_TEXTS.KIND_LOTO_POINTS,
  empty: KIND_TEXTS.KIND_EMPTY,
  createTitle: KIND_TEXTS.KIND_NEW_LOTO_POINT,
  list: '/api/loto/points',
  paging: 'skip',
  hasSearch: true,
  item: { path: '/api/loto/points/{id}', parameter: 'id', isReadable: true },
  update: 'PUT',
  isDeletable: true,
  columns: [
    'name',
    'subregion_id',
    'device_id',
    'energy_type',
    'isolation_method',
    'location',
    'is_locked_out',
  ],
  references: { subregion_id: SITE, device_id: DEVICE },
}

/** All fields of a policy; those that the form with the preview creates have the usual ones. */
export const POLICIES: Resource = {
  name: 'policies',
  report: 'alarm_policies',
  permission: 'manage:alarm',
  title: KIND_TEXTS.KIND_POLICIES,
  empty: KIND_TEXTS.KIND_EMPTY,
  createTitle: KIND_TEXTS.KIND_NEW_POLICY,
  list: '/api/alarms',
  paging: 'skip',
  hasSearch: true,
  item: { path: '/api/alarms/{id}', parameter: 'id', isReadable: true },
  update: 'PUT',
  isDeletable: true,
  columns: ['name', 'alarm_type', 'severity', 'is_active'],
  references: {
    device_id: DEVICE,
    subregion_id: SITE,
    escalation_policy_id: { list: '/api/escalation-policies', hasSearch: true },
  },
}

import { randomBytes, randomUUID } from 'node:crypto'
import { unique } from '../foreign-fixture.ts'
import type { TenantRecords } from './records.ts'

/** A valid body in which every reference is to a record of the caller's own tenant. */
export type OwnBody = (own: TenantRecords) => object

const NETTING = '/api/mahsuplasma'
const FROM = '2026-11-01T00:00:00+03:00'
const LATER = { from: '2026-12-01T00:00:00+03:00', to: '2026-12-02T00:00:00+03:00' }
/** The fields of a form; its text `file` is sent as a file. */
const METER_DATA = {
  ...{ file: 'date,import\n2026-11-01T01:00,1', value_kind: 'interval', unit: 'kWh' },
  ...{ label: 'hour_ending', interval_minutes: '60' },
}
const email = () => `${randomUUID()}@example.test`

const ACCESS: Readonly<Record<string, readonly OwnBody[]>> = {
  'PUT /api/auth/oidc/provider': [
    (own) => ({
      ...{
        issuer: 'https://login.example.com',
        client_id: 'x',
        client_secret: 'x',
        allowed_domains: ['example.test'],
      },
      role_id: own.role,
    }),
  ],
  'POST /api/users': [(own) => ({ email: email(), password: 'a password of 12', role_ids: [own.role] })],
  'PUT /api/users/:id': [(own) => ({ role_ids: [own.role] })],
  'POST /api/users/invitations': [(own) => ({ email: email(), role_ids: [own.role] })],
}

const deviceBodies: readonly OwnBody[] = [
  (own) => ({ gateway_id: own.modbus_gateway, slave_id: 1, template_id: own.template }),
  (own) => ({ mqtt_gateway_id: own.mqtt_gateway }),
  (own) => ({ parent_id: own.device }),
]
const EQUIPMENT: Readonly<Record<string, readonly OwnBody[]>> = {
  'POST /api/subregions': [(own) => ({ region_id: own.region, name: unique('subregion') })],
  'PUT /api/subregions/:id': [(own) => ({ region_id: own.region })],
  'POST /api/gateways': [
    (own) => ({ name: unique('gateway'), gateway_type: 'mqtt', subregion_id: own.subregion }),
  ],
  'PUT /api/gateways/:id': [(own) => ({ subregion_id: own.subregion })],
  'POST /api/devices': deviceBodies.map((body) => (own) => ({
    ...{ name: unique('device'), device_type: 'energy_analyzer', ...body(own) },
  })),
  'PUT /api/devices/:id': deviceBodies,
  'POST /api/v1/zigbee/claims/generate': [
    (own) => ({ gateway_name: unique('claim'), subregion_id: own.subregion }),
  ],
  'PUT /api/v1/zigbee/gateways/:id': [(own) => ({ subregion_id: own.subregion })],
}

const escalationLevels: readonly OwnBody[] = [
  (own) => ({ levels: [{ delay_minutes: 1, recipients: [{ user_id: own.user }] }] }),
  (own) => ({ levels: [{ delay_minutes: 1, recipients: [{ role_id: own.role }] }] }),
  (own) => ({ levels: [{ delay_minutes: 1, recipients: [{ channel_id: own.channel }] }] }),
]
const POLICY = { alarm_type: 'threshold', metric: 'voltage', operator: 'gt', threshold: 1 }
const METERING: Readonly<Record<string, readonly OwnBody[]>> = {
  'POST /api/measurements': [
    (own) => ({ samples: [{ device_id: own.device, timestamp: FROM, values: { voltage: 230 } }] }),
  ],
  'POST /api/measurements/export': [
    (own) => ({
      ...{ device_ids: [own.device], start: '2026-11-01', end: '2026-11-02', interval: 'raw', format: 'csv' },
    }),
    (own) => ({
      ...{ device_ids: [own.device], start: '2026-11-01', end: '2026-11-02', interval: 'raw', format: 'csv' },
      async: true,
    }),
  ],
  'POST /api/alarms': [
    (own) => ({ name: unique('policy'), alarm_type: 'offline', severity: 'info', device_id: own.device }),
    (own) => ({
      name: unique('policy'),
      alarm_type: 'offline',
      severity: 'info',
      subregion_id: own.subregion,
    }),
    (own) => ({
      ...{ name: unique('policy'), alarm_type: 'offline', severity: 'info' },
      escalation_policy_id: own.escalation_policy,
    }),
  ],
  'PUT /api/alarms/:id': [
    (own) => ({ device_id: own.device }),
    (own) => ({ subregion_id: own.subregion }),
    (own) => ({ escalation_policy_id: own.escalation_policy }),
  ],
  'POST /api/escalation-policies': escalationLevels.map((body) => (own) => ({
    ...{ name: unique('escalation'), ...body(own) },
  })),
  'PUT /api/escalation-policies/:id': escalationLevels,
  'POST /api/alarms/preview': [
    (own) => ({ policy: { ...POLICY, device_id: own.device } }),
    (own) => ({ policy: { ...POLICY, subregion_id: own.subregion } }),
    (own) => ({ policy: POLICY, device_ids: [own.device] }),
  ],
  'POST /api/alarms/maintenance': [
    (own) => ({ device_id: own.device, ...LATER }),
    (own) => ({ policy_id: own.policy, ...LATER }),
    (own) => ({ subregion_id: own.subregion, ...LATER }),
  ],
}

const organizationsOf = (own: TenantRecords) => ({
  ...{ scope_id: own.scope, grid_operator_id: own.organization, distribution_company_id: own.organization },
  ...{ retail_or_zone_operator_id: own.organization, meter_reading_org_id: own.organization },
  supplier_id: own.organization,
})
/** Each one at another instant, because a register has one change at an instant. */
const meterChange = () => ({
  ...{ register: 'import_active_energy', old_end_kwh: '1.000', new_start_kwh: '0.000' },
  changed_at: new Date(Date.parse(FROM) + meterChanges++ * 60_000).toISOString(),
})
let meterChanges = 0
const REGISTRY: Readonly<Record<string, readonly OwnBody[]>> = {
  [`POST ${NETTING}/facilities`]: [(own) => ({ subregion_id: own.free_subregion, ...organizationsOf(own) })],
  [`PATCH ${NETTING}/facilities/:id`]: [organizationsOf, (own) => ({ subregion_id: own.free_subregion })],
  [`POST ${NETTING}/facilities/:id/meters`]: [
    (own) => ({ meter_no: unique('meter'), meter_reading_org_id: own.organization }),
    (own) => ({ meter_no: unique('meter'), osos_installation_id: own.osos_installation }),
  ],
  [`PATCH ${NETTING}/meters/:metering_point_id`]: [
    (own) => ({ meter_reading_org_id: own.organization }),
    (own) => ({ osos_installation_id: own.osos_installation }),
  ],
  [`POST ${NETTING}/meters/assign`]: [
    (own) => ({
      ...{ subregion_id: own.subregion, device_id: own.device, facility_id: own.facility },
      ...{ metering_point_id: own.metering_point, measurement_role: 'check_meter', valid_from: FROM },
    }),
  ],
  [`PATCH ${NETTING}/meters/assignments/:id`]: [
    (own) => ({ facility_id: own.facility, metering_point_id: own.metering_point }),
  ],
  [`POST ${NETTING}/meters/changes`]: [
    (own) => ({ ...meterChange(), device_id: own.device }),
    (own) => ({ ...meterChange(), osos_installation_id: own.osos_installation }),
  ],
  [`POST ${NETTING}/inverter-type/apply`]: [
    (own) => ({ items: [{ device_id: own.inverter, inverter_type: 'grid_inverter' }] }),
  ],
  [`POST ${NETTING}/groups`]: [
    (own) => ({ name: unique('group'), scope_id: own.scope, responsible_supplier_id: own.organization }),
  ],
  [`PATCH ${NETTING}/groups/:id`]: [
    (own) => ({ scope_id: own.scope, responsible_supplier_id: own.organization }),
  ],
  [`POST ${NETTING}/groups/bulk`]: [
    (own) => ({ action: 'calculate', billing_period: '2026-11', group_ids: [own.netting_group] }),
  ],
  [`POST ${NETTING}/sizings`]: [
    (own) => ({
      ...{ name: unique('sizing'), group_ids: [own.netting_group], from: '2026-11', to: '2026-11' },
      changes: [
        { type: 'scale_plant', facility_id: own.facility, factor: 1 },
        {
          type: 'add_load',
          facility_id: own.facility,
          profile: { kind: 'facility', facility_id: own.facility },
        },
        { type: 'join_group', facility_id: own.facility, group_id: own.netting_group, role: 'mixed' },
        {
          ...{ type: 'move_facility', facility_id: own.facility },
          ...{ from_group_id: own.netting_group, group_id: own.netting_group },
        },
        {
          ...{ type: 'transfer_limit', month: '2026-11', amount_kwh: 1 },
          ...{ source_facility_id: own.facility, target_facility_id: own.facility },
        },
        {
          ...{ type: 'add_facility', facility_id: randomUUID(), group_id: own.netting_group, name: 'added' },
          production: { kind: 'facility', facility_id: own.facility },
          consumption: { kind: 'facility', facility_id: own.facility },
        },
      ],
      ...{ change: 0, sizes: [1] },
    }),
  ],
  [`POST ${NETTING}/hourly-forecasts`]: [(own) => ({ facility_ids: [own.facility] })],
  [`POST ${NETTING}/optimisations`]: [
    (own) => ({
      ...{ name: unique('optimisation'), kind: 'battery_dispatch', group_ids: [own.netting_group] },
      ...{ from: '2026-11', to: '2026-11' },
      batteries: [{ facility_id: own.facility, capacity_kwh: 10, power_kw: 5, efficiency: 1 }],
    }),
    (own) => ({
      ...{ name: unique('optimisation'), kind: 'assignment', group_ids: [own.netting_group] },
      ...{ from: '2026-11', to: '2026-11', facility_ids: [own.facility] },
    }),
    (own) => ({
      ...{ name: unique('optimisation'), kind: 'allocation', group_ids: [own.netting_group] },
      ...{ from: '2026-11', to: '2026-11' },
      pair_values: [{ producer_id: own.facility, consumer_id: own.facility, value_try_per_kwh: 1 }],
    }),
  ],
  [`POST ${NETTING}/scenarios`]: [
    (own) => ({
      ...{ name: unique('scenario'), group_ids: [own.netting_group], from: '2026-11', to: '2026-11' },
      changes: [
        {
          type: 'add_load',
          facility_id: own.facility,
          profile: { kind: 'facility', facility_id: own.facility },
        },
        { type: 'join_group', facility_id: own.facility, group_id: own.netting_group, role: 'mixed' },
        {
          ...{ type: 'move_facility', facility_id: own.facility },
          ...{ from_group_id: own.netting_group, group_id: own.netting_group },
        },
        {
          ...{ type: 'transfer_limit', month: '2026-11', amount_kwh: 1 },
          ...{ source_facility_id: own.facility, target_facility_id: own.facility },
        },
        {
          ...{ type: 'add_facility', facility_id: randomUUID(), group_id: own.netting_group, name: 'added' },
          production: { kind: 'facility', facility_id: own.facility },
          consumption: { kind: 'facility', facility_id: own.facility },
        },
      ],
    }),
  ],
  [`POST ${NETTING}/groups/:id/members`]: [
    (own) => ({ facility_id: own.facility, member_role: 'mixed', valid_from: '2026-11-01' }),
  ],
  [`POST ${NETTING}/limits/accounts`]: [
    (own) => ({
      ...{ facility_id: own.facility, year: 2027, initial_limit_kwh: '1.000' },
      limit_source: 'customer_declaration',
    }),
  ],
  [`POST ${NETTING}/limits/transfer`]: [
    (own) => ({
      ...{ source_account_id: own.limit_account, target_account_id: own.second_limit_account },
      ...{ amount_kwh: '1.000', contracted_power_confirmed: true },
    }),
  ],
  [`POST ${NETTING}/meter-data/import`]: [
    (own) => ({ ...METER_DATA, facility_id: own.facility, measurement_role: 'main_consumption' }),
    (own) => ({ ...METER_DATA, installation_id: own.osos_installation }),
  ],
  'POST /api/osos/installations': [
    (own) => ({
      installation_no: unique('no'),
      facility_id: own.facility,
      distribution_company_id: own.organization,
    }),
  ],
  'PATCH /api/osos/installations/:id': [
    (own) => ({ facility_id: own.facility, distribution_company_id: own.organization }),
  ],
}

const widget = (own: TenantRecords) => ({ subregion_id: own.subregion, widget_type: 'consumption_chart' })
const INSIGHT_AND_SAFETY: Readonly<Record<string, readonly OwnBody[]>> = {
  'POST /api/widgets': [
    (own) => ({ ...widget(own), title: unique('widget'), config: { device_id: own.device } }),
    (own) => ({ ...widget(own), title: unique('widget'), config: { device_ids: [own.device] } }),
  ],
  'PUT /api/widgets/:id': [
    (own) => ({ ...widget(own), config: { device_id: own.device } }),
    (own) => ({ ...widget(own), config: { device_ids: [own.device] } }),
  ],
  'PUT /api/subregions/:id/widgets/positions': [
    (own) => ({ positions: [{ widget_id: own.widget, x: 0, y: 0, w: 4, h: 2 }] }),
  ],
  'POST /api/loto/points': [
    (own) => ({
      ...{ name: unique('point'), subregion_id: own.subregion, device_id: own.device, location: 'hall 1' },
      ...{ energy_type: 'electrical', isolation_method: 'main switch off' },
    }),
  ],
  'PUT /api/loto/points/:id': [(own) => ({ subregion_id: own.subregion, device_id: own.device })],
  'POST /api/loto/sessions': [
    (own) => ({ title: unique('work'), reason: 'a reason', point_ids: [own.loto_point] }),
  ],
  'PUT /api/loto/sessions/:id': [(own) => ({ point_ids: [own.loto_point] })],
  'POST /api/loto/sessions/:id/apply': [
    (own) => ({ manual_verifications: [{ point_id: own.loto_point, note: 'checked by hand' }] }),
  ],
  'POST /api/loto/locks': [(own) => ({ session_id: own.loto_session, point_id: own.loto_point })],
}

const CHARGERS = '/api/ocpp/chargers'
const schedule = { unit: 'A', periods: [{ start_second: 0, limit: 16 }] }
const inAnHour = () => '2026-11-20T11:00:00Z'
const CHARGING: Readonly<Record<string, readonly OwnBody[]>> = {
  [`POST ${CHARGERS}`]: [(own) => ({ cpid: `CP-${randomUUID()}`, subregion_id: own.subregion })],
  [`PUT ${CHARGERS}/:id`]: [(own) => ({ subregion_id: own.subregion })],
  [`POST ${CHARGERS}/:id/commands`]: [
    (own) => ({ action: 'remote_stop', session_id: own.charging_session }),
    (own) => ({ action: 'remote_start', connector_id: 1, id_tag: own.tag }),
  ],
  [`PUT ${CHARGERS}/:id/local-list`]: [(own) => ({ tag_ids: [own.id_tag] })],
  [`POST ${CHARGERS}/:id/charging-profiles`]: [
    (own) => ({ purpose: 'tx', connector_id: 1, session_id: own.charging_session, schedule }),
  ],
  'POST /api/ocpp/charging-groups': [
    (own) => ({
      ...{ name: unique('site'), limit_kw: 10, subregion_id: own.subregion },
      members: [{ charger_id: own.charger, max_kw: 11, unit: 'A', phases: 3 }],
    }),
  ],
  'PUT /api/ocpp/charging-groups/:id': [
    (own) => ({
      ...{ subregion_id: own.subregion },
      members: [{ charger_id: own.charger, max_kw: 11, unit: 'A', phases: 3 }],
    }),
  ],
  'POST /api/ocpp/reservations': [
    (own) => ({ charger_id: own.charger, id_tag: own.tag, expires_at: inAnHour() }),
    (own) => ({ charger_id: own.charger, id_tag: own.tag, parent_tag: own.tag, expires_at: inAnHour() }),
  ],
  'POST /api/ocpp/id-tags': [(own) => ({ tag: randomBytes(10).toString('hex'), parent_id: own.id_tag })],
  'PUT /api/ocpp/id-tags/:id': [(own) => ({ parent_id: own.id_tag })],
}

const update = { retries: 0, rollback_on_failure: false }
const batch = { retries: 0, groups: [100], success_threshold_pct: 100, error_threshold_pct: 100 }
const UPDATES: Readonly<Record<string, readonly OwnBody[]>> = {
  'POST /api/ota/updates': [
    (own) => ({ gateway_id: own.mqtt_gateway, firmware_version_id: own.firmware, ...update }),
    (own) => ({ device_id: own.updated_device, firmware_version_id: own.firmware, ...update }),
  ],
  'POST /api/ota/updates/batch': [
    (own) => ({
      ...{ filter: { target: 'gateway', subregion_id: own.subregion } },
      ...{ firmware_version_id: own.firmware, ...batch },
    }),
    (own) => ({ gateway_ids: [own.mqtt_gateway], firmware_version_id: own.firmware, ...batch }),
    (own) => ({ device_ids: [own.updated_device], firmware_version_id: own.firmware, ...batch }),
  ],
}

/** Paths in which a body needs a certain record of the caller, instead of a new one. */
export const OWN_PATHS: Readonly<Record<string, (own: TenantRecords) => Readonly<Record<string, string>>>> = {
  'POST /api/loto/sessions/:id/apply': (own) => ({ id: own.loto_session }),
  'PUT /api/subregions/:id/widgets/positions': (own) => ({ id: own.subregion }),
  [`POST ${CHARGERS}/:id/commands`]: (own) => ({ id: own.session_charger }),
  'GET /api/mahsuplasma/invoice-checks/:id/comparison': (own) => ({ id: own.invoice_check }),
  [`POST ${CHARGERS}/:id/charging-profiles`]: (own) => ({ id: own.session_charger }),
}

/** By method and route pattern: bodies that together contain every field that refers to a record. */
export const OWN_BODIES: Readonly<Record<string, readonly OwnBody[]>> = {
  ...ACCESS,
  ...EQUIPMENT,
  ...METERING,
  ...REGISTRY,
  ...INSIGHT_AND_SAFETY,
  ...CHARGING,
  ...UPDATES,
}

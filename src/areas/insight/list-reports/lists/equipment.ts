import { type ListReport, listReport } from '../list-report.ts'

export const EQUIPMENT_LISTS: readonly ListReport[] = [
  listReport('regions', '/api/regions', ['Bölgeler', 'Regions'], 'name code description | created_at id'),
  listReport(
    'subregions',
    '/api/subregions',
    ['Sahalar', 'Sites'],
    'name region_id city address contracted_power_kw | latitude longitude created_at id',
  ),
  listReport(
    'gateways',
    '/api/gateways',
    ['Ağ geçitleri', 'Gateways'],
    'name gateway_type subregion_id is_online config_state last_seen | host port serial_number ' +
      'client_id poll_interval_s model firmware_version clock_skew_ms config_version synced_version ' +
      'reported_version config_synced_at reported_at created_at id',
  ),
  listReport(
    'zigbee_gateways',
    '/api/v1/zigbee/gateways',
    ['Zigbee ağ geçitleri', 'Zigbee gateways'],
    'name subregion_id device_count is_online last_seen permit_join_until | ieee_address ' +
      'firmware_version created_at id',
  ),
  listReport(
    'zigbee_devices',
    '/api/v1/zigbee/gateways/{id}/devices',
    ['Zigbee cihazları', 'Zigbee devices'],
    'friendly_name vendor model availability linkquality last_seen | ieee_address supported first_seen ' +
      'device_id',
  ),
  listReport(
    'dead_letters',
    '/api/gateways/dead-letters',
    ['İşlenemeyen iletiler', 'Dead letters'],
    'received_at gateway_id topic reason detail attempts retried_at | payload_bytes id',
  ),
  listReport(
    'gateway_configuration_changes',
    '/api/gateways/{id}/rawconfig/preview#changes',
    ['Yapılandırma değişiklikleri', 'Changes of the configuration'],
    'name kind change fields | template_id',
  ),
  listReport(
    'gateway_version_changes',
    '/api/gateways/{id}/rawconfig/versions/{version}#changes',
    ['Yapılandırma sürümleri arasındaki değişiklikler', 'Changes between configurations'],
    'name kind change fields | template_id',
  ),
  listReport(
    'gateway_poll_groups',
    '/api/gateways/{id}/rawconfig/preview#poll_groups',
    ['Sorgu hatları', 'Polling lines'],
    'name period_ms expected_ms is_possible |',
  ),
  listReport(
    'gateway_configuration_devices',
    '/api/gateways/{id}/rawconfig/preview#devices',
    ['Yapılandırmadaki cihazlar', 'Devices of the configuration'],
    'name unit_id problem | device_id registers blocks',
  ),
  listReport(
    'devices',
    '/api/devices',
    ['Cihazlar', 'Devices'],
    'name device_type device_source gateway_id is_online last_seen | device_role mqtt_gateway_id ' +
      'slave_id subregion_id template_id parent_id inverter_type reporting_interval_s offline_threshold_s ' +
      'created_at id',
  ),
  listReport(
    'device_templates',
    '/api/devices/device-templates',
    ['Cihaz şablonları', 'Device templates'],
    'name vendor model device_type protocols is_system | created_at id',
  ),
  listReport(
    'latest_values',
    '/api/measurements/latest#devices.values',
    ['Son değerler', 'Latest values'],
    'device_id metric value unit timestamp quality |',
  ),
  listReport(
    'device_energy',
    '/api/devices/{id}/energy-consumption#data',
    ['Cihazın enerjisi', 'Energy of the device'],
    'timestamp consumption_kwh production_kwh export_kwh data_quality is_estimated |',
  ),
  listReport(
    'set_aside_samples',
    '/api/measurements/set-aside',
    ['Ayrılan örnekler', 'Samples set aside'],
    'timestamp device_id reason values received_at | id',
  ),
  listReport(
    'measurement_exports',
    '/api/measurements/exports',
    ['Dışa aktarımlar', 'Exports'],
    'file_name format status progress_pct rows_total size_bytes created_at | rows_done error started_at ' +
      'finished_at expires_at export_id',
  ),
  listReport(
    'power_of_meters',
    '/api/overview/power#meters',
    ['Sayaçların gücü', 'Power of the meters'],
    'facility_name device_name measurement_role active_power_kw timestamp | stale_after_s device_id ' +
      'facility_id',
  ),
  listReport(
    'energy_of_days',
    '/api/overview/energy#hours',
    ['Bugün ve dün', 'Today and yesterday'],
    'hour today.production_kwh today.consumption_kwh yesterday.production_kwh yesterday.consumption_kwh ' +
      '| today.facilities_unknown yesterday.facilities_unknown',
  ),
]

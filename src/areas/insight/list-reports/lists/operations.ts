import { type ListReport, listReport } from '../list-report.ts'

const ALARMS: readonly ListReport[] = [
  listReport(
    'alarm_policies',
    '/api/alarms',
    ['Alarm kuralları', 'Alarm policies'],
    'name alarm_type metric operator threshold severity is_active | unit clear_threshold rate_per ' +
      'delay_on_s delay_off_s device_id subregion_id notify escalation_policy_id watched_from created_at ' +
      'updated_at id',
  ),
  listReport(
    'incidents',
    '/api/alarms/incidents',
    ['Alarmlar', 'Alarms'],
    'triggered_at severity status message device_name closed_at | policy_name alarm_type ' +
      'acknowledged_at acknowledged_by snoozed_until closed_by last_value device_id policy_id id',
  ),
  listReport(
    'incident_events',
    '/api/alarms/incidents/{id}/events',
    ['Alarmın olayları', 'Events of the alarm'],
    'occurred_at event_type by_email details | by_user id',
  ),
  listReport(
    'maintenance_windows',
    '/api/alarms/maintenance',
    ['Bakım zamanları', 'Maintenance windows'],
    'from to policy_id device_id subregion_id note | created_by created_at id',
  ),
  listReport(
    'notifications',
    '/api/notifications',
    ['Bildirimler', 'Notifications'],
    'occurred_at severity event_type title message is_read | incident_id device_id created_at id',
  ),
  listReport(
    'escalation_policies',
    '/api/escalation-policies',
    ['Yükseltme kuralları', 'Escalation policies'],
    'name language default_severities repeat_minutes repeat_count is_active | levels created_at ' +
      'updated_at id',
  ),
]

const SAFETY: readonly ListReport[] = [
  listReport(
    'loto_points',
    '/api/loto/points',
    ['Kilitleme noktaları', 'LOTO points'],
    'name subregion_id device_id energy_type isolation_method location is_locked_out | created_at ' +
      'updated_at id',
  ),
  listReport(
    'loto_sessions',
    '/api/loto/sessions',
    ['Kilitleme oturumları', 'LOTO sessions'],
    'title status reason locks_left created_at approved_at released_at | requested_by approved_by ' +
      'rejected_by rejected_at applied_by applied_at released_by updated_at point_ids id',
  ),
  listReport(
    'loto_events',
    '/api/loto/sessions/{id}/events',
    ['Kilitleme olayları', 'Events of the LOTO session'],
    'occurred_at event_type by_name details | by_user id',
  ),
  listReport(
    'loto_locks',
    '/api/loto/sessions/{id}#locks',
    ['Kilitler', 'Locks'],
    'lock_number owner_name placed_at removed_at removed_by_name is_forced removal_reason | point_id ' +
      'owner_id removed_by id',
  ),
  listReport(
    'loto_session_points',
    '/api/loto/sessions/{id}#points',
    ['Oturumun noktaları', 'Points of the LOTO session'],
    'name energy_type isolation_method location device_name subregion_name verification.verified_at | ' +
      'verification.method verification.note device_id subregion_id id',
  ),
]

const CHARGING: readonly ListReport[] = [
  listReport(
    'chargers',
    '/api/ocpp/chargers',
    ['Şarj istasyonları', 'Charging stations'],
    'name cpid status is_online vendor model last_message_at | serial_number subregion_id ocpp_version ' +
      'firmware_version security_profile last_heartbeat connected_at disconnected_at booted_at created_at ' +
      'updated_at device_id id',
  ),
  listReport(
    'charger_connectors',
    '/api/ocpp/chargers/{id}#connectors',
    ['Soketler', 'Connectors'],
    'connector_id status error_code info status_at | vendor_error_code evse_connector_id device_id',
  ),
  listReport(
    'charger_events',
    '/api/ocpp/chargers/{id}/events',
    ['İstasyonun olayları', 'Events of the station'],
    'occurred_at connector_id event_type details | charger_id id',
  ),
  listReport(
    'charger_commands',
    '/api/ocpp/chargers/{id}/commands',
    ['Komutlar', 'Commands'],
    'number action state reason error created_at ended_at | request answer requested_by sent_at ' +
      'expires_at charger_id id',
  ),
  listReport(
    'charging_sessions',
    '/api/ocpp/sessions',
    ['Şarj oturumları', 'Charging sessions'],
    'transaction_number charger_id connector_id id_tag started_at ended_at energy_kwh cost_try | state ' +
      'stop_reason cost_reason authorization_status charging_state parent_tag meter_start_wh ' +
      'meter_stop_wh last_reading_at energy_source flags ocpp_transaction_id reservation_number device_id ' +
      'created_at updated_at id',
  ),
  listReport(
    'charging_session_costs',
    '/api/ocpp/sessions/{id}#cost_parts',
    ['Oturumun tutarı', 'Cost of the session'],
    'timestamp energy_kwh cost_try is_estimated |',
  ),
  listReport(
    'charging_session_curve',
    '/api/ocpp/sessions/{id}/curve#points',
    ['Oturumun güç eğrisi', 'Power curve of the session'],
    'timestamp energy_kwh power_kw current_a voltage_v state_of_charge |',
  ),
  listReport(
    'id_tags',
    '/api/ocpp/id-tags',
    ['Kartlar', 'Id tags'],
    'tag name status parent_tag expires_at allows_concurrent | created_at updated_at id',
  ),
  listReport(
    'charging_groups',
    '/api/ocpp/charging-groups',
    ['Şarj grupları', 'Charging groups'],
    'name subregion_id limit_kw min_kw_per_connector split member_count | created_at updated_at id',
  ),
  listReport(
    'reservations',
    '/api/ocpp/reservations',
    ['Rezervasyonlar', 'Reservations'],
    'reservation_number charger_id connector_id id_tag state expires_at created_at | parent_tag reason ' +
      'session_id requested_by ended_at id',
  ),
]

const UPDATES: readonly ListReport[] = [
  listReport(
    'firmware_versions',
    '/api/firmware/versions',
    ['Yazılım sürümleri', 'Firmware versions'],
    'version device_model status size_bytes released_at | file_name sha256 release_notes created_by ' +
      'created_at deprecated_at id',
  ),
  listReport(
    'ota_batches',
    '/api/ota/batches',
    ['Toplu güncellemeler', 'Rollouts'],
    'created_at firmware_version_id status wave reason finished_at | wave_sizes success_threshold_pct ' +
      'error_threshold_pct rollback_on_error counts created_by id',
  ),
  listReport(
    'ota_updates',
    '/api/ota/updates',
    ['Güncellemeler', 'Updates'],
    'device_id gateway_id version status progress_pct error created_at finished_at | from_version wave ' +
      'attempt retries_left deadline_at notified_at changed_at batch_id firmware_version_id rollback_of ' +
      'created_by id',
  ),
]

export const OPERATION_LISTS: readonly ListReport[] = [...ALARMS, ...SAFETY, ...CHARGING, ...UPDATES]

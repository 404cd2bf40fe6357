// Generated from docs/api/openapi.json by `npm run client:types`. Do not edit.

/** The bytes of a file; read it to the end or cancel it. */
export type FileStream = ReadableStream<Uint8Array>

/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** Number of records that match the filters. */
  readonly total: number
  /** Offset of the first record of this page. */
  readonly skip: number
  /** Maximum number of records of this page. */
  readonly limit: number
}

/** Parameters of many operations. */
export interface RecordPath {
  id: Uuid
}

/** Parameters of many operations. */
export interface PageParameters {
  /** Offset of the first record. */
  skip?: number | undefined
  /** Maximum number of records in the response. */
  limit?: number | undefined
  /** Sort direction. */
  sort_order?: "asc" | "desc" | undefined
}

/** Parameters of many operations. */
export interface ListParameters {
  /** Maximum number of records in the response; the header X-Total-Count contains the total number. */
  limit?: number | undefined
  /** Offset of the first record. */
  offset?: number | undefined
}

/** Parameters of many operations. */
export interface ReportParameters {
  /** csv: UTF-8 with a byte order mark. xlsx: Turkey-local times. pdf: for reading and printing, at most 2000 rows. */
  format: "csv" | "xlsx" | "pdf"
  /** Language of the titles. tr: CSV with semicolons and decimal commas. en: commas and points. Default: the language of Accept-Language, tr without that header. */
  locale?: "tr" | "en" | undefined
  /** labels: translated titles and words. names: the names and codes of the API, for programs. */
  headers?: "labels" | "names" | undefined
}

export interface AcceptInvitation {
  /** Token from the most recent mail; can be used once. */
  token: string
  /** Name and surname. A single line without control and formatting characters, URLs and e-mail addresses. */
  full_name: string
  /** New password: at least one letter (of any script, including Turkish letters) and one digit. */
  password: string
}

export interface AddGroupMember {
  /** Facility; member of at most one group at any time. */
  facility_id: Uuid
  /** Role of the member; mixed: produces and consumes. */
  member_role: "production" | "consumption" | "mixed"
  /** First Turkey-local day of the membership. It is not before the current month. */
  valid_from: LocalDate
  /** End of validity, exclusive: a Turkey-local day; null: open. */
  valid_to?: LocalDate | null | undefined
}

export interface AdjustLimit {
  /** Signed amount other than zero, kWh. It may make the remaining limit negative. */
  amount_kwh: number | string
  /** Reason; stored with the movement. */
  reason: string
}

export interface AggregatedMeasurementRow {
  /** Start of the bucket. */
  timestamp: Instant
  /** Mean of the samples, V. */
  voltage_avg: number | null
  /** Mean of the samples, A. */
  current_avg: number | null
  /** Mean of active_power, kW, consumption positive. */
  power_avg: number | null
  /** Energy of the bucket, equal to total_energy. */
  energy_kwh: number | null
  /** Mean of the samples. */
  power_factor_avg: number | null
  /** Energy of the bucket, kWh: the growth of the register (import; for production the production register, never below 0), or the average power multiplied by the bucket length if the register is constant or absent. null: no data. */
  total_energy: number | null
  /** Reactive energy, inductive and capacitive, kvarh; null for production. */
  total_reactive_energy: number | null
  /** Equal to power_factor_avg; null in the production variant until the bucket is rolled up. */
  power_factor: number | null
  /** Equal to voltage_avg; null in the production variant until the bucket is rolled up. */
  voltage: number | null
  /** Equal to current_avg; null in the production variant until the bucket is rolled up. */
  current: number | null
  /** Whether the energy was calculated from power, or is a share of the register growth across a gap. Estimates from power are calculated for each bucket separately; only measured energy and shares of gaps add up exactly. */
  is_estimated: boolean
  /** Quality of the energy of the bucket, with the values of hourly facts. complete: measured throughout. partial: it has not ended, or a part is not covered by readings or is estimated. missing: no reading of the register; a value is an estimate. suspect: a reset or a false reading affects it. */
  data_quality: "complete" | "partial" | "missing" | "suspect"
}

export interface AggregatedMeasurements {
  device_id: Uuid
  /** Length of the buckets. */
  interval: "hourly" | "daily" | "monthly"
  /** Start of the first requested bucket. */
  start: Instant
  /** End of the last requested bucket. */
  end: Instant
  /** Rows in ascending order; a bucket that has no sample and is not between two readings has no row. */
  data: readonly AggregatedMeasurementRow[]
}

export interface AlarmPolicy {
  id: Uuid
  /** Name. */
  name: string
  /** Alarm type; policies of the types limit and custom belong to the service. */
  alarm_type: "threshold" | "rate_of_change" | "offline" | "no_data" | "counter_reset" | "limit" | "custom"
  /** Device that the policy monitors. */
  device_id: Uuid | null
  /** Subregion whose devices the policy monitors. If device_id and subregion_id are null, it monitors every device. */
  subregion_id: Uuid | null
  /** Metric of samples, or the name of an extra value as sent by the device, without surrounding white space. */
  metric: string | null
  /** Unit of the metric. */
  unit: string | null
  /** Comparison that triggers the alarm: value above, at or above, below, at or below, equal to, or not equal to the threshold. */
  operator: "gt" | "gte" | "lt" | "lte" | "eq" | "ne" | null
  /** Threshold that triggers the alarm, in the unit of the metric; for rate_of_change per minute or hour. */
  threshold: number | null
  /** Threshold at which the condition ends; null: the same as threshold. */
  clear_threshold: number | null
  /** Time unit of a rate of change; default minute. */
  rate_per: "minute" | "hour" | null
  /** Time for which the condition must hold before an incident opens, s, by sample time; for no_data and offline the duration of silence. */
  delay_on_s: number
  /** Time for which the condition must be over before the incident closes, s. */
  delay_off_s: number
  /** Severity of the incidents of the policy. */
  severity: "info" | "warning" | "critical"
  /** Schedule in which the policy may open incidents, Turkey-local; null: always. */
  schedule: AlarmSchedule | null
  /** How incidents are notified; `channel` stands for all active channels of messaging platforms of the tenant. */
  notify: readonly ("in_app" | "email" | "webhook" | "channel")[]
  /** Escalation policy of the incidents; null: the default of the tenant for their severity, if there is one. */
  escalation_policy_id: Uuid | null
  /** Whether the policy is evaluated. */
  is_active: boolean
  /** Samples before this time are not evaluated. */
  watched_from: Instant
  created_at: Instant
  updated_at: Instant
}

export interface AlarmPolicyPreview {
  /** Start, inclusive. */
  from: Instant
  /** End, exclusive. */
  to: Instant
  /** Number of devices that the policy monitors. */
  devices_in_scope: number
  /** Number of these devices that were evaluated. */
  devices_judged: number
  /** Number of samples evaluated. */
  samples_judged: number
  /** Number of incidents of all evaluated devices. */
  incidents_total: number
  /** Whether some data was not evaluated or some incidents are not listed. */
  is_truncated: boolean
  /** Limits that were reached: devices, samples, time, incidents. */
  truncated_reasons: readonly string[]
  /** Evaluated devices, ordered by name. */
  items: readonly ({
    device_id: Uuid
    /** Name of the device. */
    device_name: string
    /** Number of incidents of the device. */
    incidents_count: number
    /** End of the evaluated data; earlier than `to` if the number of samples exceeded the limit. */
    judged_to: Instant
    /** First 100 incidents of the device. */
    incidents: readonly ({
      /** Start, inclusive. */
      from: Instant
      /** End of the incident; null: it would still be open. */
      to: Instant | null
      /** Value in the unit of the metric; for rates per minute or hour. */
      value: number | null
      /** Value in the unit of the metric; for rates per minute or hour. */
      peak: number | null
    })[]
  })[]
}

export interface AlarmSchedule {
  /** Time windows in which the policy is evaluated. */
  windows: readonly ({
    /** Days of the week: 1 is Monday, 7 is Sunday. */
    days: readonly number[]
    /** Start of the window, HH:MM, Turkey-local. */
    from: string
    /** End of the window, HH:MM or 24:00, Turkey-local. An end not after `from` is on the next day. */
    to: string
  })[]
}

export interface AlarmSummary {
  /** Scope of the counted incidents. */
  scope: "subregion" | "tenant"
  /** Counted severities. */
  severities: readonly string[]
  /** Number of open incidents. */
  open_count: number
  /** Open incidents by severity. */
  by_severity: {
    /** info */
    info: number
    /** warning */
    warning: number
    /** critical */
    critical: number
  }
  /** Open incidents by status. */
  by_status: {
    /** active */
    active: number
    /** acknowledged */
    acknowledged: number
    /** snoozed */
    snoozed: number
  }
  /** Trigger time of the latest incident. */
  latest_triggered_at: Instant | null
}

export interface ApiKey {
  id: Uuid
  /** What the key is for. */
  name: string
  /** The beginning of the key, by which it can be recognized. */
  prefix: string
  /** The owner, whose permissions limit those of the key at all times. */
  user_id: Uuid
  /** A key whose owner is not active is refused (401). */
  owner_is_active: boolean
  /** Permissions that were granted; those that the owner has lost since are not effective. */
  permissions: readonly string[]
  /** End of the validity. */
  expires_at: Instant
  /** Time of the last use, exact to about a minute. */
  last_used_at: Instant | null
  created_at: Instant
}

export interface AppliedInverterTypes {
  /** Number of updated devices. */
  updated: number
  /** Applied changes. */
  items: readonly ({
    device_id: Uuid
    /** grid_inverter feeds PV energy into the grid; ess_inverter also charges and discharges storage. */
    inverter_type: "grid_inverter" | "ess_inverter"
  })[]
}

export interface ApplyInverterTypes {
  /** Changes, applied together or not at all; each device occurs once. */
  items: readonly ({
    device_id: Uuid
    /** grid_inverter feeds PV energy into the grid; ess_inverter also charges and discharges storage. */
    inverter_type: "grid_inverter" | "ess_inverter"
  })[]
}

export interface ArrangeWidgets {
  /** The new positions; widgets that are not named keep theirs. */
  positions: readonly ({
    /** Widget of the subregion. */
    widget_id: Uuid
    /** Column of the left edge on the grid. */
    x: number
    /** Row of the upper edge on the grid. */
    y: number
    /** Width in columns. */
    w: number
    /** Height in rows. */
    h: number
  })[]
}

export interface AuditKey {
  /** Signature algorithm. */
  algorithm: "ed25519"
  /** First 16 hexadecimal digits of the SHA-256 of the public key in DER. */
  key_id: string
  /** Public key in PEM (SubjectPublicKeyInfo). */
  public_key: string
}

export interface AuthorityCertificate {
  /** Certificate as PEM. */
  certificate_pem: string
  /** SHA-256 of the certificate (DER), hexadecimal. */
  sha256: string
  not_after: Instant
}

/** First day of a Turkey-local month (YYYY-MM-DD). A request may also contain YYYY-MM. */
export type BillingPeriod = string

export interface BrokerGateway {
  id: Uuid
  /** Name. */
  name: string
  /** Type of gateway. */
  gateway_type: "mqtt" | "zigbee"
  /** Client id of the gateway at the message broker. */
  client_id: string | null
  /** Online state, as in the response for a single gateway. */
  is_online: boolean
  last_seen: Instant | null
  subregion_id: Uuid | null
}

export type BrokerWebhookResult = Readonly<Record<string, unknown>>

export interface BulkCalculation {
  id: Uuid
  /** Work for each group. */
  action: "calculate" | "correct"
  /** Month. */
  billing_period: BillingPeriod
  /** Reason of the corrections. */
  reason: string | null
  /** User who sent the request. */
  requested_by: Uuid | null
  /** finished: every group has a result. */
  status: "running" | "finished"
  /** Share of the groups with a result, %, rounded down. */
  progress_pct: number
  /** Number of groups. */
  groups_total: number
  /** Groups without a result. */
  groups_waiting: number
  /** Groups with new runs. */
  groups_completed: number
  /** Groups whose input was unchanged. */
  groups_unchanged: number
  /** Groups whose correction stopped at a later period. */
  groups_incomplete: number
  /** Groups that a rule refused. */
  groups_refused: number
  /** Groups that ended in an error; the log of the service says why. */
  groups_failed: number
  created_at: Instant
  /** Time of the last result. */
  finished_at: Instant | null
}

export interface BulkCalculationGroup {
  /** Group. */
  group_id: Uuid
  /** Name of the group. */
  name: string
  /** completed: new runs; unchanged: equal input; incomplete: a correction stopped, the same request resumes it. */
  status: "waiting" | "completed" | "unchanged" | "incomplete" | "refused" | "failed"
  /** Created runs, in time order. */
  run_ids: readonly Uuid[]
  /** Code of a refusal or failure. */
  error_code: string | null
  /** Text of a refusal or failure. In the language of Accept-Language. */
  error: string | null
  /** Time of the result. */
  finished_at: Instant | null
  /** Human-readable warnings. */
  warnings: readonly string[]
  /** Code of the warning with the same index. */
  warning_codes: readonly string[]
  /** The content of the warning with the same index, without its text. */
  warning_details: readonly WarningDetail[]
}

export interface CalculateGroup {
  /** Start, inclusive, truncated to the hour. A UTC offset is required. Either from_hour and to_hour, or billing_period. */
  from_hour?: Instant | undefined
  /** End, exclusive, truncated to the hour and to the current hour. At most 7 days after from_hour. */
  to_hour?: Instant | undefined
  /** Month to calculate, up to the current hour, instead of a window; any date of it, or YYYY-MM. */
  billing_period?: BillingPeriod | undefined
}

export interface CalculateHistory {
  /** Tenant of the records. Default: the tenant of the caller. */
  tenant_id?: Uuid | undefined
  /** First month to calculate. Default: the month of the first membership. */
  from?: BillingPeriod | undefined
  /** Last month to calculate. Default: the current month. */
  to?: BillingPeriod | undefined
}

export interface CalculationResult {
  /** Created runs, one per billing period, in time order. */
  runs: readonly CalculationRun[]
  /** Number of hours of these runs; a widened window is counted completely. */
  hours_calculated: number
  /** Periods with unchanged input. */
  noop_periods: readonly BillingPeriod[]
  /** Human-readable warnings. */
  warnings: readonly string[]
  /** Code of the warning with the same index. */
  warning_codes: readonly string[]
  /** The content of the warning with the same index, without its text. */
  warning_details: readonly WarningDetail[]
}

export interface CalculationRun {
  id: Uuid
  group_id: Uuid
  /** Billing period: the first day of a Turkey-local month. */
  billing_period: BillingPeriod
  /** First hour of the run, inclusive. */
  from_hour: Instant
  /** End of the run, exclusive. */
  to_hour: Instant
  /** Rules that the run applied. */
  scenario: "standard_hourly" | "mesken_monthly" | "invalid_group_bedelsiz"
  /** Trigger of the run; beat: the schedule; manual: a request; correction_cascade: a correction. */
  triggered_by: "beat" | "manual" | "correction_cascade"
  started_at: Instant
  finished_at: Instant
  /** false after a later run has replaced this one. */
  is_current: boolean
  /** Root of the correction chain: the run of its first period, which refers to itself. */
  parent_run_id: Uuid | null
  /** SHA-256 of all inputs of the result. */
  input_hash: string
  /** Status of the run; superseded: replaced by a later run. */
  status: "completed" | "superseded"
  /** Evaluation of eligibility whose status the run used: for a period that was over an evaluation of that period. null before the first evaluation of the group. */
  eligibility_run_id: Uuid | null
  /** Stage of the schedule: preliminary, corrected, daily_backfill, monthly_close; automatic_correction: a correction that the service started by itself. null: started by a request. */
  stage: string | null
}

export interface Change {
  /** Number of the record, ascending in the sequence of the changes of the tenant. */
  id: string
  /** Time of the change. */
  at: Instant
  /** user: a user, or a program with an API key (see api_key_id). anonymous: a request without a token, such as the acceptance of an invitation. job: a job of the service. command: the command line of the operator. service: messages of devices, and other work of the service. */
  actor_kind: "user" | "anonymous" | "job" | "command" | "service"
  /** User who made the change, or the owner of the API key. */
  user_id: Uuid | null
  /** Current e-mail address of the user; null for users of other tenants (superusers) and deleted users. */
  user_email: string | null
  /** API key that was used. */
  api_key_id: Uuid | null
  /** Current name of the API key; null if it was deleted. */
  api_key_name: string | null
  /** Operation id of the API, name of the job, or the command. */
  operation: string | null
  /** X-Request-Id of the request. */
  request_id: string | null
  /** Address of the client. */
  ip: string | null
  /** What happened to the resource. */
  action: "create" | "update" | "delete"
  /** Type of the resource. */
  resource_type: ChangedResourceType
  /** Id of the resource. Parts of another resource have its id, for example a user_role that of its user. */
  resource_id: string
  /** Name of the resource after the change. */
  resource_name: string | null
  /** The changed fields, by the names of the stored columns. */
  changes: Readonly<Record<string, {
      /** The value as stored; {"omitted_characters": n} in place of one of over 4,000 characters. */
      from?: unknown | undefined
      /** The value as stored; {"omitted_characters": n} in place of one of over 4,000 characters. */
      to?: unknown | undefined
      /** The field is secret: only that it changed is recorded. */
      is_hidden?: true | undefined
    }>>
}

export interface ChangeChargerPassword {
  /** 16 to 40 visible ASCII characters; 32 to 40 hexadecimal digits represent bytes. Generated if absent. */
  password?: string | undefined
  /** true: send the new password to the station; the old password stays valid until the station has accepted the new one, and remains if it rejects it. Absent: only the new password is valid immediately, and the station must be configured manually. */
  push?: boolean | undefined
  /** Time for which the command waits for the station to be connected, s. Default: 300. */
  expires_in_s?: number | undefined
}

export interface ChangePassword {
  /** The current password. */
  current_password: string
  /** New password: at least one letter (of any script, including Turkish letters) and one digit. */
  new_password: string
}

export interface ChangedAlarmPolicy {
  id: Uuid
  /** Name. */
  name: string
  /** Alarm type; policies of the types limit and custom belong to the service. */
  alarm_type: "threshold" | "rate_of_change" | "offline" | "no_data" | "counter_reset" | "limit" | "custom"
  /** Device that the policy monitors. */
  device_id: Uuid | null
  /** Subregion whose devices the policy monitors. If device_id and subregion_id are null, it monitors every device. */
  subregion_id: Uuid | null
  /** Metric of samples, or the name of an extra value as sent by the device, without surrounding white space. */
  metric: string | null
  /** Unit of the metric. */
  unit: string | null
  /** Comparison that triggers the alarm: value above, at or above, below, at or below, equal to, or not equal to the threshold. */
  operator: "gt" | "gte" | "lt" | "lte" | "eq" | "ne" | null
  /** Threshold that triggers the alarm, in the unit of the metric; for rate_of_change per minute or hour. */
  threshold: number | null
  /** Threshold at which the condition ends; null: the same as threshold. */
  clear_threshold: number | null
  /** Time unit of a rate of change; default minute. */
  rate_per: "minute" | "hour" | null
  /** Time for which the condition must hold before an incident opens, s, by sample time; for no_data and offline the duration of silence. */
  delay_on_s: number
  /** Time for which the condition must be over before the incident closes, s. */
  delay_off_s: number
  /** Severity of the incidents of the policy. */
  severity: "info" | "warning" | "critical"
  /** Schedule in which the policy may open incidents, Turkey-local; null: always. */
  schedule: AlarmSchedule | null
  /** How incidents are notified; `channel` stands for all active channels of messaging platforms of the tenant. */
  notify: readonly ("in_app" | "email" | "webhook" | "channel")[]
  /** Escalation policy of the incidents; null: the default of the tenant for their severity, if there is one. */
  escalation_policy_id: Uuid | null
  /** Whether the policy is evaluated. */
  is_active: boolean
  /** Samples before this time are not evaluated. */
  watched_from: Instant
  created_at: Instant
  updated_at: Instant
  /** Human-readable warnings. */
  warnings: readonly string[]
  /** Code of the warning with the same index. */
  warning_codes: readonly string[]
  /** The content of the warning with the same index, without its text. */
  warning_details: readonly WarningDetail[]
}

export interface ChangedChargerPassword {
  /** Generated password, returned only in this response; null if the request contained a password. */
  password: string | null
  /** Whether a new password is being sent to the station; until it is set, both passwords are accepted. */
  has_pending_password: boolean
  /** Command that sends the password to the station. */
  command: ChargerCommand | null
}

export interface ChangedMeterAssignment {
  id: Uuid
  /** Subregion; cannot be changed. */
  subregion_id: Uuid
  /** Device; cannot be changed. */
  device_id: Uuid
  /** Facility that the device measures. */
  facility_id: Uuid | null
  /** Metering point of the device. */
  metering_point_id: Uuid | null
  /** Measurement role of the device. Periods of one subregion and one main role (main_production, main_consumption, pcc_import_export, osb_eb_consumption) may not overlap. */
  measurement_role: "main_production" | "main_consumption" | "pcc_import_export" | "osb_eb_consumption" | "battery" | "self_consumption" | "aux_production" | "aux_consumption" | "check_meter"
  /** Start of validity; a date is the start of that Turkey-local day. */
  valid_from: Instant
  /** End of validity, exclusive; null: open. */
  valid_to: Instant | null
  /** null for a record created through the API; otherwise the loader that created it, such as demo. */
  origin: string | null
  created_at: Instant
  /** Human-readable warnings. */
  warnings: readonly string[]
  /** Code of the warning with the same index. */
  warning_codes: readonly string[]
  /** The content of the warning with the same index, without its text. */
  warning_details: readonly WarningDetail[]
}

export interface ChangedMeterChange {
  id: Uuid
  /** Device whose meter was replaced; cannot be changed. */
  device_id: Uuid | null
  /** OSOS installation whose meter was replaced; cannot be changed. */
  osos_installation_id: Uuid | null
  /** Register: a meter with several registers has one record for each. An OSOS installation has import_active_energy and export_active_energy, which is also the production of a production meter. */
  register: "import_active_energy" | "export_active_energy" | "production_active_energy" | "battery_charge_energy" | "battery_discharge_energy" | "inductive_reactive_energy" | "capacitive_reactive_energy"
  /** Time of the replacement. A stored reading at this instant is replaced by the record. */
  changed_at: Instant
  /** Last value of the old register, kWh (kvarh of a reactive register), with the multiplier applied. */
  old_end_kwh: string
  /** First value of the new register, kWh (kvarh of a reactive register), with the multiplier applied. */
  new_start_kwh: string
  /** Serial number of the old meter. */
  old_serial_no: string | null
  /** Serial number of the new meter. */
  new_serial_no: string | null
  /** Free text. */
  note: string | null
  /** null for a record created through the API; otherwise the loader that created it, such as demo. */
  origin: string | null
  /** User who recorded the change; null for a loader without a user. */
  recorded_by: Uuid | null
  /** Time of the record. */
  recorded_at: Instant
  /** Number of corrections of the record. */
  corrections: number
  /** Time at which the record was voided; null: it is in force. */
  voided_at: Instant | null
  /** User who voided the record. */
  voided_by: Uuid | null
  /** Reason for which the record was voided. */
  void_reason: string | null
  /** Human-readable warnings. */
  warnings: readonly string[]
  /** Code of the warning with the same index. */
  warning_codes: readonly string[]
  /** The content of the warning with the same index, without its text. */
  warning_details: readonly WarningDetail[]
}

export type ChangedResourceType = "tenant" | "user" | "role" | "user_role" | "tenant_quota" | "user_totp" | "api_key" | "oidc_provider" | "oidc_identity" | "invitation" | "region" | "subregion" | "gateway" | "gateway_credential" | "device_template" | "device" | "collector_mapping" | "zigbee_claim" | "escalation_policy" | "alarm_policy" | "maintenance_window" | "webhook" | "notification_channel" | "notification_preference" | "scope" | "organization" | "facility" | "osos_installation" | "metering_point" | "meter_assignment" | "meter_change" | "netting_group" | "netting_setting" | "invoice_mapping" | "invoice_objection" | "group_member" | "limit_account" | "widget" | "loto_point" | "charger" | "id_tag" | "charging_profile" | "charging_group" | "charging_group_member" | "charger_local_list" | "firmware_version" | "ota_batch"

export interface Charger {
  id: Uuid
  /** Device of the charger; also the device of connector 1. */
  device_id: Uuid
  /** OCPP identity of the charger; unique in the whole service. */
  cpid: string
  /** Name. */
  name: string
  /** Configured vendor, otherwise the vendor reported by the station. */
  vendor: string | null
  /** Configured model, otherwise the model reported by the station. */
  model: string | null
  /** Configured model, otherwise the model reported by the station. */
  serial_number: string | null
  subregion_id: Uuid | null
  /** OCPP version of the last connection. */
  ocpp_version: "1.6" | "2.0.1" | null
  /** OCPP status: that of the whole station if it is out of order, otherwise that of its busiest connector. */
  status: string | null
  /** Connectors that the station has reported. */
  connectors: readonly ChargerConnector[]
  /** Whether the station is connected and has responded within the last three ping intervals. */
  is_online: boolean
  last_heartbeat: Instant | null
  /** Time of the last message of any type. */
  last_message_at: Instant | null
  connected_at: Instant | null
  disconnected_at: Instant | null
  /** Firmware version reported at the last boot. */
  firmware_version: string | null
  /** Time of the last boot. */
  booted_at: Instant | null
  /** Highest security profile (0 to 3) of all connections so far; never lowered. */
  security_profile: number
  password_changed_at: Instant | null
  /** Whether a new password is being sent to the station; until it is set, both passwords are accepted. */
  has_pending_password: boolean
  /** Time at which connections with this identity last replaced each other too often: two stations may have the same identity. */
  contested_at: Instant | null
  /** Number of events of today (UTC) that were not stored because their type exceeded its limit. */
  events_left_out: number
  created_at: Instant
  updated_at: Instant
}

export interface ChargerCertificate {
  id: Uuid
  /** SHA-256, hexadecimal. */
  serial: string
  /** SHA-256 of the certificate (DER), hexadecimal. */
  sha256: string
  /** Certificate as PEM. */
  certificate_pem: string
  not_before: Instant
  not_after: Instant
  created_at: Instant
}

export interface ChargerCommand {
  id: Uuid
  charger_id: Uuid
  /** Command number; commands are sent in this order. Used as requestId or remoteStartId in OCPP 2.0.1. */
  number: number
  /** Action of the command. */
  action: "remote_start" | "remote_stop" | "reset" | "unlock" | "change_availability" | "get_configuration" | "set_configuration" | "clear_cache" | "trigger_message" | "extended_trigger_message" | "reserve" | "cancel_reservation" | "get_local_list_version" | "send_local_list" | "set_charging_profile" | "clear_charging_profile" | "get_charging_profiles" | "get_composite_schedule" | "get_diagnostics" | "get_security_log" | "update_firmware" | "update_signed_firmware" | "install_certificate" | "delete_certificate" | "list_certificates" | "sign_certificate_answer" | "set_password" | "set_network_profile" | "data_transfer" | "get_base_report" | "get_report" | "get_transaction_status" | "customer_information"
  /** Parameters of the command, without secrets. */
  request: unknown
  /** State of the command. */
  state: "pending" | "sent" | "accepted" | "rejected" | "failed" | "timed_out" | "expired" | "cancelled"
  /** Why the command was not accepted, in a word: `statusInfo.reasonCode` or `status` of the response, the code of an OCPP error, an error code of the service, no_answer or not_delivered. Null while the command is open, after an accepted one, and after a cancellation by a user. */
  reason: string | null
  /** Response of the station; null if there was none. */
  answer: unknown
  /** Reason for a missing response: the OCPP error of the station, or an error code or a text of the service. Texts of the service are in the language of Accept-Language. */
  error: string | null
  /** User who requested the command; null: the service. */
  requested_by: Uuid | null
  created_at: Instant
  sent_at: Instant | null
  ended_at: Instant | null
  /** Time after which the command is not sent. */
  expires_at: Instant
}

export interface ChargerConnector {
  /** Connector number, from 1; the EVSE in OCPP 2.0.1. */
  connector_id: number
  /** Connector of the EVSE in OCPP 2.0.1; otherwise 1. */
  evse_connector_id: number
  /** Device to which the meter values of the connector belong. */
  device_id: Uuid
  /** OCPP status; null until the station reports it. */
  status: string | null
  /** OCPP error code; NoError without an error. */
  error_code: string | null
  /** Error code of the manufacturer. */
  vendor_error_code: string | null
  /** Additional information of the station. */
  info: string | null
  /** Time of the status, by the clock of the station. */
  status_at: Instant | null
}

export interface ChargerEvent {
  id: Uuid
  charger_id: Uuid
  /** Connector; null: the whole station, or not reported. */
  connector_id: number | null
  /** Type of the event, for example status, security, firmware or diagnostics. */
  event_type: string
  /** Time of the event, by the clock of the station if it reports a time. */
  occurred_at: Instant
  /** Reported details; the keys depend on the type. */
  details: unknown
}

export interface ChargerFile {
  id: Uuid
  charger_id: Uuid
  /** Command that requested the file. */
  command_id: Uuid | null
  /** Kind of the file: diagnostics, or the log of security events. */
  kind: "diagnostics" | "security"
  /** waiting for the station; received; failed: the station could not send the file; expired. */
  state: "waiting" | "received" | "failed" | "expired"
  /** File name given by the station. */
  file_name: string | null
  /** Size of the file in bytes; null until it is received. */
  size_bytes: number | null
  /** SHA-256, hexadecimal. */
  sha256: string | null
  created_at: Instant
  received_at: Instant | null
  /** Time after which uploads are rejected. */
  expires_at: Instant
}

export interface ChargerReport {
  id: Uuid
  /** Kind of the report. */
  kind: "variables" | "monitoring" | "customer_information" | "charging_profiles"
  /** Number of the command that requested the report. */
  request_id: number
  /** Received parts, from 0. Parts of charging profiles have no numbers: 0 is the last. */
  parts: readonly number[]
  /** Number of the last part; null until it is received. */
  last_part: number | null
  /** Whether all parts are received. */
  is_complete: boolean
  /** State of the report. Incomplete: parts are missing and none was received for ten minutes; later parts are still accepted. */
  state: "receiving" | "complete" | "incomplete"
  /** Missing parts of an incomplete report. */
  reason: "nothing_came" | "end_missing" | "parts_missing" | null
  /** Time of the report by the clock of the station; null until a part contains it. */
  generated_at: Instant | null
  /** Time by the clock of the service at which the last part was received, or the station announced the report. */
  heard_at: Instant
}

export interface ChargerVariable {
  id: Uuid
  /** Key in commands: Component[instance]@evse:connector.Variable[instance]#Target. */
  key: string
  /** Name of the component, such as OCPPCommCtrlr; case-insensitive. */
  component: string
  /** Instance of the component, if several have the same name. */
  component_instance: string | null
  /** EVSE of the component; null: the whole station. */
  evse_id: number | null
  /** Connector of the EVSE. */
  connector_id: number | null
  /** Name of the variable, such as HeartbeatInterval; case-insensitive. */
  variable: string
  /** Instance of the variable, if several have the same name. */
  variable_instance: string | null
  /** Attribute type: Actual is the value; the others are its target and bounds. */
  attribute_type: "Actual" | "Target" | "MinSet" | "MaxSet"
  /** Reported value; null if the station reports none, and for write-only variables. */
  value: string | null
  /** Mutability: ReadOnly, WriteOnly or ReadWrite. */
  mutability: string | null
  /** Whether the value persists across restarts of the station. */
  is_persistent: boolean | null
  /** Whether the station never changes the value. */
  is_constant: boolean | null
  /** OCPP data type of the value: string, decimal, integer, dateTime, boolean, OptionList ... */
  data_type: string | null
  /** Unit of the value. */
  unit: string | null
  /** Minimum value. */
  min_limit: number | null
  /** Maximum value; for a text the maximum length. */
  max_limit: number | null
  /** Allowed values, separated by commas. */
  values_list: string | null
  /** Whether the station supports monitoring of the variable. */
  supports_monitoring: boolean | null
  /** Time of the report. */
  told_at: Instant
}

export interface ChargerWithPassword {
  id: Uuid
  /** Device of the charger; also the device of connector 1. */
  device_id: Uuid
  /** OCPP identity of the charger; unique in the whole service. */
  cpid: string
  /** Name. */
  name: string
  /** Configured vendor, otherwise the vendor reported by the station. */
  vendor: string | null
  /** Configured model, otherwise the model reported by the station. */
  model: string | null
  /** Configured model, otherwise the model reported by the station. */
  serial_number: string | null
  subregion_id: Uuid | null
  /** OCPP version of the last connection. */
  ocpp_version: "1.6" | "2.0.1" | null
  /** OCPP status: that of the whole station if it is out of order, otherwise that of its busiest connector. */
  status: string | null
  /** Connectors that the station has reported. */
  connectors: readonly ChargerConnector[]
  /** Whether the station is connected and has responded within the last three ping intervals. */
  is_online: boolean
  last_heartbeat: Instant | null
  /** Time of the last message of any type. */
  last_message_at: Instant | null
  connected_at: Instant | null
  disconnected_at: Instant | null
  /** Firmware version reported at the last boot. */
  firmware_version: string | null
  /** Time of the last boot. */
  booted_at: Instant | null
  /** Highest security profile (0 to 3) of all connections so far; never lowered. */
  security_profile: number
  password_changed_at: Instant | null
  /** Whether a new password is being sent to the station; until it is set, both passwords are accepted. */
  has_pending_password: boolean
  /** Time at which connections with this identity last replaced each other too often: two stations may have the same identity. */
  contested_at: Instant | null
  /** Number of events of today (UTC) that were not stored because their type exceeded its limit. */
  events_left_out: number
  created_at: Instant
  updated_at: Instant
  /** Generated password, returned only in this response; null if the request contained a password. */
  password: string | null
}

export interface ChargingGroup {
  id: Uuid
  /** Name, unique among the groups. */
  name: string
  /** Subregion of the group. */
  subregion_id: Uuid | null
  /** Power limit of all chargers together, kW. */
  limit_kw: number
  /** Minimum power of a connector, kW; below it the connector is paused, because vehicles need 6 A on each phase. */
  min_kw_per_connector: number
  /** Equal: all charging connectors have the same share. By need: power that a vehicle does not use is given to others. */
  split: "equal" | "by_need"
  created_at: Instant
  /** When it was last changed. */
  updated_at: Instant
  /** Maximum power of all chargers now, kW. */
  may_draw_kw: number
  /** false only until a charger has accepted its first limit or a lower one. */
  is_within_limit: boolean
  /** Members, ordered by the id of the charger. */
  members: readonly ChargingGroupMember[]
}

export interface ChargingGroupHead {
  id: Uuid
  /** Name, unique among the groups. */
  name: string
  /** Subregion of the group. */
  subregion_id: Uuid | null
  /** Power limit of all chargers together, kW. */
  limit_kw: number
  /** Minimum power of a connector, kW; below it the connector is paused, because vehicles need 6 A on each phase. */
  min_kw_per_connector: number
  /** Equal: all charging connectors have the same share. By need: power that a vehicle does not use is given to others. */
  split: "equal" | "by_need"
  created_at: Instant
  /** When it was last changed. */
  updated_at: Instant
  /** Number of chargers in the group. */
  member_count: number
}

export interface ChargingGroupMember {
  charger_id: Uuid
  /** Maximum power of the charger, all connectors together, kW; counted until the charger has accepted its first limit. */
  max_kw: number
  /** Unit of the limits sent to the charger: watts, or amperes per phase at 230 V. */
  unit: "W" | "A"
  /** Number of connected phases, for limits in amperes. */
  phases: number
  /** State of the member. Doubtful: the charger did not respond and may or may not apply the sent limit. Refused: it rejected the limit; the limit is sent again soon. Removed: the charger is out of service and is counted with its possible power until it leaves the group. */
  state: "not_told" | "being_told" | "told" | "doubtful" | "refused" | "out_of_touch" | "removed"
  /** Number of charging connectors. */
  charging_connectors: number
  /** Accepted limit, kW; null: none yet. */
  share_kw: number | null
  /** End of the accepted limit; afterwards the fallback applies unless the limit is renewed. null: the fallback applies. */
  share_until: Instant | null
  /** Power limit without a valid share, kW. */
  fallback_kw: number | null
  /** Maximum power that the charger may draw now, regardless of which limit it received, kW; counted against the limit. */
  may_draw_kw: number
}

export interface ChargingGroupMemberInput {
  /** Charger; it must not belong to another group. */
  charger_id: Uuid
  /** Maximum power of the charger, all connectors together, kW; counted until the charger has accepted its first limit. */
  max_kw: number
  /** Unit of the limits sent to the charger: watts, or amperes per phase at 230 V. */
  unit?: "W" | "A" | undefined
  /** Number of connected phases, for limits in amperes. */
  phases?: number | undefined
}

export interface ChargingProfile {
  id: Uuid
  /** Id of the record in OCPP. */
  profile_number: number
  charger_id: Uuid
  /** Connector number, the EVSE in OCPP 2.0.1; 0: the whole station. */
  connector_id: number
  /** charge_point_max: all connectors together. tx_default: every session without its own profile. tx: one session. */
  purpose: "charge_point_max" | "tx_default" | "tx"
  /** Stack level; of two profiles with the same purpose the higher level applies. */
  stack_level: number
  /** Profile as sent: kind, recurrency, validity and schedule. */
  profile: unknown
  /** Session of a tx profile; it must be active. */
  session_id: Uuid | null
  /** State of the profile: pending until the station has responded; replaced by a later profile with the same purpose, level and connector; over at the end of its session. */
  state: "pending" | "active" | "rejected" | "replaced" | "cleared" | "over"
  /** Reason for a rejected or uncertain state. */
  reason: string | null
  /** Command that sends the password to the station. */
  command_id: Uuid | null
  /** User who requested the operation. */
  requested_by: Uuid | null
  created_at: Instant
  /** Time of the last change of the state. */
  updated_at: Instant
}

export interface ChargingSchedule {
  /** Unit of the limits. */
  unit: "W" | "A"
  /** Time of second 0 of the schedule. Default: now; for a relative profile the start of charging. */
  start_at?: Instant | null | undefined
  /** Duration of the schedule in seconds; absent: the last period continues. */
  duration_seconds?: number | null | undefined
  /** Minimum efficient charging rate, in the unit of the limits. */
  min_rate?: number | null | undefined
  /** Periods of the schedule; each lasts until the next, the first begins with second 0. */
  periods: readonly ({
    /** Start of the period in seconds from the start of the schedule. */
    start_second: number
    /** Limit in watts, or in amperes per phase; rounded down to one decimal. */
    limit: number
    /** Number of phases. Default: 3. */
    phases?: number | null | undefined
  })[]
}

export interface ChargingSession {
  id: Uuid
  /** transactionId in OCPP 1.6; never reused. */
  transaction_number: number
  /** transactionId of a 2.0.1 station; null for 1.6. */
  ocpp_transaction_id: string | null
  charger_id: Uuid
  /** Connector number; the EVSE in OCPP 2.0.1. */
  connector_id: number
  /** Device of the connector, which has the measurements of the session. */
  device_id: Uuid
  /** Id tag that started the session, as sent by the station. */
  id_tag: string | null
  /** Group of the tag at the start of the session. */
  parent_tag: string | null
  /** Authorization status sent to the station at the start. */
  authorization_status: "accepted" | "invalid" | "expired" | "blocked" | "concurrent"
  /** State of the session: active until its end is reported or assumed. */
  state: "active" | "ended"
  /** Charging state reported by a 2.0.1 station; null for 1.6. */
  charging_state: string | null
  /** Start of the session, by the clock of the station. */
  started_at: Instant
  /** End of the session, by the clock of the station; null while it is active. */
  ended_at: Instant | null
  /** Register at the start, Wh. */
  meter_start_wh: number | null
  /** Register at the end, Wh. */
  meter_stop_wh: number | null
  /** Time up to which the energy is known. */
  last_reading_at: Instant | null
  /** Energy of the session, kWh; of an active session so far; null if neither a register nor intervals are available. */
  energy_kwh: string | null
  /** Register: the difference of two readings. Intervals: the sum of the reported intervals, because the station reported no register. */
  energy_source: "register" | "intervals" | null
  /** Cost, TRY, by the approved tariffs of the times at which the energy was used. */
  cost_try: string | null
  /** Reason for a missing cost. no_data: no energy is known. abone_grubu_unknown: no facility has a subscriber group. price_missing: no approved tariff. too_long: over 31 days. */
  cost_reason: "no_data" | "abone_grubu_unknown" | "price_missing" | "too_long" | null
  /** Stop reason reported by the station. */
  stop_reason: string | null
  /** Id tag that ended the session. */
  stop_id_tag: string | null
  /** Number of the reservation that the session used, or that the station reported. */
  reservation_number: number | null
  /** Remote start command that started the session. */
  command_id: Uuid | null
  /** Anomalies of the session; docs/integrate/ocpp.md describes the flags. */
  flags: readonly ("unknown_tag" | "not_authorized" | "offline" | "clock_wrong" | "meter_went_back" | "ended_before_start" | "ended_without_start" | "ended_by_other" | "end_not_told")[]
  /** Sequence numbers of the missing events of a 2.0.1 station. */
  missing_seq_nos: readonly number[]
  created_at: Instant
  updated_at: Instant
}

export interface ChargingSessionDetail {
  id: Uuid
  /** transactionId in OCPP 1.6; never reused. */
  transaction_number: number
  /** transactionId of a 2.0.1 station; null for 1.6. */
  ocpp_transaction_id: string | null
  charger_id: Uuid
  /** Connector number; the EVSE in OCPP 2.0.1. */
  connector_id: number
  /** Device of the connector, which has the measurements of the session. */
  device_id: Uuid
  /** Id tag that started the session, as sent by the station. */
  id_tag: string | null
  /** Group of the tag at the start of the session. */
  parent_tag: string | null
  /** Authorization status sent to the station at the start. */
  authorization_status: "accepted" | "invalid" | "expired" | "blocked" | "concurrent"
  /** State of the session: active until its end is reported or assumed. */
  state: "active" | "ended"
  /** Charging state reported by a 2.0.1 station; null for 1.6. */
  charging_state: string | null
  /** Start of the session, by the clock of the station. */
  started_at: Instant
  /** End of the session, by the clock of the station; null while it is active. */
  ended_at: Instant | null
  /** Register at the start, Wh. */
  meter_start_wh: number | null
  /** Register at the end, Wh. */
  meter_stop_wh: number | null
  /** Time up to which the energy is known. */
  last_reading_at: Instant | null
  /** Energy of the session, kWh; of an active session so far; null if neither a register nor intervals are available. */
  energy_kwh: string | null
  /** Register: the difference of two readings. Intervals: the sum of the reported intervals, because the station reported no register. */
  energy_source: "register" | "intervals" | null
  /** Cost, TRY, by the approved tariffs of the times at which the energy was used. */
  cost_try: string | null
  /** Reason for a missing cost. no_data: no energy is known. abone_grubu_unknown: no facility has a subscriber group. price_missing: no approved tariff. too_long: over 31 days. */
  cost_reason: "no_data" | "abone_grubu_unknown" | "price_missing" | "too_long" | null
  /** Stop reason reported by the station. */
  stop_reason: string | null
  /** Id tag that ended the session. */
  stop_id_tag: string | null
  /** Number of the reservation that the session used, or that the station reported. */
  reservation_number: number | null
  /** Remote start command that started the session. */
  command_id: Uuid | null
  /** Anomalies of the session; docs/integrate/ocpp.md describes the flags. */
  flags: readonly ("unknown_tag" | "not_authorized" | "offline" | "clock_wrong" | "meter_went_back" | "ended_before_start" | "ended_without_start" | "ended_by_other" | "end_not_told")[]
  /** Sequence numbers of the missing events of a 2.0.1 station. */
  missing_seq_nos: readonly number[]
  created_at: Instant
  updated_at: Instant
  /** Remote stop command that ended the session. */
  stop_command_id: Uuid | null
  /** Tariff of the session. */
  tariff: {
    /** Facility to which the session is billed. */
    facility_id: Uuid | null
    /** Subscriber group. */
    abone_grubu: "mesken" | "ticarethane" | "sanayi" | "tarimsal_sulama" | "aydinlatma" | "other" | null
    /** Whether prices depend on the time of day. */
    is_multi_time: boolean
    /** Voltage level of the facility; null: not known, priced as low voltage (AG). */
    voltage_level: "AG" | "OG" | "YG" | null
  }
  /** Beginnings of the hours within the session for which the station reported no register or interval. The hourly energy of these hours is estimated, and in netting it is missing. Empty for a session without energy or of more than 31 days. */
  hours_without_reading: readonly Instant[]
  /** Parts of the session, divided at midnight and at the boundaries of the time-of-day segments. */
  cost_parts: readonly ({
    /** Start of the part, which lasts until the next part. */
    timestamp: Instant
    /** Energy of this part, kWh. */
    energy_kwh: string
    /** Cost of this part, TRY; null without an approved price. */
    cost_try: string | null
    /** True if the register at the beginning or end of this part was interpolated over an hour without a reading. */
    is_estimated: boolean
  })[]
}

export interface ChargingSessionTotals {
  /** Number of sessions that have not ended; not in the sum. */
  sessions_active: number
  /** Number of ended sessions whose energy is not known; not in the sum. */
  sessions_without_energy: number
  /** Energy of the ended sessions, kWh. */
  energy_kwh: string
}

export interface ChooseLocalListTags {
  /** Tags for the local list; null: all tags of the tenant. */
  tag_ids: readonly Uuid[] | null
}

export interface ClearChargingProfiles {
  /** Only profiles of this connector. Connector number, the EVSE in OCPP 2.0.1; 0: the whole station. */
  connector_id?: number | null | undefined
  /** Only profiles with this purpose. */
  purpose?: "charge_point_max" | "tx_default" | "tx" | null | undefined
  /** Only profiles with this stack level. */
  stack_level?: number | null | undefined
}

export interface CollectorError {
  /** Code of InfluxDB for the status, such as `invalid` or `too many requests`. */
  code: string
  /** Human-readable description of the error. */
  message: string
  /** Fixed machine-readable code; docs/api/errors.md lists the codes. */
  error_code: string
  /** Code of the text; docs/api/message-codes.md lists the codes with their texts. */
  message_code?: string | undefined
  /** The values in the text, by their names. */
  parameters?: Readonly<Record<string, unknown>> | undefined
}

export interface CollectorMapping {
  id: Uuid
  /** Name, unique in the tenant: the bucket of line protocol, or the parameter `mapping` of remote write. */
  name: string
  /** Tags or labels that may contain the name, external id or id of the device; the first that a point has counts. Default: device, host. */
  device_labels: readonly string[]
  /** Rules by field; a rule with a measurement takes precedence. Without a rule, a field with the name of a metric is that metric, and so is the field `value` of a measurement with such a name. */
  metrics: readonly StoredCollectorMetricRule[]
  /** Whether values without a rule whose name is not a metric are ignored instead of reported as a partial write. Default: false. */
  ignore_unknown: boolean
  created_at: Instant
  updated_at: Instant
}

export interface CollectorMetricRule {
  /** Measurement to which the rule applies; null or omitted: any. Time series of Prometheus have none. */
  measurement?: string | null | undefined
  /** Field in line protocol; metric name (`__name__`) of Prometheus. */
  field: string
  /** Metric under which the value is stored; other names than those of samples are kept as extra values. */
  metric: string
  /** The value times the factor is in the unit of the metric: 0.001 for W and Wh. Default: 1. */
  factor?: number | undefined
}

export interface ComparedAmount {
  /** Type of the amount; amounts are positive, counts_as has the direction. */
  amount_type: "supplier_payment_for_matched_consumption" | "producer_payment_for_bedelli_surplus" | "system_usage_fee_for_skb" | "sktt_matched_consumption" | "mesken_monthly_amount" | "estimated_savings" | "estimated_loss_or_risk"
  /** Effect on the total of the owner: revenue and avoided_cost are added, cost is subtracted, not_counted is informational. */
  counts_as: "revenue" | "cost" | "avoided_cost" | "not_counted"
  /** Priced energy with netting by hour; kWh. */
  hourly_kwh: string
  /** Amount of this energy; null if a part of the energy has no price; TRY. */
  hourly_try: string | null
  /** Priced energy with netting by month; kWh. */
  monthly_kwh: string
  /** Amount of this energy; null if a part of the energy has no price; TRY. */
  monthly_try: string | null
  /** Hourly amount minus monthly amount, without regard to the direction; null if either is null; TRY. */
  difference_try: string | null
}

export interface ComparedScenario {
  id: Uuid
  /** Name. */
  name: string
  /** First month. */
  from: BillingPeriod
  /** Last month. */
  to: BillingPeriod
  /** true: a result of the base has changed since; calculate it again. */
  is_stale: boolean
  /** Investment. */
  cost_try: string | null
  /** Sums over all groups and months; null until it is computed. */
  totals: ScenarioTotals
}

export interface ComparisonSide {
  /** Production; kWh. null: unknown. */
  production_kwh: string | null
  /** Consumption before netting; kWh. null: unknown. */
  consumption_kwh: string | null
  /** Production matched by consumption; kWh. null: unknown. */
  matched_kwh: string | null
  /** Consumption left after matching; kWh. null: unknown. */
  net_import_kwh: string | null
  /** Production left after matching; kWh. null: unknown. */
  surplus_kwh: string | null
  /** Paid surplus; kWh. null: unknown. */
  bedelli_kwh: string | null
  /** Surplus beyond the limit, subject to the system usage fee; kWh. null: unknown. */
  skb_kwh: string | null
  /** Free surplus; kWh. null: unknown. */
  bedelsiz_kwh: string | null
  /** Limit used from the accounts of the consumers; 0 for residential groups, which have no limit; kWh. */
  limit_used_kwh: string
  /** Revenue plus avoided cost minus cost of the owner; null if a part of the energy has no price; TRY. */
  total_try: string | null
}

export interface ConfirmEmail {
  /** Token from the most recent mail; valid for 24 hours, once. */
  token: string
  /** The password of the account, which shows that its owner has opened the link. */
  password: string
}

export interface ConfirmSignup {
  /** Token from the most recent mail; valid for 24 hours, once. */
  token: string
  /** The password of the signup. */
  password: string
}

export interface ConfirmTotp {
  /** Code of the authenticator app. */
  code: string
}

export interface ConsumptionChart {
  /** Period of the data: from the config, otherwise from time_range, otherwise 7d. */
  period: "24h" | "today" | "yesterday" | "7d" | "30d" | "90d" | "1y" | "this_week" | "last_week" | "this_month" | "last_month" | "this_year"
  /** Display text of the period. */
  period_label: string | null
  /** Turkey-local hours, days or months. */
  interval: "hourly" | "daily" | "monthly"
  /** Start of the first bucket. */
  start: Instant
  /** End of the last bucket, which may be incomplete. */
  end: Instant
  /** Direction of the energy. */
  flow: "consumption" | "production" | "export"
  /** Unit of the energy. */
  unit: string
  /** Sum of the points, kWh; null: no data. */
  total_kwh: number | null
  /** Whether a part was calculated from power, or is a share of the register growth across a gap. */
  is_estimated: boolean
  /** Quality of the energy, with the values of hourly facts. complete: measured throughout. partial: it has not ended, or a part is not covered by readings or is estimated. missing: no reading of the register; a value is an estimate. suspect: a reset or a false reading affects it. */
  data_quality: "complete" | "partial" | "missing" | "suspect"
  /** Points in ascending order; a bucket without data has no point. */
  data: readonly ({
    /** Start of the bucket. */
    timestamp: Instant
    /** Energy of all meters, kWh. */
    energy_kwh: number | null
    /** Whether a part was calculated from power, or is a share of the register growth across a gap. */
    is_estimated: boolean
    /** Quality of the energy, with the values of hourly facts. complete: measured throughout. partial: it has not ended, or a part is not covered by readings or is estimated. missing: no reading of the register; a value is an estimate. suspect: a reset or a false reading affects it. */
    data_quality: "complete" | "partial" | "missing" | "suspect"
  })[]
  /** Meters that are included in the sum. */
  devices: readonly ({
    device_id: Uuid
    /** Name of the device. */
    device_name: string
    /** Energy of this device in the whole period, kWh; null: no data. */
    energy_kwh: number | null
    /** Quality of the energy of this device, with the values of hourly facts. complete: measured throughout. partial: it has not ended, or a part is not covered by readings or is estimated. missing: no reading of the register; a value is an estimate. suspect: a reset or a false reading affects it. */
    data_quality: "complete" | "partial" | "missing" | "suspect"
  })[]
}

export interface ConsumptionNumeric {
  /** Period of the data: from the config, otherwise from time_range, otherwise 7d. */
  period: "24h" | "today" | "yesterday" | "7d" | "30d" | "90d" | "1y" | "this_week" | "last_week" | "this_month" | "last_month" | "this_year"
  /** Display text of the period. */
  period_label: string | null
  /** Start of the first bucket. */
  start: Instant
  /** End of the last bucket, which may be incomplete. */
  end: Instant
  /** Direction of the energy. */
  flow: "consumption" | "production" | "export"
  /** Unit of the energy. */
  unit: string
  /** Energy of the period, kWh; null: no data. */
  value_kwh: number | null
  /** Whether a part was calculated from power, or is a share of the register growth across a gap. */
  is_estimated: boolean
  /** Quality of the energy, with the values of hourly facts. complete: measured throughout. partial: it has not ended, or a part is not covered by readings or is estimated. missing: no reading of the register; a value is an estimate. suspect: a reset or a false reading affects it. */
  data_quality: "complete" | "partial" | "missing" | "suspect"
  /** Meters that are included in the sum. */
  devices: readonly ({
    device_id: Uuid
    /** Name of the device. */
    device_name: string
    /** Energy of this device in the whole period, kWh; null: no data. */
    energy_kwh: number | null
    /** Quality of the energy of this device, with the values of hourly facts. complete: measured throughout. partial: it has not ended, or a part is not covered by readings or is estimated. missing: no reading of the register; a value is an estimate. suspect: a reset or a false reading affects it. */
    data_quality: "complete" | "partial" | "missing" | "suspect"
  })[]
}

export interface CorrectGroup {
  /** Month to correct: the first day of a Turkey-local month; any date of it, or YYYY-MM, is truncated. Not in the future. */
  billing_period: BillingPeriod
  /** Reason; stored with the correction and its limit movements. It is part of the identity of a request. */
  reason: string
}

export interface CorrectMeterChange {
  /** Time of the replacement. A stored reading at this instant is replaced by the record. Not in the future. */
  changed_at?: Instant | undefined
  /** Last value of the old register, kWh (kvarh of a reactive register), with the multiplier applied. */
  old_end_kwh?: number | string | undefined
  /** First value of the new register, kWh (kvarh of a reactive register), with the multiplier applied. */
  new_start_kwh?: number | string | undefined
  /** Serial number of the old meter. */
  old_serial_no?: string | null | undefined
  /** Serial number of the new meter. */
  new_serial_no?: string | null | undefined
  /** Free text. */
  note?: string | null | undefined
  /** Reason of the correction; it is stored with the values that it replaces. */
  reason: string
}

export interface CorrectionResult {
  /** Requested month. */
  billing_period: BillingPeriod
  /** Created runs, one per period, in time order, without those of an earlier attempt. */
  runs: readonly CalculationRun[]
  /** Periods of these runs. */
  periods_corrected: readonly BillingPeriod[]
  /** true if the cascade stopped. The same request, without or with a new Idempotency-Key, continues it. */
  cascade_incomplete: boolean
  /** Period at which the cascade stopped; null if it is complete. */
  failed_period: BillingPeriod | null
  /** Human-readable warnings. */
  warnings: readonly string[]
  /** Code of the warning with the same index. */
  warning_codes: readonly string[]
  /** The content of the warning with the same index, without its text. */
  warning_details: readonly WarningDetail[]
}

export interface CostChart {
  /** Period of the data: from the config, otherwise from time_range, otherwise 7d. */
  period: "24h" | "today" | "yesterday" | "7d" | "30d" | "90d" | "1y" | "this_week" | "last_week" | "this_month" | "last_month" | "this_year"
  /** Display text of the period. */
  period_label: string | null
  /** Turkey-local hours, days or months. */
  interval: "hourly" | "daily" | "monthly"
  /** Start of the first bucket. */
  start: Instant
  /** End of the last bucket, which may be incomplete. */
  end: Instant
  /** Currency of the amounts. */
  currency: string
  /** Cost of the active energy at the approved prices, TRY, without distribution and taxes. */
  total_try: string | null
  /** Reason for a missing amount: no_data, abone_grubu_unknown (no subscriber group), price_missing (no approved price). If one part has no price, the whole sum has no amount. */
  reason: "no_data" | "abone_grubu_unknown" | "price_missing" | null
  /** Energy of the period. */
  energy_kwh: number | null
  /** Whether a part was calculated from power, or is a share of the register growth across a gap. */
  is_estimated: boolean
  /** Quality of the energy, with the values of hourly facts. complete: measured throughout. partial: it has not ended, or a part is not covered by readings or is estimated. missing: no reading of the register; a value is an estimate. suspect: a reset or a false reading affects it. */
  data_quality: "complete" | "partial" | "missing" | "suspect"
  /** Points in ascending order; a bucket without data has no point. */
  data: readonly ({
    /** Start of the bucket. */
    timestamp: Instant
    /** Energy of the bucket. */
    energy_kwh: number | null
    /** Cost of the bucket, TRY. */
    cost_try: string | null
    /** Reason for a missing amount: no_data, abone_grubu_unknown (no subscriber group), price_missing (no approved price). If one part has no price, the whole sum has no amount. */
    reason: "no_data" | "abone_grubu_unknown" | "price_missing" | null
    /** Whether a part was calculated from power, or is a share of the register growth across a gap. */
    is_estimated: boolean
    /** Quality of the energy, with the values of hourly facts. complete: measured throughout. partial: it has not ended, or a part is not covered by readings or is estimated. missing: no reading of the register; a value is an estimate. suspect: a reset or a false reading affects it. */
    data_quality: "complete" | "partial" | "missing" | "suspect"
  })[]
  /** Tariffs of the energy. */
  tariffs: readonly ({
    /** Facility whose subscriber group applies; null: unknown. */
    facility_id: Uuid | null
    /** Subscriber group; null: not known. */
    abone_grubu: string | null
    /** Whether prices depend on the time of day (day, peak and night). */
    is_multi_time: boolean
    /** Voltage level of the facility; null: not known, priced as low voltage (AG). */
    voltage_level: string | null
    /** Meters that are billed together. */
    device_ids: readonly Uuid[]
  })[]
}

export interface CostNumeric {
  /** Period of the data: from the config, otherwise from time_range, otherwise 7d. */
  period: "24h" | "today" | "yesterday" | "7d" | "30d" | "90d" | "1y" | "this_week" | "last_week" | "this_month" | "last_month" | "this_year"
  /** Display text of the period. */
  period_label: string | null
  /** Start of the first bucket. */
  start: Instant
  /** End of the last bucket, which may be incomplete. */
  end: Instant
  /** Currency of the amounts. */
  currency: string
  /** Cost of the active energy of the period at the approved prices, TRY, without distribution and taxes. */
  value_try: string | null
  /** Reason for a missing amount: no_data, abone_grubu_unknown (no subscriber group), price_missing (no approved price). If one part has no price, the whole sum has no amount. */
  reason: "no_data" | "abone_grubu_unknown" | "price_missing" | null
  /** Energy of the period. */
  energy_kwh: number | null
  /** Whether a part was calculated from power, or is a share of the register growth across a gap. */
  is_estimated: boolean
  /** Quality of the energy, with the values of hourly facts. complete: measured throughout. partial: it has not ended, or a part is not covered by readings or is estimated. missing: no reading of the register; a value is an estimate. suspect: a reset or a false reading affects it. */
  data_quality: "complete" | "partial" | "missing" | "suspect"
  /** Tariffs of the energy. */
  tariffs: readonly ({
    /** Facility whose subscriber group applies; null: unknown. */
    facility_id: Uuid | null
    /** Subscriber group; null: not known. */
    abone_grubu: string | null
    /** Whether prices depend on the time of day (day, peak and night). */
    is_multi_time: boolean
    /** Voltage level of the facility; null: not known, priced as low voltage (AG). */
    voltage_level: string | null
    /** Meters that are billed together. */
    device_ids: readonly Uuid[]
  })[]
}

export interface CreateAlarmPolicy {
  /** Name. */
  name: string
  /** Alarm type; policies of the types limit and custom belong to the service. */
  alarm_type: "threshold" | "rate_of_change" | "offline" | "no_data" | "counter_reset" | "limit" | "custom"
  device_id?: Uuid | null | undefined
  subregion_id?: Uuid | null | undefined
  /** Metric of samples, or the name of an extra value as sent by the device, without surrounding white space. */
  metric?: string | null | undefined
  /** Comparison that triggers the alarm: value above, at or above, below, at or below, equal to, or not equal to the threshold. */
  operator?: "gt" | "gte" | "lt" | "lte" | "eq" | "ne" | null | undefined
  /** Threshold that triggers the alarm, in the unit of the metric; for rate_of_change per minute or hour. */
  threshold?: number | string | null | undefined
  /** Threshold at which the condition ends; null: the same as threshold. */
  clear_threshold?: number | string | null | undefined
  /** Time unit of a rate of change; default minute. */
  rate_per?: "minute" | "hour" | null | undefined
  /** Time for which the condition must hold before an incident opens, s, by sample time; for no_data and offline the duration of silence. */
  delay_on_s?: number | undefined
  /** Time for which the condition must be over before the incident closes, s. */
  delay_off_s?: number | undefined
  /** Schedule in which the policy may open incidents, Turkey-local; null: always. */
  schedule?: AlarmSchedule | null | undefined
  /** Severity of the incidents of the policy. */
  severity: "info" | "warning" | "critical"
  /** How incidents are notified; `channel` stands for all active channels of messaging platforms of the tenant. */
  notify?: readonly ("in_app" | "email" | "webhook" | "channel")[] | undefined
  /** Escalation policy of the incidents; null: the default of the tenant for their severity, if there is one. */
  escalation_policy_id?: Uuid | null | undefined
  /** Whether the policy is evaluated. */
  is_active?: boolean | undefined
}

export interface CreateApiKey {
  /** What the key is for. A single line without control and formatting characters, URLs and e-mail addresses. */
  name: string
  /** Only permissions that the caller holds (403); duplicates are ignored. */
  permissions: readonly ("read:user" | "read:role" | "read:region" | "read:gateway" | "read:device" | "read:measurement" | "read:alarm" | "read:firmware" | "read:ota" | "read:loto" | "read:zigbee" | "read:widget" | "read:charger" | "read:netting" | "read:osos" | "manage:user" | "manage:role" | "manage:region" | "manage:gateway" | "manage:device" | "manage:measurement" | "manage:alarm" | "manage:firmware" | "manage:ota" | "manage:loto" | "manage:zigbee" | "manage:widget" | "manage:charger" | "manage:netting" | "manage:osos" | "manage:loto_override" | "write:measurement" | "import:settlement_reports")[]
  /** Days until the key expires. */
  expires_in_days: number
}

export interface CreateCharger {
  /** Identity of the station in the path of its WebSocket, and its user name: visible ASCII without a slash. Unique in the whole service. */
  cpid: string
  /** Name. Default: the cpid. */
  name?: string | undefined
  /** Configured vendor, otherwise the vendor reported by the station. */
  vendor?: string | null | undefined
  /** Configured model, otherwise the model reported by the station. */
  model?: string | null | undefined
  /** Configured model, otherwise the model reported by the station. */
  serial_number?: string | null | undefined
  subregion_id?: Uuid | null | undefined
  /** 16 to 40 visible ASCII characters; 32 to 40 hexadecimal digits represent bytes. Generated if absent. */
  password?: string | undefined
}

export interface CreateChargingGroup {
  /** Name, unique among the groups. */
  name: string
  /** Subregion of the group. */
  subregion_id?: Uuid | null | undefined
  /** Power limit of all chargers together, kW. */
  limit_kw: number
  /** Minimum power of a connector, kW; below it the connector is paused, because vehicles need 6 A on each phase. */
  min_kw_per_connector?: number | undefined
  /** Equal: all charging connectors have the same share. By need: power that a vehicle does not use is given to others. */
  split?: "equal" | "by_need" | undefined
  /** Chargers that share the limit. */
  members?: readonly ChargingGroupMemberInput[] | undefined
}

export interface CreateChargingProfile {
  /** Connector number, the EVSE in OCPP 2.0.1; 0: the whole station. */
  connector_id?: number | undefined
  /** charge_point_max: all connectors together. tx_default: every session without its own profile. tx: one session. */
  purpose: "charge_point_max" | "tx_default" | "tx"
  /** Session of a tx profile; it must be active. */
  session_id?: Uuid | null | undefined
  /** Stack level; of two profiles with the same purpose the higher level applies. */
  stack_level?: number | undefined
  /** Absolute: by the clock. Recurring: repeated every day or week. Relative: from the start of charging. */
  kind?: "absolute" | "recurring" | "relative" | undefined
  /** Recurrency of a recurring profile. */
  recurrency?: "daily" | "weekly" | null | undefined
  /** Start of the validity of the profile. */
  valid_from?: Instant | null | undefined
  /** End of the validity of the profile. */
  valid_to?: Instant | null | undefined
  /** Charging schedule. */
  schedule: ChargingSchedule
}

export interface CreateCollectorMapping {
  /** Name, unique in the tenant: the bucket of line protocol, or the parameter `mapping` of remote write. */
  name: string
  /** Tags or labels that may contain the name, external id or id of the device; the first that a point has counts. Default: device, host. */
  device_labels?: readonly string[] | undefined
  /** Rules by field; a rule with a measurement takes precedence. Without a rule, a field with the name of a metric is that metric, and so is the field `value` of a measurement with such a name. */
  metrics?: readonly CollectorMetricRule[] | undefined
  /** Whether values without a rule whose name is not a metric are ignored instead of reported as a partial write. Default: false. */
  ignore_unknown?: boolean | undefined
}

export interface CreateDevice {
  /** Name. */
  name: string
  /** Type of device, such as energy_analyzer or inverter. */
  device_type: string
  /** Role of the device, such as inverter or charger. */
  device_role?: string | null | undefined
  /** How the values of the device arrive. */
  device_source?: "modbus" | "zigbee" | "virtual" | "manual" | "ocpp" | undefined
  gateway_id?: Uuid | null | undefined
  mqtt_gateway_id?: Uuid | null | undefined
  /** Modbus unit id. */
  slave_id?: number | null | undefined
  /** Device template; null or empty for none. */
  template_id?: string | null | undefined
  parent_id?: Uuid | null | undefined
  /** Inverter at the grid or of a battery (ess). */
  inverter_type?: "grid_inverter" | "ess_inverter" | null | undefined
  /** Expected reporting interval of the device, s. */
  reporting_interval_s?: number | null | undefined
  /** Silence after which the device counts as offline, s. */
  offline_threshold_s?: number | undefined
  /** On create: the map. On update: null changes nothing, {} clears the map, otherwise keys are merged. */
  extra_metadata?: Readonly<Record<string, unknown>> | null | undefined
}

export interface CreateDeviceTemplate {
  /** Name. */
  name: string
  /** Manufacturer. */
  vendor?: string | null | undefined
  /** Model. */
  model?: string | null | undefined
  /** Type of device, such as energy_analyzer or inverter. */
  device_type: string
  /** Protocols of the devices. */
  protocols?: readonly ("modbus_tcp" | "modbus_rtu" | "mqtt" | "zigbee")[] | undefined
  /** Register map of the device; an update replaces it as a whole. A map with a format is validated like an upload; a map without one is stored unchanged and not used for reading. */
  register_map?: Readonly<Record<string, unknown>> | null | undefined
}

export interface CreateEscalationPolicy {
  /** Name. */
  name: string
  /** Language of the mails to addresses that do not belong to a user. Default: tr. */
  language?: "tr" | "en" | undefined
  /** Levels in their sequence. */
  levels: readonly EscalationLevel[]
  /** Interval at which the last level is repeated, minutes; null: it is not repeated. */
  repeat_minutes?: number | null | undefined
  /** Number of repetitions of the last level. Default: 0. */
  repeat_count?: number | undefined
  /** Severities for which the policy applies to incidents whose alarm policy names no escalation policy. */
  default_severities?: readonly ("info" | "warning" | "critical")[] | undefined
  /** Whether the policy escalates incidents. Default: true. */
  is_active?: boolean | undefined
}

export interface CreateExport {
  /** Devices, in the order of the file; duplicates are ignored. */
  device_ids: readonly Uuid[]
  /** Start of the range; rounded down to the bucket boundary for hourly, daily and monthly. */
  start: Instant
  /** End of the range, exclusive; rounded up to the bucket boundary for hourly, daily and monthly. Default: now. */
  end?: Instant | undefined
  /** raw: samples as stored, with register readings. hourly, daily, monthly: energy of the bucket (kWh, kvarh) and mean values. At most 400 days of raw or hourly rows, 1,500 days of daily and 7,400 days of monthly rows. */
  interval?: "raw" | "hourly" | "daily" | "monthly" | undefined
  /** Columns, by metric name. raw: also the names of extra values. Otherwise: the registers, voltage, current, active_power and power_factor. Default: the metrics that occur (raw), or the registers of the devices. A PDF contains only energy. */
  metrics?: readonly string[] | undefined
  /** csv: UTF-8 with a byte order mark. xlsx: Turkey-local times, with additional sheets after 1,048,576 rows; excel is an alias. pdf: a report by day; by month for more than 62 days or interval monthly. */
  format: "csv" | "xlsx" | "pdf" | "excel"
  /** tr: CSV with semicolons, 1,5 and 05.11.2026 13:00. en: commas, 1.5 and 2026-11-05T13:00:00+03:00. Also the language of the labels and of the PDF. Default: the language of Accept-Language, tr without that header. */
  locale?: "tr" | "en" | undefined
  /** Delimiter of a CSV, overrides that of the locale. */
  delimiter?: ";" | "," | "\t" | undefined
  /** Headers of the columns. names: the names of the metrics in the API, for programs. labels: translated, with units. Default: names for csv, labels for xlsx. */
  headers?: "names" | "labels" | undefined
  /** File name without extension; invalid characters are removed. */
  file_name?: string | undefined
  /** Create the file in the background regardless of its size. Exports with more than 50000 rows always run in the background. */
  async?: boolean | undefined
}

export interface CreateFacility {
  /** Subregion of the record. */
  subregion_id: Uuid
  /** Default: the subregion's name. */
  name?: string | null | undefined
  /** First Turkey-local day of the facility. Default: today. */
  valid_from?: LocalDate | null | undefined
  /** Whether the facility is billed by time of day. Default: false. */
  is_multi_time?: boolean | undefined
  /** Whether the facility has storage; ess_capacity_kwh and ess_power_kw are above 0 if and only if it has. Default: false. */
  has_ess?: boolean | undefined
  /** Scope that represents one official party. */
  scope_id?: Uuid | null | undefined
  /** End of validity, exclusive: a Turkey-local day; null: open. */
  valid_to?: LocalDate | null | undefined
  /** Producer price group that overrides the one derived from the source type. */
  producer_tariff_group?: "lisanssiz_uretici_1" | "lisanssiz_uretici_2" | null | undefined
  /** Organization that operates the grid at the facility. */
  grid_operator_id?: Uuid | null | undefined
  /** Distribution company. */
  distribution_company_id?: Uuid | null | undefined
  /** Industrial-zone operator or retail operator. */
  retail_or_zone_operator_id?: Uuid | null | undefined
  /** Organization that reads the meter. */
  meter_reading_org_id?: Uuid | null | undefined
  /** Supplier. */
  supplier_id?: Uuid | null | undefined
  /** Subscriber group. */
  abone_grubu?: "mesken" | "ticarethane" | "sanayi" | "tarimsal_sulama" | "aydinlatma" | "other" | null | undefined
  /** Energy source of the plant. */
  source_type?: "solar" | "wind" | "hydro" | "biomass" | "geothermal" | "cogeneration" | "hybrid" | "unknown" | null | undefined
  /** sktt: last-resource tariff; null is treated as regulated. */
  tariff_supply_type?: "regulated" | "sktt" | "bilateral" | null | undefined
  /** Voltage level: AG low, OG medium, YG high. It selects the prices; null: not known, priced as AG. */
  voltage_level?: "AG" | "OG" | "YG" | null | undefined
  /** Installed power of the plant, kW. */
  installed_power_kw?: number | string | null | undefined
  /** Contracted power of the connection agreement, kW. */
  contracted_power_kw?: number | string | null | undefined
  /** Storage capacity, kWh. */
  ess_capacity_kwh?: number | string | null | undefined
  /** Storage power, kW. */
  ess_power_kw?: number | string | null | undefined
}

export interface CreateGateway {
  /** Name. */
  name: string
  /** Type of gateway. */
  gateway_type: "modbus" | "mqtt" | "zigbee" | "home_assistant"
  subregion_id?: Uuid | null | undefined
  /** Host name or IP address. */
  host?: string | null | undefined
  /** TCP port. */
  port?: number | null | undefined
  /** Serial number. */
  serial_number?: string | null | undefined
  /** Client id at the message broker. */
  client_id?: string | null | undefined
  /** Polling interval in seconds. */
  poll_interval_s?: number | null | undefined
  /** Version of the firmware. */
  firmware_version?: string | null | undefined
  /** Model, which determines the matching firmware. */
  model?: string | null | undefined
  /** Configuration of the gateway; an update replaces it as a whole and increments config_version. For a gateway of type modbus, baud_rate, keep_connection, inter_request_ms and timeout_ms take precedence over the register maps, whose defaults are none, true, 20 and 1000. */
  config?: Readonly<Record<string, unknown>> | undefined
}

export interface CreateHourlyForecast {
  /** Facilities. */
  facility_ids: readonly Uuid[]
  /** First day; at most tomorrow, which is the default. A past day: only hours before it are used. */
  from_date?: LocalDate | undefined
  /** Days. Default: 31. */
  days?: number | undefined
}

export interface CreateIdTag {
  /** Id tag as read by the station; at most 20 characters in OCPP 1.6. Unique in the tenant, case-insensitive. */
  tag: string
  /** Name of the holder of the tag. */
  name?: string | null | undefined
  /** Status; a blocked tag, or a tag of a blocked group, cannot charge. */
  status?: "accepted" | "blocked" | undefined
  /** Group of the tag, which is itself a tag: tags of one group may end each other's sessions and use each other's reservations. */
  parent_id?: Uuid | null | undefined
  /** Expiry of the tag; Turkey-local without an offset. */
  expires_at?: Instant | null | undefined
  /** Whether the tag may have several sessions at the same time. Default: false. */
  allows_concurrent?: boolean | undefined
}

export interface CreateInvitation {
  /** E-mail address (ASCII); unique in the whole service, case-insensitive. */
  email: string
  /** Roles of the tenant. Only roles whose permissions the caller holds can be assigned (403). */
  role_ids?: readonly Uuid[] | undefined
  /** Language of mails to the user. null (default): Turkish and English in one mail. */
  language?: "tr" | "en" | null | undefined
}

export interface CreateLimitAccount {
  /** Facility; it has one account per year. */
  facility_id: Uuid
  /** Turkey-local calendar year. */
  year: number
  /** Limit at the beginning of the year, kWh. The remaining limit is this value plus all movements. */
  initial_limit_kwh: number | string
  /** Source of the initial limit. */
  limit_source: "previous_year_consumption" | "customer_declaration" | "official_document" | "lum_report" | "gts_report" | "manual"
}

export interface CreateLotoPoint {
  /** Name, unique in the subregion. */
  name: string
  /** Subregion of the point. */
  subregion_id: Uuid
  /** Device that is de-energized while the point is isolated; if it is a meter, its readings verify the isolation. */
  device_id?: Uuid | null | undefined
  /** Type of the isolated energy. */
  energy_type: "electrical" | "mechanical" | "hydraulic" | "pneumatic" | "thermal" | "chemical" | "gravitational" | "radiation" | "other"
  /** Human-readable isolation method: which switch, valve or pin, in which position. */
  isolation_method: string
  /** Human-readable location. */
  location: string
}

export interface CreateLotoSession {
  /** Title of the work. */
  title: string
  /** Reason for the isolation. */
  reason: string
  /** Points that are isolated together, in the order of the work. */
  point_ids: readonly Uuid[]
}

export interface CreateMaintenanceWindow {
  policy_id?: Uuid | null | undefined
  device_id?: Uuid | null | undefined
  subregion_id?: Uuid | null | undefined
  /** Start, inclusive. */
  from: Instant
  /** End, exclusive. */
  to: Instant
  /** Description of the maintenance work. */
  note?: string | null | undefined
}

export interface CreateMarketAccount {
  /** Display name of the account. */
  name: string
  /** User name at the platform, an e-mail address. */
  portal_username?: string | null | undefined
  /** Stored encrypted and never returned. ********, as in a response, leaves it unchanged; null removes it. */
  portal_password?: string | null | undefined
  /** Subscription key for the gateway of the platform, if required. Stored encrypted and never returned. ********, as in a response, leaves it unchanged; null removes it. */
  subscription_key?: string | null | undefined
}

export interface CreateMeterAssignment {
  /** Subregion of the record. */
  subregion_id: Uuid
  /** Device. */
  device_id: Uuid
  /** Measurement role of the device. Periods of one subregion and one main role (main_production, main_consumption, pcc_import_export, osb_eb_consumption) may not overlap. */
  measurement_role: "main_production" | "main_consumption" | "pcc_import_export" | "osb_eb_consumption" | "battery" | "self_consumption" | "aux_production" | "aux_consumption" | "check_meter"
  /** Start of validity; a date is the start of that Turkey-local day. */
  valid_from: Instant
  /** Facility that the device measures. */
  facility_id?: Uuid | null | undefined
  /** Metering point of the device; belongs to the facility. */
  metering_point_id?: Uuid | null | undefined
  /** End of validity, exclusive; null: open. */
  valid_to?: Instant | null | undefined
}

export interface CreateMeterChange {
  /** Device whose meter was replaced. */
  device_id?: Uuid | null | undefined
  /** OSOS installation whose meter was replaced. */
  osos_installation_id?: Uuid | null | undefined
  /** Register: a meter with several registers has one record for each. An OSOS installation has import_active_energy and export_active_energy, which is also the production of a production meter. */
  register: "import_active_energy" | "export_active_energy" | "production_active_energy" | "battery_charge_energy" | "battery_discharge_energy" | "inductive_reactive_energy" | "capacitive_reactive_energy"
  /** Time of the replacement. A stored reading at this instant is replaced by the record. Not in the future. */
  changed_at: Instant
  /** Last value of the old register, kWh (kvarh of a reactive register), with the multiplier applied. */
  old_end_kwh: number | string
  /** First value of the new register, kWh (kvarh of a reactive register), with the multiplier applied. */
  new_start_kwh: number | string
  /** Serial number of the old meter. */
  old_serial_no?: string | null | undefined
  /** Serial number of the new meter. */
  new_serial_no?: string | null | undefined
  /** Free text. */
  note?: string | null | undefined
}

export interface CreateMeteringPoint {
  /** Start of validity; a date is the start of that Turkey-local day. Default: now. */
  valid_from?: Instant | null | undefined
  /** Number of the meter. */
  meter_no?: string | null | undefined
  /** End of validity, exclusive; null: open. */
  valid_to?: Instant | null | undefined
  /** Organization that reads the meter. */
  meter_reading_org_id?: Uuid | null | undefined
  /** OSOS installation with the official readings of the metering point. */
  osos_installation_id?: Uuid | null | undefined
  /** Free text. */
  notes?: string | null | undefined
}

export interface CreateNettingGroup {
  /** Name, unique in the tenant. */
  name: string
  /** false if and only if group_status is inactive; an inactive group is not calculated. Default: true. */
  is_active?: boolean | undefined
  /** Scope that represents one official party. */
  scope_id?: Uuid | null | undefined
  /** Supplier that settles the group. */
  responsible_supplier_id?: Uuid | null | undefined
  /** Free text. */
  notes?: string | null | undefined
  /** What happens when the input of a closed month changes: manual: an alarm opens, and a person corrects; automatic: in addition the service corrects after the quiet period. Until its settlement is final (day 15 of the next month) a month is also calculated again every night. Default: manual. */
  correction_mode?: "manual" | "automatic" | undefined
  /** Minutes without a further change before an automatic correction. Default: 60. */
  correction_quiet_minutes?: number | undefined
}

export interface CreateNettingScope {
  /** Name, unique in the tenant. */
  name: string
  /** Reference of the party in external systems. */
  external_party_ref?: string | null | undefined
  /** Free text. */
  notes?: string | null | undefined
}

export interface CreateNotificationChannel {
  /** Name. */
  name: string
  /** Messaging platform of the channel. */
  type: "telegram" | "teams" | "slack" | "ntfy"
  /** Language of the messages. Default: tr. */
  language?: "tr" | "en" | undefined
  /** telegram: token of the bot. It is encrypted and never returned. */
  bot_token?: string | undefined
  /** telegram: id of the chat, or @name of a public channel. */
  chat_id?: string | undefined
  /** slack, teams: URL of the incoming webhook (teams: of the Workflows app), at a public address. It is encrypted and never returned. */
  url?: string | undefined
  /** ntfy: address of the server, without a path. It must be at a public address. Default: https://ntfy.sh. */
  server_url?: string | undefined
  /** ntfy: topic to which messages are published. */
  topic?: string | undefined
  /** ntfy: access token; null: none. It is encrypted and never returned, and is required again with a new server_url. */
  token?: string | null | undefined
  /** Minimum severity of the notifications that are sent. Default: info. */
  min_severity?: "info" | "warning" | "critical" | undefined
  /** true also reactivates a channel that the service has disabled. */
  is_active?: boolean | undefined
}

export interface CreateNotificationWebhook {
  /** Name. */
  name: string
  /** http:// or https://, without user name and password, at a public address. */
  url: string
  /** Minimum severity of the events that are sent. Default: info. */
  min_severity?: "info" | "warning" | "critical" | undefined
  /** true also reactivates a webhook that the service has disabled. */
  is_active?: boolean | undefined
}

export interface CreateOptimisation {
  /** Name. */
  name: string
  /** battery_dispatch: the best dispatch of batteries in a past month, beside what happened. battery_next_day: that of a coming day, from a forecast. assignment: the group of each facility. limit_transfers: limits between accounts at the starts of months. allocation: whose matched energy each consumer gets. */
  kind: "battery_dispatch" | "battery_next_day" | "assignment" | "limit_transfers" | "allocation"
  /** Groups. */
  group_ids: readonly Uuid[]
  /** First month; any date of it, or YYYY-MM, is truncated. battery_next_day: of the hours for the forecast. */
  from: BillingPeriod
  /** Last month. */
  to: BillingPeriod
  /** Batteries. */
  batteries?: readonly ({
    /** Facility behind whose meters it is; a consumer of the group. */
    facility_id: Uuid
    /** Capacity. */
    capacity_kwh: number | string
    /** Power of charge and of discharge. */
    power_kw: number | string
    /** Round-trip efficiency, at most 1. */
    efficiency: number | string
    /** Energy in it at the start. Default: 0. */
    initial_kwh?: number | string | undefined
    /** Energy left at the end, at least. Default: 0. */
    final_kwh?: number | string | undefined
  })[] | undefined
  /** First day of the dispatch. Default: that of the month; for battery_next_day tomorrow. */
  first_day?: LocalDate | undefined
  /** Day after the last one. Default: the end of the month. */
  end_day?: LocalDate | undefined
  /** Members that may move, for assignment. Default: every one. */
  facility_ids?: readonly Uuid[] | undefined
  /** true: members of a group have one distribution company. Default: true. */
  same_region?: boolean | undefined
  /** true: members of a group have one voltage level. Default: false. */
  same_voltage?: boolean | undefined
  /** For allocation; other pairs: 0. */
  pair_values?: readonly ({
    /** Facility that produces. */
    producer_id: Uuid
    /** Facility that consumes. */
    consumer_id: Uuid
    /** Value of their energy, such as a contract price. */
    value_try_per_kwh: number | string
  })[] | undefined
  /** true: what the measured batteries of the facilities did is taken out of the meters. */
  replaces_measured?: boolean | undefined
}

export interface CreateOrganization {
  /** Type of organization. */
  org_type: "grid_operator" | "distribution_company" | "retail_company" | "zone_operator" | "meter_reading_org" | "supplier"
  /** Name, unique in the tenant and org_type. */
  name: string
  /** Whether the organization is active. Default: true. */
  is_active?: boolean | undefined
}

export interface CreateOsosInstallation {
  /** Installation number (tesisat no); unique in the tenant. */
  installation_no: string
  /** Facility of the official readings; metering points that refer to the installation take precedence while they are valid. */
  facility_id?: Uuid | null | undefined
  /** Organization of the type distribution_company. */
  distribution_company_id?: Uuid | null | undefined
  /** Factor from meter steps to kWh (çarpan); up to 6 decimals. Default: 1. A change applies to readings imported afterwards. */
  multiplier?: number | string | undefined
  /** Measurement role at the facility. null: derived from a device at the same metering point, otherwise from the only kind of meter of the facility (production or consumption), otherwise the boundary (pcc_import_export). */
  measurement_role?: "main_production" | "main_consumption" | "pcc_import_export" | "osb_eb_consumption" | null | undefined
}

export interface CreatePriceSet {
  /** First day of the month; YYYY-MM is accepted. */
  billing_period: BillingPeriod
  /** Name. */
  name?: string | null | undefined
  /** Where the values come from. */
  source_note?: string | null | undefined
}

export interface CreateRegion {
  /** Name. */
  name: string
  /** Short code. */
  code?: string | null | undefined
  /** Free text. */
  description?: string | null | undefined
}

export interface CreateRegulatedPrice {
  /** First day of validity. */
  valid_from: LocalDate
  /** Last day of validity; null: open. */
  valid_to?: LocalDate | null | undefined
  /** Month of the price: that of its set. */
  billing_period: BillingPeriod
  /** Subscriber group of the tariff. */
  abone_grubu: "mesken" | "ticarethane" | "sanayi" | "tarimsal_sulama" | "aydinlatma" | "other"
  /** Voltage level: AG low, OG medium, YG high; null: all. */
  gerilim_seviyesi?: "AG" | "OG" | "YG" | null | undefined
  /** Code of the tariff. */
  tariff_code?: string | null | undefined
  /** Class of the tariff. */
  tariff_class?: string | null | undefined
  /** What the price is used for. */
  price_purpose: "mahsuplasma_related_tariff" | "mahsuplasma_lowest_related_tariff" | "sktt_active_energy" | "customer_bill_active_energy" | "system_usage" | "distribution" | "other"
  /** Time of use; null: any. */
  time_segment?: "tek" | "gunduz" | "puant" | "gece" | null | undefined
  /** Step (kademe) of the price; null: any. */
  step_no?: number | null | undefined
  /** Unit, for information: prices are in TRY/kWh. */
  unit?: string | null | undefined
  /** Price, TRY/kWh, above 0, at most 6 decimals. */
  price: number | string
  /** Where the values come from. */
  source_note?: string | null | undefined
}

export interface CreateReservation {
  charger_id: Uuid
  /** Connector number, the EVSE in OCPP 2.0.1; 0: any free connector. */
  connector_id?: number | undefined
  /** Id tag for which the connector is reserved. */
  id_tag: string
  /** Group whose tags may also use the reservation. Absent: the group of the tag; null: no other tag. */
  parent_tag?: string | null | undefined
  /** Expiry of the reservation. */
  expires_at: Instant
}

export interface CreateRole {
  /** Name, unique in the tenant. */
  name: string
  /** Only permissions that the caller holds; duplicates are ignored. */
  permissions: readonly ("read:user" | "read:role" | "read:region" | "read:gateway" | "read:device" | "read:measurement" | "read:alarm" | "read:firmware" | "read:ota" | "read:loto" | "read:zigbee" | "read:widget" | "read:charger" | "read:netting" | "read:osos" | "manage:user" | "manage:role" | "manage:region" | "manage:gateway" | "manage:device" | "manage:measurement" | "manage:alarm" | "manage:firmware" | "manage:ota" | "manage:loto" | "manage:zigbee" | "manage:widget" | "manage:charger" | "manage:netting" | "manage:osos" | "manage:loto_override" | "write:measurement" | "import:settlement_reports")[]
}

export interface CreateScenario {
  /** Name. */
  name: string
  /** Groups of the base. */
  group_ids: readonly Uuid[]
  /** First month of the base; any date of it, or YYYY-MM, is truncated. */
  from: BillingPeriod
  /** Last month of the base. */
  to: BillingPeriod
  /** Changes, applied in this order. None: the result is that of the months. */
  changes: readonly ScenarioChange[]
  /** Investment, for the payback. */
  cost_try?: number | string | undefined
}

export interface CreateSizing {
  /** Name. */
  name: string
  /** Groups of the base. */
  group_ids: readonly Uuid[]
  /** First month of the base; any date of it, or YYYY-MM, is truncated. */
  from: BillingPeriod
  /** Last month of the base. */
  to: BillingPeriod
  /** Changes, applied in this order. None: the result is that of the months. */
  changes: readonly ScenarioChange[]
  /** Position of the change whose size varies. */
  change: number
  /** Sizes; or range. */
  sizes?: readonly (number | string)[] | undefined
  /** From and to are sizes. */
  range?: {
    /** Start, inclusive. */
    from: number | string
    /** End, exclusive. */
    to: number | string
    /** Difference of two sizes; greater than 0. */
    step: number | string
  } | undefined
  /** Investment of any size. */
  cost_fixed_try?: number | string | undefined
  /** Investment of a unit. */
  cost_per_unit_try?: number | string | undefined
}

export interface CreateSubregion {
  region_id: Uuid
  /** Name. */
  name: string
  /** Postal address. */
  address?: string | null | undefined
  /** City. */
  city?: string | null | undefined
  /** Latitude in degrees north. */
  latitude?: number | null | undefined
  /** Longitude in degrees east. */
  longitude?: number | null | undefined
  /** Contracted power of the connection agreement, kW. */
  contracted_power_kw?: number | null | undefined
}

export interface CreateTenant {
  /** Display name of the tenant; need not be unique. A single line without control and formatting characters, URLs and e-mail addresses. */
  name: string
  /** Short name of the tenant. Default: derived from the name, with a number if it is already in use. */
  slug?: string | undefined
  /** E-mail address (ASCII); unique in the whole service, case-insensitive. */
  admin_email: string
  /** New password: at least one letter (of any script, including Turkish letters) and one digit. */
  admin_password: string
  /** Name and surname. A single line without control and formatting characters, URLs and e-mail addresses. */
  admin_full_name?: string | null | undefined
}

export interface CreateUser {
  /** E-mail address (ASCII); unique in the whole service, case-insensitive. */
  email: string
  /** Name and surname. A single line without control and formatting characters, URLs and e-mail addresses. */
  full_name?: string | null | undefined
  /** New password: at least one letter (of any script, including Turkish letters) and one digit. */
  password: string
  /** Roles of the tenant. Only roles whose permissions the caller holds can be assigned (403). */
  role_ids?: readonly Uuid[] | undefined
  /** An inactive user can neither sign in nor use a token. */
  is_active?: boolean | undefined
  /** Ignored unless the caller is a superuser. */
  is_superuser?: boolean | undefined
  /** Language of mails to the user. null (default): Turkish and English in one mail. */
  language?: "tr" | "en" | null | undefined
}

export interface CreateWidget {
  /** Subregion of the dashboard. */
  subregion_id: Uuid
  /** Widget type. */
  widget_type: "device_read_rate" | "consumption_chart" | "consumption_numeric" | "cost_chart" | "cost_numeric" | "reactive_ratio" | "realtime_value" | "realtime_gauge" | "realtime_3phase" | "realtime_power" | "alarm_summary" | "osos_consumption_chart" | "mahsuplasma_balance"
  /** Title of the widget. */
  title: string
  /** Position on the grid of the dashboard; null: not set. */
  position?: WidgetPosition | null | undefined
  /** Configuration; docs/understand/widgets.md describes the keys of each type, other keys are stored for the client. A gauge accepts min_value, max_value and danger_threshold as aliases of min_range, max_range and critical_threshold. */
  config?: Readonly<Record<string, unknown>> | undefined
  /** Whether the widget is active; only active widgets are in the data of the dashboard. Default: true. */
  is_active?: boolean | undefined
}

export interface CreatedApiKey {
  id: Uuid
  /** What the key is for. */
  name: string
  /** The beginning of the key, by which it can be recognized. */
  prefix: string
  /** The owner, whose permissions limit those of the key at all times. */
  user_id: Uuid
  /** A key whose owner is not active is refused (401). */
  owner_is_active: boolean
  /** Permissions that were granted; those that the owner has lost since are not effective. */
  permissions: readonly string[]
  /** End of the validity. */
  expires_at: Instant
  /** Time of the last use, exact to about a minute. */
  last_used_at: Instant | null
  created_at: Instant
  /** The key itself, for the header Authorization: Bearer. It is not shown again. */
  key: string
}

export interface CreatedTenant {
  id: Uuid
  /** Display name. */
  name: string
  /** Short name of the tenant, unique in the service. */
  slug: string
  /** The users of an inactive tenant can neither sign in nor use a token. */
  is_active: boolean
  created_at: Instant
  /** The first administrator. */
  admin: User
}

export interface DashboardData {
  /** Subregion of the dashboard. */
  subregion_id: Uuid
  /** Active widgets in the order of creation. */
  widgets: readonly ({
    widget_id: Uuid
    /** Widget type. */
    widget_type: "device_read_rate" | "consumption_chart" | "consumption_numeric" | "cost_chart" | "cost_numeric" | "reactive_ratio" | "realtime_value" | "realtime_gauge" | "realtime_3phase" | "realtime_power" | "alarm_summary" | "osos_consumption_chart" | "mahsuplasma_balance"
    /** Title of the widget. */
    title: string
    /** Data identical to the response of `source`; null with an error, and for the two types whose data is read from the endpoint of their own feature (osos_consumption_chart, mahsuplasma_balance) with its own permission. */
    data: Readonly<Record<string, unknown>> | null
    /** Error, present only if the data of this widget cannot be computed; other widgets are not affected. */
    error: {
      /** Error code that `source` would return. */
      error_code?: string | undefined
      /** Reason why the data cannot be computed, in the language of Accept-Language. */
      message?: string | undefined
      /** Code of the message. */
      message_code?: string | undefined
      /** The values in the message, by their names. */
      parameters?: Readonly<Record<string, unknown>> | undefined
    } | null
    /** Path of the data of this widget; null: the config specifies nothing to read. */
    source: string | null
  })[]
}

export interface DataExport {
  export_id: Uuid
  /** queued, running, completed (the file is available) or failed (error has the reason). */
  status: "queued" | "running" | "completed" | "failed"
  /** Progress in % of the rows; 100 when completed. */
  progress_pct: number
  /** Format of the file. */
  format: "csv" | "xlsx" | "pdf"
  /** File name of the download. */
  file_name: string
  /** Number of rows written. */
  rows_done: number
  /** Total number of rows; null until they are counted. */
  rows_total: number | null
  /** Size of the file in bytes; null until the export is completed. */
  size_bytes: number | null
  /** Reason for the failure. In the language of Accept-Language. */
  error: string | null
  /** Parameters of the export, with defaults applied. */
  request: Readonly<Record<string, unknown>>
  created_at: Instant
  started_at: Instant | null
  finished_at: Instant | null
  /** Time at which the export and its file are deleted. */
  expires_at: Instant
}

export interface DeadLetter {
  id: Uuid
  gateway_id: Uuid | null
  /** Topic relative to the root of the gateway. */
  topic: string
  /** Reason code of docs/integrate/mqtt.md: not_json, unknown_device, … */
  reason: string
  /** Affected part of the message and the error in it. */
  detail: string
  /** Size of the message in bytes. */
  payload_bytes: number
  received_at: Instant
  /** Number of retries so far. */
  attempts: number
  retried_at: Instant | null
}

export interface DeadLetterBulkRetry {
  /** Number of dead letters that were stored completely and deleted. */
  used: number
  /** Number of dead letters whose retry failed; their reasons are updated. */
  left: number
}

export interface DeadLetterDetail {
  id: Uuid
  gateway_id: Uuid | null
  /** Topic relative to the root of the gateway. */
  topic: string
  /** Reason code of docs/integrate/mqtt.md: not_json, unknown_device, … */
  reason: string
  /** Affected part of the message and the error in it. */
  detail: string
  /** Size of the message in bytes. */
  payload_bytes: number
  received_at: Instant
  /** Number of retries so far. */
  attempts: number
  retried_at: Instant | null
  /** Complete message as received, base64. */
  payload_base64: string
}

export interface DeadLetterPage {
  /** The records of this page. */
  items: readonly DeadLetter[]
  /** Number of records that match the filters. */
  total: number
  /** Offset of the first record of this page. */
  skip: number
  /** Maximum number of records of this page. */
  limit: number
  /** Number of older dead letters of this tenant that were ever removed from the list because of its size. */
  dropped: number
}

export interface DeadLetterRetry {
  /** true: all its samples are stored and the dead letter is deleted. */
  used: boolean
  /** Reason why the retry failed; replaces the previous reason. */
  reason: string | null
  /** Affected part of the message and the error in it. */
  detail: string | null
}

export interface DecodedFrames {
  /** One for each frame of the request, in its order. */
  frames: readonly ({
    /** Name of the frame. */
    name: string | null
    /** Registers that the frame contains, and those with an expected value, in the order of the map. */
    values: readonly ({
      /** Key of the register. */
      key: string
      /** Metric of the register; null when only other registers refer to it. */
      metric: string | null
      /** Unit in which the values are stored. */
      unit: string | null
      /** Decoded value; null when the frame has no valid one. */
      actual: string | number | boolean | null
      /** Why there is no value. */
      problem: "not_read" | "not_available" | "not_a_number" | "not_representable" | "out_of_range" | "scale_factor_missing" | null
      /** Expected value; null where none should exist, and where nothing is expected. */
      expected: string | number | boolean | null
      /** Whether the value is the expected one; null where nothing is expected. */
      is_match: boolean | null
    })[]
  })[]
  /** Values that are the expected ones. */
  matched: number
  /** Values that differ from the expected ones. */
  differing: number
}

export interface DeleteInstalledCertificate {
  /** Algorithm of the two hashes. */
  hash_algorithm: "SHA256" | "SHA384" | "SHA512"
  /** Hash of the name of the issuer, hexadecimal. */
  issuer_name_hash: string
  /** Hash of the public key of the issuer, hexadecimal. */
  issuer_key_hash: string
  /** Serial number of the certificate, hexadecimal. */
  serial: string
}

export interface Device {
  id: Uuid
  /** Name. */
  name: string
  /** Type of the device, for example energy_analyzer, inverter or charger. */
  device_type: string
  /** Role of the device, for example charger or inverter. */
  device_role: string | null
  /** How the values of the device arrive. */
  device_source: "modbus" | "zigbee" | "virtual" | "manual" | "ocpp"
  /** Id of the Modbus gateway of the device. */
  gateway_id: Uuid | null
  /** Id of the message-broker gateway; when set, the device is read over MQTT. */
  mqtt_gateway_id: Uuid | null
  /** Modbus unit id. */
  slave_id: number | null
  template_id: Uuid | null
  /** Parent device in the device tree. */
  parent_id: Uuid | null
  /** Subregion; set only for chargers. */
  subregion_id: Uuid | null
  /** Inverter at the grid or of a battery (ess). */
  inverter_type: "grid_inverter" | "ess_inverter" | null
  /** Expected reporting interval of the device, s. */
  reporting_interval_s: number | null
  /** Silence after which the device counts as offline, s. */
  offline_threshold_s: number
  /** Whether a sample was received within the offline threshold. */
  is_online: boolean
  last_seen: Instant | null
  created_at: Instant
  /** Free key/value map of the operator. */
  extra_metadata: Readonly<Record<string, unknown>>
}

export interface DeviceEnergyConsumption {
  device_id: Uuid
  /** Bucket size: Turkey-local hours, days or months; at most 400, 1,500 or 7,400 days per request. */
  interval: "hourly" | "daily" | "monthly"
  /** Start of the first requested bucket. */
  start: Instant
  /** End of the last requested bucket. */
  end: Instant
  /** Rows in ascending order; a bucket without data has no row. */
  data: readonly ({
    /** Start of the bucket. */
    timestamp: Instant
    /** Consumed energy, kWh; equal to total_energy of the aggregated response. null: no data, or a device that only produces. */
    consumption_kwh: number | null
    /** Produced energy, kWh; equal to total_energy of aggregated-production. null: no data, or a device that does not produce. */
    production_kwh: number | null
    /** Energy fed into the grid, kWh, from the export register. null: no such register, or no data. */
    export_kwh: number | null
    /** Whether a part was calculated from power, or is a share of the register growth across a gap. */
    is_estimated: boolean
    /** Quality of the energies that the device measures, with the values of hourly facts. complete: measured throughout. partial: it has not ended, or a part is not covered by readings or is estimated. missing: no reading of the register; a value is an estimate. suspect: a reset or a false reading affects it. */
    data_quality: "complete" | "partial" | "missing" | "suspect"
  })[]
  /** Exact sums of the rows. */
  totals: EnergyTotals
  /** With include_children: the child devices. */
  children?: readonly ({
    device_id: Uuid
    /** Name of the child device. */
    device_name: string
    /** Exact sums of the rows. */
    totals: EnergyTotals
  })[] | undefined
  /** With include_children: total consumption of the children; a part of the consumption of the device. */
  children_consumption_kwh?: number | null | undefined
  /** With include_children: consumption of the device minus that of its children; negative if the children measure more. null if either is unknown. */
  not_submetered_kwh?: number | null | undefined
  /** With include_children: whether the list of children is truncated. */
  children_truncated?: boolean | undefined
}

export interface DeviceHierarchy {
  id: Uuid
  /** Name of the device. */
  name: string
  /** Type of the device, for example energy_analyzer, inverter or charger. */
  device_type: string
  /** Role of the device, for example charger or inverter. */
  device_role: string | null
  /** Parent device. */
  parent_id: Uuid | null
  /** Whether a sample was received within the offline threshold. */
  is_online: boolean
  last_seen: Instant | null
  /** Gateway that reads the device, Modbus or message broker. */
  gateway: {
    id: Uuid
    /** Name of the object. */
    name: string
  } | null
  /** Subregion of the device: its own (a charger), otherwise that of its gateway. */
  subregion: {
    id: Uuid
    /** Name of the object. */
    name: string
  } | null
  /** Ancestors of the device, from the root of the tree. */
  ancestors: readonly ({
    id: Uuid
    /** Name of the device. */
    name: string
    /** Type of the device, for example energy_analyzer, inverter or charger. */
    device_type: string
    /** Role of the device, for example charger or inverter. */
    device_role: string | null
    /** Parent device. */
    parent_id: Uuid | null
    /** Whether a sample was received within the offline threshold. */
    is_online: boolean
    last_seen: Instant | null
    /** Gateway that reads the device, Modbus or message broker. */
    gateway: {
      id: Uuid
      /** Name of the object. */
      name: string
    } | null
    /** Subregion of the device: its own (a charger), otherwise that of its gateway. */
    subregion: {
      id: Uuid
      /** Name of the object. */
      name: string
    } | null
  })[]
  /** Child devices, ordered by name. */
  children: readonly (Readonly<Record<string, unknown>>)[]
  /** Number of descendants in the response. */
  total: number
  /** Whether the tree is truncated: the response contains at most 2000 devices and max_depth levels. */
  is_truncated: boolean
}

export interface DeviceHours {
  /** Start of the first hour. */
  start: Instant
  /** End of the last hour. */
  end: Instant
  /** Start of each hour. */
  timestamps: readonly Instant[]
  /** The devices by id. Each list has the order of `timestamps`. */
  devices: readonly HoursOfDevice[]
  /** Number of devices that match the filter. */
  total: number
  /** Offset of the first device of this page. */
  skip: number
  /** Maximum number of devices of this page. */
  limit: number
}

export interface DeviceLatestValues {
  /** Device. */
  device_id: Uuid
  /** Whether a sample arrived within the offline threshold. */
  is_online: boolean
  /** Arrival of the newest sample. */
  last_seen: Instant | null
  /** The newest value of each metric in the newest 50 samples of the device, by name of the metric. */
  values: readonly LatestValue[]
}

export interface DeviceTemplate {
  id: Uuid
  /** Name, unique in the tenant. */
  name: string
  /** Manufacturer. */
  vendor: string | null
  /** Model. */
  model: string | null
  /** Type of the device, for example energy_analyzer, inverter or charger. */
  device_type: string
  /** Protocols over which a device of this kind can be read. */
  protocols: readonly string[]
  /** Register map of the device; an update replaces it as a whole. A map with a format is validated like an upload; a map without one is stored unchanged and not used for reading. */
  register_map: Readonly<Record<string, unknown>> | null
  /** Whether the template is shipped with the service; such a template cannot be changed or deleted. */
  is_system: boolean
  created_at: Instant
}

export interface DeviceTemplateWithNotes {
  id: Uuid
  /** Name, unique in the tenant. */
  name: string
  /** Manufacturer. */
  vendor: string | null
  /** Model. */
  model: string | null
  /** Type of the device, for example energy_analyzer, inverter or charger. */
  device_type: string
  /** Protocols over which a device of this kind can be read. */
  protocols: readonly string[]
  /** Register map of the device; an update replaces it as a whole. A map with a format is validated like an upload; a map without one is stored unchanged and not used for reading. */
  register_map: Readonly<Record<string, unknown>> | null
  /** Whether the template is shipped with the service; such a template cannot be changed or deleted. */
  is_system: boolean
  created_at: Instant
  /** Notes on single registers (by key) or on the whole map (null). */
  notes: readonly ({
    /** Key of the register; null: the note concerns the whole map. */
    key: string | null
    /** For people. In the language of Accept-Language. */
    note: string
  })[]
}

export interface Eligibility {
  /** Id of the evaluation in the log; null before the first. */
  eligibility_run_id: Uuid | null
  group_id: Uuid
  /** Eligibility of the group; not_checked before the first evaluation. */
  eligibility_status: "not_checked" | "valid" | "blocked"
  /** Time of the latest evaluation; null before the first. */
  evaluated_at: Instant | null
  /** Period that was over when it was evaluated; null: the evaluation is of the period in which it was made. */
  billing_period: BillingPeriod | null
  /** Trigger of the evaluation: the timetable, a request, the approval of prices; of a period that was over: its calculation, its correction, or the request of a superuser. null before the first evaluation. */
  triggered_by: "schedule" | "request" | "tariff_approval" | "calculation" | "correction" | "period_request" | null
  /** Reason of the correction or of the superuser; otherwise null. Texts of the service are in the language of Accept-Language. */
  reason: string | null
  /** Evaluation from which the results of R001 and R013 were kept: rules about acts of persons keep the result of the end of the period. null: these rules were evaluated too. */
  kept_from_run_id: Uuid | null
  /** Results of the 13 rules in the latest evaluation, in the order of the rules; empty before the first. */
  rules: readonly EligibilityRuleResult[]
  /** Only with a billing_period: whether current results of the period were calculated with the other outcome (blocked or not). Request a correction of the period; a month whose settlement is not final is also calculated again by the schedule. */
  correction_required?: boolean | undefined
}

export interface EligibilityRuleResult {
  /** Code of the rule. */
  code: "R001" | "R002" | "R003" | "R003M" | "R005" | "R007" | "R008" | "R009" | "R010" | "R011" | "R013" | "R00T" | "R00L"
  /** not_checked: the input of the rule is unknown; not_applicable: the rule does not apply to this group. */
  status: "pass" | "fail" | "not_checked" | "not_applicable"
  /** Severity of a fail or not_checked result. */
  severity: "info" | "warning" | "error"
  /** Whether the rule is blocking: a blocking fail sets the group to blocked, a blocking not_checked prevents valid. */
  is_blocking: boolean
  /** Machine-readable reason; absent where the status is sufficient. */
  reason_code?: string | undefined
  /** Human-readable reason with the names of the facilities concerned. */
  message: string
  /** Code of the message. */
  message_code: string
  /** Values in the text, by their names: decimals as text, instants and dates in ISO 8601. */
  parameters: Readonly<Record<string, unknown>>
  /** Findings of the rule, with the ids. */
  details?: Readonly<Record<string, unknown>> | undefined
}

export interface EnergyTotals {
  /** Consumed energy, kWh; equal to total_energy of the aggregated response. null: no data, or a device that only produces. */
  consumption_kwh: number | null
  /** Produced energy, kWh; equal to total_energy of aggregated-production. null: no data, or a device that does not produce. */
  production_kwh: number | null
  /** Energy fed into the grid, kWh, from the export register. null: no such register, or no data. */
  export_kwh: number | null
  /** Whether a part was calculated from power, or is a share of the register growth across a gap. */
  is_estimated: boolean
  /** Quality of the energies that the device measures, with the values of hourly facts. complete: measured throughout. partial: it has not ended, or a part is not covered by readings or is estimated. missing: no reading of the register; a value is an estimate. suspect: a reset or a false reading affects it. */
  data_quality: "complete" | "partial" | "missing" | "suspect"
}

export interface EnrolTotp {
  /** The current password. Only users without a password, who sign in by OpenID, may omit it. */
  password?: string | undefined
}

export interface EscalationLevel {
  /** Time since the incident opened after which the level is notified; it grows with each level. */
  delay_minutes: number
  /** Recipients of the level. */
  recipients: readonly ({
    /** A user, who gets a mail. */
    user_id?: Uuid | undefined
    /** All active users with this role get a mail. */
    role_id?: Uuid | undefined
    /** A notification channel. */
    channel_id?: Uuid | undefined
    /** A mail address that need not belong to a user; with open signup it must be the verified address of one. */
    email?: string | undefined
  })[]
}

export interface EscalationMessage {
  id: Uuid
  /** Number of the level, from 1. */
  level: number
  /** Number of the repetition of the last level; 0: the first time. */
  repetition: number
  /** User who is notified. */
  user_id: Uuid | null
  /** Notification channel. */
  channel_id: Uuid | null
  /** Mail address that does not belong to a user. */
  to_address: string | null
  /** waiting: it is sent or repeated; sent: it was accepted; failed: all attempts failed; skipped: it was not needed any more, or the recipient may not get it. */
  status: "waiting" | "sent" | "failed" | "skipped"
  /** Number of attempts. */
  attempts: number
  /** Reason of the last failure, or why it was skipped. In the language of Accept-Language. */
  error: string | null
  /** Time at which the level was reached. */
  created_at: Instant
  /** Time at which the message was accepted. */
  sent_at: Instant | null
}

export interface EscalationPolicy {
  id: Uuid
  /** Display name, unique in the tenant. */
  name: string
  /** Language of the mails to addresses that do not belong to a user. Default: tr. */
  language: "tr" | "en"
  /** Levels in their sequence. */
  levels: readonly EscalationLevel[]
  /** Interval at which the last level is repeated, minutes; null: it is not repeated. */
  repeat_minutes: number | null
  /** Number of repetitions of the last level. Default: 0. */
  repeat_count: number
  /** Severities for which the policy applies to incidents whose alarm policy names no escalation policy. */
  default_severities: readonly ("info" | "warning" | "critical")[]
  /** Whether the policy escalates incidents. Default: true. */
  is_active: boolean
  created_at: Instant
  updated_at: Instant
}

export interface EvaluatePeriod {
  /** Period that is over: first day of a Turkey-local month; any date of it, or YYYY-MM, is truncated. */
  billing_period: BillingPeriod
  /** Reason; stored with the evaluation. */
  reason: string
}

export interface EvaluatedAlarmPolicy {
  /** Name. */
  name?: string | undefined
  /** Alarm type; policies of the types limit and custom belong to the service. */
  alarm_type: "threshold" | "rate_of_change" | "offline" | "no_data" | "counter_reset" | "limit" | "custom"
  device_id?: Uuid | null | undefined
  subregion_id?: Uuid | null | undefined
  /** Metric of samples, or the name of an extra value as sent by the device, without surrounding white space. */
  metric?: string | null | undefined
  /** Comparison that triggers the alarm: value above, at or above, below, at or below, equal to, or not equal to the threshold. */
  operator?: "gt" | "gte" | "lt" | "lte" | "eq" | "ne" | null | undefined
  /** Threshold that triggers the alarm, in the unit of the metric; for rate_of_change per minute or hour. */
  threshold?: number | string | null | undefined
  /** Threshold at which the condition ends; null: the same as threshold. */
  clear_threshold?: number | string | null | undefined
  /** Time unit of a rate of change; default minute. */
  rate_per?: "minute" | "hour" | null | undefined
  /** Time for which the condition must hold before an incident opens, s, by sample time; for no_data and offline the duration of silence. */
  delay_on_s?: number | undefined
  /** Time for which the condition must be over before the incident closes, s. */
  delay_off_s?: number | undefined
  /** Schedule in which the policy may open incidents, Turkey-local; null: always. */
  schedule?: AlarmSchedule | null | undefined
}

export interface Facility {
  id: Uuid
  /** Subregion of the record. */
  subregion_id: Uuid
  /** Scope that represents one official party. */
  scope_id: Uuid | null
  /** Name. */
  name: string
  /** First Turkey-local day of the facility. */
  valid_from: LocalDate
  /** End of validity, exclusive: a Turkey-local day; null: open. */
  valid_to: LocalDate | null
  /** Producer price group that overrides the one derived from the source type. */
  producer_tariff_group: "lisanssiz_uretici_1" | "lisanssiz_uretici_2" | null
  /** Organization that operates the grid at the facility. */
  grid_operator_id: Uuid | null
  /** Distribution company. */
  distribution_company_id: Uuid | null
  /** Industrial-zone operator or retail operator. */
  retail_or_zone_operator_id: Uuid | null
  /** Organization that reads the meter. */
  meter_reading_org_id: Uuid | null
  /** Supplier. */
  supplier_id: Uuid | null
  /** Subscriber group; null: unknown. */
  abone_grubu: "mesken" | "ticarethane" | "sanayi" | "tarimsal_sulama" | "aydinlatma" | "other" | null
  /** Energy source of the plant. */
  source_type: "solar" | "wind" | "hydro" | "biomass" | "geothermal" | "cogeneration" | "hybrid" | "unknown" | null
  /** sktt: last-resource tariff; null is treated as regulated. */
  tariff_supply_type: "regulated" | "sktt" | "bilateral" | null
  /** Whether the facility is billed by time of day. */
  is_multi_time: boolean
  /** Voltage level: AG low, OG medium, YG high. It selects the prices; null: not known, priced as AG. */
  voltage_level: "AG" | "OG" | "YG" | null
  /** Installed power of the plant, kW. */
  installed_power_kw: string | null
  /** Contracted power of the connection agreement, kW. */
  contracted_power_kw: string | null
  /** Whether the facility has storage; ess_capacity_kwh and ess_power_kw are above 0 if and only if it has. */
  has_ess: boolean
  /** Storage capacity, kWh. */
  ess_capacity_kwh: string | null
  /** Storage power, kW. */
  ess_power_kw: string | null
  /** null for a record created through the API; otherwise the loader that created it, such as demo. */
  origin: string | null
  created_at: Instant
  updated_at: Instant
}

export interface FirmwareVersion {
  id: Uuid
  /** Semantic version (semver.org 2.0.0) without a leading v; unique for the device_model. */
  version: string
  /** Device model that the firmware supports: the model of a gateway, or of the template or extra_metadata of a device. */
  device_model: string
  /** Name of the uploaded file; also the name of downloads. */
  file_name: string
  /** Of the file. */
  size_bytes: number
  /** SHA-256 of the file, hexadecimal; in quotes it is the ETag of a download. */
  sha256: string
  /** Ed25519 signature of the 32 bytes of the SHA-256 of the file, base64; verified with FIRMWARE_PUBLIC_KEYS. */
  signature: string | null
  /** Signing certificate of the manufacturer (PEM), with which charging stations verify firmware (OCPP). */
  signing_certificate: string | null
  /** RSA or ECDSA signature with SHA-256 of the file by the key of signing_certificate, base64. */
  certificate_signature: string | null
  /** For people. */
  release_notes: string | null
  /** Status: a draft can be changed; a released version can be installed and never changes; a deprecated version is kept. */
  status: "draft" | "released" | "deprecated"
  /** User who uploaded the version. */
  created_by: Uuid | null
  created_at: Instant
  released_at: Instant | null
  deprecated_at: Instant | null
}

export interface FlatError {
  /** Fixed machine-readable code; docs/api/errors.md lists the codes. */
  error_code: string
  /** Human-readable description of the error. */
  message: string
  /** Code of the text; docs/api/message-codes.md lists the codes with their texts. */
  message_code?: string | undefined
  /** The values in the text, by their names. */
  parameters?: Readonly<Record<string, unknown>> | undefined
}

export interface ForecastHour {
  /** Start of the hour. */
  hour: Instant
  /** In one of ten cases the energy is below it; null: unknown. */
  p10_kwh: string | null
  /** In half of the cases the energy is below it; null: unknown. */
  p50_kwh: string | null
  /** In one of ten cases the energy is above it; null: unknown. */
  p90_kwh: string | null
}

export interface ForecastMonth {
  /** First day of the month. */
  month: BillingPeriod
  /** Number of forecast days of the month. */
  days: number
  /** Mean of the known days of the same month of last year before scaling; null if there are too few; kWh. */
  last_year_kwh_per_day: string | null
  /** Expected usage per day of the month; kWh. */
  expected_kwh_per_day: string
}

export interface Gateway {
  id: Uuid
  /** Name, unique in the tenant. */
  name: string
  /** Type of gateway. */
  gateway_type: "modbus" | "mqtt" | "zigbee" | "home_assistant"
  subregion_id: Uuid | null
  /** Host name or IP address. */
  host: string | null
  /** TCP port. */
  port: number | null
  /** Serial number. */
  serial_number: string | null
  /** Client id of the gateway at the message broker. */
  client_id: string | null
  /** Polling interval in seconds. */
  poll_interval_s: number | null
  /** Model, which determines the matching firmware. */
  model: string | null
  /** Online state: from the broker or poller while it reports on the gateway, otherwise from the time of the last message. */
  is_online: boolean
  last_seen: Instant | null
  /** Version of the firmware. */
  firmware_version: string | null
  /** Difference between the clock of the gateway and that of the service in ms, positive when the gateway is ahead: median of the last messages. */
  clock_skew_ms: number | null
  /** Configuration of the gateway; an update replaces it as a whole and increments config_version. For a gateway of type modbus, baud_rate, keep_connection, inter_request_ms and timeout_ms take precedence over the register maps, whose defaults are none, true, 20 and 1000. */
  config: Readonly<Record<string, unknown>>
  /** Number of changes of config. */
  config_version: number
  config_synced_at: Instant | null
  /** null: nothing was pushed; pending: not yet confirmed by the gateway; drift: the gateway has another configuration; rejected: the gateway rejected it. */
  config_state: "in_sync" | "pending" | "drift" | "rejected" | null
  /** Version of the most recently pushed configuration. */
  synced_version: number | null
  /** Version reported by the gateway. */
  reported_version: number | null
  reported_at: Instant | null
  created_at: Instant
}

export interface GatewayCredential {
  gateway_id: Uuid
  /** User name: the gateway id; client_id is accepted as well. A client that sends only a user name sends the password in that field. */
  username: string
  /** Password, returned only in this response; the service stores only a salted hash. */
  password: string
  /** Topic prefix of the gateway. Topics published without this prefix are treated as relative to it. */
  topic_root: string
  created_at: Instant
  /** Port of the embedded broker for MQTT over TLS; absent if it has none. */
  tls_port?: number | undefined
}

export interface GatewaySequenceGaps {
  gateway_id: Uuid
  /** First sequence number seen in the current numbering. */
  first_seq: number | null
  /** Highest stored sequence number. */
  last_seq: number | null
  begun_at: Instant | null
  /** Number of times the gateway restarted its numbering. */
  restarts: number
  /** Number of missing sequence numbers. */
  missing: number
  /** Number of missing sequence numbers that are too old or too numerous to be listed. */
  given_up: number
  gap_since: Instant | null
  /** Ranges of missing sequence numbers; at most 499. */
  gaps: readonly ({
    /** First missing sequence number. */
    from_seq: number
    /** Last missing sequence number. */
    to_seq: number
  })[]
}

export interface GenerateZigbeeClaim {
  /** Name of the future gateway; unique in the tenant. */
  gateway_name: string
  subregion_id?: Uuid | null | undefined
  /** Validity in minutes. Default: 1440. */
  expires_in_minutes?: number | undefined
}

export interface GroupMember {
  id: Uuid
  /** Group; cannot be changed. */
  group_id: Uuid
  /** Facility; cannot be changed. */
  facility_id: Uuid
  /** Role of the member; mixed: produces and consumes. */
  member_role: "production" | "consumption" | "mixed"
  /** First Turkey-local day of the membership. */
  valid_from: LocalDate
  /** End of validity, exclusive: a Turkey-local day; null: open. */
  valid_to: LocalDate | null
  /** User who added the membership. */
  declared_by: Uuid | null
  /** null for a record created through the API; otherwise the loader that created it, such as demo. */
  origin: string | null
  created_at: Instant
  /** Human-readable warnings. */
  warnings: readonly string[]
  /** Code of the warning with the same index. */
  warning_codes: readonly string[]
  /** The content of the warning with the same index, without its text. */
  warning_details: readonly WarningDetail[]
}

export interface GroupMonth {
  /** Group. */
  group_id: Uuid
  /** Name of the group. */
  name: string
  /** false: the group is not calculated. */
  is_active: boolean
  /** Result of the latest evaluation. */
  eligibility_status: "not_checked" | "valid" | "blocked"
  /** Month. */
  billing_period: BillingPeriod
  /** not_calculated: no result; partial: hours of the month are missing; calculated: every expected hour has one. */
  month_status: "not_calculated" | "partial" | "calculated"
  /** Rules that apply to the month; null without a result. */
  scenario: "standard_hourly" | "mesken_monthly" | "invalid_group_bedelsiz" | null
  /** Figures of the monthly summary; null without a result. */
  figures: {
    /** Production; kWh. null: unknown. */
    production_kwh: string | null
    /** Consumption before netting; kWh. null: unknown. */
    consumption_kwh: string | null
    /** Matched energy, for a residential group of the month and not the sum of its hours; kWh. null: unknown. */
    matched_kwh: string | null
    /** Consumption left after matching; kWh. null: unknown. */
    net_import_kwh: string | null
    /** Production left after matching; kWh. null: unknown. */
    surplus_kwh: string | null
    /** Paid surplus; kWh. null: unknown. */
    bedelli_kwh: string | null
    /** Surplus subject to the system usage fee; kWh. null: unknown. */
    skb_kwh: string | null
    /** Free surplus; kWh. null: unknown. */
    bedelsiz_kwh: string | null
    /** Amounts in TRY by amount type; null if no row of the type has a price. */
    amounts_try: {
      /** Payment of the suppliers for matched energy. */
      supplier_payment_for_matched_consumption: string | null
      /** Payment to the producer for paid surplus. */
      producer_payment_for_bedelli_surplus: string | null
      /** System usage fee for over-limit surplus. */
      system_usage_fee_for_skb: string | null
      /** Matched energy at the last-resource tariff. */
      sktt_matched_consumption: string | null
      /** Matched energy of homes, by the month. */
      mesken_monthly_amount: string | null
      /** Estimate: what consumers need not buy. */
      estimated_savings: string | null
      /** Estimate: what the members lose or risk. */
      estimated_loss_or_risk: string | null
    }
    /** Number of rows without a price, by amount type. */
    price_gaps: {
      /** Payment of the suppliers for matched energy. */
      supplier_payment_for_matched_consumption: number
      /** Payment to the producer for paid surplus. */
      producer_payment_for_bedelli_surplus: number
      /** System usage fee for over-limit surplus. */
      system_usage_fee_for_skb: number
      /** Matched energy at the last-resource tariff. */
      sktt_matched_consumption: number
      /** Matched energy of homes, by the month. */
      mesken_monthly_amount: number
      /** Estimate: what consumers need not buy. */
      estimated_savings: number
      /** Estimate: what the members lose or risk. */
      estimated_loss_or_risk: number
    }
    /** Remaining limit at the end of the period; kWh. null if no consumer has an account. */
    limit_closing_kwh: string | null
    /** Number of hours of the period in which the group has a member. */
    hours_expected: number
    /** Number of hours calculated so far. */
    hours_calculated: number
    /** Share of the expected hours that are calculated without a missing input, %. */
    completeness_pct: number
    /** Worst data quality of the calculated hours. */
    data_quality: "complete" | "partial" | "missing" | "corrected" | "suspect" | "estimated_profiled" | "unknown"
  } | null
  /** true if the input of calculated hours has changed since their calculation. */
  stale: boolean
  /** Number of these hours. Later hours may change as well, because the balances continue. */
  stale_hours: number
  /** The hours as ranges, ascending; the first 100. */
  stale_ranges: readonly ({
    /** First hour, inclusive. */
    from_hour: Instant
    /** End, exclusive. */
    to_hour: Instant
  })[]
  /** Time of the first of these changes; null if not stale. */
  stale_since: Instant | null
  /** What has changed: OFFICIAL_ENERGY_CHANGED official readings, ENERGY_CHANGED hourly energy of other sources, MEMBERS_CHANGED memberships, FACILITY_CHANGED a facility, METERS_CHANGED meters and their roles, LIMIT_CHANGED an account, an adjustment or a transfer, BALANCE_CHANGED earlier usage of an account, PRICES_CHANGED approved prices, ELIGIBILITY_CHANGED the evaluation, SETTINGS_CHANGED a setting of the tenant. Clients must ignore unknown codes. */
  stale_reasons: readonly string[]
  /** Open alarms about the group as a whole and about this month, by name. */
  alarms: readonly ({
    /** Incident. */
    incident_id: Uuid
    /** Name of the alarm policy. */
    alarm_type: string
    /** Severity of the incident. */
    severity: "info" | "warning" | "critical"
    /** Text of the incident. */
    message: string
  })[]
  /** Human-readable warnings. */
  warnings: readonly string[]
  /** Code of the warning with the same index. */
  warning_codes: readonly string[]
  /** The content of the warning with the same index, without its text. */
  warning_details: readonly WarningDetail[]
}

export interface Health {
  /** The process responds. GET /readiness checks its dependencies. */
  status: "ok"
}

export interface HistoryCalculation {
  id: Uuid
  /** Tenant of the groups. */
  tenant_id: Uuid
  /** failed: finished, and at least one month failed. */
  state: "open" | "done" | "failed"
  /** First month. */
  from: BillingPeriod
  /** Last month. */
  to: BillingPeriod
  /** Months of groups. */
  steps_total: number
  /** Months of groups that are finished, including failed and skipped ones. */
  steps_done: number
  created_at: Instant
  finished_at: Instant | null
  /** By month, in the order of the calculation. */
  steps: readonly ({
    /** Month. */
    billing_period: BillingPeriod
    group_id: Uuid
    /** Name of the group. */
    group_name: string
    /** unchanged: the results are those of the same input; skipped: an earlier month of the group failed. */
    state: "open" | "calculated" | "unchanged" | "failed" | "skipped"
    /** Calculated hours. */
    hours: number | null
    /** Code of the error of a month that failed or was skipped. */
    error_code: string | null
    /** Its text. In the language of Accept-Language. */
    error_message: string | null
    finished_at: Instant | null
  })[]
}

export interface HistoryForm {
  /** One XLSX workbook with a sheet for each kind, or a CSV file for each kind, named like the sheet. */
  file: readonly unknown[]
  /** Tenant of the records. Default: the tenant of the caller. */
  tenant_id?: Uuid | undefined
  /** true: nothing is stored; the report is that of the import. Default: false. */
  dry_run?: "true" | "false" | undefined
  /** true: the months are calculated after the import, if a member of a group has one up to the present. Default: false. */
  calculate?: "true" | "false" | undefined
}

export interface HistoryReport {
  /** Tenant of the records. */
  tenant_id: Uuid
  /** true: nothing is stored. */
  dry_run: boolean
  /** true: all rows are stored. false: none. */
  applied: boolean
  /** Rows whose records are new; with applied false, would be. */
  created: number
  /** Rows whose records exist with the same values. */
  unchanged: number
  /** Result of each row, by file and row. */
  rows: readonly ({
    /** Name of the file. */
    file: string
    /** Name of the sheet; null for a CSV file. */
    sheet: string | null
    /** Row of the sheet or line of the file, from 1. */
    row: number
    /** Kind of the record: the name of its sheet. */
    kind: "organizations" | "scopes" | "facilities" | "meters" | "meter_changes" | "groups" | "members" | "limit_accounts"
    /** created; unchanged: the record exists with the same values; failed: see errors; not_checked: the row refers to a row with an error. */
    result: "created" | "unchanged" | "failed" | "not_checked"
    /** Record of the row; null where nothing is stored. */
    id: Uuid | null
  })[]
  /** The first errors, by file and row. */
  errors: readonly ({
    /** Name of the file. */
    file: string
    /** Name of the sheet; null for a CSV file. */
    sheet: string | null
    /** Row of the sheet or line of the file, from 1. */
    row: number
    /** English header of the column; null: the row as a whole. */
    column: string | null
    /** Code of the error. */
    code: string
    /** Text of the error, in the language of Accept-Language. */
    message: string
    /** Values in the text, by their names: decimals as text, instants and dates in ISO 8601. */
    parameters: Readonly<Record<string, unknown>>
  })[]
  /** All errors, including those that are not listed. */
  error_count: number
  /** Started calculation; null without calculate, or when nothing is stored. */
  calculation: HistoryCalculation | null
}

export interface HourlyEnergy {
  facility_id: Uuid
  /** Start of the hour. */
  hour: Instant
  /** Source of the values; missing: no meter measured the hour. */
  source: "lum_official_report" | "gts_report" | "pys_import" | "osos_official_meter" | "zeus_meter" | "customer_declared" | "profiled_estimate" | "missing"
  /** Role of the meter at the facility. */
  measurement_role: "main_production" | "main_consumption" | "pcc_import_export" | "osb_eb_consumption" | "battery" | "self_consumption" | "aux_production" | "aux_consumption" | "check_meter"
  /** Generated energy; kWh. null if the role does not measure it. */
  production_kwh: string | null
  /** Consumed energy; kWh. null if the role does not measure it. */
  consumption_kwh: string | null
  /** Energy generated and used behind the meter; kWh. null if the role does not measure it. */
  self_consumption_kwh: string | null
  /** Energy drawn through the boundary meter; kWh. null if the role does not measure it. */
  import_kwh: string | null
  /** Energy fed through the boundary meter; kWh. null if the role does not measure it. */
  export_kwh: string | null
  /** Storage energy: positive is discharge, negative is charge; kWh. null if the role does not measure it. */
  battery_kwh: string | null
  /** complete from 95 % of covered time, partial below; suspect: a meter reset; corrected: changed by a later rebuild. */
  data_quality: "complete" | "partial" | "missing" | "corrected" | "suspect" | "estimated_profiled" | "unknown"
  /** Completeness in %: covered minutes / 60 × 100. */
  completeness_pct: number
}

export interface HourlyEnergyTotals {
  /** Number of rows in the range. */
  rows: number
  /** The sources and roles that occur, by name. */
  by_source: readonly ({
    /** Source of the values. Sources describe the same energy and must not be added. */
    source: "lum_official_report" | "gts_report" | "pys_import" | "osos_official_meter" | "zeus_meter" | "customer_declared" | "profiled_estimate" | "missing"
    /** Role of the meter at the facility. */
    measurement_role: "main_production" | "main_consumption" | "pcc_import_export" | "osb_eb_consumption" | "battery" | "self_consumption" | "aux_production" | "aux_consumption" | "check_meter"
    /** Number of rows of the source and role. */
    rows: number
    /** Generated energy; kWh. null: no row has a value. */
    production_kwh: string | null
    /** Consumed energy; kWh. null: no row has a value. */
    consumption_kwh: string | null
    /** Energy generated and used behind the meter; kWh. null: no row has a value. */
    self_consumption_kwh: string | null
    /** Energy drawn through the boundary meter; kWh. null: no row has a value. */
    import_kwh: string | null
    /** Energy fed through the boundary meter; kWh. null: no row has a value. */
    export_kwh: string | null
    /** Storage energy: positive is discharge, negative is charge; kWh. null: no row has a value. */
    battery_kwh: string | null
  })[]
}

export interface HourlyForecast {
  id: Uuid
  /** waiting: a job computes it; failed: see error. */
  state: "waiting" | "done" | "failed" | "cancelled"
  /** Facilities. */
  facility_ids: readonly Uuid[]
  /** First hour. */
  from_hour: Instant
  /** End, exclusive. */
  to_hour: Instant
  /** Facilities to compute. */
  facilities_total: number
  /** Facilities that are computed. */
  facilities_done: number
  created_at: Instant
  finished_at: Instant | null
  /** User. */
  requested_by: Uuid | null
  /** Hash of the hours before, and of the method. */
  input_hash: string | null
  /** Text of the failure. In the language of Accept-Language. */
  error: string | null
  /** Consumption and production of the facilities of which hours are known. Empty until it is computed. */
  series: readonly ({
    /** Facility. */
    facility_id: Uuid
    /** Name. */
    facility_name: string
    /** Energy. */
    kind: "consumption" | "production"
    /** First known hour before the forecast. */
    history_from: Instant
    /** Known hours. */
    history_hours: number
    /** How the band was widened or narrowed. */
    calibration: {
      /** Held-back hours. */
      hours: number
      /** Factor of the lower half of the band. */
      lower_factor: number
      /** Factor of the upper half. */
      upper_factor: number
    }
    /** How the forecast of the last 30 known days, from the hours before them, met what was measured. */
    score: {
      /** Hours that were compared. */
      hours: number
      /** Mean absolute error of p50. */
      mae_kwh: string | null
      /** The same of the week before, repeated; null: not known in every hour. */
      naive_week_mae_kwh: string | null
      /** The same of the hour 52 weeks before; null: not known in every hour. */
      naive_year_mae_kwh: string | null
      /** Mean pinball loss of the three quantiles. */
      pinball_kwh: string | null
      /** Share of the hours with energy that were within the band; 80 is right. */
      coverage_pct: number | null
    }
  })[]
}

export interface HourlyForecastHead {
  id: Uuid
  /** waiting: a job computes it; failed: see error. */
  state: "waiting" | "done" | "failed" | "cancelled"
  /** Facilities. */
  facility_ids: readonly Uuid[]
  /** First hour. */
  from_hour: Instant
  /** End, exclusive. */
  to_hour: Instant
  /** Facilities to compute. */
  facilities_total: number
  /** Facilities that are computed. */
  facilities_done: number
  created_at: Instant
  finished_at: Instant | null
}

export interface HourlyNetting {
  id: Uuid
  group_id: Uuid
  /** Start of the hour. */
  hour: Instant
  /** Production of the group; kWh. null: unknown. */
  production_kwh: string | null
  /** Consumption before netting; kWh. null: unknown. */
  consumption_kwh: string | null
  /** Production matched by consumption of the same hour; kWh. null: unknown. */
  matched_kwh: string | null
  /** Production left after matching; kWh. null: unknown. */
  surplus_kwh: string | null
  /** Consumption left after matching; kWh. null: unknown. */
  net_import_kwh: string | null
  /** Paid surplus within the limit; kWh. null: unknown. */
  bedelli_kwh: string | null
  /** Surplus beyond the limit, subject to the system usage fee; kWh. null: unknown. */
  skb_kwh: string | null
  /** Free surplus; kWh. null: unknown. */
  bedelsiz_kwh: string | null
  /** Matched energy beyond the limit, not debited from any account; kWh. null: unknown. */
  matched_over_limit_kwh: string | null
  /** Remaining limit of the accounts of the consumers before the hour; kWh. null if no consumer has an account. */
  limit_before_kwh: string | null
  /** Limit used in the hour; kWh. null if no consumer has an account. */
  limit_used_kwh: string | null
  /** Remaining limit of these accounts after the hour; kWh. null if no consumer has an account. */
  limit_after_kwh: string | null
  /** true for residential groups, whose official result is the monthly summary. */
  mesken_informational: boolean
  /** Worst data quality of the inputs of the hour. */
  data_quality: "complete" | "partial" | "missing" | "corrected" | "suspect" | "estimated_profiled" | "unknown"
  /** Calculation run that wrote the row. */
  calculation_run_id: Uuid
  /** false if a later run has superseded the row. */
  is_current: boolean
}

export interface HourlyNettingTotals {
  /** Number of current rows in the range. */
  rows: number
  /** Number of these hours in which an input is missing. */
  rows_missing: number
  /** Production of the group; kWh. Unknown hours are left out; null: no hour is known. */
  production_kwh: string | null
  /** Consumption before netting; kWh. Unknown hours are left out; null: no hour is known. */
  consumption_kwh: string | null
  /** Production matched by consumption of the same hour; kWh. Unknown hours are left out; null: no hour is known. */
  matched_kwh: string | null
  /** Production left after matching; kWh. Unknown hours are left out; null: no hour is known. */
  surplus_kwh: string | null
  /** Consumption left after matching; kWh. Unknown hours are left out; null: no hour is known. */
  net_import_kwh: string | null
  /** Paid surplus within the limit; kWh. Unknown hours are left out; null: no hour is known. */
  bedelli_kwh: string | null
  /** Surplus beyond the limit, subject to the system usage fee; kWh. Unknown hours are left out; null: no hour is known. */
  skb_kwh: string | null
  /** Free surplus; kWh. Unknown hours are left out; null: no hour is known. */
  bedelsiz_kwh: string | null
  /** Matched energy beyond the limit; kWh. Unknown hours are left out; null: no hour is known. */
  matched_over_limit_kwh: string | null
  /** Limit used; kWh. Unknown hours are left out; null: no hour is known. */
  limit_used_kwh: string | null
}

export interface HoursOfDevice {
  /** Device. */
  device_id: Uuid
  /** Energy of each hour, kWh, by the rules of the aggregate of a device; null: no data. */
  total_energy: readonly (number | null)[]
  /** For each hour: the energy was calculated from power, or is a share of the register growth across a gap. */
  is_estimated: readonly boolean[]
  /** Quality of the energy of each hour. */
  data_quality: readonly ("complete" | "partial" | "missing" | "suspect")[]
}

export interface IdTag {
  id: Uuid
  /** Id tag as read by the station. */
  tag: string
  /** Name. */
  name: string | null
  /** State. */
  status: "accepted" | "blocked"
  /** Group of the tag, which is itself a tag: tags of one group may end each other's sessions and use each other's reservations. */
  parent_id: Uuid | null
  /** Tag of the group. */
  parent_tag: string | null
  /** Expiry of the tag; afterwards it cannot charge. The expiry of a group applies to its tags. */
  expires_at: Instant | null
  /** Whether the tag may have several sessions at the same time. Default: false. */
  allows_concurrent: boolean
  created_at: Instant
  updated_at: Instant
}

export interface ImportDeviceTemplate {
  /** Name. */
  name: string
  /** Type of device, such as energy_analyzer or inverter. */
  device_type: string
  /** Manufacturer. */
  vendor?: string | null | undefined
  /** Model. */
  model?: string | null | undefined
  /** SunSpec: address of the first model; default 40002, the address after the marker. */
  base_address?: number | undefined
  /** sunspec: a model of the SunSpec models repository (JSON), or a list of them in the order of the device. zigbee2mqtt: an entry of bridge/devices, its definition, or the exposes alone. */
  document: unknown
}

export interface Incident {
  id: Uuid
  policy_id: Uuid
  /** Current name of the policy. */
  policy_name: string
  /** Device; null for a system alarm, which does not concern a device. */
  device_id: Uuid | null
  /** Current name of the device. */
  device_name: string | null
  /** Alarm type of the policy. */
  alarm_type: "threshold" | "rate_of_change" | "offline" | "no_data" | "counter_reset" | "limit" | "custom" | null
  /** info, warning or critical. */
  severity: "info" | "warning" | "critical"
  /** active; acknowledged: confirmed by a user; snoozed: suppressed until snoozed_until, then active again; closed. */
  status: "active" | "acknowledged" | "snoozed" | "closed"
  /** Human-readable description of the problem. */
  message: string
  /** Start of the condition; for a device by sample time. */
  triggered_at: Instant
  /** Time of the last acknowledgement; reset to null when a snooze ends. */
  acknowledged_at: Instant | null
  /** User who acknowledged the incident. */
  acknowledged_by: Uuid | null
  /** End of the snooze; null unless the incident is snoozed. */
  snoozed_until: Instant | null
  /** Time of closing; null while the incident is open. */
  closed_at: Instant | null
  /** User who closed the incident; null if the service closed it because the condition ended. */
  closed_by: Uuid | null
  /** Most recently evaluated value, in the unit of its metric. */
  last_value: number | null
  /** Subject of the incident: for a system alarm group_id, group_name, facility_id, facility_name, rule_code, scopes. */
  payload: Readonly<Record<string, unknown>>
}

export interface IncidentCount {
  /** Open incidents in all: every one that is not closed. */
  total: number
  /** The same incidents by severity. */
  by_severity: {
    /** Open incidents that are critical. */
    critical: number
    /** Open incidents that are warnings. */
    warning: number
    /** Open incidents that are for information. */
    info: number
  }
  /** The same incidents by status. */
  by_status: {
    /** Open incidents that nobody has acknowledged or snoozed. */
    active: number
    /** Open incidents that somebody knows of. */
    acknowledged: number
    /** Open incidents that are quiet for a while. */
    snoozed: number
  }
}

export interface IncidentEvent {
  id: Uuid
  /** Type of the event. */
  event_type: "raised" | "severity_changed" | "acknowledged" | "snoozed" | "woken" | "closed" | "amended"
  /** Time at which the event was recorded; details.at contains the sample time, if the samples determine it. */
  occurred_at: Instant
  /** User who performed the action; null for the service. */
  by_user: Uuid | null
  /** E-mail address of the user; null if the user no longer exists. */
  by_email: string | null
  /** Details of the event: note, until, severity, message, reason, at. */
  details: Readonly<Record<string, unknown>>
}

export interface InstallChargerCertificate {
  /** Use of the certificate: central_system_root validates this service, manufacturer_root validates firmware signatures. */
  use: "central_system_root" | "manufacturer_root"
  /** Certificate as PEM. */
  certificate_pem: string
}

/** Instant in ISO 8601. Responses contain UTC; a request may contain any offset, is Turkey-local without one, and a bare date is the start of that day. */
export type Instant = string

export interface InverterSuggestion {
  device_id: Uuid
  /** Name of the device. */
  device_name: string
  /** Value of extra_metadata of the device, otherwise of its template. */
  vendor: string
  /** Value of extra_metadata of the device, otherwise of its template. */
  model: string
  /** Current inverter_type of the device. */
  inverter_type: "grid_inverter" | "ess_inverter" | null
  /** grid_inverter feeds PV energy into the grid; ess_inverter also charges and discharges storage. */
  suggested_inverter_type: "grid_inverter" | "ess_inverter"
  /** Basis of the suggestion. */
  source: string
}

export interface Invitation {
  id: Uuid
  /** Address to which the link was sent. */
  email: string
  /** Roles of the new user. */
  role_ids: readonly Uuid[]
  /** Language of mails to the user. null: Turkish and English in one mail. */
  language: "tr" | "en" | null
  /** End of the validity of the link, 7 days after the invitation. */
  expires_at: Instant
  created_at: Instant
}

export interface InvoiceCheck {
  id: Uuid
  /** Group. */
  group_id: Uuid
  /** Name of the group. */
  group_name: string
  /** Billing period. */
  billing_period: BillingPeriod
  /** Check that this one repeats. */
  repeats: Uuid | null
  /** Name of the file. */
  file_name: string
  /** SHA-256 of the file. */
  file_sha256: string
  /** Format. */
  format: "table" | "invoice_table" | "e_fatura" | "pdf"
  /** Supplier. */
  supplier: string | null
  /** Number of the invoice. */
  invoice_number: string | null
  /** Number of agreeing lines. */
  agreeing: number
  /** Number of differing lines. */
  differing: number
  /** Number of undecidable lines. */
  undecidable: number
  /** Sum of the differences. */
  claim_try: string
  /** The current results are not those of the check. */
  is_stale: boolean
  /** Time of the check. */
  created_at: Instant
  /** User who made it. */
  created_by: Uuid
  /** Status of the objection: one for all checks of a file. */
  objection_status: "open" | "sent" | "answered" | "settled"
  /** Day on which the invoice was received. */
  received_on: LocalDate
  /** Source of that day: a user, the date of the invoice, the first check. */
  received_from: "user" | "invoice" | "check"
  /** Days from then to the last day. */
  objection_days: number
  /** Last day of an objection. */
  objection_due_on: LocalDate
  /** Day on which the reminder begins. */
  objection_reminder_on: LocalDate
  /** SHA-256 of file, settings, mapping and inputs of the runs. */
  input_hash: string
  /** Report, as of the time of the check. */
  report: Reconciliation
  /** What happened with the objection. */
  steps: readonly ({
    id: Uuid
    /** Status from then on. */
    status: "open" | "sent" | "answered" | "settled"
    /** Day. */
    on: LocalDate
    /** Amount, TRY. */
    amount_try: string | null
    /** Note. */
    note: string | null
    /** Time of the record. */
    created_at: Instant
    /** User who made it. */
    created_by: Uuid
  })[]
}

export interface InvoiceCheckComparison {
  /** Earlier check. */
  before_id: Uuid
  /** This check. */
  after_id: Uuid
  /** The files differ. */
  is_file_changed: boolean
  /** The files were read differently: mapping or settings. */
  is_reading_changed: boolean
  /** The results were of other runs. */
  are_results_changed: boolean
  /** Sum of the differences before. */
  claim_before_try: string
  /** Sum of the differences after. */
  claim_after_try: string
  /** Lines with another verdict, cause or difference. */
  lines: readonly ({
    /** Row or position. */
    line: number
    /** Local time. */
    key: string
    /** Text of the line. */
    description: string | null
    /** Verdict; null: no such line. */
    before_verdict: "agreeing" | "differing" | "undecidable" | null
    /** Cause. */
    before_cause: "hour" | "quantity" | "unit" | "limit" | "price_row" | "tier" | "vat" | "fund" | "arithmetic" | "rounding" | "duplicate" | "unknown" | null
    /** Difference, TRY. */
    before_claim_try: string | null
    /** Verdict; null: no such line. */
    after_verdict: "agreeing" | "differing" | "undecidable" | null
    /** Cause. */
    after_cause: "hour" | "quantity" | "unit" | "limit" | "price_row" | "tier" | "vat" | "fund" | "arithmetic" | "rounding" | "duplicate" | "unknown" | null
    /** Difference, TRY. */
    after_claim_try: string | null
  })[]
}

export interface InvoiceCheckHead {
  id: Uuid
  /** Group. */
  group_id: Uuid
  /** Name of the group. */
  group_name: string
  /** Billing period. */
  billing_period: BillingPeriod
  /** Check that this one repeats. */
  repeats: Uuid | null
  /** Name of the file. */
  file_name: string
  /** SHA-256 of the file. */
  file_sha256: string
  /** Format. */
  format: "table" | "invoice_table" | "e_fatura" | "pdf"
  /** Supplier. */
  supplier: string | null
  /** Number of the invoice. */
  invoice_number: string | null
  /** Number of agreeing lines. */
  agreeing: number
  /** Number of differing lines. */
  differing: number
  /** Number of undecidable lines. */
  undecidable: number
  /** Sum of the differences. */
  claim_try: string
  /** The current results are not those of the check. */
  is_stale: boolean
  /** Time of the check. */
  created_at: Instant
  /** User who made it. */
  created_by: Uuid
  /** Status of the objection: one for all checks of a file. */
  objection_status: "open" | "sent" | "answered" | "settled"
  /** Day on which the invoice was received. */
  received_on: LocalDate
  /** Source of that day: a user, the date of the invoice, the first check. */
  received_from: "user" | "invoice" | "check"
  /** Days from then to the last day. */
  objection_days: number
  /** Last day of an objection. */
  objection_due_on: LocalDate
  /** Day on which the reminder begins. */
  objection_reminder_on: LocalDate
}

export interface InvoiceFile {
  /** CSV file, XLSX workbook, e-Fatura or PDF. */
  file: unknown
}

export interface InvoiceMapping {
  id: Uuid
  /** Tax number or name of the supplier; case and Turkish letters do not count. */
  supplier: string
  /** `layout` of a preview or check. */
  layout: string
  /** Corrected columns and elements. */
  columns: readonly ({
    /** Header, or path of the element below its line. */
    source: string
    /** Its meaning; null: not used. */
    column: "item" | "quantity" | "unit" | "unit_price" | "amount" | "rate" | "base" | "vat_rate" | "vat" | "gross" | "step" | "period" | "date" | "hour" | "facility" | "amount_type" | "amount_try" | "production_kwh" | "consumption_kwh" | "matched_kwh" | "surplus_kwh" | "net_import_kwh" | "bedelli_kwh" | "skb_kwh" | "bedelsiz_kwh" | "matched_try" | "bedelli_try" | "skb_try" | "sktt_try" | "mesken_try" | null
  })[]
  /** Corrected charges of lines. */
  lines: readonly ({
    /** Text of the line. */
    text: string
    /** Its charge; null: none that is calculated. */
    kind: "matched" | "bedelli" | "skb" | "sktt" | "mesken" | "production" | "consumption" | "surplus" | "net_import" | "bedelsiz" | "energy_fund" | "trt_share" | "consumption_tax" | "net_total" | "vat_total" | "gross_total" | null
  })[]
  /** End of the hour that its label names. */
  label: "hour_ending" | "hour_starting" | null
  /** Time of the last change. */
  updated_at: Instant
  /** User who made it. */
  updated_by: Uuid
}

export interface InvoicePreview {
  /** Kind of the file. */
  kind: "table" | "e_fatura" | "pdf"
  /** A charge or figure was recognized; false: correct the columns first. */
  is_readable: boolean
  /** As stated. */
  invoice: {
    /** Number of the invoice. */
    number: string | null
    /** Date of the invoice. */
    issue_date: string | null
    /** Last day of payment. */
    due_date: string | null
    /** Name of the supplier. */
    supplier: string | null
    /** Tax number (VKN or TCKN) of the supplier. */
    supplier_tax_id: string | null
  }
  /** How the file was read. */
  reading: {
    /** Fingerprint of the headers or elements, for a field mapping. */
    layout: string
    /** Field mapping that was used; null: none. */
    mapping: {
      /** Mapping. */
      id: Uuid
      /** Its supplier. */
      supplier: string
      /** supplier: the latest one of the supplier, because the layout has none. */
      matched_by: "layout" | "supplier"
    } | null
    /** Columns or elements, and what they are taken for. */
    fields: readonly ({
      /** Header, or path of the element below its line. */
      source: string
      /** Row of the header; null: an element. */
      row: number | null
      /** What it is taken for; null: not used. */
      column: string | null
      /** How sure it is: docs/understand/netting/invoice-check.md. */
      certainty: "corrected" | "known" | "similar" | "unknown"
      /** What its name resembles. */
      suggestion: string | null
      /** First values. */
      values: readonly string[]
    })[]
    /** Texts of the lines and their charges; at most 200. */
    line_texts: readonly ({
      /** Text of the line. */
      text: string
      /** Charge that it is taken for; null: none. */
      kind: string | null
      /** How sure it is: docs/understand/netting/invoice-check.md. */
      certainty: "corrected" | "known" | "similar" | "unknown"
      /** Number of lines with it. */
      count: number
    })[]
  }
  /** First rows of a table, at most 20. */
  rows: readonly ({
    /** Row of the sheet, or line of the file. */
    row: number
    /** Its cells. */
    cells: readonly string[]
  })[]
}

export interface LatestValue {
  /** Name of the metric. */
  metric: string
  /** Value as it was sent. */
  value: number
  /** Unit of the metric; null: none, or not known. */
  unit: string | null
  /** Time of the sample that contains the value. */
  timestamp: Instant
  /** current: not older than the offline threshold of the device; old: older. */
  quality: "current" | "old"
}

export interface LatestValues {
  /** Time of the response. */
  timestamp: Instant
  /** The devices in the order of the request, each once; those of a page by id. */
  devices: readonly DeviceLatestValues[]
  /** Number of devices of the request, or of those that the page is of. */
  total: number
  /** Ids of the request that are no device. */
  not_found_device_ids: readonly Uuid[]
}

export interface LimitAccount {
  id: Uuid
  /** Facility; it has one account per year. */
  facility_id: Uuid
  /** Turkey-local calendar year. */
  year: number
  /** Limit at the beginning of the year, kWh. The remaining limit is this value plus all movements. */
  initial_limit_kwh: string
  /** Source of the initial limit. */
  limit_source: "previous_year_consumption" | "customer_declaration" | "official_document" | "lum_report" | "gts_report" | "manual"
  /** null for a record created through the API; otherwise the loader that created it, such as demo. */
  origin: string | null
  created_at: Instant
}

export interface LimitAdjustment {
  id: Uuid
  account_id: Uuid
  /** Type of movement. */
  movement_type: "initial" | "manual_adjustment" | "group_transfer_out" | "group_transfer_in" | "mahsuplasan_consumption" | "bedelli_ihtiyac_fazlasi" | "correction_reversal" | "correction_reapply"
  /** Amount, kWh; usage is negative, an increase positive. */
  amount_kwh: string
  /** Reason of a manual adjustment or of a correction. Texts of the service are in the language of Accept-Language. */
  reason: string | null
  /** Declaration made with a transfer, not verified; null on other movements. */
  contracted_power_confirmed: boolean | null
  /** Calculation run that booked the movement. */
  calculation_run_id: Uuid | null
  /** User who booked the movement. */
  created_by: Uuid | null
  created_at: Instant
  /** Remaining limit: initial_limit_kwh plus all movements including this one, kWh. May be negative. */
  remaining_limit_kwh: string
}

export interface LimitForecast {
  /** Limit account. */
  account_id: Uuid
  /** Facility of the account. */
  facility_id: Uuid
  /** Turkey-local calendar year of the account. */
  year: number
  /** Limit of the year including all bookings that are not usage; kWh. */
  limit_kwh: string
  /** Usage so far: matched energy and paid surplus of current results; kWh. */
  used_kwh: string
  /** Remaining limit now; zero or negative: used up; kWh. */
  remaining_kwh: string
  /** Whether the limit is used up. */
  is_exhausted: boolean
  /** Turkey-local day on which the limit is expected to be used up, or was used up; null if it lasts the whole year. */
  run_out_date: LocalDate | null
  /** Expected remaining limit at the end of the year; kWh. */
  remaining_at_year_end_kwh: string
  /** Expected usage from forecast_from to the end of the year without a limit; kWh. */
  expected_kwh: string
  /** Part of expected_kwh beyond the limit: the additional limit that would suffice for the year; kWh. */
  shortfall_kwh: string
  /** Current usage per day: mean of the last 28 whole days, or of all days if fewer; null without any; kWh. */
  daily_rate_kwh: string | null
  /** First day that is not completely calculated; the forecast begins on it. */
  forecast_from: LocalDate
  /** Basis of the forecast days: last year’s usage of the account, last year’s production of the group, the current usage per day, or nothing. */
  basis: "last_year_usage" | "last_year_production" | "recent_average" | "none"
  /** Human-readable description of the method of the forecast. */
  method: string
  /** Code of the method. */
  method_code: string
  /** Confidence of the forecast; the notes contain the reasons. */
  confidence: "high" | "medium" | "low"
  /** Number of completely calculated days of this year that are also known in last year. */
  compared_days: number
  /** Usage of this year on the compared days; kWh. */
  compared_kwh: string
  /** Usage or production of last year on the compared days; the forecast days are scaled by the ratio; kWh. */
  compared_last_year_kwh: string
  /** Number of past days that are not completely calculated and therefore not included. */
  missing_days: number
  /** Months of the forecast. */
  months: readonly ForecastMonth[]
  /** null: no forecast by hour of a plant of the group, or no use of the account on the last days. */
  by_hour: {
    /** Expected day; null if the limit lasts the whole year. */
    run_out_date: LocalDate | null
    /** Day with p90 in every hour; null if it lasts. */
    early_date: LocalDate | null
    /** Day with p10 in every hour; null if it lasts. */
    late_date: LocalDate | null
    /** Share of the account in the production of the last known days. */
    share_pct: number
    /** When the oldest of the forecasts was made. */
    forecast_at: Instant
  } | null
  /** Limitations of the forecast. */
  notes: readonly string[]
  /** The content of the note with the same index, without its text. */
  note_details: readonly ({
    /** Code of the note. */
    message_code: string
    /** Values in the text, by their names: decimals as text, instants and dates in ISO 8601. */
    parameters: Readonly<Record<string, unknown>>
  })[]
}

export interface LimitMovement {
  id: Uuid
  account_id: Uuid
  /** Type of movement. */
  movement_type: "initial" | "manual_adjustment" | "group_transfer_out" | "group_transfer_in" | "mahsuplasan_consumption" | "bedelli_ihtiyac_fazlasi" | "correction_reversal" | "correction_reapply"
  /** Amount, kWh; usage is negative, an increase positive. */
  amount_kwh: string
  /** Reason of a manual adjustment or of a correction. Texts of the service are in the language of Accept-Language. */
  reason: string | null
  /** Declaration made with a transfer, not verified; null on other movements. */
  contracted_power_confirmed: boolean | null
  /** Calculation run that booked the movement. */
  calculation_run_id: Uuid | null
  /** User who booked the movement. */
  created_by: Uuid | null
  created_at: Instant
}

export interface LimitMovementTotals {
  /** Number of movements. */
  rows: number
  /** Limit at the beginning of the year, kWh. The remaining limit is this value plus all movements. */
  initial_limit_kwh: string
  /** Remaining limit: initial_limit_kwh plus all movements, kWh. */
  remaining_limit_kwh: string
  /** The types that occur, by name. */
  by_type: readonly ({
    /** Type of movement. */
    movement_type: "initial" | "manual_adjustment" | "group_transfer_out" | "group_transfer_in" | "mahsuplasan_consumption" | "bedelli_ihtiyac_fazlasi" | "correction_reversal" | "correction_reapply"
    /** Number of movements of the type. */
    rows: number
    /** Sum of the movements of the type, kWh. */
    amount_kwh: string
  })[]
}

export interface LimitTransfer {
  /** Movements: group_transfer_out, then group_transfer_in. */
  movements: readonly LimitMovement[]
  /** Remaining limit of the source account, kWh. */
  source_remaining_limit_kwh: string
  /** Remaining limit of the target account, kWh. */
  target_remaining_limit_kwh: string
  /** Human-readable warnings. */
  warnings: readonly string[]
  /** Code of the warning with the same index. */
  warning_codes: readonly string[]
  /** The content of the warning with the same index, without its text. */
  warning_details: readonly WarningDetail[]
}

export interface ListInstalledCertificates {
  /** Use of the certificate: central_system_root validates this service, manufacturer_root validates firmware signatures. */
  use: "central_system_root" | "manufacturer_root"
}

export interface ListedCalculationRun {
  id: Uuid
  group_id: Uuid
  /** Billing period: the first day of a Turkey-local month. */
  billing_period: BillingPeriod
  /** First hour of the run, inclusive. */
  from_hour: Instant
  /** End of the run, exclusive. */
  to_hour: Instant
  /** Rules that the run applied. */
  scenario: "standard_hourly" | "mesken_monthly" | "invalid_group_bedelsiz"
  /** Trigger of the run; beat: the schedule; manual: a request; correction_cascade: a correction. */
  triggered_by: "beat" | "manual" | "correction_cascade"
  started_at: Instant
  finished_at: Instant
  /** false after a later run has replaced this one. */
  is_current: boolean
  /** Root of the correction chain: the run of its first period, which refers to itself. */
  parent_run_id: Uuid | null
  /** SHA-256 of all inputs of the result. */
  input_hash: string
  /** Status of the run; superseded: replaced by a later run. */
  status: "completed" | "superseded"
  /** Evaluation of eligibility whose status the run used: for a period that was over an evaluation of that period. null before the first evaluation of the group. */
  eligibility_run_id: Uuid | null
  /** Stage of the schedule: preliminary, corrected, daily_backfill, monthly_close; automatic_correction: a correction that the service started by itself. null: started by a request. */
  stage: string | null
  /** true if the input of calculated hours has changed since their calculation. */
  stale: boolean
  /** Number of these hours. Later hours may change as well, because the balances continue. */
  stale_hours: number
  /** The hours as ranges, ascending; the first 100. */
  stale_ranges: readonly ({
    /** First hour, inclusive. */
    from_hour: Instant
    /** End, exclusive. */
    to_hour: Instant
  })[]
  /** Time of the first of these changes; null if not stale. */
  stale_since: Instant | null
  /** What has changed: OFFICIAL_ENERGY_CHANGED official readings, ENERGY_CHANGED hourly energy of other sources, MEMBERS_CHANGED memberships, FACILITY_CHANGED a facility, METERS_CHANGED meters and their roles, LIMIT_CHANGED an account, an adjustment or a transfer, BALANCE_CHANGED earlier usage of an account, PRICES_CHANGED approved prices, ELIGIBILITY_CHANGED the evaluation, SETTINGS_CHANGED a setting of the tenant. Clients must ignore unknown codes. */
  stale_reasons: readonly string[]
}

export interface ListedFacility {
  id: Uuid
  /** Subregion of the record. */
  subregion_id: Uuid
  /** Scope that represents one official party. */
  scope_id: Uuid | null
  /** Name. */
  name: string
  /** First Turkey-local day of the facility. */
  valid_from: LocalDate
  /** End of validity, exclusive: a Turkey-local day; null: open. */
  valid_to: LocalDate | null
  /** Producer price group that overrides the one derived from the source type. */
  producer_tariff_group: "lisanssiz_uretici_1" | "lisanssiz_uretici_2" | null
  /** Organization that operates the grid at the facility. */
  grid_operator_id: Uuid | null
  /** Distribution company. */
  distribution_company_id: Uuid | null
  /** Industrial-zone operator or retail operator. */
  retail_or_zone_operator_id: Uuid | null
  /** Organization that reads the meter. */
  meter_reading_org_id: Uuid | null
  /** Supplier. */
  supplier_id: Uuid | null
  /** Subscriber group; null: unknown. */
  abone_grubu: "mesken" | "ticarethane" | "sanayi" | "tarimsal_sulama" | "aydinlatma" | "other" | null
  /** Energy source of the plant. */
  source_type: "solar" | "wind" | "hydro" | "biomass" | "geothermal" | "cogeneration" | "hybrid" | "unknown" | null
  /** sktt: last-resource tariff; null is treated as regulated. */
  tariff_supply_type: "regulated" | "sktt" | "bilateral" | null
  /** Whether the facility is billed by time of day. */
  is_multi_time: boolean
  /** Voltage level: AG low, OG medium, YG high. It selects the prices; null: not known, priced as AG. */
  voltage_level: "AG" | "OG" | "YG" | null
  /** Installed power of the plant, kW. */
  installed_power_kw: string | null
  /** Contracted power of the connection agreement, kW. */
  contracted_power_kw: string | null
  /** Whether the facility has storage; ess_capacity_kwh and ess_power_kw are above 0 if and only if it has. */
  has_ess: boolean
  /** Storage capacity, kWh. */
  ess_capacity_kwh: string | null
  /** Storage power, kW. */
  ess_power_kw: string | null
  /** null for a record created through the API; otherwise the loader that created it, such as demo. */
  origin: string | null
  created_at: Instant
  updated_at: Instant
  /** Limit of the current year, with include=limits; null: no account. */
  limits?: {
    /** Limit account of the facility in the current year. */
    account_id: Uuid
    /** Turkey-local calendar year. */
    year: number
    /** Limit at the beginning of the year, kWh. The remaining limit is this value plus all movements. */
    initial_limit_kwh: string
    /** Limit used by current calculations, kWh. */
    used_limit_kwh: string
    /** Remaining limit, kWh: initial limit plus all movements. May be negative. */
    remaining_limit_kwh: string
  } | null | undefined
}

export interface ListedLimitAccount {
  id: Uuid
  /** Facility; it has one account per year. */
  facility_id: Uuid
  /** Turkey-local calendar year. */
  year: number
  /** Limit at the beginning of the year, kWh. The remaining limit is this value plus all movements. */
  initial_limit_kwh: string
  /** Source of the initial limit. */
  limit_source: "previous_year_consumption" | "customer_declaration" | "official_document" | "lum_report" | "gts_report" | "manual"
  /** null for a record created through the API; otherwise the loader that created it, such as demo. */
  origin: string | null
  created_at: Instant
  /** Limit used by current calculations, kWh. */
  used_limit_kwh?: string | undefined
  /** Remaining limit, kWh: initial limit plus all movements. May be negative. */
  remaining_limit_kwh?: string | undefined
}

export interface ListedNettingGroup {
  id: Uuid
  /** Name, unique in the tenant. */
  name: string
  /** Scope that represents one official party. */
  scope_id: Uuid | null
  /** Supplier that settles the group. */
  responsible_supplier_id: Uuid | null
  /** false if and only if group_status is inactive; an inactive group is not calculated. */
  is_active: boolean
  /** Status of the group; it advances one step at a time, and inactive is allowed from every status. inactive and is_active determine each other. */
  group_status: "customer_defined" | "ek1_submitted" | "grid_operator_confirmed" | "lum_reported" | "inactive"
  /** Result of the latest evaluation. */
  eligibility_status: "not_checked" | "valid" | "blocked"
  /** What happens when the input of a closed month changes: manual: an alarm opens, and a person corrects; automatic: in addition the service corrects after the quiet period. Until its settlement is final (day 15 of the next month) a month is also calculated again every night. */
  correction_mode: "manual" | "automatic"
  /** Minutes without a further change before an automatic correction. */
  correction_quiet_minutes: number
  /** true if a calculated period is stale. */
  stale: boolean
  /** Periods with calculated hours whose input has changed since, in time order. */
  stale_periods: readonly BillingPeriod[]
  /** Free text. */
  notes: string | null
  /** null for a record created through the API; otherwise the loader that created it, such as demo. */
  origin: string | null
  created_at: Instant
  /** Limits of the consumers in the current year, with include=limits. */
  limits?: {
    /** Turkey-local calendar year. */
    year: number
    /** Number of consumption facilities of today. */
    consumers: number
    /** Number of them without an account in the year. */
    consumers_without_account: number
    /** Limit used by current calculations, kWh. null: no consumer has an account. */
    used_limit_kwh: string | null
    /** Sum of the remaining limits, kWh; an account below zero counts as zero. null: no consumer has an account. */
    remaining_limit_kwh: string | null
  } | undefined
}

export interface LiveStats {
  /** tenant: the caller’s own. all: every tenant, for superusers. */
  scope: "tenant" | "all"
  /** Number of open sockets. */
  sockets: number
  /** Number of subscriptions: pairs of a socket and a subscribed device. */
  subscriptions: number
  /** Number of subscribed devices; a device subscribed in two processes counts twice. */
  devices: number
  /** Number of sent samples. */
  sent: number
  /** Number of samples coalesced because the client was slow: the latest value of each metric is kept. */
  coalesced: number
  /** Number of coalesced samples that newer samples replaced. */
  dropped: number
  /** Number of rejected sockets. A tenant sees those with its own token; all rejected sockets are only in the totals. */
  rejected: number
  /** Statistics by process. */
  processes: readonly ({
    /** Id of a process with the role realtime; it changes at each start. */
    process_id: string
    /** Whether this is the responding process. */
    is_self: boolean
    started_at: Instant
    /** Time at which the numbers were received; other processes send them every 5 seconds. */
    told_at: Instant
    /** Number of open sockets. */
    sockets: number
    /** Number of subscriptions: pairs of a socket and a subscribed device. */
    subscriptions: number
    /** Number of subscribed devices; a device subscribed in two processes counts twice. */
    devices: number
    /** Number of sent samples. */
    sent: number
    /** Number of samples coalesced because the client was slow: the latest value of each metric is kept. */
    coalesced: number
    /** Number of coalesced samples that newer samples replaced. */
    dropped: number
    /** Number of rejected sockets. A tenant sees those with its own token; all rejected sockets are only in the totals. */
    rejected: number
  })[]
  /** Open sockets of the responding process, ordered by lost samples; at most 100. */
  connections: readonly ({
    id: Uuid
    /** User of the token of the socket. */
    user_id: Uuid
    connected_at: Instant
    /** Time at which the token expires and the socket is closed. */
    expires_at: Instant
    /** Number of devices to which the socket is subscribed. */
    devices: number
    /** Number of bytes that the client has not received yet. */
    buffered_bytes: number
    /** Number of sent samples. */
    sent: number
    /** Number of samples coalesced because the client was slow: the latest value of each metric is kept. */
    coalesced: number
    /** Number of coalesced samples that newer samples replaced. */
    dropped: number
  })[]
}

export interface LiveTicket {
  /** Value of the query parameter `ticket` of the socket. It is secret. */
  ticket: string
  /** Time until which the ticket can be used: 30 seconds after its creation. */
  expires_at: Instant
}

/** Turkey-local date (YYYY-MM-DD). A request may also contain an instant, whose local date is taken. */
export type LocalDate = string

export interface LocalList {
  charger_id: Uuid
  /** Whether only the chosen tags are synchronized; otherwise all tags of the tenant. */
  is_chosen: boolean
  /** Chosen tags. */
  tag_ids: readonly Uuid[]
  /** State of the local list; syncing while a part is being sent. */
  state: "never_sent" | "syncing" | "synced" | "failed" | "not_supported"
  /** Reason for a failed or uncertain state. */
  reason: string | null
  /** Version of the local list of the station, as far as it is known; 0: the list is empty. */
  version: number | null
  /** Whether the list of the station may differ from the entries; the next sync then sends the full list. */
  is_uncertain: boolean
  /** Entries accepted by the station, at most 5000. */
  entries: readonly ({
    /** Id tag as it was sent. */
    id_tag: string
    /** State. */
    status: "accepted" | "blocked" | "expired"
    /** Group of the tag. */
    parent_tag: string | null
    /** Expiry of the tag, including that of its groups. */
    expires_at: Instant | null
  })[]
  /** Command with the last part. */
  command_id: Uuid | null
  /** Time of the last complete sync. */
  synced_at: Instant | null
}

export interface Login {
  /** E-mail address, case-insensitive. */
  email: string
  /** The current password. */
  password: string
}

export interface LoginResponse {
  /** Token for the Authorization header; valid for 30 minutes. */
  access_token: string
  /** Token for /api/auth/refresh; valid for 7 days. */
  refresh_token: string
  /** Scheme of the Authorization header. */
  token_type: "bearer"
}

export interface LoginTotp {
  /** Token of the first step; valid for 5 minutes. */
  mfa_token: string
  /** Code of the authenticator app (6 digits) or a recovery code. */
  code: string
}

export interface LotoEvent {
  id: Uuid
  /** What happened. */
  event_type: "requested" | "changed" | "approved" | "rejected" | "applied" | "released" | "lock_placed" | "lock_removed" | "lock_forced"
  /** Time of the event. */
  occurred_at: Instant
  /** User who performed the action. */
  by_user: Uuid
  /** Name of that user at that time, or the e-mail address. */
  by_name: string
  /** Details of the event: note, reason, lock_number, point_id, verifications. */
  details: Readonly<Record<string, unknown>>
}

export interface LotoLock {
  id: Uuid
  /** Session of the lock. */
  session_id: Uuid
  /** Point at which the lock is placed. */
  point_id: Uuid
  /** Number on the padlock. */
  lock_number: string | null
  /** Owner of the lock: the user who placed it. */
  owner_id: Uuid
  /** Name on the tag: the name of the user at that time, or the e-mail address. */
  owner_name: string
  /** Time at which the lock was placed. */
  placed_at: Instant
  /** Time of the removal; null while the lock is in place. */
  removed_at: Instant | null
  /** User who removed the lock. */
  removed_by: Uuid | null
  /** Name of that user at the time of the removal. */
  removed_by_name: string | null
  /** Whether a user other than the owner removed the lock. */
  is_forced: boolean
  /** Reason for the removal; always present if the removal was forced. */
  removal_reason: string | null
}

export interface LotoPoint {
  id: Uuid
  /** Name, unique in the subregion. */
  name: string
  /** Subregion of the point. */
  subregion_id: Uuid | null
  /** Device that is de-energized while the point is isolated; if it is a meter, its readings verify the isolation. */
  device_id: Uuid | null
  /** Type of the isolated energy. */
  energy_type: "electrical" | "mechanical" | "hydraulic" | "pneumatic" | "thermal" | "chemical" | "gravitational" | "radiation" | "other"
  /** Human-readable isolation method: which switch, valve or pin, in which position. */
  isolation_method: string
  /** Human-readable location. */
  location: string
  /** Whether the point is in an applied session or has a lock: its device then accepts no commands. */
  is_locked_out: boolean
  created_at: Instant
  /** Time of the last change. */
  updated_at: Instant
}

export interface LotoSession {
  id: Uuid
  /** Title of the work. */
  title: string
  /** Reason for the isolation. */
  reason: string
  /** pending; approved: locks may be placed; rejected; applied: verified to be de-energized; released. */
  status: "pending" | "approved" | "rejected" | "applied" | "released"
  /** Points that are isolated together, in the order of the work. */
  point_ids: readonly Uuid[]
  /** Number of locks in place; the session can be released only when there is none. */
  locks_left: number
  /** User who requested the session; another user must approve it. */
  requested_by: Uuid
  /** User who approved the session. */
  approved_by: Uuid | null
  /** Time at which the session was approved. */
  approved_at: Instant | null
  /** User who rejected the session. */
  rejected_by: Uuid | null
  /** Time at which the session was rejected. */
  rejected_at: Instant | null
  /** User who applied the session. */
  applied_by: Uuid | null
  /** Time at which the session was applied. */
  applied_at: Instant | null
  /** User who released the session. */
  released_by: Uuid | null
  /** Time at which the session was released. */
  released_at: Instant | null
  created_at: Instant
  /** Time of the last change. */
  updated_at: Instant
}

export interface LotoSessionDetail {
  id: Uuid
  /** Title of the work. */
  title: string
  /** Reason for the isolation. */
  reason: string
  /** pending; approved: locks may be placed; rejected; applied: verified to be de-energized; released. */
  status: "pending" | "approved" | "rejected" | "applied" | "released"
  /** Points that are isolated together, in the order of the work. */
  point_ids: readonly Uuid[]
  /** Number of locks in place; the session can be released only when there is none. */
  locks_left: number
  /** User who requested the session; another user must approve it. */
  requested_by: Uuid
  /** User who approved the session. */
  approved_by: Uuid | null
  /** Time at which the session was approved. */
  approved_at: Instant | null
  /** User who rejected the session. */
  rejected_by: Uuid | null
  /** Time at which the session was rejected. */
  rejected_at: Instant | null
  /** User who applied the session. */
  applied_by: Uuid | null
  /** Time at which the session was applied. */
  applied_at: Instant | null
  /** User who released the session. */
  released_by: Uuid | null
  /** Time at which the session was released. */
  released_at: Instant | null
  created_at: Instant
  /** Time of the last change. */
  updated_at: Instant
  /** Points as approved; before the approval in their current state. */
  points: readonly ({
    id: Uuid
    /** Name, unique in the subregion. */
    name: string
    /** Subregion of the point. */
    subregion_id: Uuid | null
    /** Device that is de-energized while the point is isolated; if it is a meter, its readings verify the isolation. */
    device_id: Uuid | null
    /** Type of the isolated energy. */
    energy_type: "electrical" | "mechanical" | "hydraulic" | "pneumatic" | "thermal" | "chemical" | "gravitational" | "radiation" | "other"
    /** Human-readable isolation method: which switch, valve or pin, in which position. */
    isolation_method: string
    /** Human-readable location. */
    location: string
    /** Name of the subregion. */
    subregion_name: string | null
    /** Name of the device. */
    device_name: string | null
    /** Verification that the point is de-energized; null before the session is applied. */
    verification: {
      /** Method of verification. measured: by the meter of the point. manual: on site by the user who applied the session. */
      method: "measured" | "manual"
      /** Time of the latest reading. */
      measured_at: Instant | null
      /** Readings of the meter, by metric. */
      values: Readonly<Record<string, number>> | null
      /** Human-readable description of the manual verification. */
      note: string | null
      /** User who applied the session. */
      verified_by: Uuid
      /** Time of the verification. */
      verified_at: Instant
    } | null
  })[]
  /** Locks of the session including removed ones, oldest first. */
  locks: readonly LotoLock[]
}

export interface MaintenanceWindow {
  id: Uuid
  /** Policy for which no incidents open. */
  policy_id: Uuid | null
  /** Device for which no incidents open. */
  device_id: Uuid | null
  /** Subregion for whose devices no incidents open. */
  subregion_id: Uuid | null
  /** Start, inclusive. */
  from: Instant
  /** End, exclusive. */
  to: Instant
  /** Description of the maintenance work. */
  note: string | null
  created_by: Uuid | null
  created_at: Instant
}

export interface MapData {
  /** Time of the snapshot. */
  timestamp: Instant
  /** Subregions ordered by name, at most 1000. */
  subregions: readonly ({
    id: Uuid
    region_id: Uuid
    /** Name of the subregion. */
    name: string
    /** City as it was entered. */
    city: string | null
    /** Latitude in degrees north. */
    latitude: number | null
    /** Longitude in degrees east. */
    longitude: number | null
    /** Number of devices of the response in this subregion. */
    device_count: number
    /** Number of these devices that are online. */
    online_count: number
    /** Sum of the devices without a parent device, excluding inverters; a parent device already measures its children. */
    active_power_kw: number | null
    /** Sum of the devices without a parent device. */
    energy_today_kwh: number | null
    /** Sum of the devices without a parent device and of all inverters. */
    production_today_kwh: number | null
  })[]
  /** Devices ordered by name, at most 2000. */
  devices: readonly ({
    id: Uuid
    /** Name of the device. */
    name: string
    /** Type of the device, for example energy_analyzer, inverter or charger. */
    device_type: string
    /** Role of the device, for example charger or inverter. */
    device_role: string | null
    /** Parent device in the device tree. */
    parent_id: Uuid | null
    /** Subregion of the device (a charger), otherwise of its gateway, otherwise of its current meter assignment. */
    subregion_id: Uuid | null
    /** Latitude in degrees north: extra_metadata.latitude, otherwise that of the subregion. */
    latitude: number | null
    /** Longitude in degrees east: extra_metadata.longitude, otherwise that of the subregion. */
    longitude: number | null
    /** Whether a sample was received within the offline threshold. */
    is_online: boolean
    last_seen: Instant | null
    /** Latest active_power, at most one hour old, kW; consumption is positive. */
    active_power_kw: number | null
    /** Growth of the import register from midnight (Turkey-local) to its latest reading, kWh. The endpoint energy-consumption of the device has the exact value. */
    energy_today_kwh: number | null
    /** Growth of the production register from midnight (Turkey-local) to its latest reading, kWh. */
    production_today_kwh: number | null
  })[]
  /** Whether the response is truncated; the parameters for a region or subregion narrow it. */
  is_truncated: boolean
}

export interface MarketAccount {
  id: Uuid
  /** Display name of the account. */
  name: string
  /** User name at the platform, an e-mail address. */
  portal_username: string | null
  /** Secret, never returned: ******** if one is stored, otherwise null. */
  portal_password: string | null
  /** Secret, never returned: ******** if one is stored, otherwise null. */
  subscription_key: string | null
  /** Progress of the approval of the account by the platform. Only the operation `transition` changes it. */
  whitelist_status: "not_started" | "spec_downloaded" | "spec_sent" | "ip_whitelisted" | "portal_account_created" | "application_created" | "subscribed" | "active" | "blocked"
  /** Time of the last test-call with the current credentials; null if there was none. */
  last_test_at: Instant | null
  /** Whether the last test-call succeeded; prices are pulled only in this case. */
  last_test_ok: boolean | null
  /** Step that failed. */
  last_test_step: "credentials" | "login" | "whitelist" | "subscription" | "call" | null
  /** Human-readable result. In the language of Accept-Language. */
  last_test_message: string | null
  created_at: Instant
  updated_at: Instant
}

export interface MarketAccountTransition {
  /** The next status, or blocked from every status; from blocked only not_started. */
  whitelist_status: "not_started" | "spec_downloaded" | "spec_sent" | "ip_whitelisted" | "portal_account_created" | "application_created" | "subscribed" | "active" | "blocked"
}

export interface MarketError {
  /** The error. */
  detail: {
    /** Fixed machine-readable code; docs/api/errors.md lists the codes. */
    code: string
    /** Human-readable description of the error. */
    message: string
    /** Code of the text; docs/api/message-codes.md lists the codes with their texts. */
    message_code?: string | undefined
    /** The values in the text, by their names. */
    parameters?: Readonly<Record<string, unknown>> | undefined
  }
}

export interface MarketPrice {
  /** The start of the hour; ISO 8601, UTC. */
  ts: Instant
  /** ptf: day-ahead price; smf: system marginal price. */
  market: "ptf" | "smf"
  /** Maturity of the price. corrected: published again after it was final; the final row is kept. unknown: not among the fetched maturities. */
  price_status: "tentative" | "final" | "corrected" | "unknown"
  /** Price as published, TRY/MWh. Zero is a valid price. */
  price_try_per_mwh: string
  /** Time at which the value was fetched from the platform. */
  fetched_at: Instant
}

export interface MarketTestCall {
  /** Whether the platform returned prices. */
  ok: boolean
  tested_at: Instant
  /** credentials: incomplete, or cannot be decrypted; login: rejected; whitelist: the address of the service is not approved; subscription: missing; call: no valid response. */
  failed_step: "credentials" | "login" | "whitelist" | "subscription" | "call" | null
  /** Human-readable result. In the language of Accept-Language. */
  message: string
  /** Number of prices that the platform returned for the requested day. */
  prices: number
}

export interface MeskenMonth {
  /** Energy matched over the whole month; kWh. null: unknown. */
  matched_kwh: string | null
  /** Consumption left after matching; kWh. null: unknown. */
  net_import_kwh: string | null
  /** Paid surplus of the month, without limit; kWh. null: unknown. */
  bedelli_kwh: string | null
  /** Free surplus; the whole production if no consumption is known; kWh. null: unknown. */
  bedelsiz_kwh: string | null
  /** Hypothetical revenue of the free surplus; TRY. Rows without a price are not included; null if no row has one. */
  bedelsiz_risk_try: string | null
}

export interface Message {
  /** For people. */
  message: string
}

export interface MeterAssignment {
  id: Uuid
  /** Subregion; cannot be changed. */
  subregion_id: Uuid
  /** Device; cannot be changed. */
  device_id: Uuid
  /** Facility that the device measures. */
  facility_id: Uuid | null
  /** Metering point of the device. */
  metering_point_id: Uuid | null
  /** Measurement role of the device. Periods of one subregion and one main role (main_production, main_consumption, pcc_import_export, osb_eb_consumption) may not overlap. */
  measurement_role: "main_production" | "main_consumption" | "pcc_import_export" | "osb_eb_consumption" | "battery" | "self_consumption" | "aux_production" | "aux_consumption" | "check_meter"
  /** Start of validity; a date is the start of that Turkey-local day. */
  valid_from: Instant
  /** End of validity, exclusive; null: open. */
  valid_to: Instant | null
  /** null for a record created through the API; otherwise the loader that created it, such as demo. */
  origin: string | null
  created_at: Instant
}

export interface MeterChange {
  id: Uuid
  /** Device whose meter was replaced; cannot be changed. */
  device_id: Uuid | null
  /** OSOS installation whose meter was replaced; cannot be changed. */
  osos_installation_id: Uuid | null
  /** Register: a meter with several registers has one record for each. An OSOS installation has import_active_energy and export_active_energy, which is also the production of a production meter. */
  register: "import_active_energy" | "export_active_energy" | "production_active_energy" | "battery_charge_energy" | "battery_discharge_energy" | "inductive_reactive_energy" | "capacitive_reactive_energy"
  /** Time of the replacement. A stored reading at this instant is replaced by the record. */
  changed_at: Instant
  /** Last value of the old register, kWh (kvarh of a reactive register), with the multiplier applied. */
  old_end_kwh: string
  /** First value of the new register, kWh (kvarh of a reactive register), with the multiplier applied. */
  new_start_kwh: string
  /** Serial number of the old meter. */
  old_serial_no: string | null
  /** Serial number of the new meter. */
  new_serial_no: string | null
  /** Free text. */
  note: string | null
  /** null for a record created through the API; otherwise the loader that created it, such as demo. */
  origin: string | null
  /** User who recorded the change; null for a loader without a user. */
  recorded_by: Uuid | null
  /** Time of the record. */
  recorded_at: Instant
  /** Number of corrections of the record. */
  corrections: number
  /** Time at which the record was voided; null: it is in force. */
  voided_at: Instant | null
  /** User who voided the record. */
  voided_by: Uuid | null
  /** Reason for which the record was voided. */
  void_reason: string | null
}

export interface MeterChangeDetail {
  id: Uuid
  /** Device whose meter was replaced; cannot be changed. */
  device_id: Uuid | null
  /** OSOS installation whose meter was replaced; cannot be changed. */
  osos_installation_id: Uuid | null
  /** Register: a meter with several registers has one record for each. An OSOS installation has import_active_energy and export_active_energy, which is also the production of a production meter. */
  register: "import_active_energy" | "export_active_energy" | "production_active_energy" | "battery_charge_energy" | "battery_discharge_energy" | "inductive_reactive_energy" | "capacitive_reactive_energy"
  /** Time of the replacement. A stored reading at this instant is replaced by the record. */
  changed_at: Instant
  /** Last value of the old register, kWh (kvarh of a reactive register), with the multiplier applied. */
  old_end_kwh: string
  /** First value of the new register, kWh (kvarh of a reactive register), with the multiplier applied. */
  new_start_kwh: string
  /** Serial number of the old meter. */
  old_serial_no: string | null
  /** Serial number of the new meter. */
  new_serial_no: string | null
  /** Free text. */
  note: string | null
  /** null for a record created through the API; otherwise the loader that created it, such as demo. */
  origin: string | null
  /** User who recorded the change; null for a loader without a user. */
  recorded_by: Uuid | null
  /** Time of the record. */
  recorded_at: Instant
  /** Number of corrections of the record. */
  corrections: number
  /** Time at which the record was voided; null: it is in force. */
  voided_at: Instant | null
  /** User who voided the record. */
  voided_by: Uuid | null
  /** Reason for which the record was voided. */
  void_reason: string | null
  /** The values before each correction, newest first; at most 100. */
  revisions: readonly ({
    /** Time of the replacement. A stored reading at this instant is replaced by the record. */
    changed_at: Instant
    /** Last value of the old register, kWh (kvarh of a reactive register), with the multiplier applied. */
    old_end_kwh: string
    /** First value of the new register, kWh (kvarh of a reactive register), with the multiplier applied. */
    new_start_kwh: string
    /** Serial number of the old meter. */
    old_serial_no: string | null
    /** Serial number of the new meter. */
    new_serial_no: string | null
    /** Free text. */
    note: string | null
    /** Time of the correction that replaced these values. */
    corrected_at: Instant
    /** User who corrected the record. */
    corrected_by: Uuid | null
    /** Reason of the correction. */
    reason: string
  })[]
}

export interface MeterDataForm {
  /** CSV file or XLSX workbook. */
  file: unknown
  /** Facility whose meter is declared, together with measurement_role. The facts have the source customer_declared. */
  facility_id?: Uuid | undefined
  /** Measurement role of the declared meter. */
  measurement_role?: "main_production" | "main_consumption" | "pcc_import_export" | "osb_eb_consumption" | undefined
  /** Instead of a facility: the installation that was read, with a measurement role. Readings of an OSOS installation are official. */
  installation_id?: Uuid | undefined
  /** register: readings of a cumulative register. interval: energy of each interval. */
  value_kind: "register" | "interval"
  /** Unit of the values. A header that names another unit is an error. */
  unit: "Wh" | "kWh" | "MWh"
  /** Required for intervals: whether a time is the end (hour_ending) or the start (hour_starting) of its interval, also for intervals shorter than an hour. Not allowed for registers. */
  label?: "hour_ending" | "hour_starting" | undefined
  /** Required for intervals: their length. For registers: the time between readings, which decides what counts as covered; derived from the readings when absent. */
  interval_minutes?: "5" | "10" | "15" | "20" | "30" | "60" | undefined
  /** Factor of the values (çarpan), above 0. Default: 1. */
  multiplier?: string | undefined
  /** Offset of times without an offset of their own. Default: +03:00 (Turkey). */
  utc_offset?: string | undefined
  /** Decimal mark of the values. Default: found in the file. */
  decimal_mark?: "comma" | "point" | undefined
  /** JSON object of headers by column (date, time, import, export, value), for headers that are not known. */
  columns?: string | undefined
  /** true: nothing is written; the report is that of the import. */
  dry_run?: "true" | "false" | undefined
}

export interface MeterDataReport {
  /** Whether nothing was to be written. */
  dry_run: boolean
  /** Whether the file was stored: false for a dry run and for errors. */
  is_stored: boolean
  /** Id in the import log; null if nothing was stored. */
  import_id: Uuid | null
  /** Meter of the readings; null if nothing was stored. */
  installation_id: Uuid | null
  /** Facility of the meter. */
  facility_id: Uuid | null
  /** Measurement role of the meter. */
  measurement_role: "main_production" | "main_consumption" | "pcc_import_export" | "osb_eb_consumption"
  /** Source of the facts. */
  fact_source: "osos_official_meter" | "customer_declared"
  /** Decimal mark that was used for the values. */
  decimal_mark: "." | ","
  /** Headers that were not used. */
  ignored_columns: readonly string[]
  /** Number of rows below the headers, without blank rows and totals. */
  rows_read: number
  /** Number of rows without a value. */
  rows_empty: number
  /** Number of rows that repeat another row with the same value. */
  rows_repeated: number
  /** Start of the first hour with a value; null without any. */
  from_hour: Instant | null
  /** End of the last hour with a value; null without any. */
  to_hour: Instant | null
  /** Number of hours that the rows give. */
  hours_read: number
  /** Number of new hours. */
  accepted: number
  /** Number of hours that were already stored. */
  unchanged: number
  /** Number of hours that replaced another value. */
  corrected: number
  /** Number of new or changed hours with an energy below zero; stored without a value. */
  suspect: number
  /** Number of hours of which register readings cover less than 95 percent. */
  partial: number
  /** Number of hours in or around which the register fell; their facts are suspect. */
  resets: number
  /** Number of new or changed hourly facts. */
  facts_written: number
  /** Number of hours without a value between the first and the last row. */
  missing_hours: number
  /** Ranges of hours without a value; the first 2000. */
  gaps: readonly ({
    /** Start of the first hour without a value. */
    from_hour: Instant
    /** End of the last hour without a value. */
    to_hour: Instant
    /** Number of hours. */
    hours: number
  })[]
  /** Errors of rows, by row; the first 2000. With an error nothing is stored. */
  errors: readonly ({
    /** Row of the sheet, or line of the file, from 1. */
    row: number
    /** Code of the error. */
    code: string
    /** Values in the text, by their names: decimals as text, instants and dates in ISO 8601. */
    parameters: Readonly<Record<string, unknown>>
    /** Description of the error. */
    message: string
  })[]
  /** Number of errors of rows. */
  error_count: number
}

export interface MeteringPoint {
  id: Uuid
  /** Facility; cannot be changed. */
  facility_id: Uuid
  /** Number of the meter. */
  meter_no: string | null
  /** Start of validity; a date is the start of that Turkey-local day. */
  valid_from: Instant
  /** End of validity, exclusive; null: open. */
  valid_to: Instant | null
  /** Organization that reads the meter. */
  meter_reading_org_id: Uuid | null
  /** OSOS installation with the official readings of the metering point. */
  osos_installation_id: Uuid | null
  /** Free text. */
  notes: string | null
  /** null for a record created through the API; otherwise the loader that created it, such as demo. */
  origin: string | null
  created_at: Instant
}

export interface MfaChallenge {
  /** The login needs a one-time password. */
  mfa_required: true
  /** Token for /api/auth/login/totp; valid for 5 minutes. */
  mfa_token: string
  /** Seconds until the token expires. */
  expires_in: number
}

export interface MonthlySummary {
  id: Uuid
  group_id: Uuid
  /** Billing period: the first day of a Turkey-local month. */
  billing_period: BillingPeriod
  /** Rules that apply to the month. */
  scenario: "standard_hourly" | "mesken_monthly" | "invalid_group_bedelsiz"
  /** Production; kWh. null: unknown. */
  production_kwh: string | null
  /** Consumption before netting; kWh. null: unknown. */
  consumption_kwh: string | null
  /** Matched energy, for a residential group of the month and not the sum of its hours; kWh. null: unknown. */
  matched_kwh: string | null
  /** Consumption left after matching; kWh. null: unknown. */
  net_import_kwh: string | null
  /** Production left after matching; kWh. null: unknown. */
  surplus_kwh: string | null
  /** Paid surplus; kWh. null: unknown. */
  bedelli_kwh: string | null
  /** Surplus subject to the system usage fee; kWh. null: unknown. */
  skb_kwh: string | null
  /** Free surplus; kWh. null: unknown. */
  bedelsiz_kwh: string | null
  /** Amounts in TRY by amount type; null if no row of the type has a price. */
  amounts_try: {
    /** Payment of the suppliers for matched energy. */
    supplier_payment_for_matched_consumption: string | null
    /** Payment to the producer for paid surplus. */
    producer_payment_for_bedelli_surplus: string | null
    /** System usage fee for over-limit surplus. */
    system_usage_fee_for_skb: string | null
    /** Matched energy at the last-resource tariff. */
    sktt_matched_consumption: string | null
    /** Matched energy of homes, by the month. */
    mesken_monthly_amount: string | null
    /** Estimate: what consumers need not buy. */
    estimated_savings: string | null
    /** Estimate: what the members lose or risk. */
    estimated_loss_or_risk: string | null
  }
  /** Number of rows without a price, by amount type. */
  price_gaps: {
    /** Payment of the suppliers for matched energy. */
    supplier_payment_for_matched_consumption: number
    /** Payment to the producer for paid surplus. */
    producer_payment_for_bedelli_surplus: number
    /** System usage fee for over-limit surplus. */
    system_usage_fee_for_skb: number
    /** Matched energy at the last-resource tariff. */
    sktt_matched_consumption: number
    /** Matched energy of homes, by the month. */
    mesken_monthly_amount: number
    /** Estimate: what consumers need not buy. */
    estimated_savings: number
    /** Estimate: what the members lose or risk. */
    estimated_loss_or_risk: number
  }
  /** Remaining limit of the accounts of the consumers at the start of the period; kWh. null if no consumer has an account. */
  limit_opening_kwh: string | null
  /** Limit used in the period by all groups; kWh. null if no consumer has an account. */
  limit_used_kwh: string | null
  /** Remaining limit at the end of the period; kWh. null if no consumer has an account. */
  limit_closing_kwh: string | null
  /** Number of hours of the period in which the group has a member. */
  hours_expected: number
  /** Number of hours calculated so far. */
  hours_calculated: number
  /** Share of the expected hours that are calculated without a missing input, %. */
  completeness_pct: number
  /** Worst data quality of the calculated hours. */
  data_quality: "complete" | "partial" | "missing" | "corrected" | "suspect" | "estimated_profiled" | "unknown"
  /** Current runs of the period at the time of the summary. */
  run_ids: readonly Uuid[]
  /** true if the input of calculated hours has changed since their calculation. */
  stale: boolean
  /** Number of these hours. Later hours may change as well, because the balances continue. */
  stale_hours: number
  /** The hours as ranges, ascending; the first 100. */
  stale_ranges: readonly ({
    /** First hour, inclusive. */
    from_hour: Instant
    /** End, exclusive. */
    to_hour: Instant
  })[]
  /** Time of the first of these changes; null if not stale. */
  stale_since: Instant | null
  /** What has changed: OFFICIAL_ENERGY_CHANGED official readings, ENERGY_CHANGED hourly energy of other sources, MEMBERS_CHANGED memberships, FACILITY_CHANGED a facility, METERS_CHANGED meters and their roles, LIMIT_CHANGED an account, an adjustment or a transfer, BALANCE_CHANGED earlier usage of an account, PRICES_CHANGED approved prices, ELIGIBILITY_CHANGED the evaluation, SETTINGS_CHANGED a setting of the tenant. Clients must ignore unknown codes. */
  stale_reasons: readonly string[]
  created_at: Instant
  /** Calculation run that wrote the row. */
  calculation_run_id: Uuid
  /** false if a later run has superseded the row. */
  is_current: boolean
}

export interface NestedError {
  /** The error. */
  detail: {
    /** Fixed machine-readable code; docs/api/errors.md lists the codes. */
    error_code: string
    /** Human-readable description of the error. */
    message: string
    /** Code of the text; docs/api/message-codes.md lists the codes with their texts. */
    message_code?: string | undefined
    /** The values in the text, by their names. */
    parameters?: Readonly<Record<string, unknown>> | undefined
  }
}

export interface NettingAmount {
  id: Uuid
  group_id: Uuid
  /** Start of the hour; for a monthly row the first hour of the period. */
  hour: Instant
  /** Facility, on rows of one consumption facility. */
  facility_id: Uuid | null
  /** Type of the amount; amounts are positive, the type determines the direction. */
  amount_type: "supplier_payment_for_matched_consumption" | "producer_payment_for_bedelli_surplus" | "system_usage_fee_for_skb" | "sktt_matched_consumption" | "mesken_monthly_amount" | "estimated_savings" | "estimated_loss_or_risk"
  /** Grid operator, on rows that price a virtual meter. */
  grid_operator_id: Uuid | null
  /** Grid operator, on rows that price a virtual meter. */
  source_kind: "solar" | "wind" | "hydro" | "biomass" | "geothermal" | "cogeneration" | "hybrid" | "unknown" | null
  /** Step of the price, if any. */
  step_no: number | null
  /** Priced energy; kWh. */
  quantity_kwh: string
  /** Unit price, TRY/kWh; null in a row without a price. */
  unit_price_try_per_kwh: string | null
  /** Amount, TRY; null in a row without a price. */
  amount_try: string | null
  /** Price row used; for a weighted price the row with the most energy. */
  tariff_price_id: Uuid | null
  /** Calculation run that wrote the row. */
  calculation_run_id: Uuid
  /** false if a later run has superseded the row. */
  is_current: boolean
}

export interface NettingAmountTotals {
  /** Number of current rows in the range. */
  rows: number
  /** The types that occur, by name. */
  by_type: readonly ({
    /** Type of the amount. Amounts of different types are never added. */
    amount_type: "supplier_payment_for_matched_consumption" | "producer_payment_for_bedelli_surplus" | "system_usage_fee_for_skb" | "sktt_matched_consumption" | "mesken_monthly_amount" | "estimated_savings" | "estimated_loss_or_risk"
    /** Number of rows of the type. */
    rows: number
    /** Number of these rows without a price. */
    rows_without_price: number
    /** Energy of all rows of the type, kWh. */
    quantity_kwh: string
    /** Sum of the priced rows, TRY; null: no row has a price. */
    amount_try: string | null
  })[]
}

export interface NettingComparison {
  /** Group. */
  group_id: Uuid
  /** Billing period: the first day of a Turkey-local month. */
  billing_period: BillingPeriod
  /** First compared hour: the start of the period. */
  from_hour: Instant
  /** End of the comparison, exclusive: the end of the period, or the current hour. */
  to_hour: Instant
  /** Rules that apply to the group. */
  scenario: "standard_hourly" | "mesken_monthly" | "invalid_group_bedelsiz"
  /** Side by which the group is netted; the other side is hypothetical. */
  netted_by: "hour" | "month"
  /** Side that the law prescribed in the period: the month for homes, and for all groups before 1 May 2026. Results are calculated by netted_by all the same. */
  side_in_force: "hour" | "month"
  /** Human-readable description of the method of both sides. */
  method: string
  /** Code of the method. */
  method_code: string
  /** Date whose prices apply to the month. */
  price_date: LocalDate
  /** Result of netting by hour. */
  hourly: ComparisonSide
  /** Result of netting as one month. */
  monthly: ComparisonSide
  /** Hourly minus monthly, by field. With a negative total_try hourly netting is worse for the owner. */
  difference: ComparisonSide
  /** Seven amount types, each for both sides. */
  amounts: readonly ComparedAmount[]
  /** Whether the side by which the group is netted equals the sum of the current results of the period. false if hours are not calculated yet, or facts, prices or balances have changed since. null without results. */
  agrees_with_results: boolean | null
  /** Limitations of the comparison in this period. */
  notes: readonly string[]
  /** The content of the note with the same index, without its text. */
  note_details: readonly ({
    /** Code of the note. */
    message_code: string
    /** Values in the text, by their names: decimals as text, instants and dates in ISO 8601. */
    parameters: Readonly<Record<string, unknown>>
  })[]
  /** Human-readable warnings. */
  warnings: readonly string[]
  /** Code of the warning with the same index. */
  warning_codes: readonly string[]
  /** The content of the warning with the same index, without its text. */
  warning_details: readonly WarningDetail[]
}

export interface NettingGroup {
  id: Uuid
  /** Name, unique in the tenant. */
  name: string
  /** Scope that represents one official party. */
  scope_id: Uuid | null
  /** Supplier that settles the group. */
  responsible_supplier_id: Uuid | null
  /** false if and only if group_status is inactive; an inactive group is not calculated. */
  is_active: boolean
  /** Status of the group; it advances one step at a time, and inactive is allowed from every status. inactive and is_active determine each other. */
  group_status: "customer_defined" | "ek1_submitted" | "grid_operator_confirmed" | "lum_reported" | "inactive"
  /** Result of the latest evaluation. */
  eligibility_status: "not_checked" | "valid" | "blocked"
  /** What happens when the input of a closed month changes: manual: an alarm opens, and a person corrects; automatic: in addition the service corrects after the quiet period. Until its settlement is final (day 15 of the next month) a month is also calculated again every night. */
  correction_mode: "manual" | "automatic"
  /** Minutes without a further change before an automatic correction. */
  correction_quiet_minutes: number
  /** true if a calculated period is stale. */
  stale: boolean
  /** Periods with calculated hours whose input has changed since, in time order. */
  stale_periods: readonly BillingPeriod[]
  /** Free text. */
  notes: string | null
  /** null for a record created through the API; otherwise the loader that created it, such as demo. */
  origin: string | null
  created_at: Instant
}

export interface NettingScope {
  id: Uuid
  /** Name, unique in the tenant. */
  name: string
  /** Reference of the party in external systems. */
  external_party_ref: string | null
  /** Free text. */
  notes: string | null
  /** Source of the declaration; null: not declared. */
  declaration_source: "customer_declaration" | "official_document" | "lum_report" | "gts_report" | null
  /** User who made the declaration. */
  declared_by: Uuid | null
  declared_at: Instant | null
  /** null for a record created through the API; otherwise the loader that created it, such as demo. */
  origin: string | null
  created_at: Instant
}

export interface NettingSettings {
  /** Export of a facility with storage in hours in which its discharge is unknown. true (default): the whole export counts as storage export and is free (bedelsiz). false: it counts as production, and its surplus is paid within the limit. */
  strict_storage_export: boolean
  /** Days from the receipt of an invoice to the last day of an objection; default 8. */
  objection_days: number
  /** Days before that day on which the reminder begins; default 3. */
  objection_reminder_days: number
  /** Time of the last change; null before the first. */
  updated_at: Instant | null
  /** User who made the last change. */
  updated_by: Uuid | null
}

export interface NewInvoiceObjectionStep {
  /** sent, answered (409 before it is sent), settled, or open again. */
  status: "open" | "sent" | "answered" | "settled"
  /** Day; not in the future. */
  on: LocalDate
  /** Amount, TRY. */
  amount_try?: number | string | undefined
  /** Note. */
  note?: string | undefined
}

export interface Notification {
  id: Uuid
  /** Incident of the notification; null for messages of the service about the delivery itself. */
  incident_id: Uuid | null
  /** Device of the incident. */
  device_id: Uuid | null
  /** Type of the event. */
  event_type: "raised" | "severity_changed" | "woken" | "closed" | "webhook_disabled" | "channel_disabled"
  /** Severity of the incident at the time of the event. */
  severity: "info" | "warning" | "critical"
  /** Name of the policy, webhook or channel. */
  title: string
  /** The title for people, in the language of the request: system policies have one in words. */
  title_text: string
  /** Human-readable description of the problem. */
  message: string
  /** Time of the event; for a device by sample time. */
  occurred_at: Instant
  /** Time at which the notification was created. */
  created_at: Instant
  /** Whether the caller has read the notification. */
  is_read: boolean
}

export interface NotificationChannel {
  id: Uuid
  /** Display name, unique in the tenant. */
  name: string
  /** Messaging platform of the channel. */
  type: "telegram" | "teams" | "slack" | "ntfy"
  /** Language of the messages. */
  language: "tr" | "en"
  /** telegram: id of the chat, or @name of a public channel. null for callers without manage:alarm. */
  chat_id: string | null
  /** ntfy: address of the server, without a path. */
  server_url: string | null
  /** ntfy: topic to which messages are published. null for callers without manage:alarm. */
  topic: string | null
  /** Whether a token or the URL of an incoming webhook is stored; it is never returned. */
  has_secret: boolean
  /** Minimum severity of the notifications that are sent. */
  min_severity: "info" | "warning" | "critical"
  /** Whether messages are sent. */
  is_active: boolean
  /** Time at which the service disabled the channel, because its platform refused messages. */
  disabled_at: Instant | null
  /** Number of failed attempts of the current message. */
  failures: number
  /** Time since which all messages have failed. */
  failing_since: Instant | null
  /** Reason of the last failed attempt. In the language of Accept-Language. */
  last_error: string | null
  /** Time of the last accepted message. */
  last_success_at: Instant | null
  created_at: Instant
  updated_at: Instant
}

export interface NotificationChannelTest {
  /** Whether the platform accepted the test message. */
  ok: boolean
  /** Human-readable result. In the language of Accept-Language. */
  message: string
}

export interface NotificationSettings {
  /** Whether the caller receives e-mails of policies that notify by e-mail. Default: true for users with manage:alarm. */
  email_enabled: boolean
  /** Minimum severity of e-mails. Default: warning. */
  email_min_severity: "info" | "warning" | "critical"
  /** Quiet hours, Turkey-local, HH:MM; they may span midnight. */
  quiet_from: string | null
  /** Quiet hours, Turkey-local, HH:MM; they may span midnight. */
  quiet_to: string | null
  /** Language of the e-mails. Default: tr. */
  language: "tr" | "en"
}

export interface NotificationWebhook {
  id: Uuid
  /** Display name, unique in the tenant. */
  name: string
  /** URL to which deliveries are posted; callers without manage:alarm receive only the host. */
  url: string
  /** Minimum severity of the events that are sent. */
  min_severity: "info" | "warning" | "critical"
  /** Whether deliveries are sent. Events that occur while the webhook is inactive wait. */
  is_active: boolean
  /** Time at which the service disabled the webhook because of too many failures. */
  disabled_at: Instant | null
  /** Number of failed attempts of the current delivery. */
  failures: number
  /** Time since which all deliveries have failed. */
  failing_since: Instant | null
  /** Reason of the last failed attempt. In the language of Accept-Language. */
  last_error: string | null
  /** Time of the last successful delivery. */
  last_success_at: Instant | null
  created_at: Instant
  updated_at: Instant
}

export interface NotificationWebhookTest {
  /** Whether the receiver accepted the test delivery. */
  ok: boolean
  /** Human-readable result. In the language of Accept-Language. */
  message: string
}

export interface NotificationWebhookWithSecret {
  id: Uuid
  /** Display name, unique in the tenant. */
  name: string
  /** URL to which deliveries are posted; callers without manage:alarm receive only the host. */
  url: string
  /** Minimum severity of the events that are sent. */
  min_severity: "info" | "warning" | "critical"
  /** Whether deliveries are sent. Events that occur while the webhook is inactive wait. */
  is_active: boolean
  /** Time at which the service disabled the webhook because of too many failures. */
  disabled_at: Instant | null
  /** Number of failed attempts of the current delivery. */
  failures: number
  /** Time since which all deliveries have failed. */
  failing_since: Instant | null
  /** Reason of the last failed attempt. In the language of Accept-Language. */
  last_error: string | null
  /** Time of the last successful delivery. */
  last_success_at: Instant | null
  created_at: Instant
  updated_at: Instant
  /** Secret with which deliveries are signed (whsec_ and base64), returned only in this response. */
  secret: string
}

export interface OidcProvider {
  /** Issuer of the provider: the address below which its discovery document is. */
  issuer: string
  /** Client id that the provider has given to the service. */
  client_id: string
  /** Requested scopes; `openid` is added. Default: openid, email. */
  scopes: readonly string[]
  /** Domains of the e-mail addresses whose users are linked or created, without subdomains. */
  allowed_domains: readonly string[]
  /** Whether a user is created for a verified address without a user. Default: false. */
  creates_users: boolean
  /** Role of created users; needed with `creates_users`. */
  role_id: Uuid | null
  /** Whether users can sign in at the provider. Default: true. */
  is_enabled: boolean
  /** Whether users can also sign in by password while the provider is enabled. Administrators and superusers always can. Default: true. */
  allows_password: boolean
  /** Redirect URI to register at the provider; null while PUBLIC_BASE_URL is not set. */
  redirect_uri: string | null
  created_at: Instant
  updated_at: Instant
}

export interface OidcProviderTest {
  /** Whether the provider can be used. */
  ok: boolean
  /** Human-readable result. */
  message: string
  /** Code of the result. */
  message_code: string
}

export interface OidcStart {
  /** Address at the provider to send the browser to. */
  authorization_url: string
  /** Secret that the browser keeps, for example in its session storage, for `/api/auth/oidc/token`. */
  sign_in_secret: string
  /** Seconds until the sign-in expires. */
  expires_in: number
}

export interface Optimisation {
  id: Uuid
  /** Name. */
  name: string
  /** What is optimised. */
  kind: "battery_dispatch" | "battery_next_day" | "assignment" | "limit_transfers" | "allocation"
  /** waiting: a job computes it; failed: see error. */
  state: "waiting" | "done" | "failed" | "cancelled"
  /** Groups. */
  group_ids: readonly Uuid[]
  /** First month. */
  from: BillingPeriod
  /** Last month. */
  to: BillingPeriod
  /** Steps of the computation. */
  steps_total: number
  /** Steps that are done. */
  steps_done: number
  /** Balance of the proposal less that of the base. */
  benefit_try: string | null
  /** What could still be missing. */
  gap_try: string | null
  /** true: a result of the base has changed since. */
  is_stale: boolean
  created_at: Instant
  finished_at: Instant | null
  /** User. */
  requested_by: Uuid | null
  /** As sent. */
  request: CreateOptimisation
  /** Field of the failure. */
  error_field: string | null
  /** Text of the failure. In the language of Accept-Language. */
  error: string | null
  /** What was computed, the best first. */
  candidates: readonly ({
    /** solver: the proposal of the solver; rule_group, rule_facility: self_consumption of a battery. */
    name: string
    /** Its balance. */
    balance_try: string | null
  })[]
  /** The ends of the band of a forecast. */
  outlooks: readonly ({
    /** low: little production and much consumption; high: the opposite. */
    name: string
    /** Balance without the batteries. */
    base_balance_try: string | null
    /** Balance with the same set points. */
    balance_try: string | null
  })[]
  /** Groups of an assignment. */
  groups: readonly ({
    group_id: Uuid
    /** Eligibility with the proposed members. */
    status: string
    /** Rules that fail. */
    failed: readonly string[]
  })[]
  /** null until it is computed. */
  result: {
    /** What happened. */
    base: {
      /** Production. */
      production_kwh: string | null
      /** Consumption. */
      consumption_kwh: string | null
      /** Matched energy. */
      matched_kwh: string | null
      /** Energy that is bought. */
      net_import_kwh: string | null
      /** Paid surplus. */
      bedelli_kwh: string | null
      /** Surplus over the limit. */
      skb_kwh: string | null
      /** Free surplus. */
      bedelsiz_kwh: string | null
      /** Limit used. */
      limit_used_kwh: string
      /** Revenue less fees and less the cost of the energy that is bought. */
      balance_try: string | null
    }
    /** The best candidate. All figures are computed by the rules of netting. */
    proposal: {
      /** Production. */
      production_kwh: string | null
      /** Consumption. */
      consumption_kwh: string | null
      /** Matched energy. */
      matched_kwh: string | null
      /** Energy that is bought. */
      net_import_kwh: string | null
      /** Paid surplus. */
      bedelli_kwh: string | null
      /** Surplus over the limit. */
      skb_kwh: string | null
      /** Free surplus. */
      bedelsiz_kwh: string | null
      /** Limit used. */
      limit_used_kwh: string
      /** Revenue less fees and less the cost of the energy that is bought. */
      balance_try: string | null
    }
    /** Name of the best candidate. */
    proposed_by: string
    /** Balance of the proposal less that of the base. */
    benefit_try: string | null
    /** No decision has a higher balance; null: nothing is proven. */
    bound_try: string | null
    /** Bound less the balance of the proposal: what could still be missing. */
    gap_try: string | null
    /** The same, in per cent of the bound. */
    gap_percent: string | null
    /** The proposal as changes of a scenario. */
    changes: readonly ScenarioChange[]
    /** The solver and its model. */
    solver: {
      /** Program and version. */
      name: string
      /** optimal: of its model; limit: ended by its time limit. */
      status: string
      /** Variables of the model. */
      columns: number
      /** Conditions of the model. */
      rows: number
    }
  } | null
}

export interface OptimisationHead {
  id: Uuid
  /** Name. */
  name: string
  /** What is optimised. */
  kind: "battery_dispatch" | "battery_next_day" | "assignment" | "limit_transfers" | "allocation"
  /** waiting: a job computes it; failed: see error. */
  state: "waiting" | "done" | "failed" | "cancelled"
  /** Groups. */
  group_ids: readonly Uuid[]
  /** First month. */
  from: BillingPeriod
  /** Last month. */
  to: BillingPeriod
  /** Steps of the computation. */
  steps_total: number
  /** Steps that are done. */
  steps_done: number
  /** Balance of the proposal less that of the base. */
  benefit_try: string | null
  /** What could still be missing. */
  gap_try: string | null
  /** true: a result of the base has changed since. */
  is_stale: boolean
  created_at: Instant
  finished_at: Instant | null
}

export interface OptimisedFlow {
  /** Facility that produces. */
  producer_id: Uuid
  /** Facility that consumes. */
  consumer_id: Uuid
  /** Its matched energy that the consumer gets. */
  matched_kwh: string
  /** The same, shared in proportion. */
  proportional_kwh: string
  /** Value of the energy. */
  value_try: string
}

export interface Organization {
  id: Uuid
  /** Type of the organization; zone_operator: operator of an industrial zone (OSB, EB). */
  org_type: "grid_operator" | "distribution_company" | "retail_company" | "zone_operator" | "meter_reading_org" | "supplier"
  /** Name, unique in the tenant and org_type. */
  name: string
  /** Whether the organization is active; lists omit inactive organizations by default. */
  is_active: boolean
  /** Whether the organization is visible in every tenant; such an organization cannot be changed through the API. */
  is_system: boolean
  created_at: Instant
}

export interface OsosConsumption {
  installation_id: Uuid
  /** Length of the buckets. */
  interval: "hourly" | "daily" | "monthly"
  /** Start of the first bucket. */
  from: Instant
  /** End of the last bucket. */
  to: Instant
  /** All buckets of the range in ascending order. */
  data: readonly ({
    /** Start of the bucket. */
    timestamp: Instant
    /** Energy drawn from the grid, kWh; null: no data, 0.000: no energy was drawn. */
    import_kwh: string | null
    /** Energy fed into the grid, kWh; null: no data, 0.000: no energy was fed. */
    export_kwh: string | null
    /** Import minus export, kWh; null if either is null. */
    net_kwh: string | null
    /** Number of hours of the bucket with a value. */
    hours_present: number
    /** Number of completed hours of the bucket. */
    hours_expected: number
  })[]
}

export interface OsosImport {
  id: Uuid
  /** Installation; null: a file for several installations. */
  installation_id: Uuid | null
  /** Name of the file; null: a JSON request. */
  file_name: string | null
  /** SHA-256 of the file, hexadecimal. */
  sha256: string | null
  /** Convention of the hour labels. hour_ending: 01:00 is the hour from 00:00 to 01:00, and 24:00 (or 00:00 of the next day) the last hour of a day. hour_starting: 01:00 is the hour from 01:00 to 02:00. null: register readings, which have no label. */
  label: "hour_ending" | "hour_starting" | null
  /** true: the values are kWh. false: the values are meter steps and are multiplied by the multiplier of the installation. */
  multiplied: boolean
  /** How a file of meter data was read; null: hourly official readings. */
  settings: {
    /** Kind of the values: register readings or interval energy. */
    value_kind: "register" | "interval"
    /** Unit of the values. */
    unit: "Wh" | "kWh" | "MWh"
    /** Factor of the values. */
    multiplier: string
    /** Length of an interval; null: derived from the register readings. */
    interval_minutes: number | null
    /** Offset of times without an offset of their own. */
    utc_offset: string
    /** Decimal mark of the values. */
    decimal_mark: "." | ","
  } | null
  /** Number of readings of the request, or rows of the file below its header, without rows of totals. */
  rows_read: number
  /** Number of new readings. */
  accepted: number
  /** Number of readings that were already stored. */
  unchanged: number
  /** Number of readings that replaced another value. */
  corrected: number
  /** Number of new or changed readings below zero. */
  suspect: number
  /** Number of rows that are not stored. */
  rejected: number
  /** User who sent the import. */
  created_by: Uuid | null
  created_at: Instant
}

export interface OsosImportForm {
  /** CSV file or XLSX workbook. */
  file: unknown
  /** Convention of the hour labels. hour_ending: 01:00 is the hour from 00:00 to 01:00, and 24:00 (or 00:00 of the next day) the last hour of a day. hour_starting: 01:00 is the hour from 01:00 to 02:00. */
  label: "hour_ending" | "hour_starting"
  /** true: the values are kWh. false: the values are meter steps and are multiplied by the multiplier of the installation. */
  multiplied: "true" | "false"
}

export interface OsosImportReport {
  /** Id of the request or file in the import log. */
  import_id: Uuid
  /** Number of readings of the request, or rows of the file below its header, without rows of totals. */
  rows_read: number
  /** Number of new readings. */
  accepted: number
  /** Number of readings that were already stored. */
  unchanged: number
  /** Number of readings that replaced another value. */
  corrected: number
  /** Number of new or changed readings below zero. */
  suspect: number
  /** Number of rows that are not stored. */
  rejected: number
  /** Number of new or changed hourly facts with the source osos_official_meter. */
  facts_written: number
  /** Days of these readings with fewer than 24 hours; the first 2000. */
  short_days: readonly ({
    installation_id: Uuid
    /** Turkey-local day. */
    date: LocalDate
    /** Number of hours of the day with a value, including those stored earlier; a day has 24. */
    hours_present: number
  })[]
  /** Number of days with fewer than 24 hours. */
  short_days_total: number
  /** Corrected, suspect and rejected rows in the order of the file; the first 2000. */
  rows: readonly ({
    /** Row of the sheet, or line of the file, from 1. */
    row: number
    /** accepted: new. unchanged: already stored. corrected: replaced another value, which is kept in the history. suspect: negative; stored without a value. rejected: not stored; the message contains the reason. */
    status: "accepted" | "unchanged" | "corrected" | "suspect" | "rejected"
    /** Reason for the status, if any. */
    message: string | null
  })[]
  /** Headers that were not recognized. */
  ignored_columns: readonly string[]
  /** Decimal mark that was used for the numbers of the file. */
  decimal_mark: "." | ","
}

export interface OsosImportedMonth {
  /** First day of the month (YYYY-MM-01). */
  billing_period: BillingPeriod
  /** Group of the facility of the readings in this month; null: the facility is in no group. */
  group_id: Uuid | null
  /** Name of the group. */
  group_name: string | null
  /** Hours of the month that the import stored, new or corrected, of the members of the group. */
  hours: number
  /** Start of the latest current run of the group in the month; null: not calculated. */
  calculated_at: Instant | null
}

export interface OsosInstallation {
  id: Uuid
  /** Installation number (tesisat no); unique in the tenant. */
  installation_no: string
  /** Facility of the official readings; metering points that refer to the installation take precedence while they are valid. */
  facility_id: Uuid | null
  /** Distribution company that reads the installation. */
  distribution_company_id: Uuid | null
  /** Factor from meter steps to kWh (çarpan); up to 6 decimals. */
  multiplier: string
  /** Measurement role at the facility. null: derived from a device at the same metering point, otherwise from the only kind of meter of the facility (production or consumption), otherwise the boundary (pcc_import_export). */
  measurement_role: "main_production" | "main_consumption" | "pcc_import_export" | "osb_eb_consumption" | null
  /** Source of the facts: osos_official_meter, or customer_declared for a meter that an import of meter data created. */
  fact_source: "osos_official_meter" | "customer_declared"
  created_at: Instant
}

export interface OsosReading {
  /** Start of the hour. */
  hour: Instant
  /** Energy drawn from the grid, kWh; null: not read, or suspect. */
  import_kwh: string | null
  /** Energy fed into the grid, kWh; null: not read, or suspect. */
  export_kwh: string | null
  /** Whether the reading was negative; the hour then has no value. */
  is_suspect: boolean
  /** Raw text of a suspect reading: import | export as read. */
  raw_text: string | null
  /** Percent of the hour that register readings cover; 100 for ready hourly energy. */
  completeness_pct: number
  /** Whether the register fell in or around the hour: the value is what the meter can have counted. */
  is_reset: boolean
  /** Revision of the value of the hour, from 1. */
  revision: number
  /** Import (request or file) of the value. */
  import_id: Uuid
  /** Time at which the value was stored. */
  stored_at: Instant
}

export interface OsosReadingsReport {
  /** Id of the request or file in the import log. */
  import_id: Uuid
  /** Number of readings of the request, or rows of the file below its header, without rows of totals. */
  rows_read: number
  /** Number of new readings. */
  accepted: number
  /** Number of readings that were already stored. */
  unchanged: number
  /** Number of readings that replaced another value. */
  corrected: number
  /** Number of new or changed readings below zero. */
  suspect: number
  /** Number of rows that are not stored. */
  rejected: number
  /** Number of new or changed hourly facts with the source osos_official_meter. */
  facts_written: number
  /** Days of these readings with fewer than 24 hours; the first 2000. */
  short_days: readonly ({
    installation_id: Uuid
    /** Turkey-local day. */
    date: LocalDate
    /** Number of hours of the day with a value, including those stored earlier; a day has 24. */
    hours_present: number
  })[]
  /** Number of days with fewer than 24 hours. */
  short_days_total: number
  /** Result of every reading, in the order of the request. */
  rows: readonly ({
    /** Index in the request, from 0. */
    index: number
    /** accepted: new. unchanged: already stored. corrected: replaced another value, which is kept in the history. suspect: negative; stored without a value. rejected: not stored; the message contains the reason. */
    status: "accepted" | "unchanged" | "corrected" | "suspect" | "rejected"
    /** Reason for the status, if any. */
    message: string | null
  })[]
}

export interface OtaBatch {
  id: Uuid
  /** Firmware version that is installed. */
  firmware_version_id: Uuid
  /** running, completed (every wave met its threshold), stopped by a threshold, or cancelled. */
  status: "running" | "completed" | "stopped" | "cancelled"
  /** Current or last wave, from 1. */
  wave: number
  /** Number of updates of each wave. */
  wave_sizes: readonly number[]
  /** Value of the request. */
  success_threshold_pct: number
  /** Value of the request. */
  error_threshold_pct: number
  /** Value of the request. */
  rollback_on_error: boolean
  /** Reason why the batch stopped. In the language of Accept-Language. */
  reason: string | null
  /** Number of updates by status; GET /api/ota/updates?batch_id= lists them. */
  counts: Readonly<Record<string, number>>
  /** User who started the batch. */
  created_by: Uuid | null
  created_at: Instant
  finished_at: Instant | null
}

export interface OtaUpdate {
  id: Uuid
  /** Device of the update, reached through a gateway on a message broker. */
  device_id: Uuid | null
  /** Gateway of the update; it must be connected to a message broker. */
  gateway_id: Uuid | null
  /** Firmware version that is installed. */
  firmware_version_id: Uuid
  /** Version of the firmware. */
  version: string
  /** Previous version of the device, if known. */
  from_version: string | null
  /** Batch of the update. */
  batch_id: Uuid | null
  /** Wave of the batch, from 1. */
  wave: number
  /** Status of the update; docs/understand/ota.md describes the transitions. */
  status: "queued" | "notified" | "downloading" | "downloaded" | "installing" | "succeeded" | "failed" | "cancelled"
  /** Progress in %, reported by the device or derived from the downloaded bytes. */
  progress_pct: number
  /** Number of the attempt, from 1. */
  attempt: number
  /** Number of remaining automatic retries after a deadline. */
  retries_left: number
  /** Reason for the failure. In the language of Accept-Language. */
  error: string | null
  /** Deadline of the current attempt; null until its wave begins. */
  deadline_at: Instant | null
  /** Update that this update rolls back. */
  rollback_of: Uuid | null
  /** User who started the update; null: the service. */
  created_by: Uuid | null
  created_at: Instant
  /** Time of the last notification of the device. */
  notified_at: Instant | null
  /** Time of the last change of the status. */
  changed_at: Instant
  finished_at: Instant | null
}

export interface OtaUpdateDetail {
  id: Uuid
  /** Device of the update, reached through a gateway on a message broker. */
  device_id: Uuid | null
  /** Gateway of the update; it must be connected to a message broker. */
  gateway_id: Uuid | null
  /** Firmware version that is installed. */
  firmware_version_id: Uuid
  /** Version of the firmware. */
  version: string
  /** Previous version of the device, if known. */
  from_version: string | null
  /** Batch of the update. */
  batch_id: Uuid | null
  /** Wave of the batch, from 1. */
  wave: number
  /** Status of the update; docs/understand/ota.md describes the transitions. */
  status: "queued" | "notified" | "downloading" | "downloaded" | "installing" | "succeeded" | "failed" | "cancelled"
  /** Progress in %, reported by the device or derived from the downloaded bytes. */
  progress_pct: number
  /** Number of the attempt, from 1. */
  attempt: number
  /** Number of remaining automatic retries after a deadline. */
  retries_left: number
  /** Reason for the failure. In the language of Accept-Language. */
  error: string | null
  /** Deadline of the current attempt; null until its wave begins. */
  deadline_at: Instant | null
  /** Update that this update rolls back. */
  rollback_of: Uuid | null
  /** User who started the update; null: the service. */
  created_by: Uuid | null
  created_at: Instant
  /** Time of the last notification of the device. */
  notified_at: Instant | null
  /** Time of the last change of the status. */
  changed_at: Instant
  finished_at: Instant | null
  /** Audit trail, oldest first; the last 200 events. */
  events: readonly ({
    /** What happened. */
    move: "notify" | "download" | "finish_download" | "install" | "succeed" | "fail" | "time_out" | "try_again" | "cancel" | "retry"
    /** Status after the event. */
    status: "queued" | "notified" | "downloading" | "downloaded" | "installing" | "succeeded" | "failed" | "cancelled"
    /** Who did it. */
    by: "operator" | "device" | "service"
    /** User who performed the action. */
    user_id: Uuid | null
    /** Human-readable reason. In the language of Accept-Language. */
    detail: string | null
    at: Instant
  })[]
}

export interface OverviewDayHour {
  /** Production of the facilities whose value is known; kWh. null: none is known. */
  production_kwh: string | null
  /** Consumption of the facilities whose value is known; kWh. null: none is known. */
  consumption_kwh: string | null
  /** Facilities whose production or consumption should be known by their meters and is not. */
  facilities_unknown: number
}

export interface OverviewEnergy {
  /** Time of the snapshot. */
  timestamp: Instant
  /** Today, Turkey-local. */
  date: LocalDate
  /** Facilities that are added up, at most 500. */
  facilities: number
  /** Whether there are more facilities; the parameters narrow the request. */
  is_truncated: boolean
  /** The 24 hours of the day. */
  hours: readonly ({
    /** Turkey-local hour of the day, 0 to 23. */
    hour: number
    /** The hour of today; without values until its facts are built. */
    today: OverviewDayHour
    /** The same hour of yesterday. */
    yesterday: OverviewDayHour
  })[]
  /** Hours from midnight that are compared: until the latest one of which today has a value. */
  compared_hours: number
  /** Values of facilities in the compared hours that the sums leave out, because they are unknown today or yesterday. */
  values_left_out: number
  /** Sums of the compared hours. */
  so_far: {
    /** Today. Only values that are known on both days are added up. */
    today: OverviewSoFar
    /** Yesterday, the same hours and facilities. */
    yesterday: OverviewSoFar
  }
}

export interface OverviewPower {
  /** Time of the snapshot, by which ages are to be computed. */
  timestamp: Instant
  /** Meters by the name of their facility and their own, at most 1000. */
  meters: readonly PowerMeter[]
  /** Whether there are more meters; the parameters narrow the request. */
  is_truncated: boolean
}

export interface OverviewSoFar {
  /** Production of the compared hours of the facilities whose value is known; kWh. null: none is known. */
  production_kwh: string | null
  /** Consumption of the compared hours of the facilities whose value is known; kWh. null: none is known. */
  consumption_kwh: string | null
}

export interface OwnTotp {
  /** Whether a login needs a one-time password. */
  enabled: boolean
  /** Time of the confirmation. */
  enabled_at: Instant | null
  /** Recovery codes that were not used. */
  recovery_codes_left: number
  /** Whether the tenant requires one-time passwords of its users. */
  required: boolean
}

export interface PendingSignup {
  /** For people. */
  message: string
  /** Identifies the signup when its link is requested again. */
  signup_id: Uuid
  /** End of the validity of the link. */
  expires_at: Instant
}

export interface PlaceLotoLock {
  /** Session of the work; it must be approved or applied. */
  session_id: Uuid
  /** Point at which the lock is placed; a point of the session. */
  point_id: Uuid
  /** Number on the padlock; unique among the locks in place in the session. */
  lock_number?: string | number | null | undefined
}

export interface PlainError {
  /** Human-readable description of the error. */
  detail: string
}

export interface PostOsosReadings {
  /** Convention of the hour labels. hour_ending: 01:00 is the hour from 00:00 to 01:00, and 24:00 (or 00:00 of the next day) the last hour of a day. hour_starting: 01:00 is the hour from 01:00 to 02:00. */
  label: "hour_ending" | "hour_starting"
  /** true: the values are kWh. false: the values are meter steps and are multiplied by the multiplier of the installation. */
  multiplied: boolean
  /** Readings in any order. */
  readings: readonly ({
    /** Label of the hour: a whole hour, ISO 8601; Turkey-local without an offset. */
    timestamp: string
    /** Energy drawn from the grid in the hour: at most 3 decimals, 6 if multiplied is false. */
    import_kwh?: number | string | null | undefined
    /** Energy fed into the grid in the hour: at most 3 decimals, 6 if multiplied is false. */
    export_kwh?: number | string | null | undefined
  })[]
}

export interface PostSamples {
  /** Samples in any order; late samples are accepted. */
  samples: readonly ({
    device_id: Uuid
    /** Time of the sample: ISO 8601 with any offset; Turkey-local without one. Stored with millisecond precision. */
    timestamp: Instant
    /** Values by metric. Cumulative registers in kWh (import_active_energy, export_active_energy, production_active_energy, battery_charge_energy, battery_discharge_energy) and kvarh (inductive_reactive_energy, capacitive_reactive_energy), kept to 6 decimals; voltage[_l1..3] V, current[_l1..3] A, active_power[_l1..3] kW with consumption positive, reactive_power kvar, apparent_power kVA, power_factor, frequency Hz, state_of_charge %, temperature °C. Other names are kept as extra values. */
    values: Readonly<Record<string, number>>
  })[]
}

export interface PowerMeter {
  /** Device, whose samples the live socket pushes. */
  device_id: Uuid
  /** Name of the device. */
  device_name: string
  /** Facility to which the device is assigned now. */
  facility_id: Uuid
  /** Name of the facility. */
  facility_name: string
  /** What the device measures there. */
  measurement_role: "main_production" | "main_consumption" | "osb_eb_consumption" | "pcc_import_export" | "battery"
  /** Latest active_power, kW; consumption and charging are positive, production and discharging negative. null: none in the last hour. */
  active_power_kw: number | null
  /** Time of the sample with this power. */
  timestamp: Instant | null
  /** Age in seconds from which a power is stale: three reporting intervals of the device and at least 30 seconds, five minutes if its interval is not recorded, and never more than its offline threshold. */
  stale_after_s: number
}

export interface PreviewAlarmPolicy {
  /** Policy as for creation; it need not exist. */
  policy: EvaluatedAlarmPolicy
  /** Number of days up to now; default 30. */
  days?: number | undefined
  /** Subset of the devices that the policy monitors; default: all of them, ordered by name, up to the limit. */
  device_ids?: readonly Uuid[] | undefined
}

export interface PriceSet {
  id: Uuid
  /** Month of the set: its first day. */
  billing_period: BillingPeriod
  /** Free text. */
  name: string | null
  /** Source of the prices. */
  source_note: string | null
  /** Status: draft → approved → archived; prices can change only in a draft. */
  approval_status: "draft" | "approved" | "archived"
  /** User who approved the set. */
  approved_by: Uuid | null
  approved_at: Instant | null
  /** User who created the set. */
  created_by: Uuid | null
  created_at: Instant
}

export interface ProveTotp {
  /** The current password. Only users without a password, who sign in by OpenID, may omit it. */
  password?: string | undefined
  /** Code of the authenticator app (6 digits) or a recovery code. */
  code: string
}

export interface PublicConfig {
  /** Name of the product. */
  name: string
  /** Version of the service. */
  version: string
  /** Whether POST /api/auth/signup is open. */
  tenant_signup_enabled: boolean
  /** Whether a signup has to be confirmed by a link before the account is created. */
  signup_verification_required: boolean
  /** Whether market prices are read and listed (MARKETOP_ENABLED). */
  market_prices_enabled: boolean
  /** Password policy for password reset, signup and invitation. */
  password_policy: {
    /** Minimum number of characters: 12. */
    min_length: number
    /** Maximum number of characters: 128. */
    max_length: number
    /** Whether a password needs at least one letter of any alphabet. */
    requires_letter: boolean
    /** Whether a password needs at least one digit. */
    requires_digit: boolean
  }
  /** Lifetime of an access token in seconds. */
  access_token_ttl_seconds: number
  /** Time zone of all days, months and hours of the market. */
  time_zone: string
  /** Currency of all amounts in the responses. */
  currency: string
}

export interface PutOidcProvider {
  /** Issuer of the provider: the address below which its discovery document is. */
  issuer: string
  /** Client id that the provider has given to the service. */
  client_id: string
  /** Client secret; never returned. Omitted: unchanged. It is needed for a new provider, and when `issuer` or `client_id` changes. */
  client_secret?: string | undefined
  /** Requested scopes; `openid` is added. Default: openid, email. */
  scopes?: readonly string[] | undefined
  /** Domains of the e-mail addresses whose users are linked or created, without subdomains. */
  allowed_domains: readonly string[]
  /** Whether a user is created for a verified address without a user. Default: false. */
  creates_users?: boolean | undefined
  /** Role of created users; needed with `creates_users`. */
  role_id?: Uuid | null | undefined
  /** Whether users can sign in at the provider. Default: true. */
  is_enabled?: boolean | undefined
  /** Whether users can also sign in by password while the provider is enabled. Administrators and superusers always can. Default: true. */
  allows_password?: boolean | undefined
}

export interface QuotaReport {
  /** The Turkey-local day of the daily quotas. */
  day: LocalDate
  /** Every quota with its use. */
  quotas: readonly ({
    /** What is limited. */
    name: "devices" | "samples_per_day" | "storage_bytes" | "exports_per_day"
    /** The quota; null: unlimited. */
    limit: number | null
    /** What is used now, or was used today. */
    used: number
  })[]
  /** Samples of field protocols that were not stored today, because a quota was used up. */
  samples_refused: number
  /** Time of the last estimate of the storage; null: not measured yet. */
  storage_measured_at: Instant | null
}

export interface RawConfigChange {
  /** Kind of object that changes. */
  kind: "setting" | "device" | "poll_group" | "register" | "map"
  template_id: Uuid | null
  /** Id of the device, key of the register or name of the setting. */
  name: string
  /** Kind of change from the compared configuration to this one. */
  change: "added" | "removed" | "changed"
  /** Changed fields, when the object was changed. */
  fields: readonly string[]
}

export interface RawConfigPreview {
  gateway_id: Uuid
  /** Type of gateway. */
  gateway_type: string
  /** SHA-256 of the pushed bytes of the configuration. */
  sha256: string
  /** Version that a sync would push; equal to the current one when nothing changes. */
  next_version: number
  /** Whether the configuration differs from the most recently pushed one. */
  is_changed: boolean
  /** null: nothing was pushed; pending: not yet confirmed by the gateway; drift: the gateway has another configuration; rejected: the gateway rejected it. */
  config_state: "in_sync" | "pending" | "drift" | "rejected" | null
  /** Version of the most recently pushed configuration. */
  synced_version: number | null
  /** Version reported by the gateway. */
  reported_version: number | null
  reported_at: Instant | null
  config_synced_at: Instant | null
  /** Reason why the gateway rejected the configuration. */
  reported_reason: string | null
  /** Size of the pushed configuration in bytes. */
  size_bytes: number
  /** Devices of the gateway, ordered by unit id. */
  devices: readonly ({
    device_id: Uuid
    /** Name. */
    name: string
    /** Modbus unit id (slave address). */
    unit_id: number | null
    template_id: Uuid | null
    /** Reason why the device is not polled. In the language of Accept-Language. */
    problem: string | null
    /** Registers of the map that are read over Modbus. */
    registers: readonly ({
      /** Key of the register in the register map. */
      key: string
      /** Metric under which the value is stored; null: the register is read only for other registers. */
      metric: string | null
      /** Modbus function, 1 to 4. */
      function: number
      /** Address of the first register. */
      address: number
      /** Number of registers; for functions 1 and 2 the number of bits. */
      count: number
      /** Data type of the raw value. */
      type: string
      /** Name of the poll group in the register map. */
      poll_group: string
    })[]
    /** Requests of one polling round, merged by the rules of the register map. */
    blocks: readonly ({
      /** Name of the poll group in the register map. */
      poll_group: string
      /** Modbus function, 1 to 4. */
      function: number
      /** Address of the first register, from 0. */
      address: number
      /** Number of registers; for functions 1 and 2 the number of bits. */
      count: number
      /** Keys of the registers that this request reads. */
      keys: readonly string[]
      /** Expected bus time in ms. */
      expected_ms: number
      /** Bus time in ms of the first round if the device refuses every request of several registers: each is split until the registers stand alone. */
      worst_case_ms: number
      /** Number of requests of that round, with the refused ones. */
      worst_case_requests: number
    })[]
  })[]
  /** Poll groups with their expected duration and period. */
  poll_groups: readonly ({
    /** Name. */
    name: string
    /** Polling period in ms. */
    period_ms: number
    /** Expected duration of one polling round of all devices in ms. */
    expected_ms: number
    /** Duration in ms of the first round if the devices refuse every request of several registers. It does not count for is_possible, because later rounds leave the refused registers out. */
    worst_case_ms: number
    /** Whether the expected duration is within the period. */
    is_possible: boolean
  })[]
  /** Share of the bus time that all poll groups need, %. */
  bus_load_pct: number
  /** Whether the periods of all poll groups can be met. */
  is_possible: boolean
  /** Changes compared with the most recently pushed configuration; at most 500. */
  changes: readonly RawConfigChange[]
  /** Total number of changes. */
  changes_total: number
  /** Polling state of a Modbus gateway: number of devices, number of healthy devices, and the devices with problems (device_id, state, error, refused). */
  polling: Readonly<Record<string, unknown>> | null
  polling_at: Instant | null
  /** Human-readable warnings. */
  warnings: readonly string[]
  /** Code of the warning with the same index. */
  warning_codes: readonly string[]
  /** The content of the warning with the same index, without its text. */
  warning_details: readonly WarningDetail[]
}

export interface RawConfigSynced {
  gateway_id: Uuid
  /** Version number of the configuration, incremented for each changed push to the gateway. */
  version: number
  /** SHA-256 of the pushed bytes of the configuration. */
  sha256: string
  /** false: the configuration was unchanged, and the same version was pushed again. */
  is_new: boolean
  /** pending: the gateway has not responded yet. */
  config_state: "in_sync" | "pending"
  config_synced_at: Instant
  /** Human-readable warnings. */
  warnings: readonly string[]
  /** Code of the warning with the same index. */
  warning_codes: readonly string[]
  /** The content of the warning with the same index, without its text. */
  warning_details: readonly WarningDetail[]
}

export interface RawConfigVersion {
  gateway_id: Uuid
  /** Version number of a pushed configuration, from 1. */
  version: number
  /** SHA-256 of the pushed bytes of the configuration. */
  sha256: string
  /** Size of the configuration in bytes. */
  size_bytes: number
  /** Whether it was pushed although the bus time did not suffice. */
  is_forced: boolean
  /** Time of the first push of this version. */
  created_at: Instant
  /** User who pushed it first. */
  created_by: Uuid | null
}

export interface RawConfigVersionDetail {
  gateway_id: Uuid
  /** Version number of a pushed configuration, from 1. */
  version: number
  /** SHA-256 of the pushed bytes of the configuration. */
  sha256: string
  /** Size of the configuration in bytes. */
  size_bytes: number
  /** Whether it was pushed although the bus time did not suffice. */
  is_forced: boolean
  /** Time of the first push of this version. */
  created_at: Instant
  /** User who pushed it first. */
  created_by: Uuid | null
  /** The configuration as it was pushed: `gateway`, `maps` by template, and `devices` (docs/integrate/modbus.md). */
  config: Readonly<Record<string, unknown>>
  /** Version with which it is compared; null: none, everything is added. */
  compared_with: number | null
  /** Changes from the compared version to this one; at most 500. */
  changes: readonly RawConfigChange[]
  /** Total number of changes. */
  changes_total: number
}

export interface ReactiveRatio {
  /** Device of the request. */
  device_id: Uuid | null
  /** Subregion of the request; for a device its current subregion. */
  subregion_id: Uuid | null
  /** Length of the buckets. */
  interval: "hourly" | "daily" | "monthly"
  /** Start of the first requested bucket. */
  start: Instant
  /** End of the last requested bucket. */
  end: Instant
  /** Contracted power that determines the limits, kW. */
  contracted_power_kw: number | null
  /** Legal limits. They apply to the totals of a billing period: see total. */
  limits: {
    /** exempt: up to 9 kW, no limit applies. below_50_kva and from_50_kva: by the contracted power, with kW taken as kVA. unknown: the contracted power is not known. */
    power_class: "exempt" | "below_50_kva" | "from_50_kva" | "unknown"
    /** Limit in % of the active energy; null if no limit applies or is known. */
    inductive_limit_pct: number | null
    /** Limit in % of the active energy; null if no limit applies or is known. */
    capacitive_limit_pct: number | null
    /** Source of the limits. */
    source: string
  }
  /** Totals of the whole range; for a month these are the figures relevant for billing. Ratios of hours and days only show the causes and are not billed. */
  total: {
    /** Active energy drawn from the grid, kWh: growth of import_active_energy. */
    active_energy_kwh: number | null
    /** Growth of inductive_reactive_energy, kvarh. */
    inductive_reactive_energy_kvarh: number | null
    /** Growth of capacitive_reactive_energy, kvarh. */
    capacitive_reactive_energy_kvarh: number | null
    /** Inductive energy divided by active energy, %; null without active energy or without data. */
    inductive_ratio_pct: number | null
    /** Capacitive energy divided by active energy, %; null without active energy or without data. */
    capacitive_ratio_pct: number | null
    /** ok, warning (from 90 % of the limit), exceeded (above the limit), or unknown (no ratio or no limit). */
    inductive_status: "ok" | "warning" | "exceeded" | "unknown"
    /** Status of the capacitive ratio, with the same values. */
    capacitive_status: "ok" | "warning" | "exceeded" | "unknown"
    /** The worse of both statuses; exceeded and warning take precedence over unknown. */
    status: "ok" | "warning" | "exceeded" | "unknown"
    /** Whether a part is a share of the register growth across a gap. */
    is_estimated: boolean
    /** Quality of the three energies, with the values of hourly facts. complete: measured throughout. partial: it has not ended, or a part is not covered by readings or is estimated. missing: no reading of the register; a value is an estimate. suspect: a reset or a false reading affects it. */
    data_quality: "complete" | "partial" | "missing" | "suspect"
  }
  /** Rows in ascending order; a bucket without data has no row. */
  data: readonly ({
    /** Start of the bucket. */
    timestamp: Instant
    /** Active energy drawn from the grid, kWh: growth of import_active_energy. */
    active_energy_kwh: number | null
    /** Growth of inductive_reactive_energy, kvarh. */
    inductive_reactive_energy_kvarh: number | null
    /** Growth of capacitive_reactive_energy, kvarh. */
    capacitive_reactive_energy_kvarh: number | null
    /** Inductive energy divided by active energy, %; null without active energy or without data. */
    inductive_ratio_pct: number | null
    /** Capacitive energy divided by active energy, %; null without active energy or without data. */
    capacitive_ratio_pct: number | null
    /** ok, warning (from 90 % of the limit), exceeded (above the limit), or unknown (no ratio or no limit). */
    inductive_status: "ok" | "warning" | "exceeded" | "unknown"
    /** Status of the capacitive ratio, with the same values. */
    capacitive_status: "ok" | "warning" | "exceeded" | "unknown"
    /** The worse of both statuses; exceeded and warning take precedence over unknown. */
    status: "ok" | "warning" | "exceeded" | "unknown"
    /** Whether a part is a share of the register growth across a gap. */
    is_estimated: boolean
    /** Quality of the three energies, with the values of hourly facts. complete: measured throughout. partial: it has not ended, or a part is not covered by readings or is estimated. missing: no reading of the register; a value is an estimate. suspect: a reset or a false reading affects it. */
    data_quality: "complete" | "partial" | "missing" | "suspect"
  })[]
  /** Meters that were evaluated. */
  meters: readonly ({
    device_id: Uuid
    /** Name of the meter. */
    device_name: string
    /** Whether the meter has sent a reactive register. Other meters are excluded from all figures. */
    has_reactive: boolean
  })[]
}

export interface ReadRate {
  /** Period of the data: from the config, otherwise from time_range, otherwise 7d. */
  period: "24h" | "today" | "yesterday" | "7d" | "30d" | "90d" | "1y" | "this_week" | "last_week" | "this_month" | "last_month" | "this_year"
  /** Display text of the period. */
  period_label: string | null
  /** Start of the first bucket. */
  start: Instant
  /** End of the last bucket, which may be incomplete. */
  end: Instant
  /** Number of expected samples of the devices with a known interval. */
  expected_count: number
  /** Number of received samples of these devices, for each device at most the expected number. */
  received_count: number
  /** Received divided by expected samples, %; null if none were expected. */
  read_rate_pct: number | null
  /** Samples by device. */
  devices: readonly ({
    device_id: Uuid
    /** Name of the device. */
    device_name: string
    /** Interval of the device, otherwise of the config; null: unknown, so no samples are expected. */
    reporting_interval_s: number | null
    /** Number of whole intervals from the later of start and the creation of the device until now. */
    expected_count: number | null
    /** Number of stored samples. */
    received_count: number
    /** Received divided by expected samples, %, at most 100; null if none were expected. */
    read_rate_pct: number | null
    /** Time of the latest sample. */
    last_seen: Instant | null
    /** Whether a sample was received within the offline threshold. */
    is_online: boolean
  })[]
}

export interface ReadinessResponse {
  /** State. */
  status: "ready" | "not_ready"
  /** The roles of the process: some of api, realtime, ingest, ocpp and jobs. */
  roles: readonly string[]
  /** State of each dependency: "ok", or the reason why it is unavailable. */
  checks: Readonly<Record<string, string>>
  /** Notes for the operator that do not affect readiness. */
  notes: readonly string[]
  /** State of the scheduled jobs; empty in a process without the role jobs. */
  jobs: readonly ({
    /** Name of a scheduled job. */
    name: string
    /** The last completed slot; null before the first. */
    last_slot: Instant | null
    /** Time at which the last slot was completed; null before the first. */
    last_success_at: Instant | null
    /** Seconds by which the next slot is overdue; 0 when all due slots are completed. */
    lag_seconds: number
  })[]
}

export interface ReadingsComparison {
  /** Marks a result from readings alone: without memberships, eligibility and booked usage. */
  data_basis: "readings_only"
  /** Facilities of the request, by id. */
  facility_ids: readonly Uuid[]
  /** Facilities that are netted: those with a main meter. */
  facilities: readonly ({
    facility_id: Uuid
    /** Name. */
    name: string | null
    /** Role that the meters in force define. */
    role: "production" | "consumption" | "mixed"
  })[]
  /** Assumed limits of the consumers. */
  limits: readonly ({
    facility_id: Uuid
    /** Turkey-local calendar year. */
    year: number
    /** Limit of the year without usage; null: not known; kWh. */
    limit_kwh: string | null
    /** Source of the limit: the account of the year with its adjustments and transfers, twice the consumption of the previous year, or no limit. */
    limit_basis: "limit_account" | "previous_year_consumption" | "unlimited"
  })[]
  /** First month. */
  from_period: BillingPeriod
  /** Last month. */
  to_period: BillingPeriod
  /** First hour. */
  from_hour: Instant
  /** End, exclusive: the end of the last month, or the current hour. */
  to_hour: Instant
  /** Number of completed hours. */
  hours_expected: number
  /** Number of hours in which every facility has its values. */
  hours_compared: number
  /** Compared hours as a percentage of the expected ones. */
  completeness_pct: number
  /** Human-readable description of the method of both sides. */
  method: string
  /** Code of the method. */
  method_code: string
  /** Result of netting by hour. null: no complete hour. */
  hourly: ComparisonSide | null
  /** Result of netting by month. null: no complete hour. */
  monthly: ComparisonSide | null
  /** Hourly minus monthly, by field. null: no complete hour. */
  difference: ComparisonSide | null
  /** Seven amount types, each for both sides; none without a complete hour. */
  amounts: readonly ComparedAmount[]
  /** The months of the range. Both sides use the limits from month to month. */
  months: readonly ({
    /** Month. */
    billing_period: BillingPeriod
    /** Number of completed hours. */
    hours_expected: number
    /** Number of hours in which every facility has its values. */
    hours_compared: number
    /** Compared hours as a percentage of the expected ones. */
    completeness_pct: number
    /** Rules that would apply; null: no complete hour. */
    scenario: "standard_hourly" | "mesken_monthly" | "invalid_group_bedelsiz" | null
    /** Date whose prices apply to the month. */
    price_date: LocalDate | null
    /** Result of netting by hour. null: no complete hour. */
    hourly: ComparisonSide | null
    /** Result of netting by month. null: no complete hour. */
    monthly: ComparisonSide | null
    /** Hourly minus monthly, by field. null: no complete hour. */
    difference: ComparisonSide | null
    /** Seven amount types, each for both sides; none without a complete hour. */
    amounts: readonly ComparedAmount[]
  })[]
  /** Assumptions and limitations. */
  notes: readonly string[]
  /** The content of the note with the same index, without its text. */
  note_details: readonly ({
    /** Code of the note. */
    message_code: string
    /** Values in the text, by their names: decimals as text, instants and dates in ISO 8601. */
    parameters: Readonly<Record<string, unknown>>
  })[]
  /** Human-readable warnings. */
  warnings: readonly string[]
  /** Code of the warning with the same index. */
  warning_codes: readonly string[]
  /** The content of the warning with the same index, without its text. */
  warning_details: readonly WarningDetail[]
}

export interface ReadingsForecast {
  /** Marks a result from readings alone: without memberships, eligibility and booked usage. */
  data_basis: "readings_only"
  /** Facilities of the request, by id. */
  facility_ids: readonly Uuid[]
  /** Facilities that are netted: those with a main meter. */
  facilities: readonly ({
    facility_id: Uuid
    /** Name. */
    name: string | null
    /** Role that the meters in force define. */
    role: "production" | "consumption" | "mixed"
  })[]
  /** Assumed limits of the consumers. */
  limits: readonly ({
    facility_id: Uuid
    /** Turkey-local calendar year. */
    year: number
    /** Limit of the year without usage; null: not known; kWh. */
    limit_kwh: string | null
    /** Source of the limit: the account of the year with its adjustments and transfers, twice the consumption of the previous year, or no limit. */
    limit_basis: "limit_account" | "previous_year_consumption" | "unlimited"
  })[]
  /** Number of completed hours. */
  hours_expected: number
  /** Number of hours in which every facility has its values. */
  hours_compared: number
  /** Compared hours as a percentage of the expected ones. */
  completeness_pct: number
  /** Turkey-local calendar year of the account. */
  year: number
  /** Common limit of the consumers in the year; null: the limit of a consumer is not known; kWh. */
  limit_kwh: string | null
  /** Usage so far, netted by hour from the readings; kWh. */
  used_kwh: string
  /** Remaining limit now; null: the limit of a consumer is not known; kWh. */
  remaining_kwh: string | null
  /** Whether the limit is used up; null: the limit of a consumer is not known. */
  is_exhausted: boolean | null
  /** Turkey-local day on which the limit is expected to be used up, or was used up; null if it lasts the whole year. */
  run_out_date: LocalDate | null
  /** Expected remaining limit at the end of the year; null: the limit of a consumer is not known; kWh. */
  remaining_at_year_end_kwh: string | null
  /** Expected usage from forecast_from to the end of the year without a limit; kWh. */
  expected_kwh: string
  /** Part of expected_kwh beyond the limit; null: the limit of a consumer is not known; kWh. */
  shortfall_kwh: string | null
  /** Current usage per day: mean of the last 28 whole days, or of all days if fewer; null without any; kWh. */
  daily_rate_kwh: string | null
  /** First day that is not completely calculated; the forecast begins on it. */
  forecast_from: LocalDate
  /** Basis of the forecast days: last year’s usage of the account, last year’s production of the group, the current usage per day, or nothing. */
  basis: "last_year_usage" | "last_year_production" | "recent_average" | "none"
  /** Human-readable description of the method of the forecast. */
  method: string
  /** Code of the method. */
  method_code: string
  /** Confidence of the forecast; the notes contain the reasons. */
  confidence: "high" | "medium" | "low"
  /** Number of completely calculated days of this year that are also known in last year. */
  compared_days: number
  /** Usage of this year on the compared days; kWh. */
  compared_kwh: string
  /** Usage or production of last year on the compared days; the forecast days are scaled by the ratio; kWh. */
  compared_last_year_kwh: string
  /** Number of past days that are not completely calculated and therefore not included. */
  missing_days: number
  /** Months of the forecast. */
  months: readonly ForecastMonth[]
  /** Limitations of the forecast. */
  notes: readonly string[]
  /** The content of the note with the same index, without its text. */
  note_details: readonly ({
    /** Code of the note. */
    message_code: string
    /** Values in the text, by their names: decimals as text, instants and dates in ISO 8601. */
    parameters: Readonly<Record<string, unknown>>
  })[]
}

export interface Realtime3Phase {
  device_id: Uuid
  /** Name of the device. */
  device_name: string
  /** Voltage, V, of phase 1. */
  voltage_l1: number | null
  /** Voltage, V, of phase 2. */
  voltage_l2: number | null
  /** Voltage, V, of phase 3. */
  voltage_l3: number | null
  /** Current, A, of phase 1. */
  current_l1: number | null
  /** Current, A, of phase 2. */
  current_l2: number | null
  /** Current, A, of phase 3. */
  current_l3: number | null
  /** Active power, kW, of phase 1. */
  active_power_l1: number | null
  /** Active power, kW, of phase 2. */
  active_power_l2: number | null
  /** Active power, kW, of phase 3. */
  active_power_l3: number | null
  /** Time of the latest value; null if the last 60 minutes (or the shorter threshold) have none. */
  timestamp: Instant | null
  /** Device status; offline: no sample within the window. */
  device_status: "online" | "offline"
}

export interface RealtimeGauge {
  device_id: Uuid
  /** Name of the device. */
  device_name: string
  /** Name of the metric. */
  metric: string
  /** Unit from the config, otherwise of the metric; null: unknown. */
  unit: string | null
  /** Latest value within the window. */
  value: number | null
  /** Time of the latest value; null if the last 60 minutes (or the shorter threshold) have none. */
  timestamp: Instant | null
  /** Device status; offline: no sample within the window. */
  device_status: "online" | "offline"
  /** Lower end of the scale. */
  min_range: number | null
  /** Upper end of the scale. */
  max_range: number | null
  /** Threshold of the warning range. */
  warning_threshold: number | null
  /** Threshold of the critical range. */
  critical_threshold: number | null
}

export interface RealtimePower {
  device_id: Uuid
  /** Name of the device. */
  device_name: string
  /** Active power, kW, consumption positive. */
  active_power: number | null
  /** Reactive power, kvar. */
  reactive_power: number | null
  /** Apparent power, kVA. */
  apparent_power: number | null
  /** Power factor. */
  power_factor: number | null
  /** Time of the latest value; null if the last 60 minutes (or the shorter threshold) have none. */
  timestamp: Instant | null
  /** Device status; offline: no sample within the window. */
  device_status: "online" | "offline"
}

export interface RealtimeValue {
  device_id: Uuid
  /** Name of the device. */
  device_name: string
  /** Name of the metric. */
  metric: string
  /** Unit from the config, otherwise of the metric; null: unknown. */
  unit: string | null
  /** Latest value within the window. */
  value: number | null
  /** Time of the latest value; null if the last 60 minutes (or the shorter threshold) have none. */
  timestamp: Instant | null
  /** Device status; offline: no sample within the window. */
  device_status: "online" | "offline"
}

export interface RebuildFacts {
  /** Start, inclusive, truncated to the hour. */
  from_hour: Instant
  /** End, exclusive, truncated to the hour. At most 7 days after from_hour. */
  to_hour: Instant
}

export interface RebuiltFacts {
  facility_id: Uuid
  /** First hour of the range. */
  from_hour: Instant
  /** End of the range. */
  to_hour: Instant
  /** Number of whole hours of the range, without the current and later hours. */
  hours_processed: number
  /** Number of new or changed rows. */
  rows_upserted: number
}

export interface Reconciliation {
  /** Group. */
  group_id: Uuid
  /** Billing period: the first day of a Turkey-local month. */
  billing_period: BillingPeriod
  /** Number of rows with figures in the file. */
  rows_read: number
  /** Number of rows in which all figures agree. */
  matched_rows: number
  /** Number of rows with a figure that does not agree. */
  different_rows: number
  /** Figures that do not agree, in the order of the file. */
  rows: readonly ({
    /** Row of the sheet, or line of the file, from 1. */
    row: number
    /** Local time that the row concerns: 2026-11, 2026-11-05 or 2026-11-05 13:00. */
    key: string
    /** Facility, if the row concerns one facility. */
    facility_id: Uuid | null
    /** Name of the figure. */
    field: "production_kwh" | "consumption_kwh" | "matched_kwh" | "surplus_kwh" | "net_import_kwh" | "bedelli_kwh" | "skb_kwh" | "bedelsiz_kwh" | "matched_try" | "bedelli_try" | "skb_try" | "sktt_try" | "mesken_try"
    /** Value of the file. */
    theirs: string
    /** Value of the current results; null if no amount has a price. */
    ours: string | null
    /** Value of the file minus value of the results; null if the latter is null. */
    difference: string | null
  })[]
  /** Keys of the calculated hours (or days) of the month that are missing in a file by hour (or day). */
  missing_theirs: readonly string[]
  /** Rows of the file for periods that are not calculated. */
  missing_ours: readonly ({
    /** Row of the file. */
    row: number
    /** Local time that the row concerns: 2026-11, 2026-11-05 or 2026-11-05 13:00. */
    key: string
  })[]
  /** Rows and cells that could not be read; the other rows and cells are compared. */
  bad_rows: readonly ({
    /** Row of the sheet, or line of the file, from 1. */
    row: number
    /** Header of the column in the file; null if the whole row is concerned. */
    column: string | null
    /** Reason why the row or cell was skipped. */
    message: string
  })[]
  /** Lengths of the four lists; each list contains at most 2000 entries. */
  counts: {
    /** Number of figures that do not agree. */
    rows: number
    /** Number of keys that are missing in the file. */
    missing_theirs: number
    /** Number of rows for periods that are not calculated. */
    missing_ours: number
    /** Number of rows and cells that could not be read. */
    bad_rows: number
  }
  /** Totals of the compared rows, by figure. */
  totals: readonly ({
    /** Name of the figure. */
    field: "production_kwh" | "consumption_kwh" | "matched_kwh" | "surplus_kwh" | "net_import_kwh" | "bedelli_kwh" | "skb_kwh" | "bedelsiz_kwh" | "matched_try" | "bedelli_try" | "skb_try" | "sktt_try" | "mesken_try"
    /** Sum of the compared figures of the file. */
    theirs: string
    /** Sum of the compared figures of the results. */
    ours: string
    /** Value of the file minus value of the results. */
    difference: string
    /** Number of compared figures. */
    compared: number
    /** Number of figures that differ by more than the tolerance. */
    different: number
  })[]
  /** Likely causes of many differences. */
  hints: readonly ({
    /** Likely cause. */
    code: "HOURS_SHIFTED" | "DIFFERENCES_LOOK_LIKE_VAT"
    /** Values of the cause: hours and label, or rate_pct. */
    parameters: Readonly<Record<string, string | number>>
    /** Text of the cause. */
    message: string
  })[]
  /** Label that was used for the hours of the file. */
  label: "hour_ending" | "hour_starting"
  /** Applied tolerance for energies, kWh. */
  tolerance_kwh: string
  /** Applied tolerance for amounts, TRY. */
  tolerance_try: string
  /** Recognized columns: name of the figure by header of the file. */
  columns: Readonly<Record<string, string>>
  /** Headers that were not recognized. */
  ignored_columns: readonly string[]
  /** Decimal mark that was used for the numbers of the file. */
  decimal_mark: "." | ","
  /** Format. */
  format: "table" | "invoice_table" | "e_fatura" | "pdf"
  /** As stated. */
  invoice: {
    /** Number of the invoice. */
    number: string | null
    /** Date of the invoice. */
    issue_date: string | null
    /** Last day of payment. */
    due_date: string | null
    /** Name of the supplier. */
    supplier: string | null
    /** Tax number (VKN or TCKN) of the supplier. */
    supplier_tax_id: string | null
  }
  /** Lines: differing ones, then undecidable, then agreeing; at most 2000. */
  lines: readonly ({
    /** Row or position. */
    line: number
    /** Text of the line, or header of its column. */
    description: string | null
    /** Charge; null: unknown. */
    kind: "matched" | "bedelli" | "skb" | "sktt" | "mesken" | "production" | "consumption" | "surplus" | "net_import" | "bedelsiz" | "energy_fund" | "trt_share" | "consumption_tax" | "net_total" | "vat_total" | "gross_total" | null
    /** Local time: 2026-11, 2026-11-05 or 2026-11-05 13:00. */
    key: string
    /** Facility, if the line names one of the group. */
    facility_id: Uuid | null
    /** Price step (kademe). */
    step_no: number | null
    /** Energy of the line, kWh. */
    quantity_kwh: string | null
    /** Price of the line, TRY/kWh. */
    unit_price_try_per_kwh: string | null
    /** Amount of the line without value added tax, TRY. */
    amount_try: string | null
    /** Rate of value added tax, per cent. */
    vat_rate_pct: string | null
    /** Value added tax of the line, TRY. */
    vat_try: string | null
    /** Verdict. */
    verdict: "agreeing" | "differing" | "undecidable"
    /** Cause. */
    cause: "hour" | "quantity" | "unit" | "limit" | "price_row" | "tier" | "vat" | "fund" | "arithmetic" | "rounding" | "duplicate" | "unknown" | null
    /** Text. */
    reason: string | null
    /** The figures that differ. */
    differences: readonly ({
      /** Figure of the line. */
      field: "quantity_kwh" | "unit_price_try_per_kwh" | "amount_try" | "rate_pct" | "vat_rate_pct" | "vat_try" | "gross_try"
      /** Value of the invoice, in the unit of the field. */
      theirs: string
      /** Our value. */
      ours: string | null
      /** Value of the invoice minus ours. */
      difference: string | null
    })[]
    /** Difference, TRY. */
    claim_try: string | null
    /** Tariff rows that the results use for the line. */
    our_prices: readonly ({
      /** Row of a tariff. */
      tariff_price_id: Uuid
      /** Name. */
      name: string
      /** Price, TRY/kWh. */
      price_try_per_kwh: string
    })[]
    /** Row used instead. */
    their_price: {
      /** Row of a tariff. */
      tariff_price_id: Uuid
      /** Name. */
      name: string
      /** Price, TRY/kWh. */
      price_try_per_kwh: string
    } | null
  })[]
  /** Numbers of all lines. */
  line_counts: {
    /** Number of agreeing lines. */
    agreeing: number
    /** Number of differing lines. */
    differing: number
    /** Number of undecidable lines. */
    undecidable: number
  }
  /** Sum of the differences. */
  claim_try: string
  /** Current runs. */
  runs: readonly ({
    /** Run. */
    run_id: Uuid
    /** SHA-256 of its input. */
    input_hash: string
    /** Version of the engine. */
    engine_version: string
  })[]
  /** How the file was read. */
  reading: {
    /** Fingerprint of the headers or elements, for a field mapping. */
    layout: string
    /** Field mapping that was used; null: none. */
    mapping: {
      /** Mapping. */
      id: Uuid
      /** Its supplier. */
      supplier: string
      /** supplier: the latest one of the supplier, because the layout has none. */
      matched_by: "layout" | "supplier"
    } | null
    /** Columns or elements, and what they are taken for. */
    fields: readonly ({
      /** Header, or path of the element below its line. */
      source: string
      /** Row of the header; null: an element. */
      row: number | null
      /** What it is taken for; null: not used. */
      column: string | null
      /** How sure it is: docs/understand/netting/invoice-check.md. */
      certainty: "corrected" | "known" | "similar" | "unknown"
      /** What its name resembles. */
      suggestion: string | null
      /** First values. */
      values: readonly string[]
    })[]
    /** Texts of the lines and their charges; at most 200. */
    line_texts: readonly ({
      /** Text of the line. */
      text: string
      /** Charge that it is taken for; null: none. */
      kind: string | null
      /** How sure it is: docs/understand/netting/invoice-check.md. */
      certainty: "corrected" | "known" | "similar" | "unknown"
      /** Number of lines with it. */
      count: number
    })[]
  }
}

export interface RecoveryCodes {
  /** Codes that replace a one-time password, each once. They are not shown again. */
  recovery_codes: readonly string[]
}

export interface RedeemOidcCode {
  /** One-time code from the fragment of the address that the browser returned to; valid for 60 seconds. */
  code: string
  /** Secret of `/api/auth/oidc/start`. */
  sign_in_secret: string
}

export interface RedeemZigbeeClaim {
  /** Code; dashes and case are ignored. */
  code: string
  /** IEEE address of the coordinator. An existing gateway of the tenant with this address receives a new login instead of a duplicate. */
  ieee_address?: string | null | undefined
}

export interface RedeemedZigbeeClaim {
  gateway_id: Uuid
  /** Name of the gateway. */
  gateway_name: string
  /** Values for the section mqtt of the configuration of zigbee2mqtt. */
  mqtt: {
    /** User name: the id of the gateway. */
    username: string
    /** Password, returned only in this response; null if an external broker manages its users. */
    password: string | null
    /** Topic prefix of the gateway; at the embedded broker topics need not begin with it. */
    topic_root: string
    /** Base topic of zigbee2mqtt, below topic_root. */
    base_topic: string
    /** Port of the embedded broker for MQTT over TLS; absent if it has none. */
    tls_port?: number | undefined
  }
}

export interface Refresh {
  /** Refresh token of the login. */
  refresh_token: string
}

export interface RefreshResponse {
  /** New access token; valid for 30 minutes. */
  access_token: string
}

export interface Region {
  id: Uuid
  /** Name, unique in the tenant. */
  name: string
  /** Short code assigned by the operator. */
  code: string | null
  /** Free text. */
  description: string | null
  created_at: Instant
}

export interface RegulatedPrice {
  id: Uuid
  price_set_id: Uuid
  /** First Turkey-local day on which the price is valid. */
  valid_from: LocalDate
  /** Last day on which the price is valid, inclusive; null: open. */
  valid_to: LocalDate | null
  /** Month from which the row is used for pricing. */
  billing_period: BillingPeriod
  /** Subscriber group. */
  abone_grubu: "mesken" | "ticarethane" | "sanayi" | "tarimsal_sulama" | "aydinlatma" | "other"
  /** Voltage level of the facilities that the price is for: AG low, OG medium, YG high; null: all. */
  gerilim_seviyesi: "AG" | "OG" | "YG" | null
  /** Short code of the tariff in the published table. */
  tariff_code: string | null
  /** Class within the group, such as lisanssiz_uretici_1 of a system_usage row. */
  tariff_class: string | null
  /** Purpose of the price. */
  price_purpose: "mahsuplasma_related_tariff" | "mahsuplasma_lowest_related_tariff" | "sktt_active_energy" | "customer_bill_active_energy" | "system_usage" | "distribution" | "other"
  /** Time segment; tek: single-time; null: any. */
  time_segment: "tek" | "gunduz" | "puant" | "gece" | null
  /** Step (kademe) of the price; null: any. */
  step_no: number | null
  /** Unit (informational); the price is always interpreted as TRY/kWh. */
  unit: string | null
  /** Price, TRY/kWh, without taxes. */
  price: string
  /** Source of the row. */
  source_note: string | null
  created_at: Instant
}

export interface ReplacedOsosReading {
  /** Start of the hour. */
  hour: Instant
  /** Energy drawn from the grid, kWh; null: not read, or suspect. */
  import_kwh: string | null
  /** Energy fed into the grid, kWh; null: not read, or suspect. */
  export_kwh: string | null
  /** Whether the reading was negative; the hour then has no value. */
  is_suspect: boolean
  /** Raw text of a suspect reading: import | export as read. */
  raw_text: string | null
  /** Percent of the hour that register readings cover; 100 for ready hourly energy. */
  completeness_pct: number
  /** Whether the register fell in or around the hour: the value is what the meter can have counted. */
  is_reset: boolean
  /** Revision of the value of the hour, from 1. */
  revision: number
  /** Import (request or file) of the value. */
  import_id: Uuid
  /** Time at which the value was stored. */
  stored_at: Instant
  /** Time at which another value replaced this one. */
  replaced_at: Instant
  /** Import (request or file) of the replacing value. */
  replaced_by: Uuid
}

export interface RequestChargerFile {
  /** Kind of the file: diagnostics, or the log of security events. */
  kind: "diagnostics" | "security"
  /** Upload URL that the station can reach (http, https, ftp, ftps, sftp). Default: this service. */
  location?: string | undefined
  /** Only entries at or after this time. */
  from?: Instant | undefined
  /** Only entries before this time. */
  to?: Instant | undefined
  /** Number of upload retries of the station. */
  retries?: number | undefined
  /** Seconds between two attempts. */
  retry_interval_seconds?: number | undefined
}

export interface RequestCompositeSchedule {
  /** Connector number, the EVSE in OCPP 2.0.1; 0: the whole station. */
  connector_id?: number | undefined
  /** Duration of the requested schedule in seconds. */
  duration_seconds: number
  /** Unit of the limits; absent: the station chooses. */
  unit?: "W" | "A" | null | undefined
}

export interface RequestedChargerFile {
  /** Command that was sent to the station. */
  command: ChargerCommand
  /** Id of the file; null if it is uploaded to another location. */
  file_id: Uuid | null
}

export interface ResendSignup {
  /** From the response of the signup. */
  signup_id: Uuid
  /** E-mail address (ASCII); unique in the whole service, case-insensitive. */
  email: string
}

export interface Reservation {
  id: Uuid
  /** Id of the record in OCPP. */
  reservation_number: number
  charger_id: Uuid
  /** Connector number, the EVSE in OCPP 2.0.1; 0: any free connector. */
  connector_id: number
  /** Id tag for which the connector is reserved. */
  id_tag: string
  /** Group whose tags may also use the reservation. */
  parent_tag: string | null
  /** State of the reservation: pending until the station has responded. */
  state: "pending" | "active" | "rejected" | "used" | "expired" | "cancelled"
  /** Reason for a rejection (faulted, occupied, unavailable, rejected, or the end of its command), or an anomaly of the reservation. */
  reason: string | null
  /** Expiry of the reservation. */
  expires_at: Instant
  /** Command that sends the password to the station. */
  command_id: Uuid | null
  /** Session that used the reservation. */
  session_id: Uuid | null
  /** User who requested the operation. */
  requested_by: Uuid | null
  created_at: Instant
  /** Time at which the reservation ended. */
  ended_at: Instant | null
}

export interface ResetConfirm {
  /** Token from the most recent mail; can be used once, within 60 minutes unless configured otherwise. */
  token: string
  /** New password: at least one letter (of any script, including Turkish letters) and one digit. */
  new_password: string
}

export interface ResetRequest {
  /** E-mail address, case-insensitive. */
  email: string
}

export interface Role {
  id: Uuid
  /** Name, unique in the tenant. */
  name: string
  /** Permissions of the role. */
  permissions: readonly string[]
  /** Whether the role is one of admin, operator and viewer, which cannot be changed or deleted. */
  is_system: boolean
  created_at: Instant
}

export interface RollbackOtaBatch {
  /** Started rollback updates. */
  updates: readonly Uuid[]
  /** Updates of the batch that cannot be rolled back. */
  skipped: readonly ({
    update_id: Uuid
    /** Reason why there is no rollback, in the language of Accept-Language. */
    reason: string
    /** Code of the reason. */
    message_code: string
    /** The values in the reason, by their names. */
    parameters: Readonly<Record<string, unknown>>
  })[]
}

export interface RowFault {
  /** Row number as in a spreadsheet: the headers are row 1, blank rows are counted. */
  row: number
  /** Description of the error, with the column. */
  message: string
  /** Code of the message. */
  message_code: string
  /** Parameters of the message. */
  parameters: Readonly<Record<string, unknown>>
}

export interface RunFrames {
  /** Format: "ems-register-map/1". */
  format: "ems-register-map/1"
  /** Manufacturer of the device. */
  vendor?: string | null | undefined
  /** Device models to which the map applies. */
  model?: string | null | undefined
  /** Version of the map. */
  version?: string | null | undefined
  /** Notes for users of the map. */
  notes?: string | null | undefined
  /** Transports over which the device can be read. */
  transports: readonly ("modbus_tcp" | "modbus_rtu" | "mqtt" | "zigbee")[]
  /** Source of the addresses. */
  source?: {
    /** Title of the source document of the addresses. */
    title: string
    /** Version or date of the source document. */
    version?: string | null | undefined
    /** URL of the source document. */
    url?: string | null | undefined
    /** Reference with which the addresses were compared. */
    checked_against?: string | null | undefined
  } | undefined
  /** Default communication settings of the device. */
  defaults?: {
    /** Unit id (slave address) for devices without one of their own. */
    unit_id?: number | null | undefined
    /** big: the first register contains the high word. */
    word_order?: "big" | "little" | null | undefined
    /** big: the first byte of a register is the high one. */
    byte_order?: "big" | "little" | null | undefined
    /** Maximum number of registers per request. */
    max_block?: number | null | undefined
    /** Maximum number of unused registers that are read to merge two blocks. */
    max_gap?: number | null | undefined
    /** Response timeout in ms. */
    timeout_ms?: number | null | undefined
    /** Number of retries after a timeout. */
    retries?: number | null | undefined
    /** Pause after each response in ms. */
    inter_request_ms?: number | null | undefined
    /** Pause after a connection is established in ms. */
    connect_delay_ms?: number | null | undefined
    /** false: the connection is closed after each round. */
    keep_connection?: boolean | null | undefined
    /** Baud rate of a serial line behind a gateway. */
    baud_rate?: number | null | undefined
  } | undefined
  /** Poll groups (registers that are read together), by name. */
  poll_groups?: Readonly<Record<string, {
      /** Polling period of the group in ms. */
      period_ms: number
    }>> | undefined
  /** Registers of the device, one value each. */
  registers?: readonly ({
    /** Key of the register, unique in the map. */
    key: string
    /** For people. */
    label?: string | null | undefined
    /** Name of the metric; null: the register is read only for other registers (a scale factor). */
    metric?: string | null | undefined
    /** Phase, for a value of one phase. */
    phase?: "l1" | "l2" | "l3" | "n" | "total" | null | undefined
    /** Direction of an energy or power. */
    direction?: "import" | "export" | null | undefined
    /** Quadrant of a reactive energy. */
    quadrant?: number | null | undefined
    /** Register address from 0, as on the wire; null when the value is available only over MQTT. */
    address?: number | null | undefined
    /** Modbus function: 1 to 4 read; 5, 6, 15, 16 write. */
    function?: number | null | undefined
    /** Data type of the raw value. */
    type: "bool" | "u8" | "i8" | "u16" | "i16" | "u32" | "i32" | "u64" | "i64" | "f32" | "f64" | "string" | "bitfield" | "enum" | "bcd16" | "bcd32" | "mod10k32" | "mod10k64"
    /** Number of registers; null: the size of the type. */
    count?: number | null | undefined
    /** null: the value of the defaults applies. */
    byte_order?: "big" | "little" | null | undefined
    /** null: the value of the defaults applies. */
    word_order?: "big" | "little" | null | undefined
    /** Scale: value = raw × scale + offset, in unit. */
    scale?: number | null | undefined
    /** Offset, added after the scale is applied. */
    offset?: number | null | undefined
    /** Key of the register that contains the exponent of the power of ten (SunSpec). */
    scale_factor_ref?: string | null | undefined
    /** Unit of the value after scaling; the value is stored in the unit of the metric. */
    unit?: string | null | undefined
    /** Kind of value. */
    kind: "cumulative_counter" | "interval_delta" | "gauge" | "state"
    /** Value at which the counter wraps around to 0, in the unit of the metric. */
    counter_max?: number | null | undefined
    /** Interpretation of a decreasing counter value. */
    reset_policy?: "detect" | "wrap" | null | undefined
    /** Raw numbers or bit patterns that represent a missing value. */
    na_values?: readonly (string | number)[] | null | undefined
    /** Minimum plausible value; a lower value is a read error; in the unit of the metric. */
    min?: number | null | undefined
    /** Maximum plausible value; a higher value is a read error; in the unit of the metric. */
    max?: number | null | undefined
    /** Bit of the raw word; 0 is the least significant. */
    bit?: number | null | undefined
    /** Bit mask applied to the raw value; the result is shifted to the least significant bit. */
    mask?: string | null | undefined
    /** Texts by raw number; for a bitfield, by bit. */
    enum?: Readonly<Record<string, string>> | null | undefined
    /** Name of a poll group of this map. */
    poll_group?: string | null | undefined
    /** Access: read, write or both. */
    access?: "r" | "w" | "rw" | null | undefined
    /** Deadband: smaller changes are not sent; in the unit of the metric. */
    deadband?: number | null | undefined
    /** Number of decimals of the value in the unit of the metric; null: no rounding. */
    precision?: number | null | undefined
    /** Path of the value in a message: $.ENERGY.Total, or status/em:0 $.a_voltage. */
    mqtt_path?: string | null | undefined
  })[] | undefined
  /** Recorded data of a device, with or without expected values. */
  tests?: readonly ({
    /** For people. */
    name?: string | null | undefined
    /** Response frames of the device in hex. */
    frame?: string | null | undefined
    /** Registers contained in each frame: 72+2, or 3:72+2 with the function. */
    registers?: string | null | undefined
    /** Topic of a message. */
    topic?: string | null | undefined
    /** Example message of the device. */
    message?: unknown | undefined
    /** Expected values by key, in the unit of the metric; null: no value. Absent: only decoded. */
    expect?: Readonly<Record<string, string | number | boolean | null>> | null | undefined
  })[] | undefined
}

export interface SampleOutcome {
  /** Number of stored samples: new samples, and stored samples with new metrics. */
  accepted: number
  /** Number of samples that were already stored and changed nothing. */
  duplicates: number
  /** Samples that were set aside with a reason and are not used as data: GET /api/measurements/set-aside. */
  set_aside: readonly ({
    /** Index in the request, from 0. */
    index: number
    /** future_timestamp: over 5 minutes ahead. epoch_timestamp: before 2010, from a clock that was never set. negative_register: a cumulative register below zero. conflicts_with_stored: contradicts a value that is stored for the same device and instant, which stays. sealed_month: new to a month that is so old that it is closed to writing. */
    reason: "future_timestamp" | "epoch_timestamp" | "negative_register" | "conflicts_with_stored" | "sealed_month"
  })[]
}

export interface SaveInvoiceMapping {
  /** Tax number or name of the supplier; case and Turkish letters do not count. */
  supplier: string
  /** `layout` of a preview or check. */
  layout: string
  /** Corrected columns and elements. */
  columns: readonly ({
    /** Header, or path of the element below its line. */
    source: string
    /** Its meaning; null: not used. */
    column: "item" | "quantity" | "unit" | "unit_price" | "amount" | "rate" | "base" | "vat_rate" | "vat" | "gross" | "step" | "period" | "date" | "hour" | "facility" | "amount_type" | "amount_try" | "production_kwh" | "consumption_kwh" | "matched_kwh" | "surplus_kwh" | "net_import_kwh" | "bedelli_kwh" | "skb_kwh" | "bedelsiz_kwh" | "matched_try" | "bedelli_try" | "skb_try" | "sktt_try" | "mesken_try" | null
  })[]
  /** Corrected charges of lines. */
  lines: readonly ({
    /** Text of the line. */
    text: string
    /** Its charge; null: none that is calculated. */
    kind: "matched" | "bedelli" | "skb" | "sktt" | "mesken" | "production" | "consumption" | "surplus" | "net_import" | "bedelsiz" | "energy_fund" | "trt_share" | "consumption_tax" | "net_total" | "vat_total" | "gross_total" | null
  })[]
  /** End of the hour that its label names; null: by the file. */
  label?: "hour_ending" | "hour_starting" | null | undefined
}

export interface Scenario {
  id: Uuid
  /** Name. */
  name: string
  /** waiting: a job computes it; failed: see error. */
  state: "waiting" | "done" | "failed" | "cancelled"
  /** Groups of the base. */
  group_ids: readonly Uuid[]
  /** First month. */
  from: BillingPeriod
  /** Last month. */
  to: BillingPeriod
  /** Investment. */
  cost_try: string | null
  /** Months of groups to compute. */
  months_total: number
  /** Months of groups that are computed. */
  months_done: number
  /** true: a result of the base has changed since; calculate it again. */
  is_stale: boolean
  created_at: Instant
  finished_at: Instant | null
  /** User. */
  requested_by: Uuid | null
  /** As in the request. */
  changes: readonly ScenarioChange[]
  /** Hash of the inputs of the base and the changes. */
  input_hash: string | null
  /** Position of the change that cannot be applied, from 0. */
  error_change: number | null
  /** Its field. */
  error_field: string | null
  /** Text of the failure. In the language of Accept-Language. */
  error: string | null
  /** Batteries of the changes. */
  batteries: readonly ({
    /** Position of the change, from 0. */
    change: number
    /** Facility. */
    facility_id: Uuid
    /** Charged; = discharged + loss + left. */
    charged_kwh: string
    /** Discharged. */
    discharged_kwh: string
    /** Loss. */
    loss_kwh: string
    /** Energy that is left in it. */
    left_kwh: string
  })[]
  /** Months of groups that are left out, because they have no result. Empty until it is computed. */
  months_without_result: readonly ({
    group_id: Uuid
    /** First day of the month (YYYY-MM-01). */
    billing_period: BillingPeriod
  })[]
  /** Sums over all groups and months; null until it is computed. */
  totals: ScenarioTotals | null
}

export interface ScenarioChange {
  /** What is changed: docs/understand/netting/scenarios.md. */
  type: "add_facility" | "add_plant" | "add_load" | "scale_plant" | "scale_load" | "add_battery" | "remove_battery" | "shift_load" | "join_group" | "leave_group" | "move_facility" | "change_facility" | "change_limit" | "transfer_limit" | "scale_price" | "set_price" | "market_price" | "netting_interval"
  /** Facility. For add_facility: an id of your choice, by which later changes may name it. */
  facility_id?: Uuid | undefined
  group_id?: Uuid | undefined
  /** Group that move_facility leaves. */
  from_group_id?: Uuid | undefined
  /** Facility whose limit transfer_limit takes. */
  source_facility_id?: Uuid | undefined
  /** Facility that gets it. */
  target_facility_id?: Uuid | undefined
  /** Name of an added facility. */
  name?: string | undefined
  /** First day. Default: the start of the scenario. */
  from?: LocalDate | undefined
  /** Day after the last one. Default: the end of the scenario. */
  to?: LocalDate | undefined
  /** Month from whose start a limit changes. */
  month?: BillingPeriod | undefined
  /** Role in the group. */
  role?: "production" | "consumption" | "mixed" | undefined
  /** Energy by hour: of a plant or load, or of an added facility. */
  profile?: ScenarioProfile | undefined
  /** Energy by hour: of a plant or load, or of an added facility. */
  production?: ScenarioProfile | undefined
  /** Energy by hour: of a plant or load, or of an added facility. */
  consumption?: ScenarioProfile | undefined
  /** Limit of an added facility for each year. */
  limit_kwh?: number | string | undefined
  /** Multiplies production, consumption or price; market_price: default 1. */
  factor?: number | string | undefined
  /** Capacity of a battery. */
  capacity_kwh?: number | string | undefined
  /** Power of a battery, of charge and of discharge. */
  power_kw?: number | string | undefined
  /** Round-trip efficiency of a battery, at most 1. */
  efficiency?: number | string | undefined
  /** Dispatch of a battery. */
  rule?: "self_consumption" | "time_of_price" | "schedule" | undefined
  /** Each hour of the days, for schedule; positive: discharge, negative: charge. */
  schedule_kwh?: readonly (number | string)[] | undefined
  /** Energy in a battery at the start. Default: 0. */
  initial_kwh?: number | string | undefined
  /** Whose surplus self_consumption stores. Default: facility. */
  balance_of?: "facility" | "group" | undefined
  /** Hours of the local day in which time_of_price charges. */
  charge_hours?: readonly number[] | undefined
  /** Hours of the local day in which time_of_price discharges. */
  discharge_hours?: readonly number[] | undefined
  /** Share of the consumption that is shifted, at most 1. */
  share?: number | string | undefined
  /** Hours of the local day from which load is shifted. */
  from_hours?: readonly number[] | undefined
  /** Hours of the local day to which it is shifted, in equal parts. */
  to_hours?: readonly number[] | undefined
  /** Subscriber group. */
  abone_grubu?: "mesken" | "ticarethane" | "sanayi" | "tarimsal_sulama" | "aydinlatma" | "other" | undefined
  /** Kind of supply. */
  tariff_supply_type?: "regulated" | "sktt" | "bilateral" | undefined
  /** true: multi-time tariff. */
  is_multi_time?: boolean | undefined
  /** Voltage level. */
  voltage_level?: "AG" | "OG" | "YG" | undefined
  /** Tariff class of a producer. */
  producer_tariff_group?: "lisanssiz_uretici_1" | "lisanssiz_uretici_2" | undefined
  /** Kind of source of a plant. */
  source_type?: "solar" | "wind" | "hydro" | "biomass" | "geothermal" | "cogeneration" | "hybrid" | "unknown" | undefined
  /** Purpose of the price. */
  purpose?: "mahsuplasma_related_tariff" | "mahsuplasma_lowest_related_tariff" | "sktt_active_energy" | "customer_bill_active_energy" | "system_usage" | "distribution" | "other" | undefined
  /** Time segment of the price. */
  time_segment?: "tek" | "gunduz" | "puant" | "gece" | undefined
  /** New price. */
  price_try_per_kwh?: number | string | undefined
  /** Added to the market price. Default: 0. */
  margin_try_per_kwh?: number | string | undefined
  /** Limit; positive for a transfer. */
  amount_kwh?: number | string | undefined
  /** Interval of netting. */
  interval?: "hour" | "month" | undefined
}

export interface ScenarioFigures {
  /** Production; null: unknown. */
  production_kwh: string | null
  /** Consumption; null: unknown. */
  consumption_kwh: string | null
  /** Matched energy. */
  matched_kwh: string | null
  /** Surplus. */
  surplus_kwh: string | null
  /** Energy that is bought. */
  net_import_kwh: string | null
  /** Paid surplus. */
  bedelli_kwh: string | null
  /** Surplus over the limit. */
  skb_kwh: string | null
  /** Free surplus. */
  bedelsiz_kwh: string | null
  /** Limit used. */
  limit_used_kwh: string
  /** Payment for paid surplus. null: a part has no price. */
  revenue_try: string | null
  /** System usage fee for surplus over the limit. null: a part has no price. */
  fee_try: string | null
  /** Value of the matched energy at the bill price. null: a part has no price. */
  savings_try: string | null
  /** Cost of the energy that is bought. null: a part has no price. */
  purchase_try: string | null
  /** Revenue less fees and less the cost of the energy that is bought. null: a part has no price. */
  balance_try: string | null
}

export interface ScenarioHead {
  id: Uuid
  /** Name. */
  name: string
  /** waiting: a job computes it; failed: see error. */
  state: "waiting" | "done" | "failed" | "cancelled"
  /** Groups of the base. */
  group_ids: readonly Uuid[]
  /** First month. */
  from: BillingPeriod
  /** Last month. */
  to: BillingPeriod
  /** Investment. */
  cost_try: string | null
  /** Months of groups to compute. */
  months_total: number
  /** Months of groups that are computed. */
  months_done: number
  /** true: a result of the base has changed since; calculate it again. */
  is_stale: boolean
  created_at: Instant
  finished_at: Instant | null
}

export interface ScenarioHour {
  /** Start of the hour. */
  hour: Instant
  /** null: not calculated there. */
  base: ScenarioHourFigures | null
  /** null: not calculated there. */
  scenario: ScenarioHourFigures | null
}

export interface ScenarioHourFigures {
  /** Production; null: unknown. */
  production_kwh: string | null
  /** Consumption; null: unknown. */
  consumption_kwh: string | null
  /** Matched energy. */
  matched_kwh: string | null
  /** Energy that is bought. */
  net_import_kwh: string | null
  /** Paid surplus. */
  bedelli_kwh: string | null
  /** Surplus over the limit. */
  skb_kwh: string | null
  /** Free surplus. */
  bedelsiz_kwh: string | null
  /** What is left of the limit after the hour. */
  limit_after_kwh: string | null
  /** Balance of the hour; null also for netting by month. null: a part has no price. */
  balance_try: string | null
}

export interface ScenarioMember {
  group_id: Uuid
  /** First day of the month (YYYY-MM-01). */
  billing_period: BillingPeriod
  /** Facility, or the id of an added one. */
  facility_id: Uuid
  /** Name; null for a facility that was deleted. */
  facility_name: string | null
  /** null: no member there. */
  base: ScenarioMemberFigures | null
  /** null: no member there. */
  scenario: ScenarioMemberFigures | null
}

export interface ScenarioMemberFigures {
  /** Production; null: unknown. */
  production_kwh: string | null
  /** Its production that was matched. */
  matched_production_kwh: string
  /** Its paid surplus. */
  bedelli_kwh: string
  /** Its surplus over the limit. */
  skb_kwh: string
  /** Its free surplus. */
  bedelsiz_kwh: string
  /** Consumption; null: unknown. */
  consumption_kwh: string | null
  /** Its consumption that was matched. */
  matched_consumption_kwh: string
  /** Energy that it buys. */
  net_import_kwh: string
  /** Payment for paid surplus. null: a part has no price. */
  revenue_try: string | null
  /** System usage fee for surplus over the limit. null: a part has no price. */
  fee_try: string | null
  /** Value of the matched energy at the bill price. null: a part has no price. */
  savings_try: string | null
  /** Cost of the energy that is bought. null: a part has no price. */
  purchase_try: string | null
}

export interface ScenarioMonth {
  group_id: Uuid
  /** Name of the group. */
  group_name: string
  /** First day of the month (YYYY-MM-01). */
  billing_period: BillingPeriod
  /** base: without the changes; scenario: with them. */
  base: ScenarioMonthFigures
  /** base: without the changes; scenario: with them. */
  scenario: ScenarioMonthFigures
  /** Balance of the scenario less that of the base. null: a part has no price. */
  benefit_try: string | null
}

export interface ScenarioMonthFigures {
  /** Production; null: unknown. */
  production_kwh: string | null
  /** Consumption; null: unknown. */
  consumption_kwh: string | null
  /** Matched energy. */
  matched_kwh: string | null
  /** Surplus. */
  surplus_kwh: string | null
  /** Energy that is bought. */
  net_import_kwh: string | null
  /** Paid surplus. */
  bedelli_kwh: string | null
  /** Surplus over the limit. */
  skb_kwh: string | null
  /** Free surplus. */
  bedelsiz_kwh: string | null
  /** Limit used. */
  limit_used_kwh: string
  /** Payment for paid surplus. null: a part has no price. */
  revenue_try: string | null
  /** System usage fee for surplus over the limit. null: a part has no price. */
  fee_try: string | null
  /** Value of the matched energy at the bill price. null: a part has no price. */
  savings_try: string | null
  /** Cost of the energy that is bought. null: a part has no price. */
  purchase_try: string | null
  /** Revenue less fees and less the cost of the energy that is bought. null: a part has no price. */
  balance_try: string | null
  /** What is left of all accounts at the end; null without an account. */
  limit_closing_kwh: string | null
  /** First hour with surplus over the limit: the limit binds. */
  first_over_limit_hour: Instant | null
}

export interface ScenarioProfile {
  /** facility: the measured energy of facility_id times factor. national_solar: the shape of the licensed solar plants of Turkey. hours: values_kwh. */
  kind: "facility" | "national_solar" | "hours"
  facility_id?: Uuid | undefined
  /** Default: 1. */
  factor?: number | string | undefined
  /** Installed power of national_solar. */
  power_kw?: number | string | undefined
  /** Yield of a kW in a leap year, for national_solar. */
  yield_kwh_per_kw?: number | undefined
  /** 24 values for each day, 168 for each week from Monday, or one for each hour of the scenario. */
  values_kwh?: readonly (number | string)[] | undefined
}

export interface ScenarioTotals {
  /** base: without the changes; scenario: with them. */
  base: ScenarioFigures
  /** base: without the changes; scenario: with them. */
  scenario: ScenarioFigures
  /** Balance of the scenario less that of the base. null: a part has no price. */
  benefit_try: string | null
  /** Cost through yearly benefit, two decimals; null without cost or benefit. */
  payback_years: string | null
}

export interface ScopeDeclaration {
  /** Strength: customer_declaration < official_document < lum_report = gts_report. */
  declaration_source?: "customer_declaration" | "official_document" | "lum_report" | "gts_report" | undefined
  /** Alias of declaration_source. */
  source?: "customer_declaration" | "official_document" | "lum_report" | "gts_report" | undefined
}

export interface SessionCurve {
  session_id: Uuid
  device_id: Uuid
  start: Instant
  /** End of the session, or the time of the request for an active session; at most 31 days after the start. */
  end: Instant
  /** Number of stored samples of the session. */
  samples: number
  /** Points in ascending order. */
  points: readonly ({
    timestamp: Instant
    /** Energy since the start of the session, kWh. */
    energy_kwh: string | null
    /** Power into the vehicle, kW; negative out of the vehicle. */
    power_kw: number | null
    /** Current of the single phase, or of the first of three phases, A. */
    current_a: number | null
    /** Voltage of the single phase, or of the first of three phases, V. */
    voltage_v: number | null
    /** State of charge of the vehicle, %. */
    state_of_charge: number | null
  })[]
}

export interface SetAsideSample {
  id: Uuid
  device_id: Uuid
  timestamp: Instant
  /** future_timestamp: over 5 minutes ahead. epoch_timestamp: before 2010, from a clock that was never set. negative_register: a cumulative register below zero. conflicts_with_stored: contradicts a value that is stored for the same device and instant, which stays. sealed_month: new to a month that is so old that it is closed to writing. */
  reason: "future_timestamp" | "epoch_timestamp" | "negative_register" | "conflicts_with_stored" | "sealed_month"
  /** Values as they were sent. */
  values: Readonly<Record<string, number>>
  received_at: Instant
}

export interface SetPoint {
  /** Facility. */
  facility_id: Uuid
  /** Start of the hour. */
  hour: Instant
  /** Mean power; positive: discharge, negative: charge. */
  power_kw: string
}

export interface SetQuotas {
  /** Devices. Null: unlimited. */
  devices?: number | null | undefined
  /** Samples that are stored in a day. Null: unlimited. */
  samples_per_day?: number | null | undefined
  /** Estimated bytes in the database and of files. Null: unlimited. */
  storage_bytes?: number | null | undefined
  /** Exports in a day. Null: unlimited. */
  exports_per_day?: number | null | undefined
}

export interface SignInPolicy {
  /** Users without one-time passwords can only set them up (403 TOTP_REQUIRED). */
  require_totp: boolean
}

export interface SignedUp {
  /** The tenant. */
  tenant: Tenant
  /** The user. */
  user: User
}

export interface Signup {
  /** Display name of the tenant; need not be unique. A single line without control and formatting characters, URLs and e-mail addresses. */
  tenant_name: string
  /** Name and surname. A single line without control and formatting characters, URLs and e-mail addresses. */
  full_name: string
  /** E-mail address (ASCII); unique in the whole service, case-insensitive. */
  email: string
  /** New password: at least one letter (of any script, including Turkish letters) and one digit. */
  password: string
  /** Language of mails to the user. null (default): Turkish and English in one mail. */
  language?: "tr" | "en" | null | undefined
}

export interface Sizing {
  id: Uuid
  /** Name. */
  name: string
  /** waiting: a job computes it; failed: see error. */
  state: "waiting" | "done" | "failed" | "cancelled"
  /** Groups of the base. */
  group_ids: readonly Uuid[]
  /** Start, inclusive. */
  from: BillingPeriod
  /** End, exclusive. */
  to: BillingPeriod
  /** Unit of the sizes. */
  unit: "factor" | "kW" | "kWh"
  /** Sizes to compute. */
  points_total: number
  /** Sizes that are computed. */
  points_done: number
  /** A result of the base has changed since. */
  is_stale: boolean
  created_at: Instant
  finished_at: Instant | null
  /** User. */
  requested_by: Uuid | null
  /** As in the request. */
  changes: readonly ScenarioChange[]
  /** Position of the change whose size varies, from 0. */
  change: number
  /** Sizes in ascending order. */
  sizes: readonly string[]
  /** Investment of any size. */
  cost_fixed_try: string | null
  /** Investment of a unit. */
  cost_per_unit_try: string | null
  /** Hash of the inputs of the base and the changes. */
  input_hash: string | null
  /** Position of the change that cannot be applied. */
  error_change: number | null
  /** Its field. */
  error_field: string | null
  /** Text of the failure. In the language of Accept-Language. */
  error: string | null
  /** Sums without the changes. */
  base: {
    /** Production. */
    production_kwh: string | null
    /** Consumption. */
    consumption_kwh: string | null
    /** Matched energy. */
    matched_kwh: string | null
    /** Energy that the groups buy. */
    net_import_kwh: string | null
    /** Paid surplus. */
    bedelli_kwh: string | null
    /** Surplus over the limit. */
    skb_kwh: string | null
    /** Free surplus. */
    bedelsiz_kwh: string | null
    /** Use of the limit accounts. */
    limit_used_kwh: string
    /** Revenue less fees and less the cost of the energy that is bought. */
    balance_try: string | null
    /** First hour with surplus over the limit. */
    first_over_limit_hour: Instant | null
  } | null
  /** In the order of the sizes; empty until they are computed. */
  points: readonly ({
    /** Size; a factor with 6 decimals, kW and kWh with 3. */
    size: string
    /** Production. */
    production_kwh: string | null
    /** Consumption. */
    consumption_kwh: string | null
    /** Matched energy. */
    matched_kwh: string | null
    /** Energy that the groups buy. */
    net_import_kwh: string | null
    /** Paid surplus. */
    bedelli_kwh: string | null
    /** Surplus over the limit. */
    skb_kwh: string | null
    /** Free surplus. */
    bedelsiz_kwh: string | null
    /** Use of the limit accounts. */
    limit_used_kwh: string
    /** Revenue less fees and less the cost of the energy that is bought. */
    balance_try: string | null
    /** First hour with surplus over the limit. */
    first_over_limit_hour: Instant | null
    /** Balance less that of the base. */
    benefit_try: string | null
    /** Investment of this size; null without costs. */
    cost_try: string | null
    /** Cost through yearly benefit, two decimals; null without cost or benefit. */
    payback_years: string | null
  })[]
  /** Smallest size with energy over the limit. */
  binding_size: string | null
  /** Size with the largest benefit. */
  best_size: string | null
}

export interface SizingHead {
  id: Uuid
  /** Name. */
  name: string
  /** waiting: a job computes it; failed: see error. */
  state: "waiting" | "done" | "failed" | "cancelled"
  /** Groups of the base. */
  group_ids: readonly Uuid[]
  /** Start, inclusive. */
  from: BillingPeriod
  /** End, exclusive. */
  to: BillingPeriod
  /** Unit of the sizes. */
  unit: "factor" | "kW" | "kWh"
  /** Sizes to compute. */
  points_total: number
  /** Sizes that are computed. */
  points_done: number
  /** A result of the base has changed since. */
  is_stale: boolean
  created_at: Instant
  finished_at: Instant | null
}

export interface SnoozeIncident {
  /** When it wakes: at most 30 days ahead. Without an offset Turkey-local. */
  until?: Instant | undefined
  /** Duration of the snooze in minutes, instead of until. */
  minutes?: number | undefined
  /** Note; stored in the audit trail. */
  note?: string | null | undefined
}

export interface StandardError {
  /** Human-readable description of the error. */
  detail: string
  /** Fixed machine-readable code; docs/api/errors.md lists the codes. */
  error_code: string
  /** Code of the text; docs/api/message-codes.md lists the codes with their texts. */
  message_code?: string | undefined
  /** The values in the text, by their names. */
  parameters?: Readonly<Record<string, unknown>> | undefined
}

export interface StartBulkCalculation {
  /** Work for each group. */
  action: "calculate" | "correct"
  /** Month to calculate or to correct from: the first day of a Turkey-local month; any date of it, or YYYY-MM, is truncated. */
  billing_period: BillingPeriod
  /** Groups, at most 1000. Default: every active group. */
  group_ids?: readonly Uuid[] | undefined
  /** Reason of the corrections; required for correct, refused for calculate. */
  reason?: string | undefined
}

export interface StartOidc {
  /** Slug of the tenant; or `email`. */
  tenant?: string | undefined
  /** E-mail address of a user, which determines the tenant; or `tenant`. */
  email?: string | undefined
  /** Address below PUBLIC_BASE_URL to which the browser returns. Default: a page of the service. */
  redirect_uri?: string | undefined
}

export interface StartOtaBatch {
  /** Devices, in the order of the update. Either ids or a filter. */
  device_ids?: readonly Uuid[] | undefined
  /** Gateways, in the order of the update, after the devices. */
  gateway_ids?: readonly Uuid[] | undefined
  /** Filter, instead of ids. */
  filter?: {
    /** All reachable targets of this kind with the model of the firmware and without an open update. */
    target: "device" | "gateway"
    /** Only targets in this subregion. */
    subregion_id?: Uuid | undefined
  } | undefined
  /** Released version for the model of the devices. */
  firmware_version_id: Uuid
  /** Deadline of the update; an attempt that begins later has the same duration. Default: 24 hours from now. */
  deadline?: Instant | undefined
  /** Number of automatic retries after a deadline has passed. */
  retries?: number | undefined
  /** Sizes of the first waves; the remaining devices form one more wave. Default: one wave. */
  groups?: readonly number[] | undefined
  /** Minimum share of successful updates of a wave before the next wave begins, %; otherwise the batch stops. */
  success_threshold_pct?: number | undefined
  /** Share of failed updates of a wave at which the batch stops immediately, %. */
  error_threshold_pct?: number | undefined
  /** Whether changed devices are rolled back to their last good version when the error threshold stops the batch. */
  rollback_on_error?: boolean | undefined
}

export interface StartOtaUpdate {
  /** Device of the update, reached through a gateway on a message broker. Either this or gateway_id. */
  device_id?: Uuid | undefined
  /** Gateway of the update; it must be connected to a message broker. */
  gateway_id?: Uuid | undefined
  /** Released version for the model of the devices. */
  firmware_version_id: Uuid
  /** Deadline of the update; an attempt that begins later has the same duration. Default: 24 hours from now. */
  deadline?: Instant | undefined
  /** Number of automatic retries after a deadline has passed. */
  retries?: number | undefined
  /** Whether a rollback to the last good version starts when the update fails after the installation began. */
  rollback_on_failure?: boolean | undefined
}

export interface StoredCollectorMetricRule {
  /** Measurement to which the rule applies; null or omitted: any. Time series of Prometheus have none. */
  measurement: string | null
  /** Field in line protocol; metric name (`__name__`) of Prometheus. */
  field: string
  /** Metric under which the value is stored; other names than those of samples are kept as extra values. */
  metric: string
  /** The value times the factor is in the unit of the metric: 0.001 for W and Wh. Default: 1. */
  factor: number
}

export interface StoredSample {
  timestamp: Instant
  /** Values as they were sent. */
  values: Readonly<Record<string, number>>
}

export interface Subregion {
  id: Uuid
  region_id: Uuid
  /** Name, unique in the region. */
  name: string
  /** Postal address. */
  address: string | null
  /** City. */
  city: string | null
  /** Latitude in degrees north. */
  latitude: number | null
  /** Longitude in degrees east. */
  longitude: number | null
  /** Contracted power of the connection agreement, kW. */
  contracted_power_kw: number | null
  created_at: Instant
}

export interface SyncLocalList {
  /** Differential: only changes since the last accepted part. Full: the whole list, which is also sent if the state of the station is uncertain. */
  mode?: "full" | "differential" | undefined
}

export interface TariffImport {
  /** Number of imported rows: all rows of the file, or 0 if any row has an error. */
  imported: number
  /** Errors of all rows, by row; the first 1000 are listed. */
  errors: readonly RowFault[]
  /** Total number of errors, including those not listed. */
  error_count: number
}

export interface Tenant {
  id: Uuid
  /** Display name. */
  name: string
  /** Short name of the tenant, unique in the service. */
  slug: string
  /** The users of an inactive tenant can neither sign in nor use a token. */
  is_active: boolean
  created_at: Instant
}

export interface TenantDeletion {
  id: Uuid
  /** The tenant that is deleted. */
  tenant_id: Uuid
  /** Name of the tenant at the request. */
  name: string
  /** Slug of the tenant; free again after the deletion. */
  slug: string
  /** queued: requested; running: rows are being deleted; completed: the tenant and all its rows are deleted. */
  status: "queued" | "running" | "completed"
  /** The superuser who requested the deletion. */
  requested_by: Uuid
  /** The address of that user at the request. */
  requested_by_email: string
  /** Instant of the request. */
  requested_at: Instant
  /** Start of the deletion of rows. */
  started_at: Instant | null
  /** The last deletion of rows. An old value while the status is running means that the job does not progress. */
  progressed_at: Instant | null
  /** End of the deletion. */
  finished_at: Instant | null
  /** Number of tables with data of tenants; 0 before the start. */
  tables_total: number
  /** Number of these tables that have no row of the tenant any more. */
  tables_done: number
  /** The table whose rows are being deleted; null before the start and after the end. */
  current_table: string | null
  /** Number of deleted rows. */
  rows_deleted: number
  /** The deleted rows by table, without tables that had none. */
  rows_by_table: readonly ({
    /** Name of the table. */
    table: string
    /** Number of rows that were deleted from it. */
    rows: number
  })[]
}

export interface TotpEnrolment {
  /** Secret for the authenticator app, base 32. */
  secret: string
  /** The same as a URI, for a QR code. */
  otpauth_uri: string
}

export interface TransferLimit {
  /** Source account; its remaining limit must cover the amount. */
  source_account_id: Uuid
  /** Target account; another account of the same year. */
  target_account_id: Uuid
  /** Amount above zero, kWh. */
  amount_kwh: number | string
  /** Declaration about the contracted power, not verified; false produces a warning. */
  contracted_power_confirmed?: boolean | undefined
}

export interface UnreadNotificationCount {
  /** Number of notifications that the caller has not read. */
  unread: number
}

export interface UpdateAlarmPolicy {
  /** Name. */
  name?: string | undefined
  /** Alarm type; policies of the types limit and custom belong to the service. */
  alarm_type?: "threshold" | "rate_of_change" | "offline" | "no_data" | "counter_reset" | "limit" | "custom" | undefined
  device_id?: Uuid | null | undefined
  subregion_id?: Uuid | null | undefined
  /** Metric of samples, or the name of an extra value as sent by the device, without surrounding white space. */
  metric?: string | null | undefined
  /** Comparison that triggers the alarm: value above, at or above, below, at or below, equal to, or not equal to the threshold. */
  operator?: "gt" | "gte" | "lt" | "lte" | "eq" | "ne" | null | undefined
  /** Threshold that triggers the alarm, in the unit of the metric; for rate_of_change per minute or hour. */
  threshold?: number | string | null | undefined
  /** Threshold at which the condition ends; null: the same as threshold. */
  clear_threshold?: number | string | null | undefined
  /** Time unit of a rate of change; default minute. */
  rate_per?: "minute" | "hour" | null | undefined
  /** Time for which the condition must hold before an incident opens, s, by sample time; for no_data and offline the duration of silence. */
  delay_on_s?: number | undefined
  /** Time for which the condition must be over before the incident closes, s. */
  delay_off_s?: number | undefined
  /** Schedule in which the policy may open incidents, Turkey-local; null: always. */
  schedule?: AlarmSchedule | null | undefined
  /** Severity of the incidents of the policy. */
  severity?: "info" | "warning" | "critical" | undefined
  /** How incidents are notified; `channel` stands for all active channels of messaging platforms of the tenant. */
  notify?: readonly ("in_app" | "email" | "webhook" | "channel")[] | undefined
  /** Escalation policy of the incidents; null: the default of the tenant for their severity, if there is one. */
  escalation_policy_id?: Uuid | null | undefined
  /** Whether the policy is evaluated. */
  is_active?: boolean | undefined
}

export interface UpdateCharger {
  /** Name. */
  name?: string | undefined
  /** Configured vendor, otherwise the vendor reported by the station. */
  vendor?: string | null | undefined
  /** Configured model, otherwise the model reported by the station. */
  model?: string | null | undefined
  /** Configured model, otherwise the model reported by the station. */
  serial_number?: string | null | undefined
  subregion_id?: Uuid | null | undefined
}

export interface UpdateChargingGroup {
  /** Name, unique among the groups. */
  name?: string | undefined
  /** Subregion of the group. */
  subregion_id?: Uuid | null | undefined
  /** Power limit of all chargers together, kW. */
  limit_kw?: number | undefined
  /** Minimum power of a connector, kW; below it the connector is paused, because vehicles need 6 A on each phase. */
  min_kw_per_connector?: number | undefined
  /** Equal: all charging connectors have the same share. By need: power that a vehicle does not use is given to others. */
  split?: "equal" | "by_need" | undefined
  /** All chargers that share the limit; the limit of a removed charger is cleared. */
  members?: readonly ChargingGroupMemberInput[] | undefined
}

export interface UpdateCollectorMapping {
  /** Name, unique in the tenant: the bucket of line protocol, or the parameter `mapping` of remote write. */
  name?: string | undefined
  /** Tags or labels that may contain the name, external id or id of the device; the first that a point has counts. Default: device, host. */
  device_labels?: readonly string[] | undefined
  /** Rules by field; a rule with a measurement takes precedence. Without a rule, a field with the name of a metric is that metric, and so is the field `value` of a measurement with such a name. */
  metrics?: readonly CollectorMetricRule[] | undefined
  /** Whether values without a rule whose name is not a metric are ignored instead of reported as a partial write. Default: false. */
  ignore_unknown?: boolean | undefined
}

export interface UpdateDevice {
  /** Name. */
  name?: string | undefined
  /** Type of device, such as energy_analyzer or inverter. */
  device_type?: string | undefined
  /** Role of the device, such as inverter or charger. */
  device_role?: string | null | undefined
  /** How the values of the device arrive. */
  device_source?: "modbus" | "zigbee" | "virtual" | "manual" | "ocpp" | undefined
  gateway_id?: Uuid | null | undefined
  mqtt_gateway_id?: Uuid | null | undefined
  /** Modbus unit id. */
  slave_id?: number | null | undefined
  /** Device template; null or empty for none. */
  template_id?: string | null | undefined
  parent_id?: Uuid | null | undefined
  /** Inverter at the grid or of a battery (ess). */
  inverter_type?: "grid_inverter" | "ess_inverter" | null | undefined
  /** Expected reporting interval of the device, s. */
  reporting_interval_s?: number | null | undefined
  /** Silence after which the device counts as offline, s. */
  offline_threshold_s?: number | undefined
  /** On create: the map. On update: null changes nothing, {} clears the map, otherwise keys are merged. */
  extra_metadata?: Readonly<Record<string, unknown>> | null | undefined
}

export interface UpdateDeviceTemplate {
  /** Name. */
  name?: string | undefined
  /** Manufacturer. */
  vendor?: string | null | undefined
  /** Model. */
  model?: string | null | undefined
  /** Type of device, such as energy_analyzer or inverter. */
  device_type?: string | undefined
  /** Protocols of the devices. */
  protocols?: readonly ("modbus_tcp" | "modbus_rtu" | "mqtt" | "zigbee")[] | undefined
  /** Register map of the device; an update replaces it as a whole. A map with a format is validated like an upload; a map without one is stored unchanged and not used for reading. */
  register_map?: Readonly<Record<string, unknown>> | null | undefined
}

export interface UpdateEscalationPolicy {
  /** Name. */
  name?: string | undefined
  /** Language of the mails to addresses that do not belong to a user. Default: tr. */
  language?: "tr" | "en" | undefined
  /** Levels in their sequence. */
  levels?: readonly EscalationLevel[] | undefined
  /** Interval at which the last level is repeated, minutes; null: it is not repeated. */
  repeat_minutes?: number | null | undefined
  /** Number of repetitions of the last level. Default: 0. */
  repeat_count?: number | undefined
  /** Severities for which the policy applies to incidents whose alarm policy names no escalation policy. */
  default_severities?: readonly ("info" | "warning" | "critical")[] | undefined
  /** Whether the policy escalates incidents. Default: true. */
  is_active?: boolean | undefined
}

export interface UpdateFacility {
  /** Subregion of the record. */
  subregion_id?: Uuid | undefined
  /** Name. */
  name?: string | undefined
  /** First Turkey-local day of the facility. */
  valid_from?: LocalDate | undefined
  /** Whether the facility is billed by time of day. */
  is_multi_time?: boolean | undefined
  /** Whether the facility has storage; ess_capacity_kwh and ess_power_kw are above 0 if and only if it has. */
  has_ess?: boolean | undefined
  /** Scope that represents one official party. */
  scope_id?: Uuid | null | undefined
  /** End of validity, exclusive: a Turkey-local day; null: open. */
  valid_to?: LocalDate | null | undefined
  /** Producer price group that overrides the one derived from the source type. */
  producer_tariff_group?: "lisanssiz_uretici_1" | "lisanssiz_uretici_2" | null | undefined
  /** Organization that operates the grid at the facility. */
  grid_operator_id?: Uuid | null | undefined
  /** Distribution company. */
  distribution_company_id?: Uuid | null | undefined
  /** Industrial-zone operator or retail operator. */
  retail_or_zone_operator_id?: Uuid | null | undefined
  /** Organization that reads the meter. */
  meter_reading_org_id?: Uuid | null | undefined
  /** Supplier. */
  supplier_id?: Uuid | null | undefined
  /** Subscriber group. */
  abone_grubu?: "mesken" | "ticarethane" | "sanayi" | "tarimsal_sulama" | "aydinlatma" | "other" | null | undefined
  /** Energy source of the plant. */
  source_type?: "solar" | "wind" | "hydro" | "biomass" | "geothermal" | "cogeneration" | "hybrid" | "unknown" | null | undefined
  /** sktt: last-resource tariff; null is treated as regulated. */
  tariff_supply_type?: "regulated" | "sktt" | "bilateral" | null | undefined
  /** Voltage level: AG low, OG medium, YG high. It selects the prices; null: not known, priced as AG. */
  voltage_level?: "AG" | "OG" | "YG" | null | undefined
  /** Installed power of the plant, kW. */
  installed_power_kw?: number | string | null | undefined
  /** Contracted power of the connection agreement, kW. */
  contracted_power_kw?: number | string | null | undefined
  /** Storage capacity, kWh. */
  ess_capacity_kwh?: number | string | null | undefined
  /** Storage power, kW. */
  ess_power_kw?: number | string | null | undefined
}

export interface UpdateFirmwareVersion {
  /** Semantic version (semver.org 2.0.0) without a leading v; unique for the device_model. */
  version?: string | undefined
  /** Device model that the firmware supports: the model of a gateway, or of the template or extra_metadata of a device. */
  device_model?: string | undefined
  /** For people. */
  release_notes?: string | null | undefined
  /** Ed25519 signature of the 32 bytes of the SHA-256 of the file, base64; verified with FIRMWARE_PUBLIC_KEYS. */
  signature?: string | null | undefined
  /** Signing certificate of the manufacturer (PEM), with which charging stations verify firmware (OCPP). */
  signing_certificate?: string | null | undefined
  /** RSA or ECDSA signature with SHA-256 of the file by the key of signing_certificate, base64. */
  certificate_signature?: string | null | undefined
}

export interface UpdateGateway {
  /** Name. */
  name?: string | undefined
  subregion_id?: Uuid | null | undefined
  /** Host name or IP address. */
  host?: string | null | undefined
  /** TCP port. */
  port?: number | null | undefined
  /** Serial number. */
  serial_number?: string | null | undefined
  /** Client id at the message broker. */
  client_id?: string | null | undefined
  /** Polling interval in seconds. */
  poll_interval_s?: number | null | undefined
  /** Version of the firmware. */
  firmware_version?: string | null | undefined
  /** Model, which determines the matching firmware. */
  model?: string | null | undefined
  /** Configuration of the gateway; an update replaces it as a whole and increments config_version. For a gateway of type modbus, baud_rate, keep_connection, inter_request_ms and timeout_ms take precedence over the register maps, whose defaults are none, true, 20 and 1000. */
  config?: Readonly<Record<string, unknown>> | undefined
}

export interface UpdateGroupMember {
  /** Role of the member; mixed: produces and consumes. */
  member_role?: "production" | "consumption" | "mixed" | undefined
  /** First Turkey-local day of the membership. A new value is not before the current month. */
  valid_from?: LocalDate | undefined
  /** End of validity, exclusive: a Turkey-local day; null: open. It may lie in the past. */
  valid_to?: LocalDate | null | undefined
}

export interface UpdateIdTag {
  /** Id tag as read by the station; at most 20 characters in OCPP 1.6. Unique in the tenant, case-insensitive. */
  tag?: string | undefined
  /** Name of the holder of the tag. */
  name?: string | null | undefined
  /** Status; a blocked tag, or a tag of a blocked group, cannot charge. */
  status?: "accepted" | "blocked" | undefined
  /** Group of the tag, which is itself a tag: tags of one group may end each other's sessions and use each other's reservations. */
  parent_id?: Uuid | null | undefined
  /** Expiry of the tag; Turkey-local without an offset. */
  expires_at?: Instant | null | undefined
  /** Whether the tag may have several sessions at the same time. Default: false. */
  allows_concurrent?: boolean | undefined
}

export interface UpdateInvoiceObjection {
  /** Day on which the invoice was received. */
  received_on?: LocalDate | undefined
  /** Days from then to the last day of an objection. */
  objection_days?: number | undefined
}

export interface UpdateLotoPoint {
  /** Name, unique in the subregion. */
  name?: string | undefined
  /** Subregion of the point. */
  subregion_id?: Uuid | undefined
  /** Device that is de-energized while the point is isolated; if it is a meter, its readings verify the isolation. */
  device_id?: Uuid | null | undefined
  /** Type of the isolated energy. */
  energy_type?: "electrical" | "mechanical" | "hydraulic" | "pneumatic" | "thermal" | "chemical" | "gravitational" | "radiation" | "other" | undefined
  /** Human-readable isolation method: which switch, valve or pin, in which position. */
  isolation_method?: string | undefined
  /** Human-readable location. */
  location?: string | undefined
}

export interface UpdateLotoSession {
  /** Title of the work. */
  title?: string | undefined
  /** Reason for the isolation. */
  reason?: string | undefined
  /** Points that are isolated together, in the order of the work. */
  point_ids?: readonly Uuid[] | undefined
}

export interface UpdateMarketAccount {
  /** Display name of the account. */
  name?: string | undefined
  /** User name at the platform, an e-mail address. */
  portal_username?: string | null | undefined
  /** Stored encrypted and never returned. ********, as in a response, leaves it unchanged; null removes it. */
  portal_password?: string | null | undefined
  /** Subscription key for the gateway of the platform, if required. Stored encrypted and never returned. ********, as in a response, leaves it unchanged; null removes it. */
  subscription_key?: string | null | undefined
}

export interface UpdateMeterAssignment {
  /** Measurement role of the device. Periods of one subregion and one main role (main_production, main_consumption, pcc_import_export, osb_eb_consumption) may not overlap. */
  measurement_role?: "main_production" | "main_consumption" | "pcc_import_export" | "osb_eb_consumption" | "battery" | "self_consumption" | "aux_production" | "aux_consumption" | "check_meter" | undefined
  /** Start of validity; a date is the start of that Turkey-local day. */
  valid_from?: Instant | undefined
  /** Facility that the device measures. */
  facility_id?: Uuid | null | undefined
  /** Metering point of the device; belongs to the facility. */
  metering_point_id?: Uuid | null | undefined
  /** End of validity, exclusive; null: open. */
  valid_to?: Instant | null | undefined
}

export interface UpdateMeteringPoint {
  /** Start of validity; a date is the start of that Turkey-local day. */
  valid_from?: Instant | undefined
  /** Number of the meter. */
  meter_no?: string | null | undefined
  /** End of validity, exclusive; null: open. */
  valid_to?: Instant | null | undefined
  /** Organization that reads the meter. */
  meter_reading_org_id?: Uuid | null | undefined
  /** OSOS installation with the official readings of the metering point. */
  osos_installation_id?: Uuid | null | undefined
  /** Free text. */
  notes?: string | null | undefined
}

export interface UpdateNettingGroup {
  /** Name. */
  name?: string | undefined
  /** false if and only if group_status is inactive; an inactive group is not calculated. true on an inactive group sets group_status to customer_defined. */
  is_active?: boolean | undefined
  /** Status of the group; it advances one step at a time, and inactive is allowed from every status. inactive and is_active determine each other. */
  group_status?: "customer_defined" | "ek1_submitted" | "grid_operator_confirmed" | "lum_reported" | "inactive" | undefined
  /** Scope that represents one official party. */
  scope_id?: Uuid | null | undefined
  /** Supplier that settles the group. */
  responsible_supplier_id?: Uuid | null | undefined
  /** Free text. */
  notes?: string | null | undefined
  /** What happens when the input of a closed month changes: manual: an alarm opens, and a person corrects; automatic: in addition the service corrects after the quiet period. Until its settlement is final (day 15 of the next month) a month is also calculated again every night. Default: manual. */
  correction_mode?: "manual" | "automatic" | undefined
  /** Minutes without a further change before an automatic correction. Default: 60. */
  correction_quiet_minutes?: number | undefined
}

export interface UpdateNettingScope {
  /** Name, unique in the tenant. */
  name?: string | undefined
  /** Reference of the party in external systems. */
  external_party_ref?: string | null | undefined
  /** Free text. */
  notes?: string | null | undefined
}

export interface UpdateNettingSettings {
  /** Export of a facility with storage in hours in which its discharge is unknown. true (default): the whole export counts as storage export and is free (bedelsiz). false: it counts as production, and its surplus is paid within the limit. */
  strict_storage_export?: boolean | undefined
  /** Days from the receipt of an invoice to the last day of an objection; default 8. */
  objection_days?: number | undefined
  /** Days before that day on which the reminder begins; default 3. */
  objection_reminder_days?: number | undefined
}

export interface UpdateNotificationChannel {
  /** Name. */
  name?: string | undefined
  /** Language of the messages. Default: tr. */
  language?: "tr" | "en" | undefined
  /** telegram: token of the bot. It is encrypted and never returned. */
  bot_token?: string | undefined
  /** telegram: id of the chat, or @name of a public channel. */
  chat_id?: string | undefined
  /** slack, teams: URL of the incoming webhook (teams: of the Workflows app), at a public address. It is encrypted and never returned. */
  url?: string | undefined
  /** ntfy: address of the server, without a path. It must be at a public address. Default: https://ntfy.sh. */
  server_url?: string | undefined
  /** ntfy: topic to which messages are published. */
  topic?: string | undefined
  /** ntfy: access token; null: none. It is encrypted and never returned, and is required again with a new server_url. */
  token?: string | null | undefined
  /** Minimum severity of the notifications that are sent. Default: info. */
  min_severity?: "info" | "warning" | "critical" | undefined
  /** true also reactivates a channel that the service has disabled. */
  is_active?: boolean | undefined
}

export interface UpdateNotificationSettings {
  /** Whether the caller receives e-mails of policies that notify by e-mail. Default: true for users with manage:alarm. */
  email_enabled?: boolean | undefined
  /** Minimum severity of e-mails. Default: warning. */
  email_min_severity?: "info" | "warning" | "critical" | undefined
  /** Quiet hours, Turkey-local, HH:MM; they may span midnight. */
  quiet_from?: string | null | undefined
  /** Quiet hours, Turkey-local, HH:MM; they may span midnight. */
  quiet_to?: string | null | undefined
  /** Language of the e-mails. Default: tr. */
  language?: "tr" | "en" | undefined
}

export interface UpdateNotificationWebhook {
  /** Name. */
  name?: string | undefined
  /** http:// or https://, without user name and password, at a public address. */
  url?: string | undefined
  /** Minimum severity of the events that are sent. Default: info. */
  min_severity?: "info" | "warning" | "critical" | undefined
  /** true also reactivates a webhook that the service has disabled. */
  is_active?: boolean | undefined
}

export interface UpdateOrganization {
  /** Type of organization. */
  org_type?: "grid_operator" | "distribution_company" | "retail_company" | "zone_operator" | "meter_reading_org" | "supplier" | undefined
  /** Name, unique in the tenant and org_type. */
  name?: string | undefined
  /** Whether the organization is active. Default: true. */
  is_active?: boolean | undefined
}

export interface UpdateOsosInstallation {
  /** Installation number. */
  installation_no?: string | undefined
  /** Facility of the official readings; metering points that refer to the installation take precedence while they are valid. */
  facility_id?: Uuid | null | undefined
  /** Organization of the type distribution_company. */
  distribution_company_id?: Uuid | null | undefined
  /** Factor from meter steps to kWh (çarpan); up to 6 decimals. Default: 1. A change applies to readings imported afterwards. */
  multiplier?: number | string | undefined
  /** Measurement role at the facility. null: derived from a device at the same metering point, otherwise from the only kind of meter of the facility (production or consumption), otherwise the boundary (pcc_import_export). */
  measurement_role?: "main_production" | "main_consumption" | "pcc_import_export" | "osb_eb_consumption" | null | undefined
}

export interface UpdatePriceSet {
  /** First day of the month; YYYY-MM is accepted. */
  billing_period?: BillingPeriod | undefined
  /** Name. */
  name?: string | null | undefined
  /** Where the values come from. */
  source_note?: string | null | undefined
  /** Only the transition approved → archived is allowed. */
  approval_status?: "draft" | "approved" | "archived" | undefined
}

export interface UpdateRegion {
  /** Name. */
  name?: string | undefined
  /** Short code. */
  code?: string | null | undefined
  /** Free text. */
  description?: string | null | undefined
}

export interface UpdateRole {
  /** Name, unique in the tenant. */
  name?: string | undefined
  /** Only permissions that the caller holds; duplicates are ignored. */
  permissions?: readonly ("read:user" | "read:role" | "read:region" | "read:gateway" | "read:device" | "read:measurement" | "read:alarm" | "read:firmware" | "read:ota" | "read:loto" | "read:zigbee" | "read:widget" | "read:charger" | "read:netting" | "read:osos" | "manage:user" | "manage:role" | "manage:region" | "manage:gateway" | "manage:device" | "manage:measurement" | "manage:alarm" | "manage:firmware" | "manage:ota" | "manage:loto" | "manage:zigbee" | "manage:widget" | "manage:charger" | "manage:netting" | "manage:osos" | "manage:loto_override" | "write:measurement" | "import:settlement_reports")[] | undefined
}

export interface UpdateSubregion {
  region_id?: Uuid | undefined
  /** Name. */
  name?: string | undefined
  /** Postal address. */
  address?: string | null | undefined
  /** City. */
  city?: string | null | undefined
  /** Latitude in degrees north. */
  latitude?: number | null | undefined
  /** Longitude in degrees east. */
  longitude?: number | null | undefined
  /** Contracted power of the connection agreement, kW. */
  contracted_power_kw?: number | null | undefined
}

export interface UpdateTenant {
  /** Display name of the tenant; need not be unique. A single line without control and formatting characters, URLs and e-mail addresses. */
  name?: string | undefined
  /** false deactivates the tenant: its users, API keys, gateways and chargers are refused, and its jobs and notifications pause. true reactivates it. The data stays. */
  is_active?: boolean | undefined
}

export interface UpdateUser {
  /** E-mail address (ASCII); unique in the whole service, case-insensitive. */
  email?: string | undefined
  /** Name and surname. A single line without control and formatting characters, URLs and e-mail addresses. */
  full_name?: string | null | undefined
  /** Replaces the list. Roles of the tenant. Only roles whose permissions the caller holds can be assigned (403). */
  role_ids?: readonly Uuid[] | undefined
  /** An inactive user can neither sign in nor use a token. */
  is_active?: boolean | undefined
  /** Ignored unless the caller is a superuser. */
  is_superuser?: boolean | undefined
  /** Language of mails to the user. null (default): Turkish and English in one mail. */
  language?: "tr" | "en" | null | undefined
}

export interface UpdateUserProfile {
  /** Language of mails to the user. null (default): Turkish and English in one mail. */
  language?: "tr" | "en" | null | undefined
}

export interface UpdateWidget {
  /** Subregion of the dashboard. */
  subregion_id?: Uuid | undefined
  /** Widget type. */
  widget_type?: "device_read_rate" | "consumption_chart" | "consumption_numeric" | "cost_chart" | "cost_numeric" | "reactive_ratio" | "realtime_value" | "realtime_gauge" | "realtime_3phase" | "realtime_power" | "alarm_summary" | "osos_consumption_chart" | "mahsuplasma_balance" | undefined
  /** Title of the widget. */
  title?: string | undefined
  /** Position on the grid of the dashboard; null: not set. */
  position?: WidgetPosition | null | undefined
  /** Configuration; docs/understand/widgets.md describes the keys of each type, other keys are stored for the client. A gauge accepts min_value, max_value and danger_threshold as aliases of min_range, max_range and critical_threshold. */
  config?: Readonly<Record<string, unknown>> | undefined
  /** Whether the widget is active; only active widgets are in the data of the dashboard. Default: true. */
  is_active?: boolean | undefined
}

export interface UpdateZigbeeGateway {
  /** Name. */
  name?: string | undefined
  subregion_id?: Uuid | null | undefined
  /** Number of seconds for which new devices may join; 0 ends joining. Sent to the gateway immediately. */
  permit_join_s?: number | undefined
}

export interface UploadFirmware {
  /** Semantic version (semver.org 2.0.0) without a leading v; unique for the device_model. */
  version: string
  /** Device model that the firmware supports: the model of a gateway, or of the template or extra_metadata of a device. */
  device_model: string
  /** For people. */
  release_notes?: string | undefined
  /** Ed25519 signature of the 32 bytes of the SHA-256 of the file, base64; verified with FIRMWARE_PUBLIC_KEYS. */
  signature?: string | undefined
  /** Signing certificate of the manufacturer (PEM), with which charging stations verify firmware (OCPP). */
  signing_certificate?: string | undefined
  /** RSA or ECDSA signature with SHA-256 of the file by the key of signing_certificate, base64. */
  certificate_signature?: string | undefined
  /** Firmware file, at most FIRMWARE_MAX_BYTES. */
  file: unknown
}

export interface User {
  id: Uuid
  /** The tenant that the user belongs to. */
  tenant_id: Uuid
  /** E-mail address in lower case. */
  email: string
  /** Name and surname. */
  full_name: string | null
  /** The roles of the user. */
  role_ids: readonly Uuid[]
  /** Only active users can sign in or use a token. */
  is_active: boolean
  /** Whether the user may change national data and create tenants. */
  is_superuser: boolean
  /** Whether the user has opened a link that was sent to the address, or an operator has entered it. Without it the user cannot send invitations and receives no mails about alarms. */
  is_email_verified: boolean
  /** Language of mails to the user. null: Turkish and English in one mail. */
  language: "tr" | "en" | null
  created_at: Instant
  /** Time of the last sign-in. */
  last_login_at: Instant | null
}

export interface UserProfile {
  id: Uuid
  /** The tenant that the user belongs to. */
  tenant_id: Uuid
  /** E-mail address in lower case. */
  email: string
  /** Name and surname. */
  full_name: string | null
  /** The roles of the user. */
  role_ids: readonly Uuid[]
  /** Only active users can sign in or use a token. */
  is_active: boolean
  /** Whether the user may change national data and create tenants. */
  is_superuser: boolean
  /** Whether the user has opened a link that was sent to the address, or an operator has entered it. Without it the user cannot send invitations and receives no mails about alarms. */
  is_email_verified: boolean
  /** Language of mails to the user. null: Turkish and English in one mail. */
  language: "tr" | "en" | null
  created_at: Instant
  /** Time of the last sign-in. */
  last_login_at: Instant | null
  /** Permissions granted by the roles of the user. */
  permissions: readonly string[]
  /** The tenant. */
  tenant: {
    id: Uuid
    /** The name of the tenant. */
    name: string
    /** Short name of the tenant, unique in the service. */
    slug: string
  }
}

export interface UserTotp {
  /** Whether a login needs a one-time password. */
  enabled: boolean
  /** Time of the confirmation. */
  enabled_at: Instant | null
  /** Recovery codes that were not used. */
  recovery_codes_left: number
  /** The last 50 events, newest first. */
  events: readonly ({
    /** What happened. */
    event: "enabled" | "disabled" | "reset" | "recovery_code_used" | "recovery_codes_replaced"
    /** The user who did it; null: the operator, on the command line. */
    actor_id: Uuid | null
    created_at: Instant
  })[]
}

/** Identifier (UUID). */
export type Uuid = string

export interface ValidationError {
  /** All validation failures of the request. */
  detail: readonly ({
    /** Location of the failure: body, query, path or header, then the path to the value. */
    loc: readonly (string | number)[]
    /** Human-readable description of the failure. */
    msg: string
    /** The violated rule. */
    type: string
    /** Code of the text; docs/api/message-codes.md lists the codes with their texts. */
    message_code?: string | undefined
    /** The values in the text, by their names. */
    parameters?: Readonly<Record<string, unknown>> | undefined
  })[]
}

export interface VirtualMeterHour {
  id: Uuid
  group_id: Uuid
  /** Start of the hour; for a monthly row the first hour of the period. */
  hour: Instant
  /** Type of the surplus: paid, with system usage fee, or free. */
  virtual_meter_type: "bedelli" | "skb_odemeli" | "bedelsiz"
  /** Operator of the grid of the producers. */
  grid_operator_id: Uuid | null
  /** Energy source of the producers. */
  source_kind: "solar" | "wind" | "hydro" | "biomass" | "geothermal" | "cogeneration" | "hybrid" | "unknown"
  /** Reason for the type. */
  reason_code: "standard_matched" | "limit_exceeded" | "missing_consumption_data" | "group_conditions_not_met" | "mesken_monthly"
  /** Energy of the virtual meter; kWh. */
  energy_kwh: string
  /** Calculation run that wrote the row. */
  calculation_run_id: Uuid
  /** false if a later run has superseded the row. */
  is_current: boolean
}

export interface VirtualMeterTotals {
  /** Number of current rows in the range. */
  rows: number
  /** The types that occur, by name. */
  by_type: readonly ({
    /** Type of the surplus. */
    virtual_meter_type: "bedelli" | "skb_odemeli" | "bedelsiz"
    /** Number of rows of the type. */
    rows: number
    /** Energy of the type, kWh. */
    energy_kwh: string
  })[]
}

export interface VoidMeterChange {
  /** Reason for which the record is void. */
  reason: string
}

export interface WarningDetail {
  /** Id of the group, facility or device, or the period. */
  subject: string
  /** Code of the text: the code of the warning, unless the warning has several texts. */
  message_code: string
  /** Values in the text, by their names: decimals as text, instants and dates in ISO 8601. */
  parameters: Readonly<Record<string, unknown>>
}

export interface Widget {
  id: Uuid
  /** Subregion of the dashboard. */
  subregion_id: Uuid
  /** Widget type. */
  widget_type: "device_read_rate" | "consumption_chart" | "consumption_numeric" | "cost_chart" | "cost_numeric" | "reactive_ratio" | "realtime_value" | "realtime_gauge" | "realtime_3phase" | "realtime_power" | "alarm_summary" | "osos_consumption_chart" | "mahsuplasma_balance"
  /** Title of the widget. */
  title: string
  /** Position on the grid of the dashboard; null: not set. */
  position: WidgetPosition | null
  /** Configuration with the current key names. */
  config: Readonly<Record<string, unknown>>
  /** Whether the widget is active; only active widgets are in the data of the dashboard. */
  is_active: boolean
  created_at: Instant
}

export interface WidgetPosition {
  /** Column of the left edge on the grid. */
  x: number
  /** Row of the upper edge on the grid. */
  y: number
  /** Width in columns. */
  w: number
  /** Height in rows. */
  h: number
}

export interface WidgetTypeInfo {
  /** Widget type. */
  widget_type: "device_read_rate" | "consumption_chart" | "consumption_numeric" | "cost_chart" | "cost_numeric" | "reactive_ratio" | "realtime_value" | "realtime_gauge" | "realtime_3phase" | "realtime_power" | "alarm_summary" | "osos_consumption_chart" | "mahsuplasma_balance"
  /** Last part of /api/widgets/<id>/data/…; null if the endpoint of the feature has the data. */
  data_path: string | null
  /** JSON schema of the config. Other keys are stored for the client. Previous names of keys are not in it. */
  config_schema: Readonly<Record<string, unknown>>
}

export interface ZigbeeClaim {
  id: Uuid
  /** Code, complete only in the response that creates it; later only the last four characters. */
  code: string
  /** Name of the future gateway. */
  gateway_name: string
  subregion_id: Uuid | null
  /** State. */
  status: "pending" | "claimed" | "expired"
  created_at: Instant
  expires_at: Instant
}

export interface ZigbeeDevice {
  /** IEEE address, 0x and 16 hexadecimal digits. */
  ieee_address: string
  /** Name of the device in zigbee2mqtt. */
  friendly_name: string
  /** Manufacturer. */
  vendor: string | null
  /** Model. */
  model: string | null
  /** Whether zigbee2mqtt supports the device. */
  supported: boolean
  /** Availability of the device; null until it is reported. */
  availability: "online" | "offline" | null
  /** Link quality of the latest sample of the last day, 0 to 255. */
  linkquality: number | null
  /** Time of the latest sample. */
  last_seen: Instant | null
  first_seen: Instant
  /** Device record of this service. */
  device_id: Uuid | null
}

export interface ZigbeeGateway {
  id: Uuid
  /** Name, unique among the gateways of the tenant. */
  name: string
  subregion_id: Uuid | null
  /** IEEE address of the coordinator, as reported. */
  ieee_address: string | null
  /** Version of zigbee2mqtt. */
  firmware_version: string | null
  /** Online state, as for other gateways. */
  is_online: boolean
  last_seen: Instant | null
  /** Number of paired devices, without the coordinator. */
  device_count: number
  /** Time until which new devices may join. */
  permit_join_until: Instant | null
  created_at: Instant
}

/** All operations by method and path. */
export interface Operations {
  /**
   * Check whether the process responds
   *
   * Access: everybody, without a token.
   */
  'GET /health': {
    response: Health
  }
  /**
   * Check whether all dependencies of the service are available
   *
   * Access: everybody, without a token.
   */
  'GET /readiness': {
    response: ReadinessResponse
  }
  /**
   * Get the public settings that a front end needs before login
   *
   * Access: everybody, without a token.
   */
  'GET /api/config/public': {
    response: PublicConfig
  }
  /**
   * Metrics of the service for Prometheus; only for INTERNAL_ALLOWED_NETWORKS
   *
   * Access: only from the networks of INTERNAL_ALLOWED_NETWORKS, without a token.
   */
  'GET /metrics': {
    response: FileStream
  }
  /**
   * Sign in with e-mail address and password
   *
   * A user with one-time passwords receives `mfa_required` and a token for the second step, `/api/auth/login/totp`, instead of the tokens.
   *
   * Access: everybody, without a token.
   */
  'POST /api/auth/login': {
    body: Login
    response: LoginResponse | MfaChallenge
  }
  /**
   * Second step of a login: one-time password or recovery code
   *
   * A code is accepted once. A wrong one is 401 INVALID_TOTP_CODE; after too many of them the user is locked out for a time (429).
   *
   * Access: everybody, without a token.
   */
  'POST /api/auth/login/totp': {
    body: LoginTotp
    response: LoginResponse
  }
  /**
   * Exchange a refresh token for a new access token
   *
   * Refresh tokens are not stored. One that was issued before the last password reset is refused (401).
   *
   * Access: everybody, without a token.
   */
  'POST /api/auth/refresh': {
    body: Refresh
    response: RefreshResponse
  }
  /**
   * Store the refresh token of a login in a cookie of the browser
   *
   * For pages that keep no token: the cookie is not readable by scripts (HttpOnly), is sent by pages of this service only (SameSite=Strict), and lasts seven days. A refresh token that is not valid is 401.
   *
   * Access: everybody, without a token.
   */
  'PUT /api/auth/session': {
    body: Refresh
    response: undefined
  }
  /**
   * Delete the cookie of the browser
   *
   * Tokens are not stored by the service: copies of them stay valid until they expire.
   *
   * Access: everybody, without a token.
   */
  'DELETE /api/auth/session': {
    response: undefined
  }
  /**
   * Exchange the cookie of the browser for a new access token
   *
   * A browser without the cookie gets 204. A cookie that is not valid any more is 401, and is deleted.
   *
   * Access: everybody, without a token.
   */
  'POST /api/auth/session/refresh': {
    response: RefreshResponse | undefined
  }
  /**
   * Get the profile of the caller
   *
   * Access: every signed-in user.
   */
  'GET /api/auth/me': {
    response: UserProfile
  }
  /**
   * Change the language of the caller
   *
   * Absent fields stay as they are.
   *
   * Access: every signed-in user.
   *
   * API keys are refused (403).
   */
  'PUT /api/auth/me': {
    body: UpdateUserProfile
    response: UserProfile
  }
  /**
   * Change the password of the caller
   *
   * Existing tokens stay valid until they expire. A wrong current password is 422.
   *
   * Access: every signed-in user.
   *
   * API keys are refused (403).
   */
  'POST /api/auth/change-password': {
    body: ChangePassword
    response: Message
  }
  /**
   * Request a link to reset a password
   *
   * The response has the same content and duration whether or not the address is registered. The new link revokes all earlier links.
   *
   * Access: everybody, without a token.
   */
  'POST /api/auth/password-reset/request': {
    body: ResetRequest
    response: Message
  }
  /**
   * Set a new password with the token of a reset link
   *
   * An unknown, expired, revoked or used token is 400 INVALID_RESET_TOKEN. Refresh tokens that were issued before stop working; access tokens stay valid until they expire. The response takes up to about one second.
   *
   * Access: everybody, without a token.
   */
  'POST /api/auth/password-reset/confirm': {
    body: ResetConfirm
    response: Message
  }
  /**
   * Get the state of the one-time passwords of the caller
   *
   * Access: every signed-in user.
   *
   * API keys are refused (403).
   */
  'GET /api/auth/totp': {
    response: OwnTotp
  }
  /**
   * Begin to set up one-time passwords (TOTP)
   *
   * Returns a new secret for an authenticator app. It is in force only after `confirm`. 409 TOTP_ALREADY_ENABLED when one-time passwords are in force; a wrong password is 422.
   *
   * Access: every signed-in user.
   *
   * API keys are refused (403).
   */
  'POST /api/auth/totp/enrol': {
    body: EnrolTotp
    response: TotpEnrolment
  }
  /**
   * Put one-time passwords in force
   *
   * Needs a code of the enrolled secret; a wrong one is 422. From now on a login has two steps. Existing tokens stay valid. The response contains the recovery codes.
   *
   * Access: every signed-in user.
   *
   * API keys are refused (403).
   */
  'POST /api/auth/totp/confirm': {
    body: ConfirmTotp
    response: RecoveryCodes
  }
  /**
   * Replace the recovery codes of the caller
   *
   * A wrong password or code is 422. The older codes are no longer accepted.
   *
   * Access: every signed-in user.
   *
   * API keys are refused (403).
   */
  'POST /api/auth/totp/recovery-codes': {
    body: ProveTotp
    response: RecoveryCodes
  }
  /**
   * Remove the one-time passwords of the caller
   *
   * A wrong password or code is 422. Where the tenant requires one-time passwords, the caller has to set them up again.
   *
   * Access: every signed-in user.
   *
   * API keys are refused (403).
   */
  'POST /api/auth/totp/disable': {
    body: ProveTotp
    response: Message
  }
  /**
   * Get the rules of the tenant for logins
   *
   * Access: every signed-in user.
   *
   * API keys are refused (403).
   */
  'GET /api/auth/sign-in-policy': {
    response: SignInPolicy
  }
  /**
   * Set the rules of the tenant for logins
   *
   * The caller must hold every permission (403), and use one-time passwords in order to require them (409 TOTP_NOT_ENROLLED). Users without them can then only set them up (403 TOTP_REQUIRED); API keys stay usable.
   *
   * Access: permission `manage:user`.
   *
   * API keys are refused (403).
   */
  'PUT /api/auth/sign-in-policy': {
    body: SignInPolicy
    response: SignInPolicy
  }
  /**
   * Get the OpenID provider of the tenant
   *
   * 404 when the tenant has none. The client secret is never returned.
   *
   * Access: permission `manage:user`.
   *
   * API keys are refused (403).
   */
  'GET /api/auth/oidc/provider': {
    response: OidcProvider
  }
  /**
   * Set the OpenID provider of the tenant
   *
   * The caller must hold every permission (403). Omitted fields get their defaults; an omitted client secret is unchanged. The client secret is encrypted with CREDENTIAL_ENCRYPTION_KEY; 503 encryption_not_configured without the key. The addresses of the provider must be public and have https, or be in WEBHOOK_ALLOWED_NETWORKS.
   *
   * Access: permission `manage:user`.
   *
   * API keys are refused (403).
   */
  'PUT /api/auth/oidc/provider': {
    body: PutOidcProvider
    response: OidcProvider
  }
  /**
   * Delete the OpenID provider of the tenant
   *
   * The caller must hold every permission (403). Users stay, also created ones, and so do their links to subjects of the issuer. Users without a password can set one by a reset link.
   *
   * Access: permission `manage:user`.
   *
   * API keys are refused (403).
   */
  'DELETE /api/auth/oidc/provider': {
    response: undefined
  }
  /**
   * Fetch the discovery document and the keys of the provider now
   *
   * The caller must hold every permission (403). The client secret is tested only by a sign-in.
   *
   * Access: permission `manage:user`.
   *
   * API keys are refused (403).
   */
  'POST /api/auth/oidc/provider/test': {
    response: OidcProviderTest
  }
  /**
   * Begin to sign in at the OpenID provider of a tenant
   *
   * The browser keeps `sign_in_secret` and goes to `authorization_url`. After the sign-in it returns to `redirect_uri` with `code` or `error` in the fragment. 404 OIDC_NOT_AVAILABLE for an unknown tenant or address, and without an enabled provider; 502 when the provider cannot be used.
   *
   * Access: everybody, without a token.
   */
  'POST /api/auth/oidc/start': {
    body: StartOidc
    response: OidcStart
  }
  /**
   * Exchange the one-time code of a sign-in for the tokens
   *
   * A code is accepted once, within 60 seconds, and only with the secret of the browser that started: else 400 OIDC_CODE_NOT_VALID. Where the tenant requires one-time passwords, a user who has them receives `mfa_required`, as at a login.
   *
   * Access: everybody, without a token.
   */
  'POST /api/auth/oidc/token': {
    body: RedeemOidcCode
    response: LoginResponse | MfaChallenge
  }
  /**
   * Create the account of an invitation
   *
   * An unknown, expired, revoked or used token is 400 INVALID_INVITATION_TOKEN.
   *
   * Access: everybody, without a token.
   */
  'POST /api/auth/invitations/accept': {
    body: AcceptInvitation
    response: User
  }
  /**
   * Create a tenant with the caller as its admin
   *
   * Enabled only when TENANT_SIGNUP_ENABLED is set; otherwise 403. With SIGNUP_VERIFICATION `required` (the default when SMTP_URL is set) the response is 202, whether or not the address is registered, and the account is created when the link of the mail is confirmed. With `off` it is created at once (201), and a registered address is 409 DUPLICATE_ENTRY.
   *
   * Access: everybody, without a token.
   */
  'POST /api/auth/signup': {
    body: Signup
    response: SignedUp | PendingSignup
  }
  /**
   * Request the link of a pending signup again
   *
   * The new link replaces the previous one. The response is the same for an unknown signup.
   *
   * Access: everybody, without a token.
   */
  'POST /api/auth/signup/resend': {
    body: ResendSignup
    response: Message
  }
  /**
   * Create the account of a pending signup
   *
   * An unknown, expired, replaced or used token is 400 INVALID_SIGNUP_TOKEN, a wrong password 422, an address that was registered meanwhile 409 DUPLICATE_ENTRY.
   *
   * Access: everybody, without a token.
   */
  'POST /api/auth/signup/confirm': {
    body: ConfirmSignup
    response: SignedUp
  }
  /**
   * Request a link that verifies the e-mail address of the caller
   *
   * The link is valid for 24 hours and replaces the previous one.
   *
   * Access: every signed-in user.
   *
   * API keys are refused (403).
   */
  'POST /api/auth/email-verification/request': {
    response: Message
  }
  /**
   * Verify an e-mail address with the token of a link
   *
   * An unknown, expired, replaced or used token is 400 INVALID_VERIFICATION_TOKEN. A wrong password is 422; the link remains valid.
   *
   * Access: everybody, without a token.
   */
  'POST /api/auth/email-verification/confirm': {
    body: ConfirmEmail
    response: Message
  }
  /**
   * List the personal API keys of the caller
   *
   * Access: every signed-in user.
   *
   * API keys are refused (403).
   */
  'GET /api/api-keys': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "name" | "expires_at" | "last_used_at" | undefined
      /** Only records that contain this text, ignoring case: name and prefix. Empty: all records. */
      search?: string | undefined
    }
    response: Page<ApiKey>
  }
  /**
   * Create a personal API key
   *
   * The key acts for the caller, with the permissions that are listed here and that the caller still has. The response contains the key, which is not shown again. A user can have 20 keys (409 API_KEY_LIMIT_REACHED).
   *
   * Access: every signed-in user.
   *
   * API keys are refused (403).
   */
  'POST /api/api-keys': {
    body: CreateApiKey
    response: CreatedApiKey
  }
  /**
   * Revoke a personal API key of the caller
   *
   * The key is refused at once (401); an open live socket of it is closed within seconds.
   *
   * Access: every signed-in user.
   *
   * API keys are refused (403).
   */
  'DELETE /api/api-keys/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * List the machine keys of the tenant
   *
   * Access: permission `read:user`.
   *
   * API keys are refused (403).
   */
  'GET /api/machine-keys': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "name" | "expires_at" | "last_used_at" | undefined
      /** Only records that contain this text, ignoring case: name and prefix. Empty: all records. */
      search?: string | undefined
    }
    response: Page<ApiKey>
  }
  /**
   * Create a machine key
   *
   * A key for a program of the tenant, which every administrator sees and can revoke. The caller is its owner: the key has no permission that the owner lacks, and is refused while the owner is inactive. The response contains the key, which is not shown again. A tenant can have 200 machine keys (409 API_KEY_LIMIT_REACHED).
   *
   * Access: permission `manage:user`.
   *
   * API keys are refused (403).
   */
  'POST /api/machine-keys': {
    body: CreateApiKey
    response: CreatedApiKey
  }
  /**
   * Become the owner of a machine key
   *
   * The key stays the same, so that no program has to be changed when its owner leaves the tenant. The caller must hold every permission of the key (403). Deleting a user deletes the keys that the user owns: take them over before.
   *
   * Access: permission `manage:user`.
   *
   * API keys are refused (403).
   */
  'POST /api/machine-keys/{id}/take-over': {
    path: RecordPath
    response: ApiKey
  }
  /**
   * Revoke a machine key
   *
   * The key is refused at once (401); an open live socket of it is closed within seconds. The caller must hold every permission of the key (403).
   *
   * Access: permission `manage:user`.
   *
   * API keys are refused (403).
   */
  'DELETE /api/machine-keys/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * List users
   *
   * Access: permission `read:user`.
   */
  'GET /api/users': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "email" | "full_name" | "last_login_at" | undefined
      /** Only records that contain this text, ignoring case: name and e-mail address. Empty: all records. */
      search?: string | undefined
      /** Substring of the address, case-insensitive; wildcards are not supported. */
      email?: string | undefined
      /** true: only active users; false: only inactive users. */
      is_active?: boolean | undefined
    }
    response: Page<User>
  }
  /**
   * Create a user
   *
   * The address must not be registered anywhere in the service (409 DUPLICATE_ENTRY).
   *
   * Access: permission `manage:user`.
   */
  'POST /api/users': {
    body: CreateUser
    response: User
  }
  /**
   * Get a user
   *
   * Access: permission `read:user`.
   */
  'GET /api/users/{id}': {
    path: RecordPath
    response: User
  }
  /**
   * Update a user: omitted fields are unchanged
   *
   * A password is not changed here: its owner changes or resets it. A user who holds more permissions than the caller cannot be changed (403); the last active admin can be neither deactivated nor stripped of the role, and nobody can deactivate themselves (409 STATE_CONFLICT).
   *
   * Access: permission `manage:user`.
   */
  'PUT /api/users/{id}': {
    path: RecordPath
    body: UpdateUser
    response: User
  }
  /**
   * Delete a user permanently
   *
   * Records that name the user keep the id. A user who holds more permissions than the caller cannot be deleted (403). The last active admin and the caller cannot be deleted (409).
   *
   * Access: permission `manage:user`.
   */
  'DELETE /api/users/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * Get the state and the events of the one-time passwords of a user
   *
   * Access: permission `read:user`.
   */
  'GET /api/users/{id}/totp': {
    path: RecordPath
    response: UserTotp
  }
  /**
   * Remove the one-time passwords of a user who has lost the device
   *
   * The reset is recorded (`events`). A user who holds more permissions than the caller cannot be changed (403). 404 when the user has none.
   *
   * Access: permission `manage:user`.
   *
   * API keys are refused (403).
   */
  'DELETE /api/users/{id}/totp': {
    path: RecordPath
    response: undefined
  }
  /**
   * Unlink a user from the account of the OpenID provider
   *
   * The next sign-in with the verified address of the user links again, also another account of the provider. Tokens stay valid. A user who holds more permissions than the caller cannot be changed (403). 404 when the user has no link.
   *
   * Access: permission `manage:user`.
   *
   * API keys are refused (403).
   */
  'DELETE /api/users/{id}/oidc-link': {
    path: RecordPath
    response: undefined
  }
  /**
   * List the pending invitations
   *
   * Those that were neither accepted nor revoked, also expired ones. An invitation that was replaced by a newer one for its address is revoked.
   *
   * Access: permission `read:user`.
   */
  'GET /api/users/invitations': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "email" | "expires_at" | undefined
      /** Only records that contain this text, ignoring case: e-mail address. Empty: all records. */
      search?: string | undefined
    }
    response: Page<Invitation>
  }
  /**
   * Invite a user by e-mail
   *
   * The link is valid for 7 days and revokes the previous one. A pending invitation whose roles have permissions that the caller lacks cannot be replaced (403). An address that is already registered in the service is 409 DUPLICATE_ENTRY. If the service sends mails (SMTP_URL), the address of the caller must be verified (403 EMAIL_NOT_VERIFIED).
   *
   * Access: permission `manage:user`.
   */
  'POST /api/users/invitations': {
    body: CreateInvitation
    response: Invitation
  }
  /**
   * Revoke a pending invitation
   *
   * Its link stops working at once. An invitation whose roles have permissions that the caller lacks cannot be revoked (403). An accepted or revoked invitation is 404.
   *
   * Access: permission `manage:user`.
   */
  'DELETE /api/users/invitations/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * List roles
   *
   * Access: permission `read:role`.
   */
  'GET /api/roles': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "name" | undefined
      /** Only records that contain this text, ignoring case: name. Empty: all records. */
      search?: string | undefined
      /** Whole name, ignoring case. */
      name?: string | undefined
    }
    response: Page<Role>
  }
  /**
   * Create a role
   *
   * The caller can grant only permissions that the caller holds (403).
   *
   * Access: permission `manage:role`.
   */
  'POST /api/roles': {
    body: CreateRole
    response: Role
  }
  /**
   * Get a role
   *
   * Access: permission `read:role`.
   */
  'GET /api/roles/{id}': {
    path: RecordPath
    response: Role
  }
  /**
   * Update a role: omitted fields are unchanged
   *
   * The caller must hold every permission that the role has or gets (403). A system role cannot be changed (409).
   *
   * Access: permission `manage:role`.
   */
  'PUT /api/roles/{id}': {
    path: RecordPath
    body: UpdateRole
    response: Role
  }
  /**
   * Delete a role
   *
   * The caller must hold every permission of the role (403). A system role, or a role that is assigned to users, cannot be deleted (409).
   *
   * Access: permission `manage:role`.
   */
  'DELETE /api/roles/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * List regions
   *
   * Access: permission `read:region`.
   */
  'GET /api/regions': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "name" | undefined
      /** Only records that contain this text, ignoring case: name and code. Empty: all records. */
      search?: string | undefined
      /** Whole name, ignoring case. */
      name?: string | undefined
    }
    response: Page<Region>
  }
  /**
   * Create a region
   *
   * Access: permission `manage:region`.
   */
  'POST /api/regions': {
    body: CreateRegion
    response: Region
  }
  /**
   * Get a region
   *
   * Access: permission `read:region`.
   */
  'GET /api/regions/{id}': {
    path: RecordPath
    response: Region
  }
  /**
   * Update a region: omitted fields are unchanged
   *
   * Access: permission `manage:region`.
   */
  'PUT /api/regions/{id}': {
    path: RecordPath
    body: UpdateRegion
    response: Region
  }
  /**
   * Delete a region
   *
   * Access: permission `manage:region`.
   */
  'DELETE /api/regions/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * List subregions
   *
   * Access: permission `read:region`.
   */
  'GET /api/subregions': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "name" | "city" | undefined
      /** Only records that contain this text, ignoring case: name, city and address. Empty: all records. */
      search?: string | undefined
      region_id?: Uuid | undefined
      /** Whole name, ignoring case. */
      name?: string | undefined
    }
    response: Page<Subregion>
  }
  /**
   * Create a subregion
   *
   * Access: permission `manage:region`.
   */
  'POST /api/subregions': {
    body: CreateSubregion
    response: Subregion
  }
  /**
   * Get a subregion
   *
   * Access: permission `read:region`.
   */
  'GET /api/subregions/{id}': {
    path: RecordPath
    response: Subregion
  }
  /**
   * Update a subregion: omitted fields are unchanged
   *
   * Access: permission `manage:region`.
   */
  'PUT /api/subregions/{id}': {
    path: RecordPath
    body: UpdateSubregion
    response: Subregion
  }
  /**
   * Delete a subregion
   *
   * Access: permission `manage:region`.
   */
  'DELETE /api/subregions/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * Create or replace the login of a gateway at the embedded broker
   *
   * The previous login is revoked immediately, and its sessions are closed. A gateway with a login can also log in with a client certificate that names its id, if the settings of the service allow it.
   *
   * Access: permission `manage:gateway`.
   */
  'POST /api/gateways/{id}/credentials': {
    path: RecordPath
    response: GatewayCredential
  }
  /**
   * Revoke the login of a gateway and close its sessions
   *
   * Access: permission `manage:gateway`.
   */
  'DELETE /api/gateways/{id}/credentials': {
    path: RecordPath
    response: undefined
  }
  /**
   * List the dead letters: messages of gateways that could not be processed, with the reason
   *
   * Access: permission `read:gateway`.
   */
  'GET /api/gateways/dead-letters': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "received_at" | undefined
      gateway_id?: Uuid | undefined
      /** Reason code of docs/integrate/mqtt.md. */
      reason?: string | undefined
    }
    response: DeadLetterPage
  }
  /**
   * Get a dead letter with its payload
   *
   * Access: permission `read:gateway`.
   */
  'GET /api/gateways/dead-letters/{id}': {
    path: RecordPath
    response: DeadLetterDetail
  }
  /**
   * Delete a dead letter
   *
   * Access: permission `manage:gateway`.
   */
  'DELETE /api/gateways/dead-letters/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * Retry a dead letter after its cause is fixed
   *
   * The operation is idempotent: a sample that is already stored changes nothing.
   *
   * Access: permission `manage:gateway`.
   */
  'POST /api/gateways/dead-letters/{id}/retry': {
    path: RecordPath
    response: DeadLetterRetry
  }
  /**
   * Retry the oldest dead letters that match the filter, a limited number per request
   *
   * Access: permission `manage:gateway`.
   */
  'POST /api/gateways/dead-letters/retry': {
    query?: {
      gateway_id?: Uuid | undefined
      /** Reason code of docs/integrate/mqtt.md. */
      reason?: string | undefined
    }
    response: DeadLetterBulkRetry
  }
  /**
   * Get the sequence numbers (seq) that are missing among the stored messages of a gateway
   *
   * Access: permission `read:gateway`.
   */
  'GET /api/gateways/{id}/sequence-gaps': {
    path: RecordPath
    response: GatewaySequenceGaps
  }
  /**
   * List the gateways on a message broker with their online state
   *
   * Access: permission `read:gateway`.
   */
  'GET /api/gateways/mqtt': {
    query?: ListParameters & {
      /** Only records that contain this text, ignoring case: name and client id. Empty: all records. */
      search?: string | undefined
      subregion_id?: Uuid | undefined
      /** Whether it is connected or sends values. */
      is_online?: boolean | undefined
    }
    response: readonly BrokerGateway[]
  }
  /**
   * List gateways
   *
   * Access: permission `read:gateway`.
   */
  'GET /api/gateways': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "name" | "gateway_type" | "last_seen" | undefined
      /** Only records that contain this text, ignoring case: name, serial number, client id and model. Empty: all records. */
      search?: string | undefined
      /** Type of gateway. */
      gateway_type?: "modbus" | "mqtt" | "zigbee" | "home_assistant" | undefined
      subregion_id?: Uuid | undefined
      /** Whether it is connected or sends values. */
      is_online?: boolean | undefined
    }
    response: Page<Gateway>
  }
  /**
   * Create a gateway
   *
   * Access: permission `manage:gateway`.
   */
  'POST /api/gateways': {
    body: CreateGateway
    response: Gateway
  }
  /**
   * Get a gateway
   *
   * Access: permission `read:gateway`.
   */
  'GET /api/gateways/{id}': {
    path: RecordPath
    response: Gateway
  }
  /**
   * Update a gateway: omitted fields are unchanged
   *
   * Access: permission `manage:gateway`.
   */
  'PUT /api/gateways/{id}': {
    path: RecordPath
    body: UpdateGateway
    response: Gateway
  }
  /**
   * Delete a gateway
   *
   * Access: permission `manage:gateway`.
   */
  'DELETE /api/gateways/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * List the configurations that were pushed to a gateway, newest first
   *
   * Access: permission `read:gateway`.
   */
  'GET /api/gateways/{id}/rawconfig/versions': {
    path: RecordPath
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "version" | undefined
    }
    response: Page<RawConfigVersion>
  }
  /**
   * Get a pushed configuration and its changes from an earlier one
   *
   * Pushed configurations are kept permanently. The version before is compared unless `compare_with` names another one; a later one is allowed as well.
   *
   * Access: permission `read:gateway`.
   */
  'GET /api/gateways/{id}/rawconfig/versions/{version}': {
    path: RecordPath & {
      /** Version number of a pushed configuration, from 1. */
      version: number
    }
    query?: {
      /** Version with which it is compared. Default: the one before it. */
      compare_with?: number | undefined
    }
    response: RawConfigVersionDetail
  }
  /**
   * Preview a sync: registers, requests, bus time and changes
   *
   * Access: permission `read:gateway`.
   */
  'GET /api/gateways/{id}/rawconfig/preview': {
    path: RecordPath
    response: RawConfigPreview
  }
  /**
   * Push the configuration with a version number and a hash
   *
   * A gateway on a message broker receives the configuration as a retained message on config/desired and responds on config/reported. A Modbus gateway is polled with it immediately. A repeated request pushes the same version again.
   *
   * Access: permission `manage:gateway`.
   */
  'POST /api/gateways/{id}/rawconfig/sync': {
    path: RecordPath
    body: {
      /** Push although the bus time does not suffice for the periods (BUS_TIME_EXCEEDED). */
      force?: boolean | undefined
    } | null
    response: RawConfigSynced
  }
  /**
   * List devices
   *
   * Access: permission `read:device`.
   */
  'GET /api/devices': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "name" | "device_type" | "device_role" | "device_source" | "last_seen" | undefined
      /** Only records that contain this text, ignoring case: name, external_id and ieee_address. Empty: all records. */
      search?: string | undefined
      /** Whole name, ignoring case. */
      name?: string | undefined
      /** Whole type of device, ignoring case. */
      device_type?: string | undefined
      /** Whole role of the device, ignoring case. */
      device_role?: string | undefined
      /** How the values of the device arrive. */
      device_source?: "modbus" | "zigbee" | "virtual" | "manual" | "ocpp" | undefined
      /** Whether it is connected or sends values. */
      is_online?: boolean | undefined
      gateway_id?: Uuid | undefined
      mqtt_gateway_id?: Uuid | undefined
      template_id?: Uuid | undefined
      parent_id?: Uuid | undefined
      subregion_id?: Uuid | undefined
    }
    response: Page<Device>
  }
  /**
   * Create a device
   *
   * Access: permission `manage:device`.
   */
  'POST /api/devices': {
    body: CreateDevice
    response: Device
  }
  /**
   * Get a device
   *
   * Access: permission `read:device`.
   */
  'GET /api/devices/{id}': {
    path: RecordPath
    response: Device
  }
  /**
   * Update a device: omitted fields are unchanged
   *
   * extra_metadata: absent or null changes nothing, {} clears the map, otherwise the sent keys are merged. A device on a message-broker gateway needs a template that can be read over it (422 MQTT_TEMPLATE_REQUIRED).
   *
   * Access: permission `manage:device`.
   */
  'PUT /api/devices/{id}': {
    path: RecordPath
    body: UpdateDevice
    response: Device
  }
  /**
   * Delete a device with its measurements; refused while a meter assignment uses it
   *
   * Access: permission `manage:device`.
   */
  'DELETE /api/devices/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * Create a device template from a SunSpec model or from the zigbee2mqtt definition of a device
   *
   * SunSpec: addresses are counted from `base_address`, scale factors are kept as references, and points with a known metric get its name. zigbee2mqtt: each published value gets its `mqtt_path`. `notes` list omitted points and assumptions.
   *
   * Access: permission `manage:device`.
   */
  'POST /api/devices/device-templates/import': {
    query: {
      /** Format of `document`. */
      format: "sunspec" | "zigbee2mqtt"
    }
    body: ImportDeviceTemplate
    response: DeviceTemplateWithNotes
  }
  /**
   * List device templates
   *
   * Access: permission `read:device`.
   */
  'GET /api/devices/device-templates': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "name" | "vendor" | "model" | "device_type" | undefined
      /** Only records that contain this text, ignoring case: name, vendor and model. Empty: all records. */
      search?: string | undefined
      /** Whole type of device, ignoring case. */
      device_type?: string | undefined
      /** Whole name of the vendor, ignoring case. */
      vendor?: string | undefined
      /** Protocol of the devices. */
      protocol?: "modbus_tcp" | "modbus_rtu" | "mqtt" | "zigbee" | undefined
    }
    response: Page<DeviceTemplate>
  }
  /**
   * Create a device template
   *
   * Access: permission `manage:device`.
   */
  'POST /api/devices/device-templates': {
    body: CreateDeviceTemplate
    response: DeviceTemplate
  }
  /**
   * Get a device template
   *
   * Access: permission `read:device`.
   */
  'GET /api/devices/device-templates/{id}': {
    path: RecordPath
    response: DeviceTemplate
  }
  /**
   * Update a device template: omitted fields are unchanged
   *
   * Access: permission `manage:device`.
   */
  'PUT /api/devices/device-templates/{id}': {
    path: RecordPath
    body: UpdateDeviceTemplate
    response: DeviceTemplate
  }
  /**
   * Delete a device template that no device uses
   *
   * Access: permission `manage:device`.
   */
  'DELETE /api/devices/device-templates/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * Download the register map of a template as JSON or CSV
   *
   * JSON and CSV have the same content, and an upload of either restores the downloaded map. docs/integrate/register-maps.md describes both. 404 when the template has no map; 409 for CSV when the map has no format.
   *
   * Access: permission `read:device`.
   */
  'GET /api/devices/device-templates/{id}/register-map/download': {
    path: RecordPath
    query?: {
      /** Format of the file; both formats have the same content. */
      format?: "json" | "csv" | undefined
    }
    response: unknown | FileStream
  }
  /**
   * Replace the register map of a template from JSON or CSV, if the whole map is valid
   *
   * The whole map is validated, its golden frames are run, and all failures are returned together: with the position in the document, or the line and column of the CSV. The failure of a golden frame has the type golden_frame and contains `expected` and `actual`. The transports of the map become the protocols of the template. `notes` contain remarks on valid entries. 409 for a system template; If-Match with the ETag of a download is 412 when the map has changed since.
   *
   * Access: permission `manage:device`.
   */
  'PUT /api/devices/device-templates/{id}/register-map': {
    path: RecordPath
    body: {
      /** Format: "ems-register-map/1". */
      format: "ems-register-map/1"
      /** Manufacturer of the device. */
      vendor?: string | null | undefined
      /** Device models to which the map applies. */
      model?: string | null | undefined
      /** Version of the map. */
      version?: string | null | undefined
      /** Notes for users of the map. */
      notes?: string | null | undefined
      /** Transports over which the device can be read. */
      transports: readonly ("modbus_tcp" | "modbus_rtu" | "mqtt" | "zigbee")[]
      /** Source of the addresses. */
      source?: {
        /** Title of the source document of the addresses. */
        title: string
        /** Version or date of the source document. */
        version?: string | null | undefined
        /** URL of the source document. */
        url?: string | null | undefined
        /** Reference with which the addresses were compared. */
        checked_against?: string | null | undefined
      } | undefined
      /** Default communication settings of the device. */
      defaults?: {
        /** Unit id (slave address) for devices without one of their own. */
        unit_id?: number | null | undefined
        /** big: the first register contains the high word. */
        word_order?: "big" | "little" | null | undefined
        /** big: the first byte of a register is the high one. */
        byte_order?: "big" | "little" | null | undefined
        /** Maximum number of registers per request. */
        max_block?: number | null | undefined
        /** Maximum number of unused registers that are read to merge two blocks. */
        max_gap?: number | null | undefined
        /** Response timeout in ms. */
        timeout_ms?: number | null | undefined
        /** Number of retries after a timeout. */
        retries?: number | null | undefined
        /** Pause after each response in ms. */
        inter_request_ms?: number | null | undefined
        /** Pause after a connection is established in ms. */
        connect_delay_ms?: number | null | undefined
        /** false: the connection is closed after each round. */
        keep_connection?: boolean | null | undefined
        /** Baud rate of a serial line behind a gateway. */
        baud_rate?: number | null | undefined
      } | undefined
      /** Poll groups (registers that are read together), by name. */
      poll_groups?: Readonly<Record<string, {
          /** Polling period of the group in ms. */
          period_ms: number
        }>> | undefined
      /** Registers of the device, one value each. */
      registers?: readonly ({
        /** Key of the register, unique in the map. */
        key: string
        /** For people. */
        label?: string | null | undefined
        /** Name of the metric; null: the register is read only for other registers (a scale factor). */
        metric?: string | null | undefined
        /** Phase, for a value of one phase. */
        phase?: "l1" | "l2" | "l3" | "n" | "total" | null | undefined
        /** Direction of an energy or power. */
        direction?: "import" | "export" | null | undefined
        /** Quadrant of a reactive energy. */
        quadrant?: number | null | undefined
        /** Register address from 0, as on the wire; null when the value is available only over MQTT. */
        address?: number | null | undefined
        /** Modbus function: 1 to 4 read; 5, 6, 15, 16 write. */
        function?: number | null | undefined
        /** Data type of the raw value. */
        type: "bool" | "u8" | "i8" | "u16" | "i16" | "u32" | "i32" | "u64" | "i64" | "f32" | "f64" | "string" | "bitfield" | "enum" | "bcd16" | "bcd32" | "mod10k32" | "mod10k64"
        /** Number of registers; null: the size of the type. */
        count?: number | null | undefined
        /** null: the value of the defaults applies. */
        byte_order?: "big" | "little" | null | undefined
        /** null: the value of the defaults applies. */
        word_order?: "big" | "little" | null | undefined
        /** Scale: value = raw × scale + offset, in unit. */
        scale?: number | null | undefined
        /** Offset, added after the scale is applied. */
        offset?: number | null | undefined
        /** Key of the register that contains the exponent of the power of ten (SunSpec). */
        scale_factor_ref?: string | null | undefined
        /** Unit of the value after scaling; the value is stored in the unit of the metric. */
        unit?: string | null | undefined
        /** Kind of value. */
        kind: "cumulative_counter" | "interval_delta" | "gauge" | "state"
        /** Value at which the counter wraps around to 0, in the unit of the metric. */
        counter_max?: number | null | undefined
        /** Interpretation of a decreasing counter value. */
        reset_policy?: "detect" | "wrap" | null | undefined
        /** Raw numbers or bit patterns that represent a missing value. */
        na_values?: readonly (string | number)[] | null | undefined
        /** Minimum plausible value; a lower value is a read error; in the unit of the metric. */
        min?: number | null | undefined
        /** Maximum plausible value; a higher value is a read error; in the unit of the metric. */
        max?: number | null | undefined
        /** Bit of the raw word; 0 is the least significant. */
        bit?: number | null | undefined
        /** Bit mask applied to the raw value; the result is shifted to the least significant bit. */
        mask?: string | null | undefined
        /** Texts by raw number; for a bitfield, by bit. */
        enum?: Readonly<Record<string, string>> | null | undefined
        /** Name of a poll group of this map. */
        poll_group?: string | null | undefined
        /** Access: read, write or both. */
        access?: "r" | "w" | "rw" | null | undefined
        /** Deadband: smaller changes are not sent; in the unit of the metric. */
        deadband?: number | null | undefined
        /** Number of decimals of the value in the unit of the metric; null: no rounding. */
        precision?: number | null | undefined
        /** Path of the value in a message: $.ENERGY.Total, or status/em:0 $.a_voltage. */
        mqtt_path?: string | null | undefined
      })[] | undefined
      /** Golden frames: recorded data of a device with the expected values. They are run at the upload. */
      tests?: readonly ({
        /** For people. */
        name?: string | null | undefined
        /** Response frames of the device in hex. */
        frame?: string | null | undefined
        /** Registers contained in each frame: 72+2, or 3:72+2 with the function. */
        registers?: string | null | undefined
        /** Topic of a message. */
        topic?: string | null | undefined
        /** Example message of the device. */
        message?: unknown | undefined
        /** Expected values by key, in the unit of the metric; null: no value. */
        expect: Readonly<Record<string, string | number | boolean | null>>
      })[] | undefined
    } | string
    response: DeviceTemplateWithNotes
  }
  /**
   * Decode recorded frames with a register map; nothing is stored
   *
   * The body is a register map like that of an upload, whose `tests` are the frames; `expect` may be absent. The response has every value of each frame, and whether it is the expected one. A map or a frame that cannot be used is 422 with all faults and their positions, as at an upload.
   *
   * Access: permission `read:device`.
   */
  'POST /api/devices/device-templates/run-frames': {
    body: RunFrames
    response: DecodedFrames
  }
  /**
   * Get the device tree below a device, and its ancestors
   *
   * parent_id defines the tree. A parent_id that would close a cycle is rejected (422).
   *
   * Access: permission `read:device`.
   */
  'GET /api/devices/{id}/hierarchy': {
    path: RecordPath
    query?: {
      /** Maximum number of levels below the device in the response. */
      max_depth?: number | undefined
    }
    response: DeviceHierarchy
  }
  /**
   * List the child devices of a device, ordered by name
   *
   * Access: permission `read:device`.
   */
  'GET /api/devices/{id}/children': {
    path: RecordPath
    query?: ListParameters & {
      /** Only records that contain this text, ignoring case: name, external_id and ieee_address. Empty: all records. */
      search?: string | undefined
    }
    response: readonly Device[]
  }
  /**
   * Get the energy that a device consumed, produced and exported, by hour, day or month, with totals
   *
   * Access: permission `read:measurement`.
   */
  'GET /api/devices/{id}/energy-consumption': {
    path: RecordPath
    query?: {
      /** Start of the range, rounded down to a bucket boundary. Default: a day (hourly), 31 days (daily) or 366 days (monthly) before end. */
      start?: Instant | undefined
      /** End of the range, exclusive, rounded up to a bucket boundary. Default: now. */
      end?: Instant | undefined
      /** Bucket size: Turkey-local hours, days or months; at most 400, 1,500 or 7,400 days per request. */
      interval?: "hourly" | "daily" | "monthly" | undefined
      /** Also returns the child devices (at most 100, by name), each with its totals. Their sum is never added to the figures of the device: a child meter usually measures a part of what the parent meter has already measured, which would be counted twice. */
      include_children?: boolean | undefined
    }
    response: DeviceEnergyConsumption
  }
  /**
   * Store samples; the response is sent after the commit
   *
   * The operation is idempotent. A sample of an unknown device rejects the whole request with 422. If the samples cannot be stored in time, the response is 503 SERVICE_OVERLOADED with Retry-After.
   *
   * Access: permission `write:measurement`.
   */
  'POST /api/measurements': {
    body: PostSamples
    response: SampleOutcome
  }
  /**
   * List stored samples in ascending order; without a range the last 24 hours
   *
   * Access: permission `read:measurement`.
   */
  'GET /api/measurements/devices/{device_id}/samples': {
    path: { device_id: Uuid }
    query?: {
      /** Start, inclusive. */
      from?: Instant | undefined
      /** End, exclusive. */
      to?: Instant | undefined
      /** Maximum number of records in the response. */
      limit?: number | undefined
    }
    response: readonly StoredSample[]
  }
  /**
   * Get the latest values of many devices
   *
   * Times, units and whether each value is current. Ids that are no device of the tenant are listed in not_found_device_ids. Live values are pushed by the socket /ws/telemetry.
   *
   * Access: permission `read:measurement`.
   */
  'GET /api/measurements/latest': {
    query?: {
      /** Devices: ids separated by commas, at most 200. Without it: a page of the devices of the tenant, or of a gateway, by id; the other parameters of the page are for it only. */
      device_ids?: string | undefined
      /** Only the devices of this gateway. */
      gateway_id?: Uuid | undefined
      /** Offset of the first device. */
      skip?: number | undefined
      /** Maximum number of devices of the page. */
      limit?: number | undefined
      /** Only these metrics: names separated by commas, at most 50. Without it: every metric that the device sends. */
      metrics?: string | undefined
      /** Largest age of a value, seconds; older values are left out. */
      max_age_s?: number | undefined
    }
    response: LatestValues
  }
  /**
   * List samples that were set aside, with the reason
   *
   * Access: permission `read:measurement`.
   */
  'GET /api/measurements/set-aside': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "received_at" | "timestamp" | undefined
      device_id?: Uuid | undefined
      /** future_timestamp: over 5 minutes ahead. epoch_timestamp: before 2010, from a clock that was never set. negative_register: a cumulative register below zero. conflicts_with_stored: contradicts a value that is stored for the same device and instant, which stays. sealed_month: new to a month that is so old that it is closed to writing. */
      reason?: "future_timestamp" | "epoch_timestamp" | "negative_register" | "conflicts_with_stored" | "sealed_month" | undefined
    }
    response: Page<SetAsideSample>
  }
  /**
   * Create a ticket that opens one socket for live values
   *
   * The ticket replaces the token in the URL of the socket: `/ws/telemetry?ticket=&devices=&since=`. It can be used once, within 30 seconds. The socket has the permissions and the expiry of the access token or API key of this request. A user can have 100 unused tickets (429).
   *
   * Access: permission `read:measurement`.
   */
  'POST /api/live/tickets': {
    response: LiveTicket
  }
  /**
   * List the mappings of line protocol and remote write to devices and metrics
   *
   * Access: permission `read:device`.
   */
  'GET /api/collector-mappings': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "name" | undefined
      /** Only records that contain this text, ignoring case: name. Empty: all records. */
      search?: string | undefined
    }
    response: Page<CollectorMapping>
  }
  /**
   * Create a collector mapping
   *
   * Access: permission `manage:device`.
   */
  'POST /api/collector-mappings': {
    body: CreateCollectorMapping
    response: CollectorMapping
  }
  /**
   * Get a collector mapping
   *
   * Access: permission `read:device`.
   */
  'GET /api/collector-mappings/{id}': {
    path: RecordPath
    response: CollectorMapping
  }
  /**
   * Update a collector mapping: omitted fields are unchanged
   *
   * Access: permission `manage:device`.
   */
  'PUT /api/collector-mappings/{id}': {
    path: RecordPath
    body: UpdateCollectorMapping
    response: CollectorMapping
  }
  /**
   * Delete a collector mapping; requests that name it use the default mapping or are refused
   *
   * Access: permission `manage:device`.
   */
  'DELETE /api/collector-mappings/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * Store points in InfluxDB line protocol (Telegraf)
   *
   * The body is text in line protocol, plain or with Content-Encoding gzip. The response is sent after the commit; a repetition changes nothing. Values that cannot be stored are named in the message of a 400 (partial write); all others are stored. The API key may be sent as `Authorization: Token nst_…`.
   *
   * Access: permission `write:measurement`.
   */
  'POST /api/v2/write': {
    query?: {
      /** Name of a collector mapping; without a mapping of this name the default mapping applies. */
      bucket?: string | undefined
      /** Ignored. */
      org?: string | undefined
      /** Ignored. */
      orgID?: string | undefined
      /** Unit of the timestamps. Default: ns. */
      precision?: "ns" | "us" | "ms" | "s" | undefined
    }
    response: undefined
  }
  /**
   * Store samples of Prometheus (remote write 1.0)
   *
   * The body is a prometheus.WriteRequest, compressed with Snappy; other versions are refused with 415. The response is sent after the commit; a repetition changes nothing. Values that cannot be stored are named in the message of a 400 (partial write); all others are stored. Stale markers are ignored.
   *
   * Access: permission `write:measurement`.
   */
  'POST /api/v1/write': {
    query?: {
      /** Name of a collector mapping (404 when there is none); omitted: the default mapping. */
      mapping?: string | undefined
    }
    response: undefined
  }
  /**
   * Get the consumption of a device by hour, day or month
   *
   * Access: permission `read:measurement`.
   */
  'GET /api/measurements/aggregated': {
    query: {
      device_id: Uuid
      /** Start of the range, rounded down to a bucket boundary. Default: a day (hourly), 31 days (daily) or 366 days (monthly) before end. */
      start?: Instant | undefined
      /** End of the range, exclusive, rounded up to a bucket boundary. Default: now. */
      end?: Instant | undefined
      /** Bucket size: Turkey-local hours, days or months; at most 400, 1,500 or 7,400 days per request. */
      interval?: "hourly" | "daily" | "monthly" | undefined
    }
    response: AggregatedMeasurements
  }
  /**
   * Get the energy of many devices by the hour
   *
   * The values of the aggregate of a device, for a page of all devices or of those of a gateway, as lists. An hour without data is null, with the quality missing.
   *
   * Access: permission `read:measurement`.
   */
  'GET /api/measurements/hours': {
    query?: {
      /** Start of the range, rounded down to the hour. Default: a day before end. */
      start?: Instant | undefined
      /** End of the range, exclusive, rounded up to the hour. Default: now. A response has at most 100000 hours, counted for `limit` devices. */
      end?: Instant | undefined
      /** Consumption, or photovoltaic production. */
      variant?: "consumption" | "production" | undefined
      /** Only the devices of this gateway. Without it: all devices. */
      gateway_id?: Uuid | undefined
      /** Offset of the first device. */
      skip?: number | undefined
      /** Maximum number of devices of the response. */
      limit?: number | undefined
    }
    response: DeviceHours
  }
  /**
   * Get the consumption of a device by hour, day or month
   *
   * Access: permission `read:measurement`.
   */
  'GET /api/measurements/devices/{device_id}/aggregated': {
    path: { device_id: Uuid }
    query?: {
      /** Start of the range, rounded down to a bucket boundary. Default: a day (hourly), 31 days (daily) or 366 days (monthly) before end. */
      start?: Instant | undefined
      /** End of the range, exclusive, rounded up to a bucket boundary. Default: now. */
      end?: Instant | undefined
      /** Bucket size: Turkey-local hours, days or months; at most 400, 1,500 or 7,400 days per request. */
      interval?: "hourly" | "daily" | "monthly" | undefined
    }
    response: AggregatedMeasurements
  }
  /**
   * Get the photovoltaic production of a device by hour, day or month
   *
   * Access: permission `read:measurement`.
   */
  'GET /api/measurements/devices/{device_id}/aggregated-production': {
    path: { device_id: Uuid }
    query?: {
      /** Start of the range, rounded down to a bucket boundary. Default: a day (hourly), 31 days (daily) or 366 days (monthly) before end. */
      start?: Instant | undefined
      /** End of the range, exclusive, rounded up to a bucket boundary. Default: now. */
      end?: Instant | undefined
      /** Bucket size: Turkey-local hours, days or months; at most 400, 1,500 or 7,400 days per request. */
      interval?: "hourly" | "daily" | "monthly" | undefined
    }
    response: AggregatedMeasurements
  }
  /**
   * Get a map snapshot: subregions and devices with coordinates, last values and online state
   *
   * Access: permission `read:measurement`.
   */
  'GET /api/measurements/map-data': {
    query?: {
      /** Only subregions of this region and their devices. */
      region_id?: Uuid | undefined
      /** Only this subregion and its devices. */
      subregion_id?: Uuid | undefined
    }
    response: MapData
  }
  /**
   * Get the inductive and capacitive ratio of a meter or subregion and the limits for its contracted power
   *
   * Access: permission `read:measurement`.
   */
  'GET /api/measurements/reactive-ratio': {
    query?: {
      /** Id of a meter; either this or subregion_id is required. */
      device_id?: Uuid | undefined
      /** Id of a subregion: the result is the sum of its main consumption meters (role main_consumption, pcc_import_export or osb_eb_consumption, assigned at any time in the range); without any, of its devices that have no parent device and are not inverters. At most 50. */
      subregion_id?: Uuid | undefined
      /** Start of the range, rounded down to a bucket boundary. Default: the start of the month that contains end. */
      start?: Instant | undefined
      /** End of the range, exclusive, rounded up to a bucket boundary. Default: now. */
      end?: Instant | undefined
      /** Bucket size: Turkey-local hours, days or months; at most 400, 1,500 or 7,400 days per request. */
      interval?: "hourly" | "daily" | "monthly" | undefined
      /** Contracted power that determines the limits, kW; default: that of the facility in the subregion, otherwise of the subregion. */
      contracted_power_kw?: number | undefined
    }
    response: ReactiveRatio
  }
  /**
   * Export measurements as a file: CSV, XLSX or PDF
   *
   * A small file is returned directly. A large file, or one with async, is created in the background: the response is then the export as JSON, and the file can be downloaded when the export is completed. Samples that arrive while a file is created may be missing from it. At most three direct downloads run at a time per tenant, and six in total; further requests receive 429 RATE_LIMITED or 503 SERVICE_OVERLOADED with Retry-After. Async exports are not counted.
   *
   * Access: permission `write:measurement`.
   */
  'POST /api/measurements/export': {
    body: CreateExport
    response: DataExport | FileStream
  }
  /**
   * List background exports
   *
   * Access: permission `read:measurement`.
   */
  'GET /api/measurements/exports': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "file_name" | "status" | undefined
      /** Only records that contain this text, ignoring case: file name. Empty: all records. */
      search?: string | undefined
      /** State. */
      status?: "queued" | "running" | "completed" | "failed" | undefined
    }
    response: Page<DataExport>
  }
  /**
   * Get the state of an export
   *
   * Access: permission `read:measurement`.
   */
  'GET /api/measurements/exports/{id}': {
    path: RecordPath
    response: DataExport
  }
  /**
   * Delete an export with its file; a running export is stopped
   *
   * Access: permission `write:measurement`.
   */
  'DELETE /api/measurements/exports/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * Download the file of a completed export
   *
   * 409 STATE_CONFLICT until the export is completed. With several processes, only those that share the folder in which the file was created can send it; the others respond with 409.
   *
   * Access: permission `read:measurement`.
   */
  'GET /api/measurements/exports/{id}/download': {
    path: RecordPath
    response: FileStream
  }
  /**
   * List alarm policies, except those of the system
   *
   * Access: permission `read:alarm`.
   */
  'GET /api/alarms': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "name" | "alarm_type" | "severity" | "updated_at" | undefined
      /** Only records that contain this text, ignoring case: name. Empty: all records. */
      search?: string | undefined
      /** Whole name, ignoring case. */
      name?: string | undefined
      /** Alarm type; policies of the types limit and custom belong to the service. */
      alarm_type?: "threshold" | "rate_of_change" | "offline" | "no_data" | "counter_reset" | "limit" | "custom" | undefined
      /** Severity of the incidents of the policy. */
      severity?: "info" | "warning" | "critical" | undefined
      /** Whether the policy is evaluated. */
      is_active?: boolean | undefined
      device_id?: Uuid | undefined
      subregion_id?: Uuid | undefined
    }
    response: Page<AlarmPolicy>
  }
  /**
   * Create an alarm policy
   *
   * Access: permission `manage:alarm`.
   */
  'POST /api/alarms': {
    body: CreateAlarmPolicy
    response: ChangedAlarmPolicy
  }
  /**
   * Get an alarm policy
   *
   * Access: permission `read:alarm`.
   */
  'GET /api/alarms/{id}': {
    path: RecordPath
    response: AlarmPolicy
  }
  /**
   * Update an alarm policy: omitted fields are unchanged
   *
   * Access: permission `manage:alarm`.
   */
  'PUT /api/alarms/{id}': {
    path: RecordPath
    body: UpdateAlarmPolicy
    response: ChangedAlarmPolicy
  }
  /**
   * Delete an alarm policy; its incidents are closed and kept
   *
   * Access: permission `manage:alarm`.
   */
  'DELETE /api/alarms/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * Simulate a policy on the last days
   *
   * Access: permission `read:alarm`.
   */
  'POST /api/alarms/preview': {
    body: PreviewAlarmPolicy
    response: AlarmPolicyPreview
  }
  /**
   * List maintenance windows
   *
   * Access: permission `read:alarm`.
   */
  'GET /api/alarms/maintenance': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "from" | "to" | "created_at" | undefined
      /** Only records that contain this text, ignoring case: note. Empty: all records. */
      search?: string | undefined
      policy_id?: Uuid | undefined
      device_id?: Uuid | undefined
      subregion_id?: Uuid | undefined
      /** true: only windows that are over; false: only the others. */
      is_over?: boolean | undefined
    }
    response: Page<MaintenanceWindow>
  }
  /**
   * Create a maintenance window: no incidents open for a policy, a device or a subregion
   *
   * Access: permission `manage:alarm`.
   */
  'POST /api/alarms/maintenance': {
    body: CreateMaintenanceWindow
    response: MaintenanceWindow
  }
  /**
   * Get a maintenance window
   *
   * Access: permission `read:alarm`.
   */
  'GET /api/alarms/maintenance/{id}': {
    path: RecordPath
    response: MaintenanceWindow
  }
  /**
   * End a maintenance window now; a window that has not begun is deleted
   *
   * Access: permission `manage:alarm`.
   */
  'DELETE /api/alarms/maintenance/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * List alarm incidents
   *
   * Access: permission `read:alarm`.
   */
  'GET /api/alarms/incidents': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "triggered_at" | "severity" | "status" | "closed_at" | "last_value" | undefined
      /** Only records that contain this text, ignoring case: message, and the names of the policy and the device. Empty: all records. */
      search?: string | undefined
      /** Only incidents of this severity. */
      severity?: "info" | "warning" | "critical" | undefined
      /** Only incidents that currently have this status. */
      status?: "active" | "acknowledged" | "snoozed" | "closed" | undefined
      /** true: only open incidents (not closed); false: only closed incidents. */
      is_open?: boolean | undefined
      /** Only incidents of this device. */
      device_id?: Uuid | undefined
      /** Only incidents of this policy. */
      policy_id?: Uuid | undefined
      /** Only incidents of policies of this type. */
      alarm_type?: "threshold" | "rate_of_change" | "offline" | "no_data" | "counter_reset" | "limit" | "custom" | undefined
      /** Only incidents triggered at or after this time. Turkey-local without an offset. */
      from?: Instant | undefined
      /** Only incidents triggered before this time. */
      to?: Instant | undefined
    }
    response: Page<Incident>
  }
  /**
   * Count the open incidents by severity and by status
   *
   * An incident is open until it is closed: acknowledged and snoozed incidents count.
   *
   * Access: permission `read:alarm`.
   */
  'GET /api/alarms/incidents/count': {
    response: IncidentCount
  }
  /**
   * Get an incident
   *
   * Access: permission `read:alarm`.
   */
  'GET /api/alarms/incidents/{id}': {
    path: RecordPath
    response: Incident
  }
  /**
   * Get the audit trail of an incident, oldest entry first
   *
   * Access: permission `read:alarm`.
   */
  'GET /api/alarms/incidents/{id}/events': {
    path: RecordPath
    query?: ListParameters
    response: readonly IncidentEvent[]
  }
  /**
   * Acknowledge an incident
   *
   * The acknowledgement ends a snooze. 409 STATE_CONFLICT when the status does not allow it.
   *
   * Access: permission `manage:alarm`.
   */
  'POST /api/alarms/incidents/{id}/ack': {
    path: RecordPath
    body: {
      /** Note; stored in the audit trail. */
      note?: string | null | undefined
    } | null
    response: Incident
  }
  /**
   * Snooze an incident until a time; then it becomes active again and is notified again
   *
   * Either until or minutes is required. Another snooze replaces the current one. 409 STATE_CONFLICT when the status does not allow it.
   *
   * Access: permission `manage:alarm`.
   */
  'POST /api/alarms/incidents/{id}/snooze': {
    path: RecordPath
    body: SnoozeIncident
    response: Incident
  }
  /**
   * Close an incident manually
   *
   * Incident of a device: no new incident opens while the condition lasts; the condition must end and occur again. System alarm: the next calculation that finds the same condition opens a new incident. 409 STATE_CONFLICT when the status does not allow it.
   *
   * Access: permission `manage:alarm`.
   */
  'POST /api/alarms/incidents/{id}/close': {
    path: RecordPath
    body: {
      /** Note; stored in the audit trail. */
      note?: string | null | undefined
    } | null
    response: Incident
  }
  /**
   * List the notifications of the tenant, with the read state of the caller
   *
   * Access: permission `read:alarm`.
   */
  'GET /api/notifications': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "occurred_at" | "severity" | undefined
      /** Only records that contain this text, ignoring case: title and message. Empty: all records. */
      search?: string | undefined
      /** true: only notifications that the caller has not read; false: only those that the caller has read. */
      unread?: boolean | undefined
      /** Only incidents of this severity. */
      severity?: "info" | "warning" | "critical" | undefined
      /** Only notifications of this incident. */
      incident_id?: Uuid | undefined
    }
    response: Page<Notification>
  }
  /**
   * Count the unread notifications of the caller
   *
   * Access: permission `read:alarm`.
   */
  'GET /api/notifications/unread-count': {
    response: UnreadNotificationCount
  }
  /**
   * Mark a notification as read by the caller
   *
   * Access: permission `read:alarm`.
   */
  'POST /api/notifications/{id}/read': {
    path: RecordPath
    response: Notification
  }
  /**
   * Mark all notifications so far as read by the caller
   *
   * Access: permission `read:alarm`.
   */
  'POST /api/notifications/read-all': {
    response: UnreadNotificationCount
  }
  /**
   * Get the e-mail settings of the caller
   *
   * Access: every signed-in user.
   */
  'GET /api/notifications/settings': {
    response: NotificationSettings
  }
  /**
   * Update the e-mail settings of the caller: omitted fields are unchanged
   *
   * During quiet hours e-mails that are not critical are delayed until the quiet hours end.
   *
   * Access: every signed-in user.
   */
  'PUT /api/notifications/settings': {
    body: UpdateNotificationSettings
    response: NotificationSettings
  }
  /**
   * List the webhooks to which incidents are sent
   *
   * Access: permission `read:alarm`.
   */
  'GET /api/notification-webhooks': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "name" | "last_success_at" | undefined
      /** Only records that contain this text, ignoring case: name. Empty: all records. */
      search?: string | undefined
    }
    response: Page<NotificationWebhook>
  }
  /**
   * Create a webhook; only this response contains its secret
   *
   * Deliveries are signed according to the Standard Webhooks specification. The secret is encrypted with CREDENTIAL_ENCRYPTION_KEY; 503 encryption_not_configured without the key.
   *
   * Access: permission `manage:alarm`.
   */
  'POST /api/notification-webhooks': {
    body: CreateNotificationWebhook
    response: NotificationWebhookWithSecret
  }
  /**
   * Get a webhook and its delivery state
   *
   * Access: permission `read:alarm`.
   */
  'GET /api/notification-webhooks/{id}': {
    path: RecordPath
    response: NotificationWebhook
  }
  /**
   * Update a webhook: omitted fields are unchanged
   *
   * Access: permission `manage:alarm`.
   */
  'PUT /api/notification-webhooks/{id}': {
    path: RecordPath
    body: UpdateNotificationWebhook
    response: NotificationWebhook
  }
  /**
   * Delete a webhook; its waiting deliveries are not sent
   *
   * Access: permission `manage:alarm`.
   */
  'DELETE /api/notification-webhooks/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * Send a signed test delivery now and return the result
   *
   * Access: permission `manage:alarm`.
   */
  'POST /api/notification-webhooks/{id}/test': {
    path: RecordPath
    response: NotificationWebhookTest
  }
  /**
   * Replace the secret of a webhook; only this response contains it
   *
   * The new secret is used for all later deliveries. The secret is encrypted with CREDENTIAL_ENCRYPTION_KEY; 503 encryption_not_configured without the key.
   *
   * Access: permission `manage:alarm`.
   */
  'POST /api/notification-webhooks/{id}/secret': {
    path: RecordPath
    response: NotificationWebhookWithSecret
  }
  /**
   * List the channels of messaging platforms to which notifications are sent
   *
   * Access: permission `read:alarm`.
   */
  'GET /api/notification-channels': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "name" | "type" | "last_success_at" | undefined
      /** Only records that contain this text, ignoring case: name. Empty: all records. */
      search?: string | undefined
      /** Messaging platform of the channel. */
      type?: "telegram" | "teams" | "slack" | "ntfy" | undefined
    }
    response: Page<NotificationChannel>
  }
  /**
   * Create a channel of Telegram, Microsoft Teams, Slack or ntfy
   *
   * Each platform has its own fields. The token or the URL is encrypted with CREDENTIAL_ENCRYPTION_KEY; 503 encryption_not_configured without the key.
   *
   * Access: permission `manage:alarm`.
   */
  'POST /api/notification-channels': {
    body: CreateNotificationChannel
    response: NotificationChannel
  }
  /**
   * Get a channel and its delivery state
   *
   * Access: permission `read:alarm`.
   */
  'GET /api/notification-channels/{id}': {
    path: RecordPath
    response: NotificationChannel
  }
  /**
   * Update a channel: omitted fields are unchanged; its type cannot change
   *
   * Access: permission `manage:alarm`.
   */
  'PUT /api/notification-channels/{id}': {
    path: RecordPath
    body: UpdateNotificationChannel
    response: NotificationChannel
  }
  /**
   * Delete a channel; its waiting messages are not sent
   *
   * Access: permission `manage:alarm`.
   */
  'DELETE /api/notification-channels/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * Send a test message now and return the result
   *
   * Access: permission `manage:alarm`.
   */
  'POST /api/notification-channels/{id}/test': {
    path: RecordPath
    response: NotificationChannelTest
  }
  /**
   * List the escalation policies
   *
   * Access: permission `read:alarm`.
   */
  'GET /api/escalation-policies': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "name" | undefined
      /** Only records that contain this text, ignoring case: name. Empty: all records. */
      search?: string | undefined
    }
    response: Page<EscalationPolicy>
  }
  /**
   * Create an escalation policy
   *
   * An alarm policy names it with escalation_policy_id, or it is the default of severities.
   *
   * Access: permission `manage:alarm`.
   */
  'POST /api/escalation-policies': {
    body: CreateEscalationPolicy
    response: EscalationPolicy
  }
  /**
   * Get an escalation policy
   *
   * Access: permission `read:alarm`.
   */
  'GET /api/escalation-policies/{id}': {
    path: RecordPath
    response: EscalationPolicy
  }
  /**
   * Update an escalation policy: omitted fields are unchanged
   *
   * Running escalations continue with the changed levels.
   *
   * Access: permission `manage:alarm`.
   */
  'PUT /api/escalation-policies/{id}': {
    path: RecordPath
    body: UpdateEscalationPolicy
    response: EscalationPolicy
  }
  /**
   * Delete an escalation policy; 409 while an alarm policy names it
   *
   * Access: permission `manage:alarm`.
   */
  'DELETE /api/escalation-policies/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * List the messages of the escalation of an incident, oldest first
   *
   * Access: permission `read:alarm`.
   */
  'GET /api/alarms/incidents/{id}/escalations': {
    path: RecordPath
    query?: ListParameters
    response: readonly EscalationMessage[]
  }
  /**
   * List scopes, by name
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/scopes': {
    query?: ListParameters & {
      /** Only records that contain this text, ignoring case: name and external reference. Empty: all records. */
      search?: string | undefined
    }
    response: readonly NettingScope[]
  }
  /**
   * Create a scope; a separate operation declares it
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/scopes': {
    body: CreateNettingScope
    response: NettingScope
  }
  /**
   * Update a scope: omitted fields are unchanged, null clears
   *
   * Access: permission `manage:netting`.
   */
  'PATCH /api/mahsuplasma/scopes/{id}': {
    path: RecordPath
    body: UpdateNettingScope
    response: NettingScope
  }
  /**
   * Declare that the scope is one official party
   *
   * A weaker source than the one on record is refused with 409 PROVENANCE_DOWNGRADE.
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/scopes/{id}/declare-same-official-party': {
    path: RecordPath
    body: ScopeDeclaration
    response: NettingScope
  }
  /**
   * List facilities, newest first
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/facilities': {
    query?: ListParameters & {
      /** limits: the records also contain their used and remaining limit, by the ledger of now. */
      include?: "limits" | undefined
      /** Only records that contain this text, ignoring case: name. Empty: all records. */
      search?: string | undefined
      scope_id?: Uuid | undefined
      subregion_id?: Uuid | undefined
    }
    response: readonly ListedFacility[]
  }
  /**
   * Create a facility
   *
   * The org_type of the referenced organizations is not checked: one company may have several functions.
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/facilities': {
    body: CreateFacility
    response: Facility
  }
  /**
   * Get a facility
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/facilities/{id}': {
    path: RecordPath
    response: Facility
  }
  /**
   * Update a facility: omitted fields are unchanged, null clears
   *
   * The rules are checked on the record with the change applied.
   *
   * Access: permission `manage:netting`.
   */
  'PATCH /api/mahsuplasma/facilities/{id}': {
    path: RecordPath
    body: UpdateFacility
    response: Facility
  }
  /**
   * Delete a facility of any tenant permanently (superuser)
   *
   * Rejected with 409 facility_has_dependencies, which contains the number of records that refer to the facility. OSOS installations are detached.
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'DELETE /api/mahsuplasma/facilities/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * List the tenant's own and the system-wide organizations, by name
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/organizations': {
    query?: ListParameters & {
      /** Only records that contain this text, ignoring case: name. Empty: all records. */
      search?: string | undefined
      /** Type of organization. */
      org_type?: "grid_operator" | "distribution_company" | "retail_company" | "zone_operator" | "meter_reading_org" | "supplier" | undefined
      /** true: also inactive organizations. */
      include_inactive?: boolean | undefined
    }
    response: readonly Organization[]
  }
  /**
   * Create an organization in the caller's tenant
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/organizations': {
    body: CreateOrganization
    response: Organization
  }
  /**
   * Update one of the tenant's own organizations; a system-wide one is 404
   *
   * Access: permission `manage:netting`.
   */
  'PATCH /api/mahsuplasma/organizations/{id}': {
    path: RecordPath
    body: UpdateOrganization
    response: Organization
  }
  /**
   * List the metering points of a facility, newest first
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/facilities/{id}/meters': {
    path: RecordPath
    query?: ListParameters & {
      /** Only records that contain this text, ignoring case: meter number. Empty: all records. */
      search?: string | undefined
    }
    response: readonly MeteringPoint[]
  }
  /**
   * Create a metering point of a facility
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/facilities/{id}/meters': {
    path: RecordPath
    body: CreateMeteringPoint
    response: MeteringPoint
  }
  /**
   * Update a metering point: omitted fields are unchanged, null clears; its facility is fixed
   *
   * Access: permission `manage:netting`.
   */
  'PATCH /api/mahsuplasma/meters/{metering_point_id}': {
    path: { metering_point_id: Uuid }
    body: UpdateMeteringPoint
    response: MeteringPoint
  }
  /**
   * Assign a device to a measurement role
   *
   * A period that overlaps another period of the same subregion and main role is 409 PERIOD_OVERLAP. The hourly energy of the facility is derived again for the hours concerned, at the latest before the next calculation that reads it; 409 SEALED_MONTH if one of their months is sealed. Calculated months need a correction.
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/meters/assign': {
    body: CreateMeterAssignment
    response: ChangedMeterAssignment
  }
  /**
   * List assignments, newest first
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/meters/assignments': {
    query?: ListParameters & {
      subregion_id?: Uuid | undefined
      facility_id?: Uuid | undefined
    }
    response: readonly MeterAssignment[]
  }
  /**
   * Update an assignment, usually to close it with valid_to; subregion_id and device_id are ignored
   *
   * A period that overlaps another period of the same subregion and main role is 409 PERIOD_OVERLAP. The hourly energy of the facility is derived again for the hours concerned, at the latest before the next calculation that reads it; 409 SEALED_MONTH if one of their months is sealed. Calculated months need a correction.
   *
   * Access: permission `manage:netting`.
   */
  'PATCH /api/mahsuplasma/meters/assignments/{id}': {
    path: RecordPath
    body: UpdateMeterAssignment
    response: ChangedMeterAssignment
  }
  /**
   * List recorded meter changes, the latest change first
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/meters/changes': {
    query?: ListParameters & {
      /** Only records that contain this text, ignoring case: serial numbers and note. Empty: all records. */
      search?: string | undefined
      /** Only changes of this device. */
      device_id?: Uuid | undefined
      /** Only changes of this OSOS installation. */
      osos_installation_id?: Uuid | undefined
      /** Only changes of this register. */
      register?: "import_active_energy" | "export_active_energy" | "production_active_energy" | "battery_charge_energy" | "battery_discharge_energy" | "inductive_reactive_energy" | "capacitive_reactive_energy" | undefined
      /** true: voided records as well. */
      include_voided?: boolean | undefined
    }
    response: readonly MeterChange[]
  }
  /**
   * Record the replacement of a meter: the end of the old register, the beginning of the new one
   *
   * The energy over the change is then exact and not suspect. 422 METER_CHANGE_CONTRADICTS_READINGS if the old end lies below the last reading before the change, or the new start above the first reading after it; 409 METER_CHANGE_EXISTS for a second record of the register at the same instant. The hourly energy and the roll-ups around the change are derived again, at the latest before the next calculation that reads them; calculated months become stale. 409 SEALED_MONTH if one of their months is sealed.
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/meters/changes': {
    body: CreateMeterChange
    response: ChangedMeterChange
  }
  /**
   * Get a recorded meter change with the values before its corrections
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/meters/changes/{id}': {
    path: RecordPath
    response: MeterChangeDetail
  }
  /**
   * Correct a recorded meter change; the values before the correction are kept
   *
   * Omitted fields are unchanged, null clears. 409 METER_CHANGE_VOIDED. The hourly energy and the roll-ups around the change are derived again, at the latest before the next calculation that reads them; calculated months become stale. 409 SEALED_MONTH if one of their months is sealed.
   *
   * Access: permission `manage:netting`.
   */
  'PATCH /api/mahsuplasma/meters/changes/{id}': {
    path: RecordPath
    body: CorrectMeterChange
    response: ChangedMeterChange
  }
  /**
   * Void a recorded meter change: it stays listed with its reason, without effect
   *
   * 409 METER_CHANGE_VOIDED. The hourly energy and the roll-ups around the change are derived again, at the latest before the next calculation that reads them; calculated months become stale. 409 SEALED_MONTH if one of their months is sealed.
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/meters/changes/{id}/void': {
    path: RecordPath
    body: VoidMeterChange
    response: ChangedMeterChange
  }
  /**
   * Suggest an inverter_type for inverters whose vendor and model determine it
   *
   * A model that is unknown, or is sold with and without storage, gets no suggestion.
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/inverter-type/suggestions': {
    query?: ListParameters & {
      /** Only records that contain this text, ignoring case: name of the device, vendor and model. Empty: all records. */
      search?: string | undefined
    }
    response: readonly InverterSuggestion[]
  }
  /**
   * Set the inverter_type of devices; all changes are applied, or none
   *
   * A 404 response contains missing_device_ids.
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/inverter-type/apply': {
    body: ApplyInverterTypes
    response: AppliedInverterTypes
  }
  /**
   * List groups, newest first
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/groups': {
    query?: ListParameters & {
      /** limits: the records also contain their used and remaining limit, by the ledger of now. */
      include?: "limits" | undefined
      /** Only records that contain this text, ignoring case: name. Empty: all records. */
      search?: string | undefined
      scope_id?: Uuid | undefined
      /** Whether the record is in use. */
      is_active?: boolean | undefined
      /** true: only groups with stale results; false: only groups without. */
      stale?: boolean | undefined
    }
    response: readonly ListedNettingGroup[]
  }
  /**
   * Create a group with the status customer_defined and the eligibility not_checked
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/groups': {
    body: CreateNettingGroup
    response: NettingGroup
  }
  /**
   * Get a group
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/groups/{id}': {
    path: RecordPath
    response: NettingGroup
  }
  /**
   * Update a group: omitted fields are unchanged, null clears
   *
   * A group_status that moves backward or skips a step is 409 STATE_CONFLICT.
   *
   * Access: permission `manage:netting`.
   */
  'PATCH /api/mahsuplasma/groups/{id}': {
    path: RecordPath
    body: UpdateNettingGroup
    response: NettingGroup
  }
  /**
   * List the memberships of a group, newest first, including closed ones; not paged
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/groups/{id}/members': {
    path: RecordPath
    query?: {
      /** true: only memberships that have not ended today. */
      active_only?: boolean | undefined
    }
    response: readonly GroupMember[]
  }
  /**
   * Add a facility to a group, from the current month at the earliest
   *
   * A facility that is already a member of a group in the period is rejected with 409 SINGLE_GROUP_VIOLATION.
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/groups/{id}/members': {
    path: RecordPath
    body: AddGroupMember
    response: GroupMember
  }
  /**
   * Update a membership, usually to close it with valid_to; group_id and facility_id are ignored
   *
   * A facility that is already a member of a group in the period is rejected with 409 SINGLE_GROUP_VIOLATION. Where the change reaches into hours that have been calculated, the group is corrected from their first period on. The warnings are those of the correction.
   *
   * Access: permission `manage:netting`.
   */
  'PATCH /api/mahsuplasma/groups/{id}/members/{member_id}': {
    path: RecordPath & { member_id: Uuid }
    body: UpdateGroupMember
    response: GroupMember
  }
  /**
   * Delete a membership permanently; closing it with valid_to is preferred
   *
   * Where the change reaches into hours that have been calculated, the group is corrected from their first period on.
   *
   * Access: permission `manage:netting`.
   */
  'DELETE /api/mahsuplasma/groups/{id}/members/{member_id}': {
    path: RecordPath & { member_id: Uuid }
    response: undefined
  }
  /**
   * Evaluate the 13 eligibility rules for a group as of now, log the results and set its status
   *
   * A blocked group is still calculated: its whole production is free surplus (bedelsiz).
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/groups/{id}/evaluate': {
    path: RecordPath
    response: Eligibility
  }
  /**
   * Get the eligibility of a group, now or in a period, with the results of the rules
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/groups/{id}/eligibility': {
    path: RecordPath
    query?: {
      /** Period: first day of a Turkey-local month; any date of it, or YYYY-MM, is truncated. The response is the latest evaluation of the period after its end; before there is one, the last evaluation made before its end. Default: the latest evaluation of the present. */
      billing_period?: BillingPeriod | undefined
    }
    response: Eligibility
  }
  /**
   * List the logged evaluations of a group, latest first
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/groups/{id}/evaluations': {
    path: RecordPath
    query?: ListParameters & {
      /** Only evaluations of this period after its end: first day of a Turkey-local month; any date of it, or YYYY-MM, is truncated. */
      billing_period?: BillingPeriod | undefined
    }
    response: readonly Eligibility[]
  }
  /**
   * Evaluate all rules for a period that is over, with a reason (superuser)
   *
   * Evaluates all 13 rules as of the period with the records of now, including those about acts of persons (R001, R013), which every other evaluation of a period that is over keeps. The status of the group does not change. Results change with the next calculation or correction of the period: see correction_required. 422 for a period that is not over, and for one without a member.
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'POST /api/mahsuplasma/groups/{id}/period-evaluations': {
    path: RecordPath
    body: EvaluatePeriod
    response: Eligibility
  }
  /**
   * List limit accounts, newest first, with the remaining limit on request
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/limits/accounts': {
    query?: ListParameters & {
      /** limits: the records also contain their used and remaining limit, by the ledger of now. */
      include?: "limits" | undefined
      facility_id?: Uuid | undefined
      /** Turkey-local calendar year. */
      year?: number | undefined
    }
    response: readonly ListedLimitAccount[]
  }
  /**
   * Create the limit account of a facility and year, with its initial movement
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/limits/accounts': {
    body: CreateLimitAccount
    response: LimitAccount
  }
  /**
   * List the movements of a limit account, newest first
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/limits/accounts/{id}/movements': {
    path: RecordPath
    query?: ListParameters & {
      /** Only movements that this run booked. */
      calculation_run_id?: Uuid | undefined
    }
    response: readonly LimitMovement[]
  }
  /**
   * Get the sums of the movements of a limit account by type
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/limits/accounts/{id}/movements/totals': {
    path: RecordPath
    response: LimitMovementTotals
  }
  /**
   * Book a manual adjustment
   *
   * A negative amount may make the remaining limit negative.
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/limits/accounts/{id}/adjust': {
    path: RecordPath
    body: AdjustLimit
    response: LimitAdjustment
  }
  /**
   * Transfer remaining limit from one account to another (beta)
   *
   * Transfers from one account are serialized. 422 INSUFFICIENT_LIMIT_BALANCE if the remaining limit of the source is too small.
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/limits/transfer': {
    body: TransferLimit
    response: LimitTransfer
  }
  /**
   * List the hourly facts of a facility by hour ascending, one row per source and role
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/facilities/{id}/hourly-energy': {
    path: RecordPath
    query: ListParameters & {
      /** First hour, inclusive. */
      from: Instant
      /** End, exclusive. */
      to: Instant
    }
    response: readonly HourlyEnergy[]
  }
  /**
   * Get the sums of the hourly facts of a facility by source and role
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/facilities/{id}/hourly-energy/totals': {
    path: RecordPath
    query: {
      /** First hour, inclusive. */
      from: Instant
      /** End, exclusive. */
      to: Instant
    }
    response: HourlyEnergyTotals
  }
  /**
   * Rebuild the hourly facts of a facility from its meters; changed rows become corrected
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/facilities/{id}/hourly-energy/rebuild': {
    path: RecordPath
    body: RebuildFacts
    response: RebuiltFacts
  }
  /**
   * Calculate a group: one run per billing period, which replaces the runs it overlaps
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/groups/{id}/calculate': {
    path: RecordPath
    body: CalculateGroup
    response: CalculationResult
  }
  /**
   * List the hourly results of a group, by hour ascending
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/groups/{id}/hourly': {
    path: RecordPath
    query?: ListParameters & {
      /** First hour, inclusive. */
      from?: Instant | undefined
      /** End, exclusive. */
      to?: Instant | undefined
      /** true: also superseded rows. */
      include_history?: boolean | undefined
    }
    response: readonly HourlyNetting[]
  }
  /**
   * List the virtual meters of a group, by hour ascending
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/groups/{id}/virtual-meters': {
    path: RecordPath
    query?: ListParameters & {
      /** First hour, inclusive. */
      from?: Instant | undefined
      /** End, exclusive. */
      to?: Instant | undefined
      /** true: also superseded rows. */
      include_history?: boolean | undefined
    }
    response: readonly VirtualMeterHour[]
  }
  /**
   * List the amounts of a group, by hour ascending
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/groups/{id}/amounts': {
    path: RecordPath
    query?: ListParameters & {
      /** First hour, inclusive. */
      from?: Instant | undefined
      /** End, exclusive. */
      to?: Instant | undefined
      /** true: also superseded rows. */
      include_history?: boolean | undefined
      /** Only amounts of this type. */
      amount_type?: "supplier_payment_for_matched_consumption" | "producer_payment_for_bedelli_surplus" | "system_usage_fee_for_skb" | "sktt_matched_consumption" | "mesken_monthly_amount" | "estimated_savings" | "estimated_loss_or_risk" | undefined
    }
    response: readonly NettingAmount[]
  }
  /**
   * Get the sums of the current hourly results of a group
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/groups/{id}/hourly/totals': {
    path: RecordPath
    query?: {
      /** First hour, inclusive. */
      from?: Instant | undefined
      /** End, exclusive. */
      to?: Instant | undefined
    }
    response: HourlyNettingTotals
  }
  /**
   * Get the sums of the current virtual meters of a group by type
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/groups/{id}/virtual-meters/totals': {
    path: RecordPath
    query?: {
      /** First hour, inclusive. */
      from?: Instant | undefined
      /** End, exclusive. */
      to?: Instant | undefined
    }
    response: VirtualMeterTotals
  }
  /**
   * Get the sums of the current amounts of a group by type
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/groups/{id}/amounts/totals': {
    path: RecordPath
    query?: {
      /** First hour, inclusive. */
      from?: Instant | undefined
      /** End, exclusive. */
      to?: Instant | undefined
    }
    response: NettingAmountTotals
  }
  /**
   * List the monthly summaries of a group, latest period first
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/groups/{id}/monthly-summary': {
    path: RecordPath
    query?: ListParameters & {
      /** Turkey-local calendar year. */
      year?: number | undefined
      /** true: also superseded rows. */
      include_history?: boolean | undefined
    }
    response: readonly MonthlySummary[]
  }
  /**
   * List the calculation runs of a group, latest start first
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/groups/{id}/runs': {
    path: RecordPath
    query?: ListParameters & {
      /** Any date of the month; truncated to the month. */
      billing_period?: BillingPeriod | undefined
    }
    response: readonly ListedCalculationRun[]
  }
  /**
   * Correct a period and every later one that has been calculated
   *
   * Every period is calculated again, in one transaction each, also across years. If the correction stops, the completed periods are kept, and the same request (group, billing_period, reason) continues from there. Corrections of one group are serialized. A calculation that needs sealed data is 409 with a plain text as its detail.
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/groups/{id}/corrections': {
    path: RecordPath
    body: CorrectGroup
    response: CorrectionResult
  }
  /**
   * List one month of all groups, by name: status, figures, stale hours, open alarms and warnings
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/groups/overview': {
    query: ListParameters & {
      /** Only records that contain this text, ignoring case: name. Empty: all records. */
      search?: string | undefined
      /** Month: the first day of a Turkey-local month; any date of it, or YYYY-MM, is truncated. */
      billing_period: BillingPeriod
      scope_id?: Uuid | undefined
      /** Whether the record is in use. */
      is_active?: boolean | undefined
      /** Only groups with this status of the month. */
      month_status?: "not_calculated" | "partial" | "calculated" | undefined
      /** Only groups whose month is stale, or only the others. */
      stale?: boolean | undefined
    }
    response: readonly GroupMonth[]
  }
  /**
   * Calculate or correct a month of many groups in the background
   *
   * The response is the stored request; its resource shows the progress. The groups are processed one after the other, each as by its own request, and a stop of the service interrupts none of them for good.
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/groups/bulk': {
    body: StartBulkCalculation
    response: BulkCalculation
  }
  /**
   * List the bulk requests, newest first
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/groups/bulk': {
    query?: ListParameters
    response: readonly BulkCalculation[]
  }
  /**
   * Get a bulk request with its progress
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/groups/bulk/{id}': {
    path: RecordPath
    response: BulkCalculation
  }
  /**
   * List the results of a bulk request by group
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/groups/bulk/{id}/groups': {
    path: RecordPath
    query?: ListParameters & {
      /** Only records that contain this text, ignoring case: name. Empty: all records. */
      search?: string | undefined
      /** State. */
      status?: "waiting" | "completed" | "unchanged" | "incomplete" | "refused" | "failed" | undefined
    }
    response: readonly BulkCalculationGroup[]
  }
  /**
   * Get the key figures of a group for one month
   *
   * Energies are sums of the current hourly rows, amounts are sums of the current amounts. For a residential group the hours are informational and only the month is official: mesken_month then contains the energies that correspond to the amounts.
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/groups/{id}/dashboard-summary': {
    path: RecordPath
    query?: {
      /** YYYY-MM, or any date or instant, truncated to its Turkey-local month. Default: the current month. A year outside 2000 to 2100 is 422. */
      period?: string | undefined
    }
    response: {
      /** Group. */
      group_id: Uuid
      /** Billing period: the first day of a Turkey-local month. */
      period: BillingPeriod
      /** false if the period has neither a current hourly row nor a run. */
      has_data: boolean
      /** Consumption matched by production of the same hour; kWh. null without data, and if it is unknown in every hour. */
      mahsuplasan_tuketim_kwh: string | null
      /** Value of the matched consumption: supplier, SKTT and residential monthly amounts; TRY. Rows without a price are not included; null if no row has one. */
      mahsuplasan_tuketim_try: string | null
      /** Paid surplus; kWh. null without data, and if it is unknown in every hour. */
      bedelli_fazla_kwh: string | null
      /** Producer payments for the paid surplus; TRY. Rows without a price are not included; null if no row has one. */
      bedelli_fazla_gelir_try: string | null
      /** Surplus subject to the system usage fee; kWh. null without data, and if it is unknown in every hour. */
      skb_kwh: string | null
      /** System usage fee; TRY. Rows without a price are not included; null if no row has one. */
      skb_bedel_try: string | null
      /** Free surplus; kWh. null without data, and if it is unknown in every hour. */
      bedelsiz_kwh: string | null
      /** Hypothetical revenue of the free surplus at the lowest related tariff approved for each of its days; TRY. 0 for 0 kWh; null without data and, with a warning, if a price is missing. */
      bedelsiz_risk_try: string | null
      /** Price row of the largest part. null if nothing was priced. */
      bedelsiz_risk_tariff_price_id: Uuid | null
      /** Production; kWh. null without data, and if it is unknown in every hour. */
      toplam_uretim_kwh: string | null
      /** Consumption before netting; kWh. null without data, and if it is unknown in every hour. */
      toplam_tuketim_kwh: string | null
      /** What the accounts for the year of the period have left, as of now; kWh. Of the consumption facilities that are members in the period or today. Null without an account. */
      bedelli_limit_kalan_kwh: string | null
      /** Data quality in %: the mean, over the facilities that are members today, of the mean completeness of their facts of today (Turkey-local). A facility without facts is not included; null if no facility has one. */
      veri_kalitesi_pct: number | null
      /** true for a residential group: the hourly energies above are informational. */
      mesken_informational: boolean
      /** Official month of a residential group, which corresponds to the amounts; otherwise null. */
      mesken_month: MeskenMonth | null
      /** true if the input of calculated hours has changed since their calculation. */
      stale: boolean
      /** Number of these hours. Later hours may change as well, because the balances continue. */
      stale_hours: number
      /** The hours as ranges, ascending; the first 100. */
      stale_ranges: readonly ({
        /** First hour, inclusive. */
        from_hour: Instant
        /** End, exclusive. */
        to_hour: Instant
      })[]
      /** Time of the first of these changes; null if not stale. */
      stale_since: Instant | null
      /** What has changed: OFFICIAL_ENERGY_CHANGED official readings, ENERGY_CHANGED hourly energy of other sources, MEMBERS_CHANGED memberships, FACILITY_CHANGED a facility, METERS_CHANGED meters and their roles, LIMIT_CHANGED an account, an adjustment or a transfer, BALANCE_CHANGED earlier usage of an account, PRICES_CHANGED approved prices, ELIGIBILITY_CHANGED the evaluation, SETTINGS_CHANGED a setting of the tenant. Clients must ignore unknown codes. */
      stale_reasons: readonly string[]
      /** Most recently started run of the period, also if superseded; null without any. */
      last_run: CalculationRun | null
      /** Human-readable warnings. */
      warnings: readonly string[]
      /** Code of the warning with the same index. */
      warning_codes: readonly string[]
      /** The content of the warning with the same index, without its text. */
      warning_details: readonly WarningDetail[]
    }
  }
  /**
   * Compare hourly with monthly netting of facilities by their readings alone
   *
   * Answers what netting by hour would have given, before there is a group: the facilities are netted as one group, with the limits of their accounts or, without one, twice the consumption of the previous year. Hours in which a facility lacks a value are left out on both sides. The result is marked with data_basis; the notes list its assumptions. Nothing is written.
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/comparison': {
    query: {
      /** Facilities: ids separated by commas, at most 20. */
      facility_ids: string
      /** First month. */
      from: BillingPeriod
      /** Last month, at most the current one and 12 months in all. */
      to: BillingPeriod
    }
    response: ReadingsComparison
  }
  /**
   * Forecast from readings alone when the common limit of facilities is used up
   *
   * The method of the forecast of an account, applied to facilities that are netted by hour as one group. Without a known limit of every consumer the figures of the limit are null. The result is marked with data_basis; the notes list its assumptions. Nothing is written.
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/forecast': {
    query: {
      /** Facilities: ids separated by commas, at most 20. */
      facility_ids: string
      /** Turkey-local calendar year, at most the current one, which is the default. */
      year?: number | undefined
    }
    response: ReadingsForecast
  }
  /**
   * Compare hourly with monthly netting of a group on the same facts, in kWh and TRY
   *
   * The same facts, members, prices and opening limits are netted by hour and as one month; nothing is written. For a residential group, which is netted by month, the hourly side is hypothetical. The difference is hourly minus monthly from the view of the owner: producer payments are revenue, the bill avoided by matched energy is an avoided cost, the system usage fee is a cost; payments of the market to the supplier are not counted.
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/groups/{id}/comparison': {
    path: RecordPath
    query: {
      /** Month; any date of it is truncated. A month before 2000, or without a complete hour so far, is 422. */
      billing_period: BillingPeriod
    }
    response: NettingComparison
  }
  /**
   * Forecast the day on which a limit account is used up
   *
   * The forecast scales the monthly profile of last year to the usage of this year so far; if last year is unknown, it uses the mean of the last 28 days. The response contains the method, the inputs and the confidence. Nothing is written.
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/limits/accounts/{id}/forecast': {
    path: RecordPath
    response: LimitForecast
  }
  /**
   * Get the public key that verifies the signatures of audit packages
   *
   * The key is derived from SECRET_KEY and changes with it. Packages that were made before such a change are verified with the key of their time, so keep it with them.
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/audit-key': {
    response: AuditKey
  }
  /**
   * Download a ZIP archive that proves the current figures of a period: inputs, results, hashes
   *
   * The archive contains every input of the current runs of the period as it was at their time, their results, and the SHA-256 of each file, signed with Ed25519. `netsaat audit replay FILE` verifies the signature, computes the results again without a database and reports that they are identical, or the first difference. 422 if no hour of the month is calculated.
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/groups/{id}/audit-package': {
    path: RecordPath
    query: {
      /** Month; any date of it is truncated. */
      billing_period: BillingPeriod
    }
    response: FileStream
  }
  /**
   * Get the netting settings of the tenant
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/settings': {
    response: NettingSettings
  }
  /**
   * Change the netting settings of the tenant
   *
   * strict_storage_export is an input of every later calculation, also of past periods. The schedule calculates the current month again, and the previous one until its settlement is final; request a correction of older periods.
   *
   * Access: permission `manage:netting`.
   */
  'PATCH /api/mahsuplasma/settings': {
    body: UpdateNettingSettings
    response: NettingSettings
  }
  /**
   * Download the workbook for an import of history, with a sheet that explains its columns
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'GET /api/mahsuplasma/history/template': {
    query?: {
      /** Default: Accept-Language, otherwise English. */
      language?: "tr" | "en" | undefined
    }
    response: FileStream
  }
  /**
   * Start the calculation of past months of all groups of a tenant, in order of time (superuser)
   *
   * Every month builds the hourly energy of its members before. A month that fails ends the calculation of its group. 422 NO_ACTIVE_MEMBERS, BUSINESS_RULE_VIOLATION (range); 409 STATE_CONFLICT for too many calculations that are not finished.
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'POST /api/mahsuplasma/history/calculate': {
    body: CalculateHistory
    response: HistoryCalculation
  }
  /**
   * Get the progress of a calculation of history of any tenant (superuser)
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'GET /api/mahsuplasma/history/jobs/{id}': {
    path: RecordPath
    response: HistoryCalculation
  }
  /**
   * Download the current results of a period as CSV, XLSX or PDF, in Turkish or English
   *
   * The rows are read while the file is written. 404 for an unknown group; 422 BUSINESS_RULE_VIOLATION if no hour of the month is calculated, and REPORT_TOO_LONG if the table has too many rows for a PDF.
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/groups/{id}/report': {
    path: RecordPath
    query: ReportParameters & {
      /** hours, virtual_meters, amounts: current rows of the period by hour. summary: figures of the period. ledger: movements of the limit accounts of the consumers in the year of the period, with the balance after each. allocation: matched energy of each producer that each consumer used. In a PDF rows by hour are summed by day, and amounts by type and facility. */
      kind: "hours" | "virtual_meters" | "amounts" | "summary" | "ledger" | "allocation"
      /** Month; any date of it is truncated. */
      billing_period: BillingPeriod
    }
    response: FileStream
  }
  /**
   * List the field mappings of invoices, by supplier
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/invoice-mappings': {
    query?: ListParameters & {
      /** Only records that contain this text, ignoring case: supplier. Empty: all records. */
      search?: string | undefined
    }
    response: readonly InvoiceMapping[]
  }
  /**
   * Store how the invoices of a supplier are read
   *
   * Later invoices and repeated checks are read with it. 409 STATE_CONFLICT beyond 500 mappings, and for a supplier and layout that have one.
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/invoice-mappings': {
    body: SaveInvoiceMapping
    response: InvoiceMapping
  }
  /**
   * Get a field mapping of invoices
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/invoice-mappings/{id}': {
    path: RecordPath
    response: InvoiceMapping
  }
  /**
   * Replace a field mapping of invoices
   *
   * Access: permission `manage:netting`.
   */
  'PUT /api/mahsuplasma/invoice-mappings/{id}': {
    path: RecordPath
    body: SaveInvoiceMapping
    response: InvoiceMapping
  }
  /**
   * Delete a field mapping of invoices; stored checks keep what they were read with
   *
   * Access: permission `manage:netting`.
   */
  'DELETE /api/mahsuplasma/invoice-mappings/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * List the stored invoice checks, newest first
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/invoice-checks': {
    query?: ListParameters & {
      /** Only checks of this group. */
      group_id?: Uuid | undefined
      /** Only checks of this month. */
      billing_period?: BillingPeriod | undefined
      /** Only those whose objection has this status. */
      status?: "open" | "sent" | "answered" | "settled" | undefined
      /** Only records that contain this text, ignoring case: name of the file, supplier, number of the invoice. Empty: all records. */
      search?: string | undefined
    }
    response: readonly InvoiceCheckHead[]
  }
  /**
   * Get a stored invoice check with its report
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/invoice-checks/{id}': {
    path: RecordPath
    response: InvoiceCheck
  }
  /**
   * Delete a stored check; the last one of a file with the file and its objection
   *
   * Access: permission `manage:netting`.
   */
  'DELETE /api/mahsuplasma/invoice-checks/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * Check the file again, with the current results and field mapping, as a new check
   *
   * The check is unchanged. 409 STATE_CONFLICT beyond 5000 checks.
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/invoice-checks/{id}/repeat': {
    path: RecordPath
    response: InvoiceCheck
  }
  /**
   * Compare a stored check with an earlier one of the same group and month
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/invoice-checks/{id}/comparison': {
    path: RecordPath
    query?: {
      /** Earlier check; default: the one that this check repeats. */
      with?: Uuid | undefined
    }
    response: InvoiceCheckComparison
  }
  /**
   * Change the day of receipt or the term of the objection
   *
   * Access: permission `manage:netting`.
   */
  'PATCH /api/mahsuplasma/invoice-checks/{id}/objection': {
    path: RecordPath
    body: UpdateInvoiceObjection
    response: InvoiceCheck
  }
  /**
   * Download the objection of a stored check as PDF in Turkish
   *
   * 422 BUSINESS_RULE_VIOLATION if no line differs.
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/invoice-checks/{id}/objection': {
    path: RecordPath
    response: FileStream
  }
  /**
   * Record that the objection was sent, answered or settled, or is open again
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/invoice-checks/{id}/objection-steps': {
    path: RecordPath
    body: NewInvoiceObjectionStep
    response: InvoiceCheck
  }
  /**
   * Download the file of a stored check, byte for byte
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/invoice-checks/{id}/file': {
    path: RecordPath
    response: FileStream
  }
  /**
   * Download the lines of a stored check as CSV, XLSX or PDF, in Turkish or English
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/invoice-checks/{id}/report': {
    path: RecordPath
    query: ReportParameters
    response: FileStream
  }
  /**
   * Create a scenario: the stored inputs of months, with changes; a job computes it
   *
   * The base are the current results of the groups and months. An error of a field names the change by its position. A change that cannot be applied to the readings ends the scenario as failed, with error_change and error_field. 422 INVALID_REFERENCE, BUSINESS_RULE_VIOLATION; 409 STATE_CONFLICT for too many scenarios.
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/scenarios': {
    body: CreateScenario
    response: Scenario
  }
  /**
   * List scenarios, newest first
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/scenarios': {
    query?: ListParameters & {
      /** Only records that contain this text, ignoring case: name. Empty: all records. */
      search?: string | undefined
    }
    response: readonly ScenarioHead[]
  }
  /**
   * Cancel a scenario that waits or is being computed
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/scenarios/{id}/cancel': {
    path: RecordPath
    response: Scenario
  }
  /**
   * Compute a finished scenario again, from the results that are current now
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/scenarios/{id}/calculate': {
    path: RecordPath
    response: Scenario
  }
  /**
   * Delete a scenario with its result
   *
   * Access: permission `manage:netting`.
   */
  'DELETE /api/mahsuplasma/scenarios/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * Get a scenario with its progress and its totals
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/scenarios/{id}': {
    path: RecordPath
    response: Scenario
  }
  /**
   * Compare the totals of finished scenarios side by side, each with its base
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/scenarios/comparison': {
    query: {
      /** Ids of finished scenarios, separated by commas. */
      ids: string
    }
    response: readonly ComparedScenario[]
  }
  /**
   * List the result by month and group, without and with the changes
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/scenarios/{id}/months': {
    path: RecordPath
    query?: ListParameters & {
      /** Only this group. */
      group_id?: Uuid | undefined
      /** Only this month. */
      billing_period?: BillingPeriod | undefined
    }
    response: readonly ScenarioMonth[]
  }
  /**
   * List the result by month, group and facility
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/scenarios/{id}/members': {
    path: RecordPath
    query?: ListParameters & {
      /** Only this group. */
      group_id?: Uuid | undefined
      /** Only this month. */
      billing_period?: BillingPeriod | undefined
    }
    response: readonly ScenarioMember[]
  }
  /**
   * List the hours of one group and month of the result
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/scenarios/{id}/hours': {
    path: RecordPath
    query: ListParameters & {
      /** Group. */
      group_id: Uuid
      /** Month; any date of it is truncated. */
      billing_period: BillingPeriod
    }
    response: readonly ScenarioHour[]
  }
  /**
   * Download the result as CSV, XLSX or PDF, in Turkish or English
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/scenarios/{id}/report': {
    path: RecordPath
    query: ReportParameters & {
      /** months: figures of each group and month. members: of each facility. hours: of each hour, not as PDF if there are too many. */
      kind: "months" | "members" | "hours"
    }
    response: FileStream
  }
  /**
   * Forecast consumption and production of facilities by hour; a job computes it
   *
   * From the hours of the facilities before the first day, at most two years of them. 422 INVALID_REFERENCE, BUSINESS_RULE_VIOLATION; 409 STATE_CONFLICT for too many forecasts.
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/hourly-forecasts': {
    body: CreateHourlyForecast
    response: HourlyForecast
  }
  /**
   * List forecasts by hour, newest first
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/hourly-forecasts': {
    query?: ListParameters & {
      /** Only forecasts with this facility. */
      facility_id?: Uuid | undefined
    }
    response: readonly HourlyForecastHead[]
  }
  /**
   * Cancel a forecast by hour that waits or is being computed
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/hourly-forecasts/{id}/cancel': {
    path: RecordPath
    response: HourlyForecast
  }
  /**
   * Delete a forecast by hour with its result
   *
   * Access: permission `manage:netting`.
   */
  'DELETE /api/mahsuplasma/hourly-forecasts/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * Get a forecast by hour with its progress and the scores of its method
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/hourly-forecasts/{id}': {
    path: RecordPath
    response: HourlyForecast
  }
  /**
   * List the hours of a facility with the band of each
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/hourly-forecasts/{id}/hours': {
    path: RecordPath
    query: ListParameters & {
      /** Facility. */
      facility_id: Uuid
      /** Energy. */
      kind: "consumption" | "production"
    }
    response: readonly ForecastHour[]
  }
  /**
   * Create an optimisation of the current results of groups and months; a job computes it
   *
   * The solver works on a model; its proposal is computed by the rules of netting, and shown with the gap to what is proven (docs/understand/netting/optimisation.md). A model that is too large ends it as failed. 422 INVALID_REFERENCE, BUSINESS_RULE_VIOLATION; 409 STATE_CONFLICT for too many optimisations.
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/optimisations': {
    body: CreateOptimisation
    response: Optimisation
  }
  /**
   * List optimisations, newest first
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/optimisations': {
    query?: ListParameters & {
      /** Only records that contain this text, ignoring case: name. Empty: all records. */
      search?: string | undefined
    }
    response: readonly OptimisationHead[]
  }
  /**
   * Cancel an optimisation that waits or is being computed
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/optimisations/{id}/cancel': {
    path: RecordPath
    response: Optimisation
  }
  /**
   * Create a scenario of the same months with the changes of the proposal
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/optimisations/{id}/scenario': {
    path: RecordPath
    response: Scenario
  }
  /**
   * Delete an optimisation with its result
   *
   * Access: permission `manage:netting`.
   */
  'DELETE /api/mahsuplasma/optimisations/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * Get an optimisation with its progress, its result and its gap
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/optimisations/{id}': {
    path: RecordPath
    response: Optimisation
  }
  /**
   * List the matched energy of each producer by consumer, of an allocation
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/optimisations/{id}/flows': {
    path: RecordPath
    query?: ListParameters
    response: readonly OptimisedFlow[]
  }
  /**
   * List the set points of the batteries by hour, for a controller; nothing is sent to a device
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/optimisations/{id}/set-points': {
    path: RecordPath
    query?: ListParameters & {
      /** Only this facility. */
      facility_id?: Uuid | undefined
    }
    response: readonly SetPoint[]
  }
  /**
   * List sizings, newest first
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/sizings': {
    query?: ListParameters & {
      /** Only records that contain this text, ignoring case: name. Empty: all records. */
      search?: string | undefined
    }
    response: readonly SizingHead[]
  }
  /**
   * Compute a scenario for each of several sizes of one change; a job computes it
   *
   * Errors as for a scenario; 422 BUSINESS_RULE_VIOLATION also for a change without a size or too many sizes.
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/sizings': {
    body: CreateSizing
    response: Sizing
  }
  /**
   * Get a sizing with its progress and its points
   *
   * Access: permission `read:netting`.
   */
  'GET /api/mahsuplasma/sizings/{id}': {
    path: RecordPath
    response: Sizing
  }
  /**
   * Delete a sizing with its result
   *
   * Access: permission `manage:netting`.
   */
  'DELETE /api/mahsuplasma/sizings/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * Cancel a sizing that waits or is being computed
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/sizings/{id}/cancel': {
    path: RecordPath
    response: Sizing
  }
  /**
   * Import the past records of a tenant: all rows are stored, or none (superuser)
   *
   * A workbook with the sheets organizations, scopes, facilities, meters, groups, members and limit_accounts, or CSV files with these names; Turkish names and headers are accepted. Records refer to each other by name. At most 5000 rows. Errors of rows are reported with 200 and applied false, all at once. A repeated import changes nothing; a row that differs from an existing record is an error. Every record names the file as its origin. 413 PAYLOAD_TOO_LARGE; 422 FILE_NOT_READABLE, FILE_TOO_MANY_ROWS, INVALID_REFERENCE (tenant_id).
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'POST /api/mahsuplasma/history': {
    body: FormData
    response: HistoryReport
  }
  /**
   * Compare the monthly figures of a supplier or market operator with the current results, row by row
   *
   * The file is a CSV file (UTF-8; comma, semicolon or tab) or the first sheet of an XLSX workbook, with rows by hour, day or month: at most 2 MiB and 10000 rows. The columns, their Turkish names and an example are in docs/understand/netting/reconcile.md. An invoice with one charge in a row, an e-Fatura (UBL-TR XML) or a PDF with text is read too, and every line is classified: docs/understand/netting/invoice-check.md. Nothing is written. 413 for a file that is too large, also after decompression; 422 FILE_NOT_READABLE, FILE_COLUMNS_UNKNOWN or FILE_TOO_MANY_ROWS. Errors in single rows are listed in the response.
   *
   * Access: permission `read:netting`.
   */
  'POST /api/mahsuplasma/groups/{id}/reconcile': {
    path: RecordPath
    query: {
      /** Month; any date of it is truncated. */
      billing_period: BillingPeriod
      /** End of the hour that its label names. Default: docs/understand/netting/reconcile.md. */
      label?: "hour_ending" | "hour_starting" | undefined
      /** Tolerance for energies, kWh; default 0.001. */
      tolerance_kwh?: number | string | undefined
      /** Tolerance for amounts, TRY; default 0.01. */
      tolerance_try?: number | string | undefined
      /** Supplier of the field mapping; default: that of the invoice. */
      supplier?: string | undefined
    }
    body: FormData
    response: Reconciliation
  }
  /**
   * Make the objection to an invoice: its differing lines with evidence, as PDF in Turkish
   *
   * Takes the file of a reconciliation and reads it in the same way. Nothing is written. 422 BUSINESS_RULE_VIOLATION if no line differs; the other errors are those of a reconciliation.
   *
   * Access: permission `read:netting`.
   */
  'POST /api/mahsuplasma/groups/{id}/objection': {
    path: RecordPath
    query: {
      /** Month; any date of it is truncated. */
      billing_period: BillingPeriod
      /** End of the hour that its label names. Default: docs/understand/netting/reconcile.md. */
      label?: "hour_ending" | "hour_starting" | undefined
      /** Tolerance for energies, kWh; default 0.001. */
      tolerance_kwh?: number | string | undefined
      /** Tolerance for amounts, TRY; default 0.01. */
      tolerance_try?: number | string | undefined
      /** Supplier of the field mapping; default: that of the invoice. */
      supplier?: string | undefined
      /** Day on which the invoice was received. */
      received_on?: LocalDate | undefined
      /** Days from then to the last day of an objection; default 8. */
      objection_days?: number | undefined
    }
    body: FormData
    response: FileStream
  }
  /**
   * Check an invoice against the current results, and store the check with the file
   *
   * As a reconciliation: docs/understand/netting/invoice-check.md. 409 STATE_CONFLICT beyond 5000 checks or their storage.
   *
   * Access: permission `manage:netting`.
   */
  'POST /api/mahsuplasma/groups/{id}/invoice-checks': {
    path: RecordPath
    query: {
      /** Month; any date of it is truncated. */
      billing_period: BillingPeriod
      /** End of the hour that its label names. Default: docs/understand/netting/reconcile.md. */
      label?: "hour_ending" | "hour_starting" | undefined
      /** Tolerance for energies, kWh; default 0.001. */
      tolerance_kwh?: number | string | undefined
      /** Tolerance for amounts, TRY; default 0.01. */
      tolerance_try?: number | string | undefined
      /** Supplier of the field mapping; default: that of the invoice. */
      supplier?: string | undefined
      /** Day on which the invoice was received; default: its date, else today. */
      received_on?: LocalDate | undefined
    }
    body: FormData
    response: InvoiceCheck
  }
  /**
   * Show how the fields of an invoice would be read, with its first rows
   *
   * Also of a file whose columns are unknown. Nothing is written. Errors as for a reconciliation.
   *
   * Access: permission `read:netting`.
   */
  'POST /api/mahsuplasma/invoice-preview': {
    query: {
      /** Month; any date of it is truncated. */
      billing_period: BillingPeriod
      /** Supplier of the field mapping; default: that of the invoice. */
      supplier?: string | undefined
    }
    body: FormData
    response: InvoicePreview
  }
  /**
   * List OSOS installations, by number
   *
   * Access: permission `read:osos`.
   */
  'GET /api/osos/installations': {
    query?: ListParameters & {
      /** Only records that contain this text, ignoring case: installation number. Empty: all records. */
      search?: string | undefined
      facility_id?: Uuid | undefined
    }
    response: readonly OsosInstallation[]
  }
  /**
   * Create an OSOS installation
   *
   * Access: permission `manage:osos`.
   */
  'POST /api/osos/installations': {
    body: CreateOsosInstallation
    response: OsosInstallation
  }
  /**
   * Get an OSOS installation
   *
   * Access: permission `read:osos`.
   */
  'GET /api/osos/installations/{id}': {
    path: RecordPath
    response: OsosInstallation
  }
  /**
   * Update an OSOS installation: omitted fields are unchanged, null clears
   *
   * When the facility or measurement role changes, the facts of all readings are moved in the same transaction; 409 SEALED_MONTH if one of their months is sealed. A changed multiplier does not change stored readings.
   *
   * Access: permission `manage:osos`.
   */
  'PATCH /api/osos/installations/{id}': {
    path: RecordPath
    body: UpdateOsosInstallation
    response: OsosInstallation
  }
  /**
   * Delete an OSOS installation that has no readings and no metering point
   *
   * Access: permission `manage:osos`.
   */
  'DELETE /api/osos/installations/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * List the hourly readings in force, by hour ascending
   *
   * Access: permission `read:osos`.
   */
  'GET /api/osos/installations/{id}/readings': {
    path: RecordPath
    query?: ListParameters & {
      /** Only hours that begin at or after this time. */
      from?: Instant | undefined
      /** Only hours that begin before this time. */
      to?: Instant | undefined
    }
    response: readonly OsosReading[]
  }
  /**
   * Store hourly readings; the response contains the result for each
   *
   * The operation is idempotent. A different value replaces the stored one, which is kept in the history. A negative energy is stored as suspect, without a value. Days with fewer than 24 hours are accepted and reported. An invalid row is rejected individually; the others are stored together with the facts of their hours in one transaction. 409 SEALED_MONTH if facts of a sealed month would change; then nothing is stored.
   *
   * Access: permission `manage:osos`.
   */
  'POST /api/osos/installations/{id}/readings': {
    path: RecordPath
    body: PostOsosReadings
    response: OsosReadingsReport
  }
  /**
   * List the values that corrections replaced, by hour ascending, oldest first
   *
   * Access: permission `read:osos`.
   */
  'GET /api/osos/installations/{id}/readings/history': {
    path: RecordPath
    query?: ListParameters & {
      /** Only hours that begin at or after this time. */
      from?: Instant | undefined
      /** Only hours that begin before this time. */
      to?: Instant | undefined
    }
    response: readonly ReplacedOsosReading[]
  }
  /**
   * Get the energy that an installation drew and fed, by Turkey-local hour, day or month
   *
   * At most 400 days by the hour, 1,500 days by the day, 7,400 days by the month.
   *
   * Access: permission `read:osos`.
   */
  'GET /api/osos/installations/{id}/consumption': {
    path: RecordPath
    query?: {
      /** Bucket size: Turkey-local hours, days or months. */
      interval?: "hourly" | "daily" | "monthly" | undefined
      /** Start, rounded down to the start of its bucket. Default: a day, a month or a year before `to`. */
      from?: Instant | undefined
      /** End, rounded up to the end of its bucket. Default: now. */
      to?: Instant | undefined
    }
    response: OsosConsumption
  }
  /**
   * List the imports of readings (requests and files), newest first
   *
   * Access: permission `read:osos`.
   */
  'GET /api/osos/imports': {
    query?: ListParameters & {
      /** Only records that contain this text, ignoring case: file name. Empty: all records. */
      search?: string | undefined
      /** Only imports for this installation. */
      installation_id?: Uuid | undefined
    }
    response: readonly OsosImport[]
  }
  /**
   * List the months of netting groups whose hours an import stored, newest first
   *
   * An hour whose value was the same as the stored one is not counted.
   *
   * Access: permission `read:netting`.
   */
  'GET /api/osos/imports/{id}/months': {
    path: RecordPath
    query?: ListParameters
    response: readonly OsosImportedMonth[]
  }
  /**
   * Import a file of hourly readings of one installation
   *
   * The file is a CSV file (UTF-8; semicolon, comma or tab) or the first sheet of an XLSX workbook with one row per hour: at most 16 MiB and 100000 rows. The columns are identified by their headers, in any order and case: Tarih, Tarih-Saat or date (with or without a column Saat), Çekiş, Aktif Çekiş, Tüketim or import, Veriş, Aktif Veriş, Üretim or export, and Tesisat No or installation_no; units in headers are ignored, other columns are reported and ignored. Dates are written as 01.11.2026 13:00 or 2026-11-01 13:00, numbers with a decimal comma or point. An error of the whole file stores nothing: 413, 422 FILE_NOT_READABLE, FILE_COLUMNS_UNKNOWN or FILE_TOO_MANY_ROWS, 409 SEALED_MONTH. Errors in single rows are reported with the row of the file; the other rows are stored together with their facts in one transaction. Rows that name another installation are rejected.
   *
   * Access: permission `manage:osos`.
   */
  'POST /api/osos/installations/{id}/readings/import': {
    path: RecordPath
    body: FormData
    response: OsosImportReport
  }
  /**
   * Import a file of hourly readings of several installations, identified by their numbers
   *
   * The file is a CSV file (UTF-8; semicolon, comma or tab) or the first sheet of an XLSX workbook with one row per hour: at most 16 MiB and 100000 rows. The columns are identified by their headers, in any order and case: Tarih, Tarih-Saat or date (with or without a column Saat), Çekiş, Aktif Çekiş, Tüketim or import, Veriş, Aktif Veriş, Üretim or export, and Tesisat No or installation_no; units in headers are ignored, other columns are reported and ignored. Dates are written as 01.11.2026 13:00 or 2026-11-01 13:00, numbers with a decimal comma or point. An error of the whole file stores nothing: 413, 422 FILE_NOT_READABLE, FILE_COLUMNS_UNKNOWN or FILE_TOO_MANY_ROWS, 409 SEALED_MONTH. Errors in single rows are reported with the row of the file; the other rows are stored together with their facts in one transaction. Rows of an installation that is not known are rejected.
   *
   * Access: permission `manage:osos`.
   */
  'POST /api/osos/readings/import': {
    body: FormData
    response: OsosImportReport
  }
  /**
   * Import register readings or interval energy of one meter; all rows are stored, or none
   *
   * The file is a CSV file (UTF-8; semicolon, comma or tab) or the first sheet of an XLSX workbook: at most 16 MiB and 100000 rows. The columns are identified by their headers in Turkish or English, or by `columns`. Times are ISO 8601, 01.11.2026 13:15, or a date and a time in two columns; 24:00 and spans such as 13:00-13:15 are accepted. The rows become hours: an hour that lacks an interval has no value, register readings are interpolated. If any row has an error, nothing is stored and every error is listed. The same file again changes nothing; a changed value replaces the stored one, which is kept in the history. 413; 422 FILE_NOT_READABLE, FILE_COLUMNS_UNKNOWN, FILE_TOO_MANY_ROWS; 409 SEALED_MONTH.
   *
   * Access: permission `manage:osos`.
   */
  'POST /api/mahsuplasma/meter-data/import': {
    body: FormData
    response: MeterDataReport
  }
  /**
   * List the widgets of a subregion, oldest first
   *
   * Access: permission `read:widget`.
   */
  'GET /api/subregions/{id}/widgets': {
    path: {
      /** Subregion of the dashboard. */
      id: Uuid
    }
    query?: ListParameters & {
      /** Only records that contain this text, ignoring case: title. Empty: all records. */
      search?: string | undefined
      /** Only widgets of this type. */
      widget_type?: "device_read_rate" | "consumption_chart" | "consumption_numeric" | "cost_chart" | "cost_numeric" | "reactive_ratio" | "realtime_value" | "realtime_gauge" | "realtime_3phase" | "realtime_power" | "alarm_summary" | "osos_consumption_chart" | "mahsuplasma_balance" | undefined
      /** true: only active widgets; false: only inactive widgets. */
      is_active?: boolean | undefined
    }
    response: readonly Widget[]
  }
  /**
   * Set the positions of widgets of a subregion, all or none
   *
   * Access: permission `manage:widget`.
   */
  'PUT /api/subregions/{id}/widgets/positions': {
    path: {
      /** Subregion of the dashboard. */
      id: Uuid
    }
    body: ArrangeWidgets
    response: undefined
  }
  /**
   * Get the data of all active widgets of a subregion
   *
   * A widget whose data cannot be computed has an error; the status of the response is still 200.
   *
   * Access: permission `read:measurement`.
   */
  'GET /api/subregions/{id}/widgets/data': {
    path: {
      /** Subregion of the dashboard. */
      id: Uuid
    }
    query?: {
      /** Period for widgets without a period in their config. Default: 7d. */
      time_range?: "24h" | "today" | "yesterday" | "7d" | "30d" | "90d" | "1y" | "this_week" | "last_week" | "this_month" | "last_month" | "this_year" | undefined
    }
    response: DashboardData
  }
  /**
   * Create a widget on the dashboard of a subregion
   *
   * Access: permission `manage:widget`.
   */
  'POST /api/widgets': {
    body: CreateWidget
    response: Widget
  }
  /**
   * Update a widget: omitted fields are unchanged, config is replaced as a whole
   *
   * Access: permission `manage:widget`.
   */
  'PUT /api/widgets/{id}': {
    path: RecordPath
    body: UpdateWidget
    response: Widget
  }
  /**
   * Delete a widget
   *
   * Access: permission `manage:widget`.
   */
  'DELETE /api/widgets/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * Get a widget
   *
   * Access: permission `read:widget`.
   */
  'GET /api/widgets/{id}': {
    path: RecordPath
    response: Widget
  }
  /**
   * List the widget types with the schemas of their configs
   *
   * Access: permission `read:widget`.
   */
  'GET /api/widgets/types': {
    response: readonly WidgetTypeInfo[]
  }
  /**
   * Get the received and the expected number of samples by device
   *
   * Access: permission `read:measurement`.
   */
  'GET /api/widgets/{id}/data/device-read-rate': {
    path: RecordPath
    query?: {
      /** Period for widgets without a period in their config. Default: 7d. */
      time_range?: "24h" | "today" | "yesterday" | "7d" | "30d" | "90d" | "1y" | "this_week" | "last_week" | "this_month" | "last_month" | "this_year" | undefined
    }
    response: ReadRate
  }
  /**
   * Get the energy of the meters of a widget by hour, day or month
   *
   * Access: permission `read:measurement`.
   */
  'GET /api/widgets/{id}/data/consumption-chart': {
    path: RecordPath
    query?: {
      /** Period for widgets without a period in their config. Default: 7d. */
      time_range?: "24h" | "today" | "yesterday" | "7d" | "30d" | "90d" | "1y" | "this_week" | "last_week" | "this_month" | "last_month" | "this_year" | undefined
    }
    response: ConsumptionChart
  }
  /**
   * Get the energy of the meters of a widget as one value
   *
   * Access: permission `read:measurement`.
   */
  'GET /api/widgets/{id}/data/consumption-numeric': {
    path: RecordPath
    query?: {
      /** Period for widgets without a period in their config. Default: 7d. */
      time_range?: "24h" | "today" | "yesterday" | "7d" | "30d" | "90d" | "1y" | "this_week" | "last_week" | "this_month" | "last_month" | "this_year" | undefined
    }
    response: ConsumptionNumeric
  }
  /**
   * Get the energy cost by the approved tariffs, by hour, day or month
   *
   * Access: permission `read:measurement`.
   */
  'GET /api/widgets/{id}/data/cost-chart': {
    path: RecordPath
    query?: {
      /** Period for widgets without a period in their config. Default: 7d. */
      time_range?: "24h" | "today" | "yesterday" | "7d" | "30d" | "90d" | "1y" | "this_week" | "last_week" | "this_month" | "last_month" | "this_year" | undefined
    }
    response: CostChart
  }
  /**
   * Get the energy cost by the approved tariffs as one value
   *
   * Access: permission `read:measurement`.
   */
  'GET /api/widgets/{id}/data/cost-numeric': {
    path: RecordPath
    query?: {
      /** Period for widgets without a period in their config. Default: 7d. */
      time_range?: "24h" | "today" | "yesterday" | "7d" | "30d" | "90d" | "1y" | "this_week" | "last_week" | "this_month" | "last_month" | "this_year" | undefined
    }
    response: CostNumeric
  }
  /**
   * Get the reactive ratio of the meters of a widget
   *
   * Access: permission `read:measurement`.
   */
  'GET /api/widgets/{id}/data/reactive': {
    path: RecordPath
    query?: {
      /** Period for widgets without a period in their config. Default: 7d. */
      time_range?: "24h" | "today" | "yesterday" | "7d" | "30d" | "90d" | "1y" | "this_week" | "last_week" | "this_month" | "last_month" | "this_year" | undefined
    }
    response: {
      /** Period of the data: from the config, otherwise from time_range, otherwise 7d. */
      period: "24h" | "today" | "yesterday" | "7d" | "30d" | "90d" | "1y" | "this_week" | "last_week" | "this_month" | "last_month" | "this_year"
      /** Display text of the period. */
      period_label: string | null
      /** Device of the request. */
      device_id: Uuid | null
      /** Subregion of the request; for a device its current subregion. */
      subregion_id: Uuid | null
      /** Length of the buckets. */
      interval: "hourly" | "daily" | "monthly"
      /** Start of the first requested bucket. */
      start: Instant
      /** End of the last requested bucket. */
      end: Instant
      /** Contracted power that determines the limits, kW. */
      contracted_power_kw: number | null
      /** Legal limits. They apply to the totals of a billing period: see total. */
      limits: {
        /** exempt: up to 9 kW, no limit applies. below_50_kva and from_50_kva: by the contracted power, with kW taken as kVA. unknown: the contracted power is not known. */
        power_class: "exempt" | "below_50_kva" | "from_50_kva" | "unknown"
        /** Limit in % of the active energy; null if no limit applies or is known. */
        inductive_limit_pct: number | null
        /** Limit in % of the active energy; null if no limit applies or is known. */
        capacitive_limit_pct: number | null
        /** Source of the limits. */
        source: string
      }
      /** Totals of the whole range; for a month these are the figures relevant for billing. Ratios of hours and days only show the causes and are not billed. */
      total: {
        /** Active energy drawn from the grid, kWh: growth of import_active_energy. */
        active_energy_kwh: number | null
        /** Growth of inductive_reactive_energy, kvarh. */
        inductive_reactive_energy_kvarh: number | null
        /** Growth of capacitive_reactive_energy, kvarh. */
        capacitive_reactive_energy_kvarh: number | null
        /** Inductive energy divided by active energy, %; null without active energy or without data. */
        inductive_ratio_pct: number | null
        /** Capacitive energy divided by active energy, %; null without active energy or without data. */
        capacitive_ratio_pct: number | null
        /** ok, warning (from 90 % of the limit), exceeded (above the limit), or unknown (no ratio or no limit). */
        inductive_status: "ok" | "warning" | "exceeded" | "unknown"
        /** Status of the capacitive ratio, with the same values. */
        capacitive_status: "ok" | "warning" | "exceeded" | "unknown"
        /** The worse of both statuses; exceeded and warning take precedence over unknown. */
        status: "ok" | "warning" | "exceeded" | "unknown"
        /** Whether a part is a share of the register growth across a gap. */
        is_estimated: boolean
        /** Quality of the three energies, with the values of hourly facts. complete: measured throughout. partial: it has not ended, or a part is not covered by readings or is estimated. missing: no reading of the register; a value is an estimate. suspect: a reset or a false reading affects it. */
        data_quality: "complete" | "partial" | "missing" | "suspect"
      }
      /** Rows in ascending order; a bucket without data has no row. */
      data: readonly ({
        /** Start of the bucket. */
        timestamp: Instant
        /** Active energy drawn from the grid, kWh: growth of import_active_energy. */
        active_energy_kwh: number | null
        /** Growth of inductive_reactive_energy, kvarh. */
        inductive_reactive_energy_kvarh: number | null
        /** Growth of capacitive_reactive_energy, kvarh. */
        capacitive_reactive_energy_kvarh: number | null
        /** Inductive energy divided by active energy, %; null without active energy or without data. */
        inductive_ratio_pct: number | null
        /** Capacitive energy divided by active energy, %; null without active energy or without data. */
        capacitive_ratio_pct: number | null
        /** ok, warning (from 90 % of the limit), exceeded (above the limit), or unknown (no ratio or no limit). */
        inductive_status: "ok" | "warning" | "exceeded" | "unknown"
        /** Status of the capacitive ratio, with the same values. */
        capacitive_status: "ok" | "warning" | "exceeded" | "unknown"
        /** The worse of both statuses; exceeded and warning take precedence over unknown. */
        status: "ok" | "warning" | "exceeded" | "unknown"
        /** Whether a part is a share of the register growth across a gap. */
        is_estimated: boolean
        /** Quality of the three energies, with the values of hourly facts. complete: measured throughout. partial: it has not ended, or a part is not covered by readings or is estimated. missing: no reading of the register; a value is an estimate. suspect: a reset or a false reading affects it. */
        data_quality: "complete" | "partial" | "missing" | "suspect"
      })[]
      /** Meters that were evaluated. */
      meters: readonly ({
        device_id: Uuid
        /** Name of the meter. */
        device_name: string
        /** Whether the meter has sent a reactive register. Other meters are excluded from all figures. */
        has_reactive: boolean
      })[]
    }
  }
  /**
   * The newest value of a metric, of the last 60 minutes
   *
   * Access: permission `read:measurement`.
   */
  'GET /api/widgets/{id}/data/realtime-value': {
    path: RecordPath
    query?: {
      /** Period for widgets without a period in their config. Default: 7d. */
      time_range?: "24h" | "today" | "yesterday" | "7d" | "30d" | "90d" | "1y" | "this_week" | "last_week" | "this_month" | "last_month" | "this_year" | undefined
    }
    response: RealtimeValue
  }
  /**
   * The newest value of a metric, of the last 60 minutes, with its scale
   *
   * Access: permission `read:measurement`.
   */
  'GET /api/widgets/{id}/data/realtime-gauge': {
    path: RecordPath
    query?: {
      /** Period for widgets without a period in their config. Default: 7d. */
      time_range?: "24h" | "today" | "yesterday" | "7d" | "30d" | "90d" | "1y" | "this_week" | "last_week" | "this_month" | "last_month" | "this_year" | undefined
    }
    response: RealtimeGauge
  }
  /**
   * Voltages, currents and powers of three phases, of the last 60 minutes
   *
   * Access: permission `read:measurement`.
   */
  'GET /api/widgets/{id}/data/realtime-3phase': {
    path: RecordPath
    query?: {
      /** Period for widgets without a period in their config. Default: 7d. */
      time_range?: "24h" | "today" | "yesterday" | "7d" | "30d" | "90d" | "1y" | "this_week" | "last_week" | "this_month" | "last_month" | "this_year" | undefined
    }
    response: Realtime3Phase
  }
  /**
   * Active, reactive and apparent power, of the last 60 minutes
   *
   * Access: permission `read:measurement`.
   */
  'GET /api/widgets/{id}/data/realtime-power': {
    path: RecordPath
    query?: {
      /** Period for widgets without a period in their config. Default: 7d. */
      time_range?: "24h" | "today" | "yesterday" | "7d" | "30d" | "90d" | "1y" | "this_week" | "last_week" | "this_month" | "last_month" | "this_year" | undefined
    }
    response: RealtimePower
  }
  /**
   * Open incidents by severity and status
   *
   * Access: permission `read:measurement`.
   */
  'GET /api/widgets/{id}/data/alarm-summary': {
    path: RecordPath
    query?: {
      /** Period for widgets without a period in their config. Default: 7d. */
      time_range?: "24h" | "today" | "yesterday" | "7d" | "30d" | "90d" | "1y" | "this_week" | "last_week" | "this_month" | "last_month" | "this_year" | undefined
    }
    response: AlarmSummary
  }
  /**
   * Get the meters of the power flow with their latest power
   *
   * The meters that are assigned to facilities as production, consumption, boundary or battery now. Their samples are pushed by the socket /ws/telemetry. docs/understand/power-flow.md explains how grid, sun, battery and load are computed from them.
   *
   * Access: permission `read:measurement`.
   */
  'GET /api/overview/power': {
    query?: {
      /** Only the facilities of this subregion. */
      subregion_id?: Uuid | undefined
      /** Only this facility. */
      facility_id?: Uuid | undefined
    }
    response: OverviewPower
  }
  /**
   * Get the energy of the facilities by hour, today and yesterday
   *
   * Production and consumption from the hourly facts by the formulas of the netting method, also of facilities that are no members of a group. The facts of an hour are built ten minutes after it.
   *
   * Access: permission `read:netting`.
   */
  'GET /api/overview/energy': {
    query?: {
      /** Only the facilities of this subregion. */
      subregion_id?: Uuid | undefined
      /** Only this facility. */
      facility_id?: Uuid | undefined
    }
    response: OverviewEnergy
  }
  /**
   * Download a list as CSV, XLSX or PDF, in Turkish or English
   *
   * The file has all rows of the list: its filters, `sort_by` and `sort_order` are parameters of this request too, and so are the parameters of its path, such as `id`; several ids are separated by commas. The permission is that of the list, whose errors are the errors of this request. Ids have the names of their records, unless `headers` is `names`. At most 50,000 rows (422 REPORT_ROWS_TOO_MANY), a PDF 2,000 (422 REPORT_TOO_LONG). A file counts as an export of the day, and as a direct download.
   *
   * Access: every signed-in user.
   */
  'GET /api/reports/{list}': {
    path: {
      /** Name of the list. */
      list: "regions" | "subregions" | "gateways" | "zigbee_gateways" | "zigbee_devices" | "dead_letters" | "gateway_configuration_changes" | "gateway_version_changes" | "gateway_poll_groups" | "gateway_configuration_devices" | "devices" | "device_templates" | "latest_values" | "device_energy" | "set_aside_samples" | "measurement_exports" | "power_of_meters" | "energy_of_days" | "alarm_policies" | "incidents" | "incident_events" | "maintenance_windows" | "notifications" | "escalation_policies" | "loto_points" | "loto_sessions" | "loto_events" | "loto_locks" | "loto_session_points" | "chargers" | "charger_connectors" | "charger_events" | "charger_commands" | "charging_sessions" | "charging_session_costs" | "charging_session_curve" | "id_tags" | "charging_groups" | "reservations" | "firmware_versions" | "ota_batches" | "ota_updates" | "scopes" | "organizations" | "facilities" | "metering_points" | "meter_assignments" | "meter_changes" | "groups" | "group_members" | "limit_accounts" | "limit_movements" | "group_months" | "group_runs" | "group_hours" | "group_virtual_meters" | "group_amounts" | "group_amount_totals" | "group_comparison" | "group_eligibility" | "group_evaluations" | "hourly_energy" | "bulk_calculations" | "bulk_calculation_groups" | "history_calculations" | "osos_installations" | "osos_readings" | "osos_imports" | "osos_import_months" | "market_prices" | "tariff_price_sets" | "tariff_prices" | "invoice_checks" | "invoice_objection_steps" | "invoice_check_changes" | "invoice_mappings" | "scenarios" | "scenario_comparison" | "scenario_totals" | "scenario_batteries" | "scenario_months" | "scenario_members" | "scenario_hours" | "hourly_forecasts" | "hourly_forecast_series" | "hourly_forecast_hours" | "optimisations" | "optimisation_result" | "optimisation_candidates" | "optimisation_outlooks" | "optimisation_groups" | "optimisation_flows" | "set_points" | "sizings" | "sizing_points" | "users" | "invitations" | "roles" | "api_keys" | "machine_keys" | "tenants" | "tenant_deletions" | "market_accounts"
    }
    query: ReportParameters
    response: FileStream
  }
  /**
   * List the LOTO points, at which energy is isolated
   *
   * Access: permission `read:loto`.
   */
  'GET /api/loto/points': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "name" | "energy_type" | "location" | undefined
      /** Only records that contain this text, ignoring case: name and location. Empty: all records. */
      search?: string | undefined
      /** Only points of this subregion. */
      subregion_id?: Uuid | undefined
      /** Only of this device. */
      device_id?: Uuid | undefined
      /** Only points with this energy type. */
      energy_type?: "electrical" | "mechanical" | "hydraulic" | "pneumatic" | "thermal" | "chemical" | "gravitational" | "radiation" | "other" | undefined
      /** true: only points that are locked out; false: only points that are not. */
      is_locked_out?: boolean | undefined
    }
    response: Page<LotoPoint>
  }
  /**
   * Create a LOTO point, at which energy is isolated
   *
   * Access: permission `manage:loto`.
   */
  'POST /api/loto/points': {
    body: CreateLotoPoint
    response: LotoPoint
  }
  /**
   * Get a LOTO point
   *
   * Access: permission `read:loto`.
   */
  'GET /api/loto/points/{id}': {
    path: RecordPath
    response: LotoPoint
  }
  /**
   * Update a LOTO point: omitted fields are unchanged
   *
   * 409 LOTO_POINT_IN_USE while a pending, approved or applied session contains the point.
   *
   * Access: permission `manage:loto`.
   */
  'PUT /api/loto/points/{id}': {
    path: RecordPath
    body: UpdateLotoPoint
    response: LotoPoint
  }
  /**
   * Delete a LOTO point; completed sessions keep a copy of it
   *
   * 409 LOTO_POINT_IN_USE while a pending, approved or applied session contains the point.
   *
   * Access: permission `manage:loto`.
   */
  'DELETE /api/loto/points/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * List LOTO sessions
   *
   * Access: permission `read:loto`.
   */
  'GET /api/loto/sessions': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "title" | "status" | "updated_at" | undefined
      /** Only records that contain this text, ignoring case: title and reason. Empty: all records. */
      search?: string | undefined
      /** Only sessions with this status. */
      status?: "pending" | "approved" | "rejected" | "applied" | "released" | undefined
      /** Only sessions with this point. */
      point_id?: Uuid | undefined
      /** Only sessions with a point of this device. */
      device_id?: Uuid | undefined
      /** Only sessions with a point in this subregion. */
      subregion_id?: Uuid | undefined
      /** Only sessions requested by this user. */
      requested_by?: Uuid | undefined
      /** Only sessions requested at or after this time. Turkey-local without an offset. */
      from?: Instant | undefined
      /** Only sessions requested before this time. */
      to?: Instant | undefined
    }
    response: Page<LotoSession>
  }
  /**
   * Request a LOTO session: work that needs isolated points
   *
   * Access: permission `manage:loto`.
   */
  'POST /api/loto/sessions': {
    body: CreateLotoSession
    response: LotoSessionDetail
  }
  /**
   * Get a LOTO session with its points and locks
   *
   * Access: permission `read:loto`.
   */
  'GET /api/loto/sessions/{id}': {
    path: RecordPath
    response: LotoSessionDetail
  }
  /**
   * Update a pending session: omitted fields are unchanged
   *
   * 403 LOTO_NOT_REQUESTER for every user except the requester: the user who changes a session must not approve it.
   *
   * Access: permission `manage:loto`.
   */
  'PUT /api/loto/sessions/{id}': {
    path: RecordPath
    body: UpdateLotoSession
    response: LotoSessionDetail
  }
  /**
   * Get the audit trail of a session, oldest entry first
   *
   * Access: permission `read:loto`.
   */
  'GET /api/loto/sessions/{id}/events': {
    path: RecordPath
    query?: ListParameters
    response: readonly LotoEvent[]
  }
  /**
   * Get the record of a session as a PDF for printing and signing
   *
   * The A4 record contains the current points, people, locks, verification and audit trail, with lines for signatures.
   *
   * Access: permission `read:loto`.
   */
  'GET /api/loto/sessions/{id}/record.pdf': {
    path: RecordPath
    query?: {
      /** Language of the record. Default: the language of Accept-Language, tr without that header. */
      locale?: "tr" | "en" | undefined
    }
    response: FileStream
  }
  /**
   * Approve a session that another user has requested
   *
   * 403 LOTO_FOUR_EYES for the requester, regardless of permissions. 409 STATE_CONFLICT when its status does not allow it.
   *
   * Access: permission `manage:loto`.
   */
  'POST /api/loto/sessions/{id}/approve': {
    path: RecordPath
    body: {
      /** Note; stored in the audit trail. */
      note?: string | null | undefined
    } | null
    response: LotoSessionDetail
  }
  /**
   * Reject or withdraw a session, or revoke its approval before it is applied
   *
   * 409 LOTO_LOCKS_LEFT while a lock is in place. 409 STATE_CONFLICT when its status does not allow it.
   *
   * Access: permission `manage:loto`.
   */
  'POST /api/loto/sessions/{id}/reject': {
    path: RecordPath
    body: {
      /** Reason; stored in the audit trail. */
      reason?: string | null | undefined
      /** Note; stored in the audit trail. */
      note?: string | null | undefined
    } | null
    response: LotoSessionDetail
  }
  /**
   * Apply a session after verification that its points are de-energized
   *
   * From then on the devices of its points accept no commands, updates or starts (409 LOTO_LOCKED_OUT). Every point needs a lock: otherwise 409 LOTO_LOCKS_MISSING with `point_ids`. If a point has a meter, its latest readings must be recent and show neither power nor current: otherwise 409 LOTO_NOT_DEAD with `readings`. Every other point counts as verified manually by the caller. 409 LOTO_POINT_APPLIED if a point is in another applied session. 409 STATE_CONFLICT when its status does not allow it.
   *
   * Access: permission `manage:loto`.
   */
  'POST /api/loto/sessions/{id}/apply': {
    path: RecordPath
    body: {
      /** Note; stored in the audit trail. */
      note?: string | null | undefined
      /** Verifications on site. Required for a point whose meter has no fresh readings; they do not override a meter that shows energy. */
      manual_verifications?: readonly ({
        /** Point of the session. */
        point_id: Uuid
        /** Description of the verification: the measured quantity and the instrument. */
        note: string
      })[] | undefined
    } | null
    response: LotoSessionDetail
  }
  /**
   * Release a session; its points become available again
   *
   * 409 LOTO_LOCKS_LEFT while a lock is in place. 409 STATE_CONFLICT when its status does not allow it.
   *
   * Access: permission `manage:loto`.
   */
  'POST /api/loto/sessions/{id}/release': {
    path: RecordPath
    body: {
      /** Note; stored in the audit trail. */
      note?: string | null | undefined
    } | null
    response: LotoSessionDetail
  }
  /**
   * Place a lock of the caller at a point of a session
   *
   * The session must be approved or applied. The caller is the owner; an owner_id in the body is ignored. 409 DUPLICATE_ENTRY for a second lock of the caller at the same point, or a number that is already in use in the session.
   *
   * Access: permission `manage:loto`.
   */
  'POST /api/loto/locks': {
    body: PlaceLotoLock
    response: LotoLock
  }
  /**
   * Remove a lock: the caller's own, or as an admin that of another user with a reason
   *
   * The lock and the reason are kept in the session and its audit trail. 403 LOTO_NOT_LOCK_OWNER without manage:loto_override, 422 without a reason.
   *
   * Access: permission `manage:loto`.
   */
  'DELETE /api/loto/locks/{id}': {
    path: RecordPath
    query?: {
      /** Reason; required to remove a lock of another user. It can be sent in the body instead. */
      reason?: string | undefined
    }
    body: {
      /** Reason; required to remove a lock of another user. */
      reason?: string | null | undefined
    } | null
    response: undefined
  }
  /**
   * List firmware versions
   *
   * Access: permission `read:firmware`.
   */
  'GET /api/firmware/versions': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "version" | "device_model" | "status" | "size_bytes" | undefined
      /** Only records that contain this text, ignoring case: version, model and file name. Empty: all records. */
      search?: string | undefined
      /** Device model that the firmware supports: the model of a gateway, or of the template or extra_metadata of a device. */
      device_model?: string | undefined
      /** Semantic version (semver.org 2.0.0) without a leading v; unique for the device_model. */
      version?: string | undefined
      /** State. */
      status?: "draft" | "released" | "deprecated" | undefined
    }
    response: Page<FirmwareVersion>
  }
  /**
   * Upload a firmware version as a draft
   *
   * A multipart form: the file in the field `file`, the others as text. 409 DUPLICATE_ENTRY for a version that the model has; 413 for a file larger than FIRMWARE_MAX_BYTES; 422 FIRMWARE_SIGNATURE_INVALID for a signature that is of none of FIRMWARE_PUBLIC_KEYS.
   *
   * Access: permission `manage:firmware`.
   */
  'POST /api/firmware/versions': {
    body: FormData
    response: FirmwareVersion
  }
  /**
   * Get a firmware version
   *
   * Access: permission `read:firmware`.
   */
  'GET /api/firmware/versions/{id}': {
    path: RecordPath
    response: FirmwareVersion
  }
  /**
   * Update the metadata of a draft
   *
   * 409 STATE_CONFLICT for a version that is not a draft.
   *
   * Access: permission `manage:firmware`.
   */
  'PATCH /api/firmware/versions/{id}': {
    path: RecordPath
    body: UpdateFirmwareVersion
    response: FirmwareVersion
  }
  /**
   * Download the file of a firmware version
   *
   * Range, If-Range and a strong ETag are supported, so that an interrupted download can be resumed: 206; 416 beyond the end. 409 STATE_CONFLICT from a process that does not have the file.
   *
   * Access: permission `read:firmware`.
   */
  'GET /api/firmware/versions/{id}/download': {
    path: RecordPath
    response: FileStream
  }
  /**
   * Release a draft; afterwards it can be installed and never changes
   *
   * The file is read again and compared with its hash, and the signature is verified with FIRMWARE_PUBLIC_KEYS; if there are keys, a version must be signed. 409 STATE_CONFLICT when it is not a draft or its file has changed.
   *
   * Access: permission `manage:firmware`.
   */
  'POST /api/firmware/versions/{id}/release': {
    path: RecordPath
    response: FirmwareVersion
  }
  /**
   * Deprecate a released version: no new update installs it, except a rollback
   *
   * Access: permission `manage:firmware`.
   */
  'POST /api/firmware/versions/{id}/deprecate': {
    path: RecordPath
    response: FirmwareVersion
  }
  /**
   * Download the file of an update (called by the device)
   *
   * The link is valid for one attempt of one update and expires; an unknown link is 404. 409 LOTO_LOCKED_OUT while the device is locked out. Range, If-Range and ETag are supported as for the download by users.
   *
   * Access: everybody, without a token.
   */
  'GET /api/firmware/download/{token}': {
    path: {
      /** Secret token of the link sent to the device. */
      token: string
    }
    response: FileStream
  }
  /**
   * Update several devices in waves
   *
   * If one of the devices cannot be updated, no update is created. A wave begins when the previous wave has ended and met its threshold; the devices are notified in the background.
   *
   * Access: permission `manage:ota`.
   */
  'POST /api/ota/updates/batch': {
    body: StartOtaBatch
    response: OtaBatch
  }
  /**
   * List batches of updates
   *
   * Access: permission `read:ota`.
   */
  'GET /api/ota/batches': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "status" | undefined
      /** State. */
      status?: "running" | "completed" | "stopped" | "cancelled" | undefined
      firmware_version_id?: Uuid | undefined
    }
    response: Page<OtaBatch>
  }
  /**
   * Get the state of a batch of updates
   *
   * Access: permission `read:ota`.
   */
  'GET /api/ota/batches/{id}': {
    path: RecordPath
    response: OtaBatch
  }
  /**
   * Cancel a batch; installations that have begun continue
   *
   * 409 STATE_CONFLICT when the batch is not running.
   *
   * Access: permission `manage:ota`.
   */
  'POST /api/ota/batches/{id}/cancel': {
    path: RecordPath
    response: OtaBatch
  }
  /**
   * Roll back every device that the batch has changed to its last good version
   *
   * Devices that cannot be rolled back are listed with the reason. 409 STATE_CONFLICT while the batch is running.
   *
   * Access: permission `manage:ota`.
   */
  'POST /api/ota/batches/{id}/rollback': {
    path: RecordPath
    response: RollbackOtaBatch
  }
  /**
   * List updates over the air
   *
   * Access: permission `read:ota`.
   */
  'GET /api/ota/updates': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "changed_at" | "status" | "deadline_at" | "wave" | undefined
      /** State. */
      status?: "queued" | "notified" | "downloading" | "downloaded" | "installing" | "succeeded" | "failed" | "cancelled" | undefined
      device_id?: Uuid | undefined
      gateway_id?: Uuid | undefined
      firmware_version_id?: Uuid | undefined
      batch_id?: Uuid | undefined
    }
    response: Page<OtaUpdate>
  }
  /**
   * Update one device or gateway
   *
   * The device is notified over MQTT and downloads the file by an individual link or in chunks: docs/understand/ota.md. 409 STATE_CONFLICT for a version that is not released, and while the device has an unfinished update; 409 LOTO_LOCKED_OUT; 422 BUSINESS_RULE_VIOLATION for another model, or a device that is not reached through a gateway on a message broker.
   *
   * Access: permission `manage:ota`.
   */
  'POST /api/ota/updates': {
    body: StartOtaUpdate
    response: OtaUpdateDetail
  }
  /**
   * Get an update with its audit trail
   *
   * Access: permission `read:ota`.
   */
  'GET /api/ota/updates/{id}': {
    path: RecordPath
    response: OtaUpdateDetail
  }
  /**
   * Cancel an update whose installation has not begun
   *
   * 409 STATE_CONFLICT when its status does not allow it.
   *
   * Access: permission `manage:ota`.
   */
  'POST /api/ota/updates/{id}/cancel': {
    path: RecordPath
    response: OtaUpdateDetail
  }
  /**
   * Restart a failed or cancelled update
   *
   * 409 STATE_CONFLICT when its status does not allow it.
   *
   * Access: permission `manage:ota`.
   */
  'POST /api/ota/updates/{id}/retry': {
    path: RecordPath
    response: OtaUpdateDetail
  }
  /**
   * Roll back the device to its last good version
   *
   * The last good version is the version that was previously installed successfully, otherwise the version reported before the update, if there is a firmware of it, including deprecated ones. The response is the new update. 409 STATE_CONFLICT when there is none, or the update is not finished.
   *
   * Access: permission `manage:ota`.
   */
  'POST /api/ota/updates/{id}/rollback': {
    path: RecordPath
    response: OtaUpdateDetail
  }
  /**
   * Get the certificate authority of the charging stations
   *
   * The response contains the CA certificate for the validation of station certificates. 404 until a station has requested a certificate.
   *
   * Access: permission `read:charger`.
   */
  'GET /api/ocpp/authority': {
    response: AuthorityCertificate
  }
  /**
   * List chargers, with their state, connectors and last heartbeat
   *
   * Access: permission `read:charger`.
   */
  'GET /api/ocpp/chargers': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "name" | "cpid" | "last_heartbeat" | "last_message_at" | undefined
      /** Exact cpid. */
      cpid?: string | undefined
      subregion_id?: Uuid | undefined
      device_id?: Uuid | undefined
      /** Whether it is connected or sends values. */
      is_online?: boolean | undefined
      /** OCPP status, for example Charging. */
      status?: string | undefined
      /** Only records that contain this text, ignoring case: cpid, name, vendor, model and serial number. Empty: all records. */
      search?: string | undefined
    }
    response: Page<Charger>
  }
  /**
   * Create a charger and its device; only this response contains the password
   *
   * Access: permission `manage:charger`.
   */
  'POST /api/ocpp/chargers': {
    body: CreateCharger
    response: ChargerWithPassword
  }
  /**
   * Get a charger
   *
   * Access: permission `read:charger`.
   */
  'GET /api/ocpp/chargers/{id}': {
    path: RecordPath
    response: Charger
  }
  /**
   * Update a charger: omitted fields are unchanged; its device takes over name and subregion
   *
   * Access: permission `manage:charger`.
   */
  'PUT /api/ocpp/chargers/{id}': {
    path: RecordPath
    body: UpdateCharger
    response: Charger
  }
  /**
   * Remove a charger; its sessions and devices are kept, its cpid can be used again
   *
   * Access: permission `manage:charger`.
   */
  'DELETE /api/ocpp/chargers/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * Change the password of a charger, generated or given, and optionally send it to the station
   *
   * Access: permission `manage:charger`.
   */
  'POST /api/ocpp/chargers/{id}/password': {
    path: RecordPath
    body: ChangeChargerPassword
    response: ChangedChargerPassword
  }
  /**
   * List the events that the station reported on its state, security and maintenance, newest first
   *
   * Access: permission `read:charger`.
   */
  'GET /api/ocpp/chargers/{id}/events': {
    path: RecordPath
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "occurred_at" | "event_type" | undefined
      /** Only records with this value. */
      event_type?: string | undefined
      /** Only events of this connector. */
      connector_id?: number | undefined
      /** Only events at or after this time. Turkey-local without an offset. */
      from?: Instant | undefined
      /** Only events before this time. */
      to?: Instant | undefined
    }
    response: Page<ChargerEvent>
  }
  /**
   * Create a command for the station; it is sent when the station is connected and earlier commands are completed
   *
   * Rejected with 409 LOTO_LOCKED_OUT while a device that the command would energize is locked out, and with 409 STATE_CONFLICT for a security profile with which the station could not connect any more. docs/integrate/chargers.md lists the fields of each action.
   *
   * Access: permission `manage:charger`.
   */
  'POST /api/ocpp/chargers/{id}/commands': {
    path: RecordPath
    query?: {
      /** Maximum number of seconds to wait for the end of the command before the response. */
      wait?: number | undefined
    }
    body: {
      /** Action of the command. */
      action: "remote_start"
      /** Time for which the command waits for the station to be connected, s. Default: 300. */
      expires_in_s?: number | undefined
      /** Id tag that starts the session. */
      id_tag: string
      /** Connector number; the EVSE in OCPP 2.0.1. Absent: the station chooses. */
      connector_id?: number | undefined
      /** Charging profile (tx) for the started session. */
      charging_profile?: {
        /** Stack level; of two profiles with the same purpose the higher level applies. */
        stack_level?: number | undefined
        /** Absolute: by the clock. Recurring: repeated every day or week. Relative: from the start of charging. */
        kind?: "absolute" | "recurring" | "relative" | undefined
        /** Recurrency of a recurring profile. */
        recurrency?: "daily" | "weekly" | null | undefined
        /** Start of the validity of the profile. */
        valid_from?: Instant | null | undefined
        /** End of the validity of the profile. */
        valid_to?: Instant | null | undefined
        /** Charging schedule. */
        schedule: ChargingSchedule
      } | undefined
    } | {
      /** Action of the command. */
      action: "remote_stop"
      /** Time for which the command waits for the station to be connected, s. Default: 300. */
      expires_in_s?: number | undefined
      /** Session; it must be an active session of this charger. */
      session_id?: Uuid | undefined
      /** Transaction id of the station, instead of session_id. */
      transaction_id?: string | number | undefined
    } | {
      /** Action of the command. */
      action: "reset"
      /** Time for which the command waits for the station to be connected, s. Default: 300. */
      expires_in_s?: number | undefined
      /** Reset type. Default: Soft, which ends sessions first (2.0.1: waits for their end). */
      type?: "soft" | "hard" | undefined
    } | {
      /** Action of the command. */
      action: "unlock"
      /** Time for which the command waits for the station to be connected, s. Default: 300. */
      expires_in_s?: number | undefined
      /** Connector number; the EVSE in OCPP 2.0.1. */
      connector_id: number
      /** Connector of the EVSE in OCPP 2.0.1. Default: 1. */
      evse_connector_id?: number | undefined
    } | {
      /** Action of the command. */
      action: "change_availability"
      /** Time for which the command waits for the station to be connected, s. Default: 300. */
      expires_in_s?: number | undefined
      /** Operative or inoperative. */
      type: "operative" | "inoperative"
      /** Connector number; the EVSE in OCPP 2.0.1. 0 or absent: the whole station. */
      connector_id?: number | undefined
      /** Connector of the EVSE in OCPP 2.0.1. Absent: all. */
      evse_connector_id?: number | undefined
    } | {
      /** Action of the command. */
      action: "get_configuration"
      /** Time for which the command waits for the station to be connected, s. Default: 300. */
      expires_in_s?: number | undefined
      /** Configuration keys; absent or empty: all (1.6 only). Configuration key; in OCPP 2.0.1 as Component.Variable. */
      keys?: readonly string[] | undefined
    } | {
      /** Action of the command. */
      action: "set_configuration"
      /** Time for which the command waits for the station to be connected, s. Default: 300. */
      expires_in_s?: number | undefined
      /** Configuration key; in OCPP 2.0.1 as Component.Variable. */
      key: string
      /** Value as text, for every key. */
      value: string
    } | {
      /** Action of the command. */
      action: "clear_cache"
      /** Time for which the command waits for the station to be connected, s. Default: 300. */
      expires_in_s?: number | undefined
    } | {
      /** Action of the command. */
      action: "trigger_message"
      /** Time for which the command waits for the station to be connected, s. Default: 300. */
      expires_in_s?: number | undefined
      /** Message that the station has to send. OCPP 1.6 has no log_status_notification, transaction_event, sign_charging_station_certificate; OCPP 2.0.1 has no diagnostics_status_notification. The command fails if the version of the station does not have the message. */
      message: "boot_notification" | "heartbeat" | "status_notification" | "meter_values" | "firmware_status_notification" | "diagnostics_status_notification" | "log_status_notification" | "transaction_event" | "sign_charging_station_certificate"
      /** Connector number; the EVSE in OCPP 2.0.1. */
      connector_id?: number | undefined
      /** Connector of the EVSE in OCPP 2.0.1. Default for a status message: 1. */
      evse_connector_id?: number | undefined
    } | {
      /** Action of the command. */
      action: "extended_trigger_message"
      /** Time for which the command waits for the station to be connected, s. Default: 300. */
      expires_in_s?: number | undefined
      /** Message that the station has to send. OCPP 1.6 only. */
      message: "boot_notification" | "heartbeat" | "status_notification" | "meter_values" | "firmware_status_notification" | "log_status_notification" | "sign_charging_station_certificate"
      /** Connector number; the EVSE in OCPP 2.0.1. */
      connector_id?: number | undefined
    } | {
      /** Action of the command. */
      action: "data_transfer"
      /** Time for which the command waits for the station to be connected, s. Default: 300. */
      expires_in_s?: number | undefined
      /** Vendor that defined the message. */
      vendor_id: string
      /** Id of the message. */
      message_id?: string | undefined
      /** Data of the message; sent as text in OCPP 1.6. */
      data?: unknown | undefined
    } | {
      /** Action of the command. */
      action: "get_base_report"
      /** Time for which the command waits for the station to be connected, s. Default: 300. */
      expires_in_s?: number | undefined
      /** Kind of report. Default: full. OCPP 2.0.1 only; the received parts are stored as variables. */
      report?: "configuration" | "full" | "summary" | undefined
    } | {
      /** Action of the command. */
      action: "get_report"
      /** Time for which the command waits for the station to be connected, s. Default: 300. */
      expires_in_s?: number | undefined
      /** Configuration key; in OCPP 2.0.1 as Component.Variable. */
      keys?: readonly string[] | undefined
      /** Criteria; the report contains components that meet one of them. OCPP 2.0.1 only. */
      criteria?: readonly ("active" | "available" | "enabled" | "problem")[] | undefined
    } | {
      /** Action of the command. */
      action: "get_transaction_status"
      /** Time for which the command waits for the station to be connected, s. Default: 300. */
      expires_in_s?: number | undefined
      /** Session; it must be an active session of this charger. */
      session_id?: Uuid | undefined
      /** Transaction id of the station, instead of session_id. */
      transaction_id?: string | number | undefined
    } | {
      /** Action of the command. */
      action: "customer_information"
      /** Time for which the command waits for the station to be connected, s. Default: 300. */
      expires_in_s?: number | undefined
      /** Whether the station reports the stored data of the customer, received as events. Default: true. */
      report?: boolean | undefined
      /** Whether the station deletes the data of the customer. */
      clear?: boolean | undefined
      /** Id tag of the customer. */
      id_tag?: string | undefined
      /** Customer identifier known to the station, instead of the id tag. */
      customer_identifier?: string | undefined
    } | {
      /** Action of the command. */
      action: "get_charging_profiles"
      /** Time for which the command waits for the station to be connected, s. Default: 300. */
      expires_in_s?: number | undefined
      /** Connector number; the EVSE in OCPP 2.0.1. Absent: all of them; 0: the station as a whole. */
      connector_id?: number | undefined
      /** Only profiles with this purpose. */
      purpose?: "charge_point_max" | "tx_default" | "tx" | "external" | undefined
      /** Only profiles with this stack level. */
      stack_level?: number | undefined
      /** Only profiles with these numbers. OCPP 2.0.1 only; the profiles are received as events of the charger. */
      profile_numbers?: readonly number[] | undefined
    } | {
      /** Action of the command. */
      action: "set_network_profile"
      /** Time for which the command waits for the station to be connected, s. Default: 300. */
      expires_in_s?: number | undefined
      /** Configuration slot that is written. OCPP 2.0.1 only. */
      slot: number
      /** URL to which the station has to connect. */
      url: string
      /** Security profile for authentication. */
      security_profile: number
      /** Network interface. Default: Wired0. */
      interface?: "wired0" | "wired1" | "wired2" | "wired3" | "wireless0" | "wireless1" | "wireless2" | "wireless3" | undefined
      /** Message timeout in seconds. Default: 30. */
      message_timeout_s?: number | undefined
      /** OCPP version. Default: 2.0.1. */
      ocpp_version?: "1.6" | "2.0.1" | undefined
    }
    response: ChargerCommand
  }
  /**
   * List the commands of the station, newest first
   *
   * Access: permission `read:charger`.
   */
  'GET /api/ocpp/chargers/{id}/commands': {
    path: RecordPath
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "number" | "created_at" | "ended_at" | undefined
      /** Only records with this value. */
      action?: "remote_start" | "remote_stop" | "reset" | "unlock" | "change_availability" | "get_configuration" | "set_configuration" | "clear_cache" | "trigger_message" | "extended_trigger_message" | "reserve" | "cancel_reservation" | "get_local_list_version" | "send_local_list" | "set_charging_profile" | "clear_charging_profile" | "get_charging_profiles" | "get_composite_schedule" | "get_diagnostics" | "get_security_log" | "update_firmware" | "update_signed_firmware" | "install_certificate" | "delete_certificate" | "list_certificates" | "sign_certificate_answer" | "set_password" | "set_network_profile" | "data_transfer" | "get_base_report" | "get_report" | "get_transaction_status" | "customer_information" | undefined
      /** Only records with this value. */
      state?: "pending" | "sent" | "accepted" | "rejected" | "failed" | "timed_out" | "expired" | "cancelled" | undefined
    }
    response: Page<ChargerCommand>
  }
  /**
   * Get a command with the response of the station
   *
   * Access: permission `read:charger`.
   */
  'GET /api/ocpp/chargers/{id}/commands/{command_id}': {
    path: RecordPath & { command_id: Uuid }
    response: ChargerCommand
  }
  /**
   * Cancel a command that is not sent yet; 409 STATE_CONFLICT if it was sent
   *
   * Access: permission `manage:charger`.
   */
  'POST /api/ocpp/chargers/{id}/commands/{command_id}/cancel': {
    path: RecordPath & { command_id: Uuid }
    response: ChargerCommand
  }
  /**
   * List the components and variables that an OCPP 2.0.1 station has reported
   *
   * The list contains the results of the commands get_base_report, get_report, get_configuration and set_configuration, and the unsolicited reports of the station. Passwords are not stored.
   *
   * Access: permission `read:charger`.
   */
  'GET /api/ocpp/chargers/{id}/variables': {
    path: RecordPath
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "component" | "variable" | "evse_id" | "told_at" | undefined
      /** Only variables of this component. */
      component?: string | undefined
      /** Only variables with this name. */
      variable?: string | undefined
      /** Only variables of this EVSE. */
      evse_id?: number | undefined
      /** Only this attribute of the variables. */
      attribute_type?: "Actual" | "Target" | "MinSet" | "MaxSet" | undefined
    }
    response: Page<ChargerVariable>
  }
  /**
   * List the reports that an OCPP 2.0.1 station has sent or announced, with their completeness
   *
   * Access: permission `read:charger`.
   */
  'GET /api/ocpp/chargers/{id}/reports': {
    path: RecordPath
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "heard_at" | "request_id" | undefined
      /** Only records of this kind. */
      kind?: "variables" | "monitoring" | "customer_information" | "charging_profiles" | undefined
      /** Only reports of this command. */
      request_id?: number | undefined
    }
    response: Page<ChargerReport>
  }
  /**
   * Request the diagnostics or the security log of a charging station
   *
   * 409 STATE_CONFLICT while another request is in progress, and if no location is given and PUBLIC_BASE_URL is not set.
   *
   * Access: permission `manage:charger`.
   */
  'POST /api/ocpp/chargers/{id}/files': {
    path: RecordPath
    body: RequestChargerFile
    response: RequestedChargerFile
  }
  /**
   * List the files that were requested from a charging station
   *
   * Access: permission `read:charger`.
   */
  'GET /api/ocpp/chargers/{id}/files': {
    path: RecordPath
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "received_at" | undefined
      /** Only records that contain this text, ignoring case: file name. Empty: all records. */
      search?: string | undefined
      /** Only records of this kind. */
      kind?: "diagnostics" | "security" | undefined
      /** Only records in this state. */
      state?: "waiting" | "received" | "failed" | "expired" | undefined
    }
    response: Page<ChargerFile>
  }
  /**
   * Get the metadata of a file of a charging station
   *
   * Access: permission `read:charger`.
   */
  'GET /api/ocpp/chargers/{id}/files/{file_id}': {
    path: RecordPath & { file_id: Uuid }
    response: ChargerFile
  }
  /**
   * Download a file that a charging station has sent
   *
   * Range, If-Range and a strong ETag are supported. 409 STATE_CONFLICT until the file is received.
   *
   * Access: permission `read:charger`.
   */
  'GET /api/ocpp/chargers/{id}/files/{file_id}/download': {
    path: RecordPath & { file_id: Uuid }
    response: FileStream
  }
  /**
   * List the certificates that were issued to a charging station
   *
   * Access: permission `read:charger`.
   */
  'GET /api/ocpp/chargers/{id}/certificates': {
    path: RecordPath
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "not_after" | undefined
    }
    response: Page<ChargerCertificate>
  }
  /**
   * Install a root certificate on a charging station
   *
   * Creates a command; its result is the response of the station.
   *
   * Access: permission `manage:charger`.
   */
  'POST /api/ocpp/chargers/{id}/certificates/install': {
    path: RecordPath
    body: InstallChargerCertificate
    response: ChargerCommand
  }
  /**
   * Query the installed root certificates of a charging station
   *
   * Creates a command; its result is the response of the station.
   *
   * Access: permission `manage:charger`.
   */
  'POST /api/ocpp/chargers/{id}/certificates/installed': {
    path: RecordPath
    body: ListInstalledCertificates
    response: ChargerCommand
  }
  /**
   * Delete an installed certificate of a charging station
   *
   * Creates a command; its result is the response of the station.
   *
   * Access: permission `manage:charger`.
   */
  'POST /api/ocpp/chargers/{id}/certificates/delete': {
    path: RecordPath
    body: DeleteInstalledCertificate
    response: ChargerCommand
  }
  /**
   * Upload diagnostics or a log (called by charging stations)
   *
   * The address is valid for one file and expires; an unknown address is 404. The file is the request body, or the only file of a multipart form.
   *
   * Access: everybody, without a token.
   */
  'PUT /api/ocpp/uploads/{token}': {
    path: {
      /** Secret token of the address. */
      token: string
    }
    response: undefined
  }
  /**
   * Upload diagnostics or a log (called by charging stations)
   *
   * The address is valid for one file and expires; an unknown address is 404. The file is the request body, or the only file of a multipart form.
   *
   * Access: everybody, without a token.
   */
  'POST /api/ocpp/uploads/{token}': {
    path: {
      /** Secret token of the address. */
      token: string
    }
    response: undefined
  }
  /**
   * Upload diagnostics or a log (called by charging stations)
   *
   * The address is valid for one file and expires; an unknown address is 404. The file is the request body, or the only file of a multipart form.
   *
   * Access: everybody, without a token.
   */
  'PUT /api/ocpp/uploads/{token}/{name}': {
    path: {
      /** Secret token of the address. */
      token: string
      /** Of the file. */
      name: string
    }
    response: undefined
  }
  /**
   * Upload diagnostics or a log (called by charging stations)
   *
   * The address is valid for one file and expires; an unknown address is 404. The file is the request body, or the only file of a multipart form.
   *
   * Access: everybody, without a token.
   */
  'POST /api/ocpp/uploads/{token}/{name}': {
    path: {
      /** Secret token of the address. */
      token: string
      /** Of the file. */
      name: string
    }
    response: undefined
  }
  /**
   * Get the local list of id tags of a charger
   *
   * Access: permission `read:charger`.
   */
  'GET /api/ocpp/chargers/{id}/local-list': {
    path: RecordPath
    response: LocalList
  }
  /**
   * Choose the id tags for the local list of a charger; the next sync sends them
   *
   * Access: permission `manage:charger`.
   */
  'PUT /api/ocpp/chargers/{id}/local-list': {
    path: RecordPath
    body: ChooseLocalListTags
    response: LocalList
  }
  /**
   * Synchronize the local list of id tags of a charger
   *
   * The list is sent in parts of the size that the charger supports, each after the previous one was accepted. 409 STATE_CONFLICT while a sync is in progress, LOCAL_LIST_TOO_LONG if the charger cannot store all tags.
   *
   * Access: permission `manage:charger`.
   */
  'POST /api/ocpp/chargers/{id}/local-list/sync': {
    path: RecordPath
    body: SyncLocalList
    response: LocalList
  }
  /**
   * Query the version of the local list of a charger; the response of the command and the local list contain it
   *
   * Access: permission `manage:charger`.
   */
  'POST /api/ocpp/chargers/{id}/local-list/version': {
    path: RecordPath
    query?: {
      /** Maximum number of seconds to wait for the end of the command before the response. */
      wait?: number | undefined
    }
    response: ChargerCommand
  }
  /**
   * List the charging profiles that were sent to a charger
   *
   * Access: permission `read:charger`.
   */
  'GET /api/ocpp/chargers/{id}/charging-profiles': {
    path: RecordPath
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "profile_number" | "stack_level" | undefined
      /** Only profiles with this purpose. */
      purpose?: "charge_point_max" | "tx_default" | "tx" | undefined
      /** Only records in this state. */
      state?: "pending" | "active" | "rejected" | "replaced" | "cleared" | "over" | undefined
    }
    response: Page<ChargingProfile>
  }
  /**
   * Send a charging profile to a charger
   *
   * The profile is pending until the station has responded. 409 CHARGER_IN_GROUP for the limit of a whole charger that is in a charging group.
   *
   * Access: permission `manage:charger`.
   */
  'POST /api/ocpp/chargers/{id}/charging-profiles': {
    path: RecordPath
    body: CreateChargingProfile
    response: ChargingProfile
  }
  /**
   * Clear all matching charging profiles of a charger, regardless of who sent them
   *
   * Access: permission `manage:charger`.
   */
  'POST /api/ocpp/chargers/{id}/charging-profiles/clear': {
    path: RecordPath
    query?: {
      /** Maximum number of seconds to wait for the end of the command before the response. */
      wait?: number | undefined
    }
    body: ClearChargingProfiles
    response: ChargerCommand
  }
  /**
   * Query the composite schedule of a charger; the response of the command contains it
   *
   * Access: permission `manage:charger`.
   */
  'POST /api/ocpp/chargers/{id}/composite-schedule': {
    path: RecordPath
    query?: {
      /** Maximum number of seconds to wait for the end of the command before the response. */
      wait?: number | undefined
    }
    body: RequestCompositeSchedule
    response: ChargerCommand
  }
  /**
   * Get a charging profile
   *
   * Access: permission `read:charger`.
   */
  'GET /api/ocpp/charging-profiles/{id}': {
    path: RecordPath
    response: ChargingProfile
  }
  /**
   * Clear a charging profile of its charger
   *
   * The record is kept, and the profile stays in effect until the station has responded. 409 STATE_CONFLICT for a profile that is no longer in effect.
   *
   * Access: permission `manage:charger`.
   */
  'DELETE /api/ocpp/charging-profiles/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * Update a charging group: omitted fields are unchanged, members are replaced as a whole
   *
   * 409 CHARGER_IN_GROUP for a charger that belongs to another group.
   *
   * Access: permission `manage:charger`.
   */
  'PUT /api/ocpp/charging-groups/{id}': {
    path: RecordPath
    body: UpdateChargingGroup
    response: ChargingGroup
  }
  /**
   * Delete a charging group; the limits of its chargers are cleared
   *
   * Access: permission `manage:charger`.
   */
  'DELETE /api/ocpp/charging-groups/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * Get a charging group with the limit of each charger and the total maximum power
   *
   * Access: permission `read:charger`.
   */
  'GET /api/ocpp/charging-groups/{id}': {
    path: RecordPath
    response: ChargingGroup
  }
  /**
   * List the charging groups, which share a power limit
   *
   * Access: permission `read:charger`.
   */
  'GET /api/ocpp/charging-groups': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "name" | undefined
      /** Only records that contain this text, ignoring case: name. Empty: all records. */
      search?: string | undefined
      /** Only of this subregion. */
      subregion_id?: Uuid | undefined
    }
    response: Page<ChargingGroupHead>
  }
  /**
   * Create a charging group
   *
   * 409 CHARGER_IN_GROUP for a charger that belongs to another group.
   *
   * Access: permission `manage:charger`.
   */
  'POST /api/ocpp/charging-groups': {
    body: CreateChargingGroup
    response: ChargingGroup
  }
  /**
   * List the reservations of connectors
   *
   * Access: permission `read:charger`.
   */
  'GET /api/ocpp/reservations': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "expires_at" | "reservation_number" | undefined
      /** Only records of this charger. */
      charger_id?: Uuid | undefined
      /** Only records in this state. */
      state?: "pending" | "active" | "rejected" | "used" | "expired" | "cancelled" | undefined
      /** Only reservations for this tag. */
      id_tag?: string | undefined
    }
    response: Page<Reservation>
  }
  /**
   * Reserve a connector of a charger for an id tag
   *
   * The reservation is pending until the station has responded. 409 LOTO_LOCKED_OUT while its device is locked out.
   *
   * Access: permission `manage:charger`.
   */
  'POST /api/ocpp/reservations': {
    body: CreateReservation
    response: Reservation
  }
  /**
   * Get a reservation
   *
   * Access: permission `read:charger`.
   */
  'GET /api/ocpp/reservations/{id}': {
    path: RecordPath
    response: Reservation
  }
  /**
   * Cancel a reservation
   *
   * The record is kept. A reservation that was sent to the station stays active until the station has responded. 409 STATE_CONFLICT for a reservation that has ended.
   *
   * Access: permission `manage:charger`.
   */
  'DELETE /api/ocpp/reservations/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * List id tags
   *
   * Access: permission `read:charger`.
   */
  'GET /api/ocpp/id-tags': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "tag" | "name" | "expires_at" | undefined
      /** Exact tag, case-insensitive. */
      tag?: string | undefined
      /** State. */
      status?: "accepted" | "blocked" | undefined
      /** Only members of this group. */
      parent_id?: Uuid | undefined
      /** Only records that contain this text, ignoring case: tag and name. Empty: all records. */
      search?: string | undefined
    }
    response: Page<IdTag>
  }
  /**
   * Create an id tag
   *
   * Access: permission `manage:charger`.
   */
  'POST /api/ocpp/id-tags': {
    body: CreateIdTag
    response: IdTag
  }
  /**
   * Get an id tag
   *
   * Access: permission `read:charger`.
   */
  'GET /api/ocpp/id-tags/{id}': {
    path: RecordPath
    response: IdTag
  }
  /**
   * Update an id tag: omitted fields are unchanged
   *
   * Access: permission `manage:charger`.
   */
  'PUT /api/ocpp/id-tags/{id}': {
    path: RecordPath
    body: UpdateIdTag
    response: IdTag
  }
  /**
   * Delete an id tag, unless it is the group of other tags; sessions keep the tag as text
   *
   * Access: permission `manage:charger`.
   */
  'DELETE /api/ocpp/id-tags/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * List charging sessions with their energy and cost
   *
   * Access: permission `read:charger`.
   */
  'GET /api/ocpp/sessions': {
    query?: PageParameters & {
      /** totals: the response also contains sums over all sessions that match the filters. */
      include?: "totals" | undefined
      /** Field to sort by. */
      sort_by?: "started_at" | "ended_at" | "created_at" | undefined
      charger_id?: Uuid | undefined
      /** Only sessions of this connector; the EVSE in OCPP 2.0.1. */
      connector_id?: number | undefined
      /** Only sessions of this id tag, case-insensitive. */
      id_tag?: string | undefined
      /** Only sessions in this state. */
      state?: "active" | "ended" | undefined
      /** Only sessions that began at or after this time. */
      from?: Instant | undefined
      /** Only sessions that began before this time. */
      to?: Instant | undefined
      /** Subscriber group for pricing; default: that of the facility. */
      abone_grubu?: "mesken" | "ticarethane" | "sanayi" | "tarimsal_sulama" | "aydinlatma" | "other" | undefined
      /** Whether prices depend on the time of day; default: that of the facility. */
      is_multi_time?: boolean | undefined
    }
    response: {
      /** The records of this page. */
      items: readonly ChargingSession[]
      /** Number of records that match the filters. */
      total: number
      /** Offset of the first record of this page. */
      skip: number
      /** Maximum number of records of this page. */
      limit: number
      /** Sums over all sessions that match, with include=totals. */
      totals?: ChargingSessionTotals | undefined
    }
  }
  /**
   * Download charging sessions as CSV, XLSX or PDF, in Turkish or English
   *
   * The sessions are read while the file is written, in the order of their start. 422 REPORT_TOO_LONG if there are too many for a PDF.
   *
   * Access: permission `read:charger`.
   */
  'GET /api/ocpp/sessions/report': {
    query: ReportParameters & {
      /** Only sessions that began at or after this time. */
      from: Instant
      /** Only sessions that began before this time, at most 400 days after from. */
      to: Instant
      charger_id?: Uuid | undefined
      /** Subscriber group for pricing; default: that of the facility. */
      abone_grubu?: "mesken" | "ticarethane" | "sanayi" | "tarimsal_sulama" | "aydinlatma" | "other" | undefined
      /** Whether prices depend on the time of day; default: that of the facility. */
      is_multi_time?: boolean | undefined
    }
    response: FileStream
  }
  /**
   * Get a charging session with its energy and cost
   *
   * Access: permission `read:charger`.
   */
  'GET /api/ocpp/sessions/{id}': {
    path: RecordPath
    query?: {
      /** Subscriber group for pricing; default: that of the facility. */
      abone_grubu?: "mesken" | "ticarethane" | "sanayi" | "tarimsal_sulama" | "aydinlatma" | "other" | undefined
      /** Whether prices depend on the time of day; default: that of the facility. */
      is_multi_time?: boolean | undefined
    }
    response: ChargingSessionDetail
  }
  /**
   * Get the measurements of the connector during a charging session
   *
   * Access: permission `read:charger`.
   */
  'GET /api/ocpp/sessions/{id}/curve': {
    path: RecordPath
    query?: {
      /** Maximum number of points; of more samples the last sample of each of this number of equal time intervals. */
      limit?: number | undefined
    }
    response: SessionCurve
  }
  /**
   * Close a session whose end was lost, at its last reading; the station is not contacted
   *
   * Access: permission `manage:charger`.
   */
  'POST /api/ocpp/sessions/{id}/end': {
    path: RecordPath
    response: ChargingSessionDetail
  }
  /**
   * Create a single-use code with which a Zigbee gateway can join
   *
   * Access: permission `manage:zigbee`.
   */
  'POST /api/v1/zigbee/claims/generate': {
    body: GenerateZigbeeClaim
    response: ZigbeeClaim
  }
  /**
   * List the unused codes
   *
   * Access: permission `read:zigbee`.
   */
  'GET /api/v1/zigbee/claims/pending': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "expires_at" | "gateway_name" | undefined
      /** Only records that contain this text, ignoring case: name of the gateway. Empty: all records. */
      search?: string | undefined
    }
    response: Page<ZigbeeClaim>
  }
  /**
   * Delete a code; a gateway that has used it is kept
   *
   * Access: permission `manage:zigbee`.
   */
  'DELETE /api/v1/zigbee/claims/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * Redeem a code: create the gateway and its login at the message broker
   *
   * Access: everybody, without a token.
   */
  'POST /api/v1/zigbee/claims/redeem': {
    body: RedeemZigbeeClaim
    response: RedeemedZigbeeClaim
  }
  /**
   * List Zigbee gateways
   *
   * Access: permission `read:zigbee`.
   */
  'GET /api/v1/zigbee/gateways': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "name" | "last_seen" | undefined
      /** Only records that contain this text, ignoring case: name and IEEE address. Empty: all records. */
      search?: string | undefined
      subregion_id?: Uuid | undefined
      /** Whether it is connected or sends values. */
      is_online?: boolean | undefined
    }
    response: Page<ZigbeeGateway>
  }
  /**
   * Get a Zigbee gateway
   *
   * Access: permission `read:zigbee`.
   */
  'GET /api/v1/zigbee/gateways/{id}': {
    path: RecordPath
    response: ZigbeeGateway
  }
  /**
   * Update a Zigbee gateway, or let devices join: omitted fields are unchanged
   *
   * Access: permission `manage:zigbee`.
   */
  'PUT /api/v1/zigbee/gateways/{id}': {
    path: RecordPath
    body: UpdateZigbeeGateway
    response: ZigbeeGateway
  }
  /**
   * Delete a Zigbee gateway; its devices and their measurements are kept, without a gateway
   *
   * Access: permission `manage:zigbee`.
   */
  'DELETE /api/v1/zigbee/gateways/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * List the devices that are paired with a Zigbee gateway
   *
   * Access: permission `read:zigbee`.
   */
  'GET /api/v1/zigbee/gateways/{id}/devices': {
    path: RecordPath
    query?: {
      /** Offset of the first record. */
      skip?: number | undefined
      /** Maximum number of records in the response. */
      limit?: number | undefined
      /** Field to sort by. */
      sort_by?: "friendly_name" | "ieee_address" | "first_seen" | undefined
      /** Ascending or descending. */
      sort_order?: "asc" | "desc" | undefined
      /** Only records that contain this text, ignoring case: name, IEEE address, vendor and model. Empty: all records. */
      search?: string | undefined
    }
    response: Page<ZigbeeDevice>
  }
  /**
   * Get the quotas of the tenant and their use
   *
   * Daily quotas start again at midnight, Turkey-local time.
   *
   * Access: every signed-in user.
   */
  'GET /api/quotas': {
    response: QuotaReport
  }
  /**
   * List changes of the configuration: who changed what, with old and new values
   *
   * The log is append-only and complete: each record is written in the transaction of its change. Samples, incidents, calculations and commands have records of their own.
   *
   * Access: permission `manage:user`.
   */
  'GET /api/changes': {
    query?: PageParameters & {
      /** Only changes at or after this time. */
      from?: Instant | undefined
      /** Only changes before this time. */
      to?: Instant | undefined
      /** Only changes by actors of this kind. */
      actor_kind?: "user" | "anonymous" | "job" | "command" | "service" | undefined
      /** Only changes by this user, with and without API keys. */
      user_id?: Uuid | undefined
      /** Only changes with this API key. */
      api_key_id?: Uuid | undefined
      /** Only changes by this operation, job or command. */
      operation?: string | undefined
      /** Only changes of the request with this X-Request-Id. */
      request_id?: string | undefined
      /** Only changes of this kind. */
      action?: "create" | "update" | "delete" | undefined
      /** Only changes of resources of this type. */
      resource_type?: ChangedResourceType | undefined
      /** Only changes of this resource. */
      resource_id?: string | undefined
      /** Only records that contain this text, ignoring case: name of the resource, e-mail address of the user, name of the API key, operation. Empty: all records. */
      search?: string | undefined
      /** Field to sort by. */
      sort_by?: "at" | undefined
    }
    response: Page<Change>
  }
  /**
   * Download changes as CSV, XLSX or PDF, in Turkish or English
   *
   * The changes are read while the file is written, oldest first. 422 REPORT_TOO_LONG if there are too many for a PDF.
   *
   * Access: permission `manage:user`.
   */
  'GET /api/changes/report': {
    query: ReportParameters & {
      /** Beginning of the range. */
      from: Instant
      /** End of the range, exclusive; at most 366 days after its beginning. */
      to: Instant
      /** Only changes by actors of this kind. */
      actor_kind?: "user" | "anonymous" | "job" | "command" | "service" | undefined
      /** Only changes by this user, with and without API keys. */
      user_id?: Uuid | undefined
      /** Only changes with this API key. */
      api_key_id?: Uuid | undefined
      /** Only changes by this operation, job or command. */
      operation?: string | undefined
      /** Only changes of the request with this X-Request-Id. */
      request_id?: string | undefined
      /** Only changes of this kind. */
      action?: "create" | "update" | "delete" | undefined
      /** Only changes of resources of this type. */
      resource_type?: ChangedResourceType | undefined
      /** Only changes of this resource. */
      resource_id?: string | undefined
      /** Only records that contain this text, ignoring case: name of the resource, e-mail address of the user, name of the API key, operation. Empty: all records. */
      search?: string | undefined
    }
    response: FileStream
  }
  /**
   * List changes of the configuration of a tenant
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'GET /api/v1/admin/tenants/{id}/changes': {
    path: RecordPath
    query?: PageParameters & {
      /** Only changes at or after this time. */
      from?: Instant | undefined
      /** Only changes before this time. */
      to?: Instant | undefined
      /** Only changes by actors of this kind. */
      actor_kind?: "user" | "anonymous" | "job" | "command" | "service" | undefined
      /** Only changes by this user, with and without API keys. */
      user_id?: Uuid | undefined
      /** Only changes with this API key. */
      api_key_id?: Uuid | undefined
      /** Only changes by this operation, job or command. */
      operation?: string | undefined
      /** Only changes of the request with this X-Request-Id. */
      request_id?: string | undefined
      /** Only changes of this kind. */
      action?: "create" | "update" | "delete" | undefined
      /** Only changes of resources of this type. */
      resource_type?: ChangedResourceType | undefined
      /** Only changes of this resource. */
      resource_id?: string | undefined
      /** Only records that contain this text, ignoring case: name of the resource, e-mail address of the user, name of the API key, operation. Empty: all records. */
      search?: string | undefined
      /** Field to sort by. */
      sort_by?: "at" | undefined
    }
    response: Page<Change>
  }
  /**
   * List tenants
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'GET /api/v1/admin/tenants': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "name" | "slug" | undefined
      /** Only records that contain this text, ignoring case: name and slug. Empty: all records. */
      search?: string | undefined
      /** true: only active tenants; false: only inactive tenants. */
      is_active?: boolean | undefined
    }
    response: Page<Tenant>
  }
  /**
   * Create a tenant with its system roles and its first admin
   *
   * A slug or address that is already in use is 409 DUPLICATE_ENTRY.
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'POST /api/v1/admin/tenants': {
    body: CreateTenant
    response: CreatedTenant
  }
  /**
   * Get a tenant
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'GET /api/v1/admin/tenants/{id}': {
    path: RecordPath
    response: Tenant
  }
  /**
   * Rename, deactivate or reactivate a tenant
   *
   * Omitted fields are unchanged; the slug stays; a body without a field to change is 422. Requests of an inactive tenant are 401 TENANT_INACTIVE at once; sockets and jobs follow within a minute. The caller's own tenant cannot be deactivated, and a tenant whose deletion was requested cannot be changed (409 STATE_CONFLICT).
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'PATCH /api/v1/admin/tenants/{id}': {
    path: RecordPath
    body: UpdateTenant
    response: Tenant
  }
  /**
   * Delete a deactivated tenant with all its data
   *
   * Confirmed by the name of the tenant in `name`; another name is 422. A job deletes the data; the response and GET /api/v1/admin/tenant-deletions/<id> show its progress. A repeated request returns the same deletion. An active tenant and the caller's own tenant cannot be deleted (409 STATE_CONFLICT). The deletion cannot be undone.
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'DELETE /api/v1/admin/tenants/{id}': {
    path: RecordPath
    query: {
      /** Confirms the deletion: the exact name of the tenant. */
      name: string
    }
    response: TenantDeletion
  }
  /**
   * Get the quotas of a tenant and their use
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'GET /api/v1/admin/tenants/{id}/quotas': {
    path: RecordPath
    response: QuotaReport
  }
  /**
   * Set the quotas of a tenant
   *
   * Replaces all quotas of the tenant. An omitted one has the default of the settings (QUOTA_*). A quota of samples applies within ten seconds.
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'PUT /api/v1/admin/tenants/{id}/quotas': {
    path: RecordPath
    body: SetQuotas
    response: QuotaReport
  }
  /**
   * List deletions of tenants with their progress
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'GET /api/v1/admin/tenant-deletions': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "requested_at" | "name" | undefined
      /** Only records that contain this text, ignoring case: name and slug. Empty: all records. */
      search?: string | undefined
      /** Only deletions with this status. */
      status?: "queued" | "running" | "completed" | undefined
    }
    response: Page<TenantDeletion>
  }
  /**
   * Get the deletion of a tenant with its progress
   *
   * The record stays after the end of the deletion.
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'GET /api/v1/admin/tenant-deletions/{id}': {
    path: RecordPath
    response: TenantDeletion
  }
  /**
   * Import prices from a CSV file or XLSX workbook into a draft; all rows are imported, or none
   *
   * The file is a CSV file in UTF-8, with or without a byte order mark, with commas, semicolons or tabs, or the first sheet of an XLSX workbook: at most 2 MiB and 10000 rows. The first row contains the headers, in any order; the template contains all of them. Dates are YYYY-MM-DD or dd.mm.yyyy, decimals have a point or a comma. If any row has an error, nothing is written: `imported` is 0, and `errors` contains row numbers as in a spreadsheet. 413 CSV_IMPORT_TOO_LARGE; 422 CSV_IMPORT_INVALID_TYPE (name, content type or content, including the old .xls), CSV_IMPORT_INVALID_ENCODING, CSV_IMPORT_MISSING_HEADERS, CSV_IMPORT_TOO_MANY_ROWS, XLSX_IMPORT_INVALID, TARIFF_PERIOD_MISMATCH (rows of another month than that of the set: the error has `imported`, `errors` and `error_count`); 409 TARIFF_SET_APPROVED_IMMUTABLE for a set that is not a draft.
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'POST /api/v1/admin/regulated-tariffs/price-sets/{id}/import-csv': {
    path: RecordPath
    body: FormData
    response: TariffImport
  }
  /**
   * List national market prices by hour, in TRY/MWh
   *
   * An hour has one row per maturity of its price. The list is empty, without an error, while MARKETOP_ENABLED is false.
   *
   * Access: permission `read:netting`.
   */
  'GET /api/energy-market/prices': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "ts" | "market" | "price_status" | "price_try_per_mwh" | "fetched_at" | undefined
      /** First hour. Without an offset Turkey-local. */
      from?: Instant | undefined
      /** End of the range, exclusive. */
      to?: Instant | undefined
      /** ptf: day-ahead price; smf: system marginal price. */
      market?: "ptf" | "smf" | undefined
      /** Only rows of this maturity. */
      price_status?: "tentative" | "final" | "corrected" | "unknown" | undefined
      /** true: one row per hour and market with the most final price: corrected, otherwise final, otherwise tentative, otherwise unknown. price_status then filters these rows. */
      best?: boolean | undefined
    }
    response: Page<MarketPrice>
  }
  /**
   * List the accounts for the market platform; secrets are masked
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'GET /api/v1/admin/marketop-transparency/accounts': {
    query?: PageParameters & {
      /** Field to sort by. */
      sort_by?: "created_at" | "name" | "whitelist_status" | undefined
      /** Only records that contain this text, ignoring case: name. Empty: all records. */
      search?: string | undefined
    }
    response: Page<MarketAccount>
  }
  /**
   * Create an account with the status not_started
   *
   * Secrets are encrypted with CREDENTIAL_ENCRYPTION_KEY: 503 encryption_not_configured without the key, encryption_misconfigured if the key is invalid.
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'POST /api/v1/admin/marketop-transparency/accounts': {
    body: CreateMarketAccount
    response: MarketAccount
  }
  /**
   * Get an account; secrets are masked
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'GET /api/v1/admin/marketop-transparency/accounts/{id}': {
    path: RecordPath
    response: MarketAccount
  }
  /**
   * Update an account: omitted fields are unchanged
   *
   * Changed credentials must pass a test-call again. The encryption key is needed only if a secret is given: 503 as on create.
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'PATCH /api/v1/admin/marketop-transparency/accounts/{id}': {
    path: RecordPath
    body: UpdateMarketAccount
    response: MarketAccount
  }
  /**
   * Advance an account by one approval step, or block it
   *
   * Every other transition is 409 invalid_whitelist_transition.
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'POST /api/v1/admin/marketop-transparency/accounts/{id}/transition': {
    path: RecordPath
    body: MarketAccountTransition
    response: MarketAccount
  }
  /**
   * Test an account: log in and request prices
   *
   * The status is always 200: `ok` and `failed_step` contain the result. The test works while the pull is disabled.
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'POST /api/v1/admin/marketop-transparency/accounts/{id}/test-call': {
    path: RecordPath
    response: MarketTestCall
  }
  /**
   * List price sets, newest first
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'GET /api/v1/admin/regulated-tariffs/price-sets': {
    query?: ListParameters & {
      /** Only records that contain this text, ignoring case: name and source note. Empty: all records. */
      search?: string | undefined
      /** First day of the month (YYYY-MM-01). */
      billing_period?: BillingPeriod | undefined
      /** State of the approval. */
      approval_status?: "draft" | "approved" | "archived" | undefined
    }
    response: readonly PriceSet[]
  }
  /**
   * Create a price set as a draft
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'POST /api/v1/admin/regulated-tariffs/price-sets': {
    body: CreatePriceSet
    response: PriceSet
  }
  /**
   * Get a price set
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'GET /api/v1/admin/regulated-tariffs/price-sets/{id}': {
    path: RecordPath
    response: PriceSet
  }
  /**
   * Correct the metadata of a draft, or archive an approved set
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'PATCH /api/v1/admin/regulated-tariffs/price-sets/{id}': {
    path: RecordPath
    body: UpdatePriceSet
    response: PriceSet
  }
  /**
   * Delete a draft with its prices
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'DELETE /api/v1/admin/regulated-tariffs/price-sets/{id}': {
    path: RecordPath
    response: undefined
  }
  /**
   * Approve a draft; afterwards its prices are used and cannot change
   *
   * Groups that were blocked because of a missing approved price are evaluated immediately afterwards.
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'POST /api/v1/admin/regulated-tariffs/price-sets/{id}/approve': {
    path: RecordPath
    response: PriceSet
  }
  /**
   * List the prices of a set, newest first
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'GET /api/v1/admin/regulated-tariffs/price-sets/{id}/prices': {
    path: RecordPath
    query?: ListParameters
    response: readonly RegulatedPrice[]
  }
  /**
   * Add a price to a draft
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'POST /api/v1/admin/regulated-tariffs/price-sets/{id}/prices': {
    path: RecordPath
    body: CreateRegulatedPrice
    response: RegulatedPrice
  }
  /**
   * Download a template for the import: all headers in their order, and example rows that can be imported
   *
   * Access: superusers.
   *
   * API keys are refused (403).
   */
  'GET /api/v1/admin/regulated-tariffs/import-template': {
    query?: {
      /** Format of the file. */
      format?: "csv" | "xlsx" | undefined
      /** Month of the example rows; it must be that of the set that imports the file. */
      billing_period?: BillingPeriod | undefined
    }
    response: FileStream
  }
  /**
   * Get the number of sockets for live values and their statistics
   *
   * The socket is `/ws/telemetry?token=&devices=&since=` on the same port; `docs/integrate/live.md` describes messages and close codes. Counters begin with the start of each process.
   *
   * Access: every signed-in user.
   */
  'GET /ws/stats': {
    response: LiveStats
  }
}

/** Operations that honour the header Idempotency-Key. */
export const KEYED_OPERATIONS: ReadonlySet<string> = new Set([
  'POST /api/mahsuplasma/scopes',
  'POST /api/mahsuplasma/scopes/{id}/declare-same-official-party',
  'POST /api/mahsuplasma/facilities',
  'POST /api/mahsuplasma/organizations',
  'POST /api/mahsuplasma/facilities/{id}/meters',
  'POST /api/mahsuplasma/meters/assign',
  'POST /api/mahsuplasma/meters/changes',
  'POST /api/mahsuplasma/meters/changes/{id}/void',
  'POST /api/mahsuplasma/inverter-type/apply',
  'POST /api/mahsuplasma/groups',
  'POST /api/mahsuplasma/groups/{id}/members',
  'POST /api/mahsuplasma/groups/{id}/evaluate',
  'POST /api/mahsuplasma/groups/{id}/period-evaluations',
  'POST /api/mahsuplasma/limits/accounts',
  'POST /api/mahsuplasma/limits/accounts/{id}/adjust',
  'POST /api/mahsuplasma/limits/transfer',
  'POST /api/mahsuplasma/facilities/{id}/hourly-energy/rebuild',
  'POST /api/mahsuplasma/groups/{id}/calculate',
  'POST /api/mahsuplasma/groups/{id}/corrections',
  'POST /api/mahsuplasma/groups/bulk',
  'POST /api/mahsuplasma/history/calculate',
  'POST /api/mahsuplasma/invoice-mappings',
  'POST /api/mahsuplasma/invoice-checks/{id}/repeat',
  'POST /api/mahsuplasma/invoice-checks/{id}/objection-steps',
  'POST /api/mahsuplasma/scenarios',
  'POST /api/mahsuplasma/scenarios/{id}/cancel',
  'POST /api/mahsuplasma/scenarios/{id}/calculate',
  'POST /api/mahsuplasma/hourly-forecasts',
  'POST /api/mahsuplasma/hourly-forecasts/{id}/cancel',
  'POST /api/mahsuplasma/optimisations',
  'POST /api/mahsuplasma/optimisations/{id}/cancel',
  'POST /api/mahsuplasma/optimisations/{id}/scenario',
  'POST /api/mahsuplasma/sizings',
  'POST /api/mahsuplasma/sizings/{id}/cancel',
  'POST /api/osos/installations',
  'POST /api/osos/installations/{id}/readings',
  'POST /api/ocpp/chargers',
  'POST /api/ocpp/chargers/{id}/password',
  'POST /api/ocpp/chargers/{id}/commands',
  'POST /api/ocpp/chargers/{id}/commands/{command_id}/cancel',
  'POST /api/ocpp/chargers/{id}/files',
  'POST /api/ocpp/chargers/{id}/certificates/install',
  'POST /api/ocpp/chargers/{id}/certificates/installed',
  'POST /api/ocpp/chargers/{id}/certificates/delete',
  'POST /api/ocpp/chargers/{id}/local-list/sync',
  'POST /api/ocpp/chargers/{id}/local-list/version',
  'POST /api/ocpp/chargers/{id}/charging-profiles',
  'POST /api/ocpp/chargers/{id}/charging-profiles/clear',
  'POST /api/ocpp/chargers/{id}/composite-schedule',
  'POST /api/ocpp/charging-groups',
  'POST /api/ocpp/reservations',
])

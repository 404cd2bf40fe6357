/** Versions of OCPP that stations may speak to us. */
export const OCPP_VERSIONS = ['1.6', '2.0.1'] as const
export type OcppVersion = (typeof OCPP_VERSIONS)[number]

/** The commands for a station, in names of this service: the same for both versions of OCPP. */
export const COMMAND_ACTIONS = [
  'remote_start',
  'remote_stop',
  'reset',
  'unlock',
  'change_availability',
  'get_configuration',
  'set_configuration',
  'clear_cache',
  'trigger_message',
  'extended_trigger_message',
  'reserve',
  'cancel_reservation',
  'get_local_list_version',
  'send_local_list',
  'set_charging_profile',
  'clear_charging_profile',
  'get_charging_profiles',
  'get_composite_schedule',
  'get_diagnostics',
  'get_security_log',
  'update_firmware',
  'update_signed_firmware',
  'install_certificate',
  'delete_certificate',
  'list_certificates',
  'sign_certificate_answer',
  'set_password',
  'set_network_profile',
  'data_transfer',
  'get_base_report',
  'get_report',
  'get_transaction_status',
  'customer_information',
] as const
export type CommandAction = (typeof COMMAND_ACTIONS)[number]

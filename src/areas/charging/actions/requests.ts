import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { type CommandAction, OCPP_VERSIONS } from '../../../kernel/ocpp.ts'
import { described, Id, OneOf, Text } from '../../../platform/http/fields.ts'
import { type Profile, ProfileFields } from '../charging-profiles/index.ts'
import { COMMAND_KEYS_MAX, COMMAND_TEXT_MAX, ID_TAG_LENGTH_MAX } from '../limits.ts'

const optional = <T extends TSchema>(schema: T, description: string) =>
  Type.Optional(described(schema, description))

const Connector = Type.Integer({ minimum: 1, maximum: 255 })
const Whole = Type.Integer({ minimum: 0, maximum: 255 })
const CONNECTOR = 'Connector number; the EVSE in OCPP 2.0.1.'
const OF_EVSE = 'Connector of the EVSE in OCPP 2.0.1.'
/** A configuration key of the station; in OCPP 2.0.1 as Component.Variable. */
const Key = Text(COMMAND_TEXT_MAX)
const KEY = 'Configuration key; in OCPP 2.0.1 as Component.Variable.'

const TransactionId = Type.Unsafe<string | number>({
  type: ['string', 'integer'],
  minLength: 1,
  maxLength: 36,
})
const transaction = {
  session_id: optional(Id, 'Session; it must be an active session of this charger.'),
  transaction_id: optional(TransactionId, 'Transaction id of the station, instead of session_id.'),
}

const TRIGGERS = [
  ...(['boot_notification', 'heartbeat', 'status_notification', 'meter_values'] as const),
  ...(['firmware_status_notification', 'diagnostics_status_notification'] as const),
  ...(['log_status_notification', 'transaction_event', 'sign_charging_station_certificate'] as const),
] as const
const EXTENDED_TRIGGERS = [
  ...(['boot_notification', 'heartbeat', 'status_notification', 'meter_values'] as const),
  ...(['firmware_status_notification', 'log_status_notification'] as const),
  'sign_charging_station_certificate',
] as const
const REPORTS = ['configuration', 'full', 'summary'] as const

const object = <T extends TProperties>(properties: T) => Type.Object(properties)

/**
 * The fields, besides `action`, of each action that an operator can request directly. Other actions have
 * separate routes.
 */
export const REQUESTS = {
  remote_start: object({
    id_tag: described(Text(ID_TAG_LENGTH_MAX), 'Id tag that starts the session.'),
    connector_id: optional(Connector, `${CONNECTOR} Absent: the station chooses.`),
    charging_profile: optional(Type.Object(ProfileFields), 'Charging profile (tx) for the started session.'),
  }),
  remote_stop: object(transaction),
  reset: object({
    type: optional(
      OneOf(['soft', 'hard']),
      'Reset type. Default: Soft, which ends sessions first (2.0.1: waits for their end).',
    ),
  }),
  unlock: object({
    connector_id: described(Connector, CONNECTOR),
    evse_connector_id: optional(Connector, `${OF_EVSE} Default: 1.`),
  }),
  change_availability: object({
    type: described(OneOf(['operative', 'inoperative']), 'Operative or inoperative.'),
    connector_id: optional(Whole, `${CONNECTOR} 0 or absent: the whole station.`),
    evse_connector_id: optional(Connector, `${OF_EVSE} Absent: all.`),
  }),
  get_configuration: object({
    keys: optional(
      Type.Array(Key, { maxItems: COMMAND_KEYS_MAX, uniqueItems: true }),
      `Configuration keys; absent or empty: all (1.6 only). ${KEY}`,
    ),
  }),
  set_configuration: object({
    key: described(Key, KEY),
    value: described(Type.String({ maxLength: COMMAND_TEXT_MAX }), 'Value as text, for every key.'),
  }),
  clear_cache: object({}),
  trigger_message: object({
    message: described(
      OneOf(TRIGGERS),
      'Message that the station has to send. OCPP 1.6 has no log_status_notification, transaction_event, ' +
        'sign_charging_station_certificate; OCPP 2.0.1 has no diagnostics_status_notification. The command ' +
        'fails if the version of the station does not have the message.',
    ),
    connector_id: optional(Connector, CONNECTOR),
    evse_connector_id: optional(Connector, `${OF_EVSE} Default for a status message: 1.`),
  }),
  extended_trigger_message: object({
    message: described(OneOf(EXTENDED_TRIGGERS), 'Message that the station has to send. OCPP 1.6 only.'),
    connector_id: optional(Connector, CONNECTOR),
  }),
  data_transfer: object({
    vendor_id: described(Text(255), 'Vendor that defined the message.'),
    message_id: optional(Text(50), 'Id of the message.'),
    data: optional(
      Type.Unsafe<unknown>({ 'x-json': true }),
      'Data of the message; sent as text in OCPP 1.6.',
    ),
  }),
  get_base_report: object({
    report: optional(
      OneOf(REPORTS),
      'Kind of report. Default: full. OCPP 2.0.1 only; the received parts are stored as variables.',
    ),
  }),
  get_report: object({
    keys: optional(Type.Array(Key, { maxItems: COMMAND_KEYS_MAX, uniqueItems: true }), KEY),
    criteria: optional(
      Type.Array(OneOf(['active', 'available', 'enabled', 'problem']), { maxItems: 4, uniqueItems: true }),
      'Criteria; the report contains components that meet one of them. OCPP 2.0.1 only.',
    ),
  }),
  get_transaction_status: object(transaction),
  customer_information: object({
    report: optional(
      Type.Boolean(),
      'Whether the station reports the stored data of the customer, received as events. Default: true.',
    ),
    clear: optional(Type.Boolean(), 'Whether the station deletes the data of the customer.'),
    id_tag: optional(Text(ID_TAG_LENGTH_MAX), 'Id tag of the customer.'),
    customer_identifier: optional(
      Text(64),
      'Customer identifier known to the station, instead of the id tag.',
    ),
  }),
  get_charging_profiles: object({
    connector_id: optional(Whole, `${CONNECTOR} Absent: all of them; 0: the station as a whole.`),
    purpose: optional(
      OneOf(['charge_point_max', 'tx_default', 'tx', 'external']),
      'Only profiles with this purpose.',
    ),
    stack_level: optional(
      Type.Integer({ minimum: 0, maximum: 1_000 }),
      'Only profiles with this stack level.',
    ),
    profile_numbers: optional(
      Type.Array(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }), { maxItems: 100 }),
      'Only profiles with these numbers. OCPP 2.0.1 only; the profiles are received as events of the ' +
        'charger.',
    ),
  }),
  set_network_profile: object({
    slot: described(Whole, 'Configuration slot that is written. OCPP 2.0.1 only.'),
    url: described(
      Type.String({ pattern: '^wss?://', maxLength: 512 }),
      'URL to which the station has to connect.',
    ),
    security_profile: described(
      Type.Integer({ minimum: 1, maximum: 3 }),
      'Security profile for authentication.',
    ),
    interface: optional(
      OneOf(['wired0', 'wired1', 'wired2', 'wired3', 'wireless0', 'wireless1', 'wireless2', 'wireless3']),
      'Network interface. Default: Wired0.',
    ),
    message_timeout_s: optional(
      Type.Integer({ minimum: 1, maximum: 3_600 }),
      'Message timeout in seconds. Default: 30.',
    ),
    ocpp_version: optional(OneOf(OCPP_VERSIONS), 'OCPP version. Default: 2.0.1.'),
  }),
} satisfies Partial<Record<CommandAction, TObject>>

export type OperatorAction = keyof typeof REQUESTS
export const OPERATOR_ACTIONS = Object.keys(REQUESTS) as [OperatorAction, ...OperatorAction[]]

type RequestOf<Action extends OperatorAction> = Static<(typeof REQUESTS)[Action]>
/** The transaction id in the form of the station; it is looked up when the command is enqueued. */
interface TransactionRequest {
  readonly session_id?: string
  readonly transaction_id?: string | number
}
/** The stored requests by action. */
export type CommandRequests = {
  [Action in Exclude<
    OperatorAction,
    'remote_start' | 'remote_stop' | 'get_transaction_status'
  >]: RequestOf<Action>
} & {
  /** The profile in the form in which it is sent, with its number. */
  remote_start: Omit<RequestOf<'remote_start'>, 'charging_profile'> & { charging_profile?: Profile }
  remote_stop: TransactionRequest
  get_transaction_status: TransactionRequest
  set_password: { password: string }
}

/** The request of `update_firmware` and `update_signed_firmware`. */
export interface UpdateFirmware {
  readonly update_id: string
  readonly attempt: number
  /** The download link of this attempt. */
  readonly location: string
  /** ISO 8601. */
  readonly retrieve_at: string
  /** The certificate as PEM and the signature of the file as base64; of a signed update. */
  readonly signing_certificate?: string
  readonly signature?: string
}

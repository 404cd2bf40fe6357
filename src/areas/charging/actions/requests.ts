import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { type CommandAction, OCPP_VERSIONS } from '../../../kernel/ocpp.ts'
import { described, Id, OneOf, Text } from '../../../platform/http/fields.ts'
import { type Profile, ProfileFields } from '../charging-profiles/index.ts'
import { COMMAND_KEYS_MAX, COMMAND_TEXT_MAX, ID_TAG_LENGTH_MAX } from '../limits.ts'

const optional = <T extends TSchema>(schema: T, description: string) =>
  Type.Optional(described(schema, description))

const Connector = Type.Integer({ minimum: 1, maximum: 255 })
const Whole = Type.Integer({ minimum: 0, maximum: 255 })
const CONNECTOR = 'Number of the connector; the EVSE in OCPP 2.0.1.'
const OF_EVSE = 'The connector of the EVSE, in OCPP 2.0.1.'
/** A configuration key of the station; in OCPP 2.0.1 as Component.Variable. */
const Key = Text(COMMAND_TEXT_MAX)
const KEY = 'In OCPP 2.0.1 as Component.Variable.'

const TransactionId = Type.Unsafe<string | number>({
  type: ['string', 'integer'],
  minLength: 1,
  maxLength: 36,
})
const transaction = {
  session_id: optional(Id, 'The session; it must be one of this charger that is not over.'),
  transaction_id: optional(TransactionId, 'Instead of the session: the id as the station knows it.'),
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
 * The fields of each action that an operator orders directly, besides `action`. Other actions have routes of
 * their own.
 */
export const REQUESTS = {
  remote_start: object({
    id_tag: described(Text(ID_TAG_LENGTH_MAX), 'Who charges.'),
    connector_id: optional(Connector, `${CONNECTOR} Absent: the station chooses.`),
    charging_profile: optional(Type.Object(ProfileFields), 'A tx profile for the session that begins.'),
  }),
  remote_stop: object(transaction),
  reset: object({
    type: optional(
      OneOf(['soft', 'hard']),
      'Soft, when absent: sessions are ended first (2.0.1: waited for).',
    ),
  }),
  unlock: object({
    connector_id: described(Connector, CONNECTOR),
    evse_connector_id: optional(Connector, `${OF_EVSE} 1 when absent.`),
  }),
  change_availability: object({
    type: described(OneOf(['operative', 'inoperative']), 'Whether it may be used.'),
    connector_id: optional(Whole, `${CONNECTOR} 0 or absent: the whole station.`),
    evse_connector_id: optional(Connector, `${OF_EVSE} All when absent.`),
  }),
  get_configuration: object({
    keys: optional(
      Type.Array(Key, { maxItems: COMMAND_KEYS_MAX, uniqueItems: true }),
      `Absent or empty: all (1.6 only). ${KEY}`,
    ),
  }),
  set_configuration: object({
    key: described(Key, KEY),
    value: described(Type.String({ maxLength: COMMAND_TEXT_MAX }), 'As text, whatever the key is.'),
  }),
  clear_cache: object({}),
  trigger_message: object({
    message: described(OneOf(TRIGGERS), 'What the station is to send.'),
    connector_id: optional(Connector, CONNECTOR),
    evse_connector_id: optional(Connector, `${OF_EVSE} Of a status 1 when absent.`),
  }),
  extended_trigger_message: object({
    message: described(OneOf(EXTENDED_TRIGGERS), 'What the station is to send. OCPP 1.6 only.'),
    connector_id: optional(Connector, CONNECTOR),
  }),
  data_transfer: object({
    vendor_id: described(Text(255), 'Who defined the message.'),
    message_id: optional(Text(50), 'Which message.'),
    data: optional(Type.Unsafe<unknown>({ 'x-json': true }), 'Sent to OCPP 1.6 as text.'),
  }),
  get_base_report: object({
    report: optional(OneOf(REPORTS), 'Full when absent. OCPP 2.0.1 only; the parts come to the variables.'),
  }),
  get_report: object({
    keys: optional(Type.Array(Key, { maxItems: COMMAND_KEYS_MAX, uniqueItems: true }), KEY),
    criteria: optional(
      Type.Array(OneOf(['active', 'available', 'enabled', 'problem']), { maxItems: 4, uniqueItems: true }),
      'Components that fulfil one of these. OCPP 2.0.1 only.',
    ),
  }),
  get_transaction_status: object(transaction),
  customer_information: object({
    report: optional(
      Type.Boolean(),
      'Tell what is known of the customer; the answer comes as events. True when absent.',
    ),
    clear: optional(Type.Boolean(), 'Forget it afterwards.'),
    id_tag: optional(Text(ID_TAG_LENGTH_MAX), 'The customer: by the tag.'),
    customer_identifier: optional(Text(64), 'Or by a word that the station knows.'),
  }),
  get_charging_profiles: object({
    connector_id: optional(Whole, `${CONNECTOR} Absent: all of them; 0: the station as a whole.`),
    purpose: optional(OneOf(['charge_point_max', 'tx_default', 'tx', 'external']), 'Only of this purpose.'),
    stack_level: optional(Type.Integer({ minimum: 0, maximum: 1_000 }), 'Only of this level.'),
    profile_numbers: optional(
      Type.Array(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }), { maxItems: 100 }),
      'Only these. OCPP 2.0.1 only; the profiles come as events of the charger.',
    ),
  }),
  set_network_profile: object({
    slot: described(Whole, 'Which of the profiles of the station is written. OCPP 2.0.1 only.'),
    url: described(Type.String({ pattern: '^wss?://', maxLength: 512 }), 'Where the station is to connect.'),
    security_profile: described(Type.Integer({ minimum: 1, maximum: 3 }), 'How it is to authenticate.'),
    interface: optional(
      OneOf(['wired0', 'wired1', 'wired2', 'wired3', 'wireless0', 'wireless1', 'wireless2', 'wireless3']),
      'Wired0 when absent.',
    ),
    message_timeout_s: optional(Type.Integer({ minimum: 1, maximum: 3_600 }), '30 when absent.'),
    ocpp_version: optional(OneOf(OCPP_VERSIONS), '2.0.1 when absent.'),
  }),
} satisfies Partial<Record<CommandAction, TObject>>

export type OperatorAction = keyof typeof REQUESTS
export const OPERATOR_ACTIONS = Object.keys(REQUESTS) as [OperatorAction, ...OperatorAction[]]

type RequestOf<Action extends OperatorAction> = Static<(typeof REQUESTS)[Action]>
/** The transaction is stored as the station knows it; it is looked up when the command is enqueued. */
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
  /** The profile as it is sent, with its number. */
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

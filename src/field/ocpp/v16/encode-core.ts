import type { CommandRequests } from '../../../areas/charging/stations.ts'
import { passwordBytes } from '../../../areas/charging/stations.ts'
import { encoderV16, omitEmpty } from '../encoding.ts'
import { OcppCallError } from '../errors.ts'
import type { Encoders } from '../types.ts'
import { profile16 } from './encode-smart-charging.ts'

const MESSAGES = {
  boot_notification: 'BootNotification',
  heartbeat: 'Heartbeat',
  status_notification: 'StatusNotification',
  meter_values: 'MeterValues',
  firmware_status_notification: 'FirmwareStatusNotification',
  diagnostics_status_notification: 'DiagnosticsStatusNotification',
} as const

/** The triggers of the security extension, with those that it repeats. */
const EXTENDED = {
  boot_notification: 'BootNotification',
  heartbeat: 'Heartbeat',
  status_notification: 'StatusNotification',
  meter_values: 'MeterValues',
  firmware_status_notification: 'FirmwareStatusNotification',
  log_status_notification: 'LogStatusNotification',
  sign_charging_station_certificate: 'SignChargePointCertificate',
} as const

function encodeTrigger({ message, connector_id }: CommandRequests['trigger_message']) {
  if (!(message in MESSAGES)) {
    const remedy = message in EXTENDED ? ' by trigger_message: use extended_trigger_message' : ''
    throw new OcppCallError('NotSupported', `OCPP 1.6 does not trigger ${message}${remedy}`)
  }
  return {
    requestedMessage: MESSAGES[message as keyof typeof MESSAGES],
    ...(connector_id !== undefined && { connectorId: connector_id }),
  }
}

function encodeStop({ transaction_id }: CommandRequests['remote_stop']) {
  const transactionId = Number(transaction_id)
  if (!Number.isInteger(transactionId))
    throw new OcppCallError('NotSupported', 'the transactions of OCPP 1.6 are numbers')
  return { transactionId }
}

const text = (data: unknown): string => (typeof data === 'string' ? data : JSON.stringify(data))

/** The commands of the core profile and of the remote trigger. */
export const CORE_ENCODERS_16: Encoders = {
  remote_start: encoderV16(
    'RemoteStartTransaction',
    ({ id_tag, connector_id, charging_profile }: CommandRequests['remote_start']) => ({
      idTag: id_tag,
      ...(connector_id !== undefined && { connectorId: connector_id }),
      ...(charging_profile && { chargingProfile: profile16(charging_profile) }),
    }),
  ),
  remote_stop: encoderV16('RemoteStopTransaction', encodeStop),
  reset: encoderV16('Reset', ({ type = 'soft' }: CommandRequests['reset']) => ({
    type: type === 'hard' ? 'Hard' : 'Soft',
  })),
  unlock: encoderV16(
    'UnlockConnector',
    ({ connector_id }: CommandRequests['unlock']) => ({ connectorId: connector_id }),
    ['Unlocked'],
  ),
  change_availability: encoderV16(
    'ChangeAvailability',
    ({ type, connector_id = 0 }: CommandRequests['change_availability']) => ({
      connectorId: connector_id,
      type: type === 'operative' ? 'Operative' : 'Inoperative',
    }),
    ['Accepted', 'Scheduled'],
  ),
  get_configuration: encoderV16(
    'GetConfiguration',
    ({ keys = [] }: CommandRequests['get_configuration']) => (keys.length > 0 ? { key: keys } : {}),
    () => 'accepted',
  ),
  set_configuration: encoderV16(
    'ChangeConfiguration',
    ({ key, value }: CommandRequests['set_configuration']) => ({ key, value }),
    ['Accepted', 'RebootRequired'],
  ),
  clear_cache: encoderV16('ClearCache', () => ({})),
  trigger_message: encoderV16('TriggerMessage', encodeTrigger),
  extended_trigger_message: encoderV16(
    'ExtendedTriggerMessage',
    ({ message, connector_id }: CommandRequests['extended_trigger_message']) =>
      omitEmpty({ requestedMessage: EXTENDED[message], connectorId: connector_id }),
  ),
  data_transfer: encoderV16(
    'DataTransfer',
    ({ vendor_id, message_id, data }: CommandRequests['data_transfer']) => ({
      vendorId: vendor_id,
      ...(message_id !== undefined && { messageId: message_id }),
      ...(data !== undefined && { data: text(data) }),
    }),
  ),
  // The station decodes the digits and sends the bytes.
  set_password: encoderV16(
    'ChangeConfiguration',
    ({ password }: CommandRequests['set_password']) => ({
      key: 'AuthorizationKey',
      value: passwordBytes(password).toString('hex'),
    }),
    ['Accepted', 'RebootRequired'],
  ),
}

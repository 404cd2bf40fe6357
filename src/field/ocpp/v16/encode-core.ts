import type { CommandRequests } from '../../../areas/charging/index.ts'
import { passwordBytes } from '../../../areas/charging/index.ts'
import { OcppCallError } from '../errors.ts'
import { says, told, when } from '../omit-empty.ts'
import type { Speech } from '../types.ts'
import { profile16 } from './encode-smart-charging.ts'

const MESSAGES = {
  boot_notification: 'BootNotification',
  heartbeat: 'Heartbeat',
  status_notification: 'StatusNotification',
  meter_values: 'MeterValues',
  firmware_status_notification: 'FirmwareStatusNotification',
  diagnostics_status_notification: 'DiagnosticsStatusNotification',
} as const

function triggered({ message, connector_id }: CommandRequests['trigger_message']): object {
  if (!(message in MESSAGES))
    throw new OcppCallError(
      'NotSupported',
      `OCPP 1.6 does not trigger ${message} so: use extended_trigger_message`,
    )
  return {
    requestedMessage: MESSAGES[message as keyof typeof MESSAGES],
    ...(connector_id !== undefined && { connectorId: connector_id }),
  }
}

/** Those that the security extension added, and those that it words anew. */
const EXTENDED = {
  boot_notification: 'BootNotification',
  heartbeat: 'Heartbeat',
  status_notification: 'StatusNotification',
  meter_values: 'MeterValues',
  firmware_status_notification: 'FirmwareStatusNotification',
  log_status_notification: 'LogStatusNotification',
  sign_charging_station_certificate: 'SignChargePointCertificate',
} as const

function stopped({ transaction_id }: CommandRequests['remote_stop']): object {
  const transactionId = Number(transaction_id)
  if (!Number.isInteger(transactionId))
    throw new OcppCallError('NotSupported', 'the transactions of OCPP 1.6 are numbers')
  return { transactionId }
}

const text = (data: unknown): string => (typeof data === 'string' ? data : JSON.stringify(data))

/** The commands of the core profile and of the remote trigger. */
export const SPEECH_CORE: Speech = {
  remote_start: says(
    'RemoteStartTransaction',
    ({ id_tag, connector_id, charging_profile }: CommandRequests['remote_start']) => ({
      idTag: id_tag,
      ...(connector_id !== undefined && { connectorId: connector_id }),
      ...(charging_profile && { chargingProfile: profile16(charging_profile) }),
    }),
  ),
  remote_stop: says('RemoteStopTransaction', stopped),
  reset: says('Reset', ({ type = 'soft' }: CommandRequests['reset']) => ({
    type: type === 'hard' ? 'Hard' : 'Soft',
  })),
  unlock: says(
    'UnlockConnector',
    ({ connector_id }: CommandRequests['unlock']) => ({ connectorId: connector_id }),
    when('Unlocked'),
  ),
  change_availability: says(
    'ChangeAvailability',
    ({ type, connector_id = 0 }: CommandRequests['change_availability']) => ({
      connectorId: connector_id,
      type: type === 'operative' ? 'Operative' : 'Inoperative',
    }),
    when('Accepted', 'Scheduled'),
  ),
  get_configuration: says(
    'GetConfiguration',
    ({ keys = [] }: CommandRequests['get_configuration']) => (keys.length > 0 ? { key: keys } : {}),
    () => 'accepted',
  ),
  set_configuration: says(
    'ChangeConfiguration',
    ({ key, value }: CommandRequests['set_configuration']) => ({ key, value }),
    when('Accepted', 'RebootRequired'),
  ),
  clear_cache: says('ClearCache', () => ({})),
  trigger_message: says('TriggerMessage', triggered),
  extended_trigger_message: says(
    'ExtendedTriggerMessage',
    ({ message, connector_id }: CommandRequests['extended_trigger_message']) =>
      told({ requestedMessage: EXTENDED[message], connectorId: connector_id }),
  ),
  data_transfer: says(
    'DataTransfer',
    ({ vendor_id, message_id, data }: CommandRequests['data_transfer']) => ({
      vendorId: vendor_id,
      ...(message_id !== undefined && { messageId: message_id }),
      ...(data !== undefined && { data: text(data) }),
    }),
  ),
  // The station decodes the digits and sends the bytes.
  set_password: says(
    'ChangeConfiguration',
    ({ password }: CommandRequests['set_password']) => ({
      key: 'AuthorizationKey',
      value: passwordBytes(password).toString('hex'),
    }),
    when('Accepted', 'RebootRequired'),
  ),
}

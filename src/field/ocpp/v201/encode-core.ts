import type { CommandRequests } from '../../../areas/charging/index.ts'
import { OcppCallError } from '../errors.ts'
import { says, told, when } from '../omit-empty.ts'
import type { Speech } from '../types.ts'
import { profile201 } from './encode-smart-charging.ts'

const MESSAGES = {
  boot_notification: 'BootNotification',
  heartbeat: 'Heartbeat',
  status_notification: 'StatusNotification',
  meter_values: 'MeterValues',
  firmware_status_notification: 'FirmwareStatusNotification',
  log_status_notification: 'LogStatusNotification',
  transaction_event: 'TransactionEvent',
  sign_charging_station_certificate: 'SignChargingStationCertificate',
} as const

function triggered(request: CommandRequests['trigger_message']): object {
  const { message, connector_id: id, evse_connector_id } = request
  if (!(message in MESSAGES))
    throw new OcppCallError('NotSupported', `OCPP 2.0.1 has no ${message}: use log_status_notification`)
  // A status is that of a connector of the EVSE.
  const connectorId = evse_connector_id ?? (message === 'status_notification' ? 1 : undefined)
  return told({
    requestedMessage: MESSAGES[message as keyof typeof MESSAGES],
    evse: id === undefined ? undefined : told({ id, connectorId }),
  })
}

const transaction = ({ transaction_id: id }: CommandRequests['remote_stop']) =>
  told({ transactionId: id === undefined ? undefined : String(id) })

/** The commands that both versions have, but for those about variables. */
export const SPEECH_CORE: Speech = {
  remote_start: says(
    'RequestStartTransaction',
    ({ id_tag, connector_id, charging_profile }: CommandRequests['remote_start'], { commandNumber }) =>
      told({
        remoteStartId: commandNumber,
        idToken: { idToken: id_tag, type: 'ISO14443' },
        evseId: connector_id,
        chargingProfile: charging_profile && profile201(charging_profile),
      }),
  ),
  remote_stop: says('RequestStopTransaction', transaction),
  get_transaction_status: says('GetTransactionStatus', transaction, () => 'accepted'),
  reset: says(
    'Reset',
    ({ type = 'soft' }: CommandRequests['reset']) => ({ type: type === 'hard' ? 'Immediate' : 'OnIdle' }),
    when('Accepted', 'Scheduled'),
  ),
  unlock: says(
    'UnlockConnector',
    ({ connector_id, evse_connector_id = 1 }: CommandRequests['unlock']) => ({
      evseId: connector_id,
      connectorId: evse_connector_id,
    }),
    when('Unlocked'),
  ),
  change_availability: says(
    'ChangeAvailability',
    ({ type, connector_id: id = 0, evse_connector_id }: CommandRequests['change_availability']) =>
      told({
        operationalStatus: type === 'operative' ? 'Operative' : 'Inoperative',
        evse: id === 0 ? undefined : told({ id, connectorId: evse_connector_id }),
      }),
    when('Accepted', 'Scheduled'),
  ),
  clear_cache: says('ClearCache', () => ({})),
  trigger_message: says('TriggerMessage', triggered),
  data_transfer: says('DataTransfer', ({ vendor_id, message_id, data }: CommandRequests['data_transfer']) =>
    told({ vendorId: vendor_id, messageId: message_id, data }),
  ),
}

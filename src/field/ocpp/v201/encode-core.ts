import type { CommandRequests } from '../../../areas/charging/stations.ts'
import { encoderV201, omitEmpty, required } from '../encoding.ts'
import { OcppCallError } from '../errors.ts'
import type { Encoders } from '../types.ts'
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

function encodeTrigger(request: CommandRequests['trigger_message']) {
  const { message, connector_id: id, evse_connector_id } = request
  if (!(message in MESSAGES))
    throw new OcppCallError('NotSupported', `OCPP 2.0.1 has no ${message}: use log_status_notification`)
  // A status is that of a connector of the EVSE.
  const connectorId = evse_connector_id ?? (message === 'status_notification' ? 1 : undefined)
  return omitEmpty({
    requestedMessage: MESSAGES[message as keyof typeof MESSAGES],
    evse: id === undefined ? undefined : omitEmpty({ id, connectorId }),
  })
}

type OfTransaction = CommandRequests['remote_stop']

const encodeStop = ({ transaction_id: id }: OfTransaction) => ({
  transactionId: String(required(id, 'transactionId')),
})

const encodeStatusQuery = ({ transaction_id: id }: OfTransaction) =>
  omitEmpty({ transactionId: id === undefined ? undefined : String(id) })

/** Commands that both versions have, except those about variables. */
export const CORE_ENCODERS_201: Encoders = {
  remote_start: encoderV201(
    'RequestStartTransaction',
    ({ id_tag, connector_id, charging_profile }: CommandRequests['remote_start'], { commandNumber }) =>
      omitEmpty({
        remoteStartId: commandNumber,
        idToken: { idToken: id_tag, type: 'ISO14443' },
        evseId: connector_id,
        chargingProfile: charging_profile && profile201(charging_profile),
      }),
  ),
  remote_stop: encoderV201('RequestStopTransaction', encodeStop),
  get_transaction_status: encoderV201('GetTransactionStatus', encodeStatusQuery, () => 'accepted'),
  reset: encoderV201(
    'Reset',
    ({ type = 'soft' }: CommandRequests['reset']) => ({ type: type === 'hard' ? 'Immediate' : 'OnIdle' }),
    ['Accepted', 'Scheduled'],
  ),
  unlock: encoderV201(
    'UnlockConnector',
    ({ connector_id, evse_connector_id = 1 }: CommandRequests['unlock']) => ({
      evseId: connector_id,
      connectorId: evse_connector_id,
    }),
    ['Unlocked'],
  ),
  change_availability: encoderV201(
    'ChangeAvailability',
    ({ type, connector_id: id = 0, evse_connector_id }: CommandRequests['change_availability']) =>
      omitEmpty({
        operationalStatus: type === 'operative' ? 'Operative' : 'Inoperative',
        evse: id === 0 ? undefined : omitEmpty({ id, connectorId: evse_connector_id }),
      }),
    ['Accepted', 'Scheduled'],
  ),
  clear_cache: encoderV201('ClearCache', () => ({})),
  trigger_message: encoderV201('TriggerMessage', encodeTrigger),
  data_transfer: encoderV201(
    'DataTransfer',
    ({ vendor_id, message_id, data }: CommandRequests['data_transfer']) =>
      omitEmpty({ vendorId: vendor_id, messageId: message_id, data }),
  ),
}

import type { CommandRequests } from '../../../modules/chargers/index.ts'
import { OcppCallError } from '../errors.ts'
import { told } from '../saying.ts'
import type { CommandSpeech, CommandTarget, Speech } from '../types.ts'

interface Status {
  readonly status: string
}
const when =
  (...good: string[]) =>
  ({ status }: Status) =>
    good.includes(status) ? 'accepted' : 'rejected'

/** Ties the payload to the request of the action; the table itself cannot. */
function says<Request>(
  action: string,
  payload: (request: Request, target: CommandTarget) => object,
  verdict: (answer: never) => 'accepted' | 'rejected' = when('Accepted'),
): CommandSpeech {
  return { action, payload, verdict }
}

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

function triggered({ message, connector_id }: CommandRequests['trigger_message']): object {
  if (!(message in MESSAGES))
    throw new OcppCallError('NotSupported', `OCPP 2.0.1 has no ${message}: use log_status_notification`)
  return {
    requestedMessage: MESSAGES[message as keyof typeof MESSAGES],
    // A status is that of a connector of the EVSE.
    ...(connector_id !== undefined && {
      evse: { id: connector_id, ...(message === 'status_notification' && { connectorId: 1 }) },
    }),
  }
}

/** Component.Variable; the variable has no dot in it. */
function variable(key: string): { component: { name: string }; variable: { name: string } } {
  const dot = key.lastIndexOf('.')
  if (dot < 1 || dot === key.length - 1)
    throw new OcppCallError('NotSupported', `${key}: OCPP 2.0.1 names a variable as Component.Variable`)
  return { component: { name: key.slice(0, dot) }, variable: { name: key.slice(dot + 1) } }
}

function asked({ keys = [] }: CommandRequests['get_configuration']): object {
  if (keys.length === 0)
    throw new OcppCallError('NotSupported', 'OCPP 2.0.1 is asked for certain keys, or with get_base_report')
  return { getVariableData: keys.map(variable) }
}

const transaction = ({ transaction_id }: CommandRequests['remote_stop']) => ({
  transactionId: String(transaction_id),
})

interface Results {
  readonly setVariableResult?: readonly { readonly attributeStatus: string }[]
  readonly getVariableResult?: readonly { readonly attributeStatus: string }[]
}
const isTaken = ({ attributeStatus }: { readonly attributeStatus: string }) =>
  ['Accepted', 'RebootRequired'].includes(attributeStatus)
const isSet = ({ setVariableResult = [] }: Results) =>
  setVariableResult.length > 0 && setVariableResult.every(isTaken) ? 'accepted' : 'rejected'
const isGot = ({ getVariableResult = [] }: Results) =>
  getVariableResult.some(isTaken) ? 'accepted' : 'rejected'

const BASES = {
  configuration: 'ConfigurationInventory',
  full: 'FullInventory',
  summary: 'SummaryInventory',
} as const

/** The commands that both versions have, and the reports of the device model. */
export const SPEECH_CORE: Speech = {
  remote_start: says(
    'RequestStartTransaction',
    ({ id_tag, connector_id }: CommandRequests['remote_start'], { commandNumber }) =>
      told({
        remoteStartId: commandNumber,
        idToken: { idToken: id_tag, type: 'ISO14443' },
        evseId: connector_id,
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
    ({ connector_id }: CommandRequests['unlock']) => ({ evseId: connector_id, connectorId: 1 }),
    when('Unlocked'),
  ),
  change_availability: says(
    'ChangeAvailability',
    ({ type, connector_id = 0 }: CommandRequests['change_availability']) =>
      told({
        operationalStatus: type === 'operative' ? 'Operative' : 'Inoperative',
        evse: connector_id === 0 ? undefined : { id: connector_id },
      }),
    when('Accepted', 'Scheduled'),
  ),
  get_configuration: says('GetVariables', asked, isGot),
  set_configuration: says(
    'SetVariables',
    ({ key, value }: CommandRequests['set_configuration']) => ({
      setVariableData: [{ ...variable(key), attributeValue: value }],
    }),
    isSet,
  ),
  set_password: says(
    'SetVariables',
    ({ password }: CommandRequests['set_password']) => ({
      setVariableData: [{ ...variable('SecurityCtrlr.BasicAuthPassword'), attributeValue: password }],
    }),
    isSet,
  ),
  clear_cache: says('ClearCache', () => ({})),
  trigger_message: says('TriggerMessage', triggered),
  data_transfer: says('DataTransfer', ({ vendor_id, message_id, data }: CommandRequests['data_transfer']) =>
    told({ vendorId: vendor_id, messageId: message_id, data }),
  ),
  get_base_report: says(
    'GetBaseReport',
    ({ report = 'full' }: CommandRequests['get_base_report'], { commandNumber }) => ({
      requestId: commandNumber,
      reportBase: BASES[report],
    }),
  ),
  get_report: says(
    'GetReport',
    ({ keys, criteria }: CommandRequests['get_report'], { commandNumber }) =>
      told({
        requestId: commandNumber,
        componentVariable: keys?.map(variable),
        componentCriteria: criteria?.map((word) => word.charAt(0).toUpperCase() + word.slice(1)),
      }),
    when('Accepted', 'EmptyResultSet'),
  ),
}

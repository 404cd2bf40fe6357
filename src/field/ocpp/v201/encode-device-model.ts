import { type CommandRequests, parseVariableKey } from '../../../areas/charging/stations.ts'
import { capitalize, encoderV201, omitEmpty } from '../encoding.ts'
import { OcppCallError } from '../errors.ts'
import type { AttributeEnumType, GetVariablesResponse, SetVariablesResponse } from '../messages-v201.ts'
import type { Encoders, Verdict } from '../types.ts'

const noKey = (key: string) =>
  new OcppCallError('NotSupported', `${key}: OCPP 2.0.1 names a variable as Component.Variable`)

/** The component of a key, and its variable where it names one. */
function partsOf(key: string) {
  const parsed = parseVariableKey(key)
  if (!parsed) throw noKey(key)
  const { evse_id: id, connector_id: connectorId, variable } = parsed
  return {
    component: omitEmpty({
      name: parsed.component,
      instance: parsed.component_instance,
      evse: id === undefined || id === null ? undefined : omitEmpty({ id, connectorId }),
    }),
    variable:
      variable === undefined ? undefined : omitEmpty({ name: variable, instance: parsed.variable_instance }),
    // The pattern of a key allows no other attribute.
    attributeType: parsed.attribute_type as AttributeEnumType | null | undefined,
  }
}

function attribute(key: string) {
  const { component, variable, attributeType } = partsOf(key)
  if (!variable) throw noKey(key)
  return omitEmpty({ component, variable, attributeType })
}

function encodeGetVariables({ keys = [] }: CommandRequests['get_configuration']) {
  if (keys.length === 0)
    throw new OcppCallError('NotSupported', 'OCPP 2.0.1 is asked for certain keys, or with get_base_report')
  return { getVariableData: keys.map(attribute) }
}

const isSuccess = ({ attributeStatus }: { readonly attributeStatus: string }) =>
  ['Accepted', 'RebootRequired'].includes(attributeStatus)
const isSet = ({ setVariableResult }: SetVariablesResponse): Verdict =>
  setVariableResult.length > 0 && setVariableResult.every(isSuccess) ? 'accepted' : 'rejected'
const isGot = ({ getVariableResult }: GetVariablesResponse): Verdict =>
  getVariableResult.some(isSuccess) ? 'accepted' : 'rejected'

const BASES = {
  configuration: 'ConfigurationInventory',
  full: 'FullInventory',
  summary: 'SummaryInventory',
} as const
const PURPOSES = {
  charge_point_max: 'ChargingStationMaxProfile',
  tx_default: 'TxDefaultProfile',
  tx: 'TxProfile',
  external: 'ChargingStationExternalConstraints',
} as const
/** The schema has no OCPP201: 2.0.1 is the corrected 2.0. */
const VERSIONS = { '1.6': 'OCPP16', '2.0.1': 'OCPP20' } as const
const MESSAGE_TIMEOUT_S = 30

/** Commands about variables and reports, and others that only 2.0.1 has. */
export const DEVICE_MODEL_ENCODERS_201: Encoders = {
  get_configuration: encoderV201('GetVariables', encodeGetVariables, isGot),
  set_configuration: encoderV201(
    'SetVariables',
    ({ key, value }: CommandRequests['set_configuration']) => ({
      setVariableData: [{ ...attribute(key), attributeValue: value }],
    }),
    isSet,
  ),
  set_password: encoderV201(
    'SetVariables',
    ({ password }: CommandRequests['set_password']) => ({
      setVariableData: [{ ...attribute('SecurityCtrlr.BasicAuthPassword'), attributeValue: password }],
    }),
    isSet,
  ),
  get_base_report: encoderV201(
    'GetBaseReport',
    ({ report = 'full' }: CommandRequests['get_base_report'], { commandNumber }) => ({
      requestId: commandNumber,
      reportBase: BASES[report],
    }),
    ['Accepted', 'EmptyResultSet'],
  ),
  get_report: encoderV201(
    'GetReport',
    ({ keys = [], criteria = [] }: CommandRequests['get_report'], { commandNumber }) =>
      omitEmpty({
        requestId: commandNumber,
        componentVariable:
          keys.length === 0
            ? undefined
            : keys.map((key) => {
                const { component, variable } = partsOf(key)
                return omitEmpty({ component, variable })
              }),
        componentCriteria: criteria.length === 0 ? undefined : criteria.map(capitalize),
      }),
    ['Accepted', 'EmptyResultSet'],
  ),
  customer_information: encoderV201(
    'CustomerInformation',
    (request: CommandRequests['customer_information'], { commandNumber }) =>
      omitEmpty({
        requestId: commandNumber,
        report: request.report ?? true,
        clear: request.clear ?? false,
        idToken: request.id_tag ? { idToken: request.id_tag, type: 'ISO14443' as const } : undefined,
        customerIdentifier: request.customer_identifier,
      }),
  ),
  get_charging_profiles: encoderV201(
    'GetChargingProfiles',
    (request: CommandRequests['get_charging_profiles'], { commandNumber }) =>
      omitEmpty({
        requestId: commandNumber,
        evseId: request.connector_id,
        chargingProfile: omitEmpty({
          chargingProfilePurpose: request.purpose && PURPOSES[request.purpose],
          stackLevel: request.stack_level,
          chargingProfileId: request.profile_numbers?.length ? request.profile_numbers : undefined,
        }),
      }),
    ['Accepted', 'NoProfiles'],
  ),
  set_network_profile: encoderV201(
    'SetNetworkProfile',
    (request: CommandRequests['set_network_profile']) => ({
      configurationSlot: request.slot,
      connectionData: {
        ocppVersion: VERSIONS[request.ocpp_version ?? '2.0.1'],
        ocppTransport: 'JSON',
        ocppCsmsUrl: request.url,
        messageTimeout: request.message_timeout_s ?? MESSAGE_TIMEOUT_S,
        securityProfile: request.security_profile,
        ocppInterface: capitalize(request.interface ?? 'wired0'),
      },
    }),
  ),
}

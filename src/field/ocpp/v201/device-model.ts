import {
  formatVariableKey,
  isPasswordName,
  type ReportedVariable,
  recordEvent,
  recordReportPart,
  upsertVariables,
} from '../../../areas/charging/stations.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import { omitEmpty } from '../encoding.ts'
import { connectorNumber, inStationTx, instant, integer } from '../fields.ts'
import type {
  ComponentType,
  EventDataType,
  MessagesV201,
  ReportDataType,
  VariableType,
} from '../messages-v201.ts'
import type { Handlers, OcppDeps, Station } from '../types.ts'
import { partOf } from './reports.ts'

const variableKeyOf = (component: ComponentType, variable: VariableType) => ({
  component: component.name,
  component_instance: component.instance,
  evse_id: component.evse && connectorNumber(component.evse.id),
  connector_id:
    component.evse?.connectorId === undefined
      ? undefined
      : integer(component.evse.connectorId, 'connectorId'),
  variable: variable.name,
  variable_instance: variable.instance,
})

/** A report describes a variable completely, so that what it leaves out has its default. */
const reported = ({
  component,
  variable,
  variableAttribute,
  variableCharacteristics: is,
}: ReportDataType): ReportedVariable[] =>
  variableAttribute.map(({ type = 'Actual', value, mutability = 'ReadWrite', persistent, constant }) => ({
    ...variableKeyOf(component, variable),
    attribute_type: type,
    value,
    mutability,
    is_persistent: persistent ?? false,
    is_constant: constant ?? false,
    data_type: is?.dataType,
    unit: is?.unit,
    min_limit: is?.minLimit,
    max_limit: is?.maxLimit,
    values_list: is?.valuesList,
    supports_monitoring: is?.supportsMonitoring,
  }))

const detailsOf = (event: EventDataType) =>
  omitEmpty({
    event_id: event.eventId,
    key: formatVariableKey(variableKeyOf(event.component, event.variable)),
    value: isPasswordName(event.variable.name) ? undefined : event.actualValue,
    trigger: event.trigger,
    cause: event.cause,
    is_cleared: event.cleared,
    tech_code: event.techCode,
    tech_info: event.techInfo,
    transaction_id: event.transactionId,
  })

/** Handles reports of variables, events of variables, and messages that are only stored as events. */
export function deviceModelHandlers(deps: OcppDeps): Handlers<MessagesV201> {
  const { clock } = deps
  const now = () => new Date(clock.now())
  /** At most now: with a clock that is ahead a station would block every later value. */
  const reportedAt = (text: string) => new Date(Math.min(instant(text), clock.now()))

  async function put(
    tx: TenantTx,
    station: Station,
    { variables, at }: { readonly variables: readonly ReportedVariable[]; readonly at: Date },
  ): Promise<void> {
    const dropped = await upsertVariables(tx, station, { variables, at })
    if (dropped === 0) return
    const details = { count: dropped }
    await recordEvent(tx, station, { type: 'variables_beyond_limit', at, details, now: now() })
  }

  /** Stores a message as an event and does nothing else. */
  const storeAsEvent = (type: string) => async (station: Station, message: object) => {
    await inStationTx(deps, station, (tx) => recordEvent(tx, station, { type, details: message, now: now() }))
    return {}
  }

  return {
    async NotifyReport(station, message) {
      const variables = (message.reportData ?? []).flatMap(reported)
      const part = partOf('variables', message, now())
      await inStationTx(deps, station, async (tx) => {
        await put(tx, station, { variables, at: reportedAt(message.generatedAt) })
        await recordReportPart(tx, station, part)
      })
      return {}
    },

    async NotifyEvent(station, { eventData }) {
      await inStationTx(deps, station, async (tx) => {
        for (const event of eventData) {
          const { component, variable, timestamp, actualValue } = event
          const variableKey = variableKeyOf(component, variable)
          const actual = { ...variableKey, attribute_type: 'Actual', value: actualValue }
          await put(tx, station, { variables: [actual], at: reportedAt(timestamp) })
          const at = new Date(instant(timestamp))
          const details = {
            type: 'variable',
            at,
            connectorId: variableKey.evse_id,
            details: detailsOf(event),
          }
          await recordEvent(tx, station, { ...details, now: now() })
        }
      })
      return {}
    },

    NotifyChargingLimit: storeAsEvent('charging_limit'),
    ClearedChargingLimit: storeAsEvent('charging_limit_cleared'),
  }
}

import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { EndedCommand } from '../commands/index.ts'
import { type ReportedVariable, upsertVariables } from './store.ts'

interface Result {
  readonly attributeStatus?: string
  readonly attributeType?: string
  readonly attributeValue?: string
  readonly component?: {
    readonly name: string
    readonly instance?: string
    readonly evse?: { readonly id: number; readonly connectorId?: number }
  }
  readonly variable?: { readonly name: string; readonly instance?: string }
}
/** The response of OCPP 2.0.1; that of 1.6 has neither field. */
interface GetOrSetResponse {
  readonly getVariableResult?: readonly Result[]
  readonly setVariableResult?: readonly Result[]
}

const SMALLINT_MAX = 32_767
const isNumber = (value: number | undefined) =>
  value === undefined || (Number.isInteger(value) && value >= 0 && value <= SMALLINT_MAX)

function variableOf(result: Result, value: string | undefined): ReportedVariable[] {
  const { component, variable, attributeType = 'Actual' } = result
  if (!component || !variable || value === undefined) return []
  const { evse } = component
  if (!isNumber(evse?.id) || !isNumber(evse?.connectorId)) return []
  return [
    {
      component: component.name,
      component_instance: component.instance,
      evse_id: evse?.id,
      connector_id: evse?.connectorId,
      variable: variable.name,
      variable_instance: variable.instance,
      attribute_type: attributeType,
      value,
    },
  ]
}

/** Stores the values that a station has returned. */
export async function storeReadVariables(
  tx: TenantTx,
  { command, response: answer, now }: EndedCommand,
): Promise<void> {
  const { getVariableResult = [] } = (answer ?? {}) as GetOrSetResponse
  const variables = getVariableResult
    .filter(({ attributeStatus }) => attributeStatus === 'Accepted')
    .flatMap((result) => variableOf(result, result.attributeValue))
  await upsertVariables(tx, { chargerId: command.charger_id }, { variables, at: now })
}

/**
 * Stores the value that a station has accepted. One that needs a reboot is not in force yet, and is reported
 * by the station then.
 */
export async function storeWrittenVariable(
  tx: TenantTx,
  { command, response: answer, now }: EndedCommand,
): Promise<void> {
  const { setVariableResult = [] } = (answer ?? {}) as GetOrSetResponse
  const { value } = command.request as { readonly value?: string }
  const variables = setVariableResult
    .filter(({ attributeStatus }) => attributeStatus === 'Accepted')
    .flatMap((result) => variableOf(result, value))
  await upsertVariables(tx, { chargerId: command.charger_id }, { variables, at: now })
}

/** An attribute of a variable; the parts have the names of the columns. */
export interface VariableAttribute {
  readonly component: string
  readonly component_instance?: string | null | undefined
  readonly evse_id?: number | null | undefined
  readonly connector_id?: number | null | undefined
  readonly variable: string
  readonly variable_instance?: string | null | undefined
  readonly attribute_type?: string | null | undefined
}

const KEY =
  /^(?<component>[^.[\]@#]+)(?:\[(?<componentInstance>[^\]]+)\])?(?:@(?<evse>\d{1,3})(?::(?<connector>\d{1,3}))?)?(?:\.(?<variable>[^.[\]@#]+)(?:\[(?<variableInstance>[^\]]+)\])?(?:#(?<attribute>Actual|Target|MinSet|MaxSet))?)?$/

const numberOf = (digits: string | undefined) => (digits === undefined ? undefined : Number(digits))

/**
 * Parses the text of `formatVariableKey`. Without a variable it means a component as a whole. Undefined where
 * the text is no key.
 */
export function parseVariableKey(
  key: string,
): (Omit<VariableAttribute, 'variable'> & { readonly variable?: string }) | undefined {
  const parts = KEY.exec(key.trim())?.groups
  if (!parts) return undefined
  const { component = '', variable } = parts
  return {
    component,
    component_instance: parts['componentInstance'],
    evse_id: numberOf(parts['evse']),
    connector_id: numberOf(parts['connector']),
    ...(variable !== undefined && { variable }),
    variable_instance: parts['variableInstance'],
    attribute_type: parts['attribute'],
  }
}

const inBrackets = (instance: string | null | undefined) => (instance ? `[${instance}]` : '')

/**
 * Formats a variable as one line: `EVSE@1.Power`, `Connector@1:2.Available`,
 * `TariffCostCtrlr.Enabled[Tariff]#Target`.
 */
export function formatVariableKey(attribute: VariableAttribute): string {
  const { evse_id: evse, connector_id: connector, attribute_type: type } = attribute
  const where = evse === null || evse === undefined ? '' : `@${evse}`
  const which = where === '' || connector === null || connector === undefined ? '' : `:${connector}`
  const component = `${attribute.component}${inBrackets(attribute.component_instance)}${where}${which}`
  const suffix = type && type !== 'Actual' ? `#${type}` : ''
  return `${component}.${attribute.variable}${inBrackets(attribute.variable_instance)}${suffix}`
}

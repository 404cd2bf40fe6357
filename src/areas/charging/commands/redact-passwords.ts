/**
 * The names of password settings: AuthorizationKey in OCPP 1.6, BasicAuthPassword in 2.0.1. Their values are
 * never stored, whatever a station reports.
 */
const SECRET = /password|authorizationkey/i
export const isPasswordName = (name: unknown): boolean => typeof name === 'string' && SECRET.test(name)

const VALUES: ReadonlySet<string> = new Set(['value', 'attributeValue', 'actualValue', 'variableAttribute'])

/** A copy of a message of a station without the values of password keys and password variables. */
export function redactPasswords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactPasswords)
  if (typeof value !== 'object' || value === null) return value
  const { key, variable } = value as {
    readonly key?: unknown
    readonly variable?: { readonly name?: unknown }
  }
  const isOfSecret = isPasswordName(key) || isPasswordName(variable?.name)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !(isOfSecret && VALUES.has(name)))
      .map(([name, value]) => [name, redactPasswords(value)]),
  )
}

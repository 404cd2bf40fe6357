import { collectResults, type RegisterResult, toState, toValue } from './decode.ts'
import { matchesTopic, valueAt } from './mqtt-path.ts'
import type { Decoded, RegisterDef, RegisterMap } from './types.ts'

export interface Message {
  /** Complete topic or its last levels; leading levels are ignored. */
  readonly topic: string
  /** Parsed JSON. */
  readonly document: unknown
}

/**
 * Decodes a device message by the `mqtt_path`s of its template. Registers whose path is missing are skipped,
 * because devices send partial messages; null means that the device has no value at the moment.
 */
export const decodeMessage = (map: RegisterMap, message: Message): Decoded =>
  collectResults(map.registers, (register) => decodeRegisterFromMessage(register, message))

/** Undefined when the message has nothing for the register. */
export function decodeRegisterFromMessage(
  register: RegisterDef,
  { topic, document }: Message,
): RegisterResult | undefined {
  if (!register.mqttPath || !matchesTopic(register.mqttPath, topic)) return undefined
  const value = valueAt(document, register.mqttPath)
  if (value === undefined || value === null || typeof value === 'object') return undefined
  if (register.kind === 'state')
    return { kind: 'state', state: toStateFromJson(register, value as JsonScalar) }
  const raw = toNumber(value as JsonScalar)
  if (raw === undefined) return { kind: 'problem', reason: 'not_a_number' }
  if (register.notAvailable.numbers.includes(raw)) return { kind: 'problem', reason: 'not_available' }
  return toValue(register, raw, 0)
}
type JsonScalar = string | number | boolean

/** Accepts numbers in quotes, which several devices send. */
function toNumber(value: JsonScalar): number | undefined {
  if (typeof value === 'string' && value.trim() === '') return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

function toStateFromJson(register: RegisterDef, value: JsonScalar): JsonScalar {
  if (typeof value === 'number' && Number.isInteger(value)) return toState(register, value)
  if (typeof value === 'boolean' && register.labels) return register.labels.get(Number(value)) ?? value
  return value
}

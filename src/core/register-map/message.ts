import { collect, measuredOf, type Reading, stateOf } from './decode.ts'
import { isTopicOf, valueAt } from './mqtt-path.ts'
import type { Decoded, RegisterDef, RegisterMap } from './types.ts'

export interface Message {
  /** The topic, at least its end; what comes before does not matter. */
  readonly topic: string
  /** The parsed JSON. */
  readonly document: unknown
}

/**
 * What a device's message says by its template's `mqtt_path`s. A path that leads nowhere is passed over, since a device
 * sends in parts; null is a value that the device does not have at the moment.
 */
export const decodeMessage = (map: RegisterMap, message: Message): Decoded =>
  collect(map.registers, (register) => readingOf(register, message))

/** Undefined: this message has nothing for the register. */
export function readingOf(register: RegisterDef, { topic, document }: Message): Reading | undefined {
  if (!register.mqttPath || !isTopicOf(register.mqttPath, topic)) return undefined
  const value = valueAt(document, register.mqttPath)
  if (value === undefined || value === null || typeof value === 'object') return undefined
  if (register.kind === 'state') return { kind: 'state', state: stateIn(register, value as JsonScalar) }
  const raw = numberIn(value as JsonScalar)
  if (raw === undefined) return { kind: 'problem', reason: 'not_a_number' }
  if (register.notAvailable.numbers.includes(raw)) return { kind: 'problem', reason: 'not_available' }
  return measuredOf(register, raw, 0)
}
type JsonScalar = string | number | boolean

/** Several devices put their numbers in quotes. */
function numberIn(value: JsonScalar): number | undefined {
  if (typeof value === 'string' && value.trim() === '') return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

function stateIn(register: RegisterDef, value: JsonScalar): JsonScalar {
  if (typeof value === 'number' && Number.isInteger(value)) return stateOf(register, value)
  if (typeof value === 'boolean' && register.words) return register.words.get(Number(value)) ?? value
  return value
}

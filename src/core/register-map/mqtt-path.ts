import type { MqttPath } from './types.ts'

const STEP = /\.([A-Za-z_][\w-]*)|\[(\d+)\]|\['([^']+)'\]|\["([^"]+)"\]/y

/**
 * Parses `$.ENERGY.Total`, `$.Power[0]` or `$['a b']`. An optional prefix, separated by a blank, is the end
 * of the topic, for devices whose messages use the same names: `status/em1:0 $.act_power`. Undefined for
 * invalid text.
 */
export function parseMqttPath(text: string): MqttPath | undefined {
  const dollar = text.startsWith('$') ? 0 : text.indexOf(' $') + 1
  if (dollar === 0 && !text.startsWith('$')) return undefined
  const topic = text.slice(0, dollar).trim()
  const path = text.slice(dollar + 1)
  const steps: (string | number)[] = []
  let offset = 0
  while (offset < path.length) {
    STEP.lastIndex = offset
    const match = STEP.exec(path)
    if (!match) return undefined
    const [whole, name, index, single, double] = match
    steps.push(index === undefined ? (name ?? single ?? double ?? '') : Number(index))
    offset += whole.length
  }
  return { topic: topic === '' ? null : topic, steps }
}

/** The value of a JSON document at a path; undefined when the path does not exist. */
export function valueAt(document: unknown, { steps }: MqttPath): unknown {
  let value = document
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Readonly<Record<string | number, unknown>>)[step]
  }
  return value
}

/** Compares whole topic levels: `em1:0` is not the end of `xem1:0`. */
export const matchesTopic = ({ topic }: MqttPath, actual: string): boolean =>
  topic === null || actual === topic || actual.endsWith(`/${topic}`)

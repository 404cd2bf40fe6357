import type { MqttPath } from './types.ts'

const STEP = /\.([A-Za-z_][\w-]*)|\[(\d+)\]|\['([^']+)'\]|\["([^"]+)"\]/y

/**
 * `$.ENERGY.Total`, `$.Power[0]`, `$['a b']`; before it, after a blank, what the topic must end with when several
 * messages of a device use the same names: `status/em1:0 $.act_power`. Undefined when it is none.
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

/** What a JSON document has at a path; undefined where the path leads nowhere. */
export function valueAt(document: unknown, { steps }: MqttPath): unknown {
  let value = document
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Readonly<Record<string | number, unknown>>)[step]
  }
  return value
}

/** Whole levels of the topic: `em1:0` is not the end of `xem1:0`. */
export const matchesTopic = ({ topic }: MqttPath, actual: string): boolean =>
  topic === null || actual === topic || actual.endsWith(`/${topic}`)

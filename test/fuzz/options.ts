import { parseArgs } from 'node:util'
import { chooseSeed } from '../support/seed.ts'

export interface FuzzOptions {
  readonly seed: number
  /** The run ends at the first of the two limits. */
  readonly requestsMax: number
  readonly minutesMax: number
  /** Fuzzes only operations whose id, or whose method and path, contains this text. */
  readonly filter: string | undefined
}

export const USAGE = `npm run fuzz -- [--seed N] [--minutes N] [--requests N] [--operation TEXT]

Sends generated requests to every operation of docs/api/openapi.json and checks the responses. The service is started
with an embedded database and a temporary data folder, or is the one at BASE_URL (with FUZZ_EMAIL and FUZZ_PASSWORD of
a superuser). The run changes and deletes data: never use a service with real data.`

const MINUTES_DEFAULT = 5

function numberOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!(value > 0)) throw new Error(`--${name} must be a positive number\n\n${USAGE}`)
  return value
}

/** Reads the command line; undefined: the usage was requested. */
export function readOptions(args: readonly string[]): FuzzOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string' },
      minutes: { type: 'string' },
      requests: { type: 'string' },
      operation: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return undefined
  const requests = numberOf('requests', values.requests)
  const minutes = numberOf('minutes', values.minutes)
  return {
    seed: numberOf('seed', values.seed) ?? chooseSeed(),
    requestsMax: requests ?? Number.POSITIVE_INFINITY,
    minutesMax: minutes ?? (requests === undefined ? MINUTES_DEFAULT : Number.POSITIVE_INFINITY),
    filter: values.operation,
  }
}

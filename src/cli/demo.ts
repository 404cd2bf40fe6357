import { runDemo } from '../demo/run.ts'
import { makeLog } from '../platform/observability/log.ts'
import { type Command, optionalText, UsageError } from './command.ts'
import { settingsOf } from './settings.ts'

const MONTHS_MIN = 2
const MONTHS_MAX = 12

function monthsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const months = Number(text)
  if (Number.isInteger(months) && months >= MONTHS_MIN && months <= MONTHS_MAX) return months
  throw new UsageError(`--months is a number from ${MONTHS_MIN} to ${MONTHS_MAX}`)
}

/** The demo has its own data folder, and only warnings are logged to its terminal. */
const DEMO_SETTINGS = { DATA_DIR: './data/demo', LOG_LEVEL: 'warn' }

export const demo: Command = {
  options: {
    verify: { type: 'boolean', default: false },
    exit: { type: 'boolean', default: false },
    months: { type: 'string' },
  },
  positionals: 0,
  async run(invocation) {
    const { env, io, options } = invocation
    const settings = settingsOf({ ...DEMO_SETTINGS, ...env }, io)
    return runDemo({
      settings,
      log: makeLog(settings.logLevel),
      print: io.out,
      now: io.now,
      verifies: options['verify'] === true,
      exits: options['exit'] === true,
      months: monthsOf(optionalText(invocation, 'months')),
    })
  },
}

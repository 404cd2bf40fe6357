import { parseArgs } from 'node:util'
import { messageOf } from '../platform/observability/error-text.ts'
import type { Environment } from '../platform/settings/settings-group.ts'
import { packageVersion } from '../platform/settings/version.ts'
import { type Command, type Io, SettingsError, UsageError } from './command.ts'
import { type CommandEntry, COMMANDS as PROGRAM_COMMANDS } from './commands.ts'

/** A command without options that prints a text. */
const printing = (text: () => string) => async (): Promise<Command> => ({
  options: {},
  positionals: 0,
  run: async ({ io }) => {
    io.out(text())
    return 0
  },
})

const COMMANDS: readonly CommandEntry[] = [
  ...PROGRAM_COMMANDS,
  { name: 'help', usage: '', summary: 'Print this text', load: printing(() => helpText()) },
  { name: 'version', usage: '', summary: 'Print the version', load: printing(packageVersion) },
]

const helpText = (): string =>
  [
    'Usage: netsaat COMMAND [options]',
    '',
    ...COMMANDS.flatMap(({ name, usage, summary }) => [`  ${`${name} ${usage}`.trim()}`, `      ${summary}`]),
    '',
    'Settings come from the environment: see docs/operate/operations.md.',
  ].join('\n')

const ALIASES: Readonly<Record<string, string>> = { '--help': 'help', '-h': 'help', '--version': 'version' }

function findCommand(argv: readonly string[]): { entry: CommandEntry; rest: string[] } {
  const words = argv.length === 0 ? ['help'] : [ALIASES[argv[0] ?? ''] ?? argv[0], ...argv.slice(1)]
  const entry = COMMANDS.find(({ name }) => name.split(' ').every((word, i) => words[i] === word))
  if (entry) return { entry, rest: [...argv].slice(entry.name.split(' ').length) }
  const known = COMMANDS.filter(({ name }) => name.startsWith(`${argv[0]} `)).map(({ name }) => name)
  throw new UsageError(
    known.length > 0
      ? `"${argv[0]}" is followed by ${known.map((name) => name.split(' ')[1]).join(' or ')}`
      : `There is no command "${argv[0]}"`,
  )
}

function parse({ name, usage }: CommandEntry, command: Command, rest: string[]) {
  const { options, positionals: count, takesRest } = command
  if (takesRest) return { values: {}, positionals: [] }
  try {
    const parsed = parseArgs({ args: rest, options, allowPositionals: true, strict: true })
    if (parsed.positionals.length === count) return parsed
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
  throw new UsageError(count === 0 ? `"${name}" takes options only` : `"${name}" takes ${usage}`)
}

/**
 * Runs one command. Returns the exit code: 0 done, 1 failed, 2 the command line or the settings are wrong.
 */
export async function runCli(argv: readonly string[], env: Environment, io: Io): Promise<number> {
  try {
    const { entry, rest } = findCommand(argv)
    if (rest.includes('--help') || rest.includes('-h')) {
      io.out(`Usage: netsaat ${`${entry.name} ${entry.usage}`.trim()}\n\n${entry.summary}.`)
      return 0
    }
    const command = await entry.load()
    const { values, positionals } = parse(entry, command, rest)
    const options = values as Record<string, string | boolean | undefined>
    return await command.run({ options, positionals, rest, env, io })
  } catch (error) {
    if (error instanceof SettingsError) {
      io.err(`${error.lines.length === 1 ? 'A setting is' : 'Settings are'} wrong:`)
      for (const line of error.lines) io.err(`  ${line}`)
      return 2
    }
    io.err(`netsaat: ${messageOf(error)}`)
    if (!(error instanceof UsageError)) return 1
    io.err('Try "netsaat help".')
    return 2
  }
}

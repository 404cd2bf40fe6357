import { parseArgs } from 'node:util'
import { similarName } from '../kernel/similar-name.ts'
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
  {
    name: 'help',
    usage: '[COMMAND]',
    summary: 'Print the list of commands, or the options of one',
    load: async () => help,
  },
  { name: 'version', usage: '', summary: 'Print the version', load: printing(packageVersion) },
]

const help: Command = {
  options: {},
  positionals: 0,
  takesRest: true,
  run: async ({ rest, io }) => {
    if (rest.length === 0) io.out(helpText())
    else for (const entry of commandsOf(rest)) io.out(commandText(entry))
    return 0
  },
}

/** Returns the command of these words, or all commands that begin with the word. */
function commandsOf(words: readonly string[]): readonly CommandEntry[] {
  const family = words.length === 1 ? COMMANDS.filter(({ name }) => name.startsWith(`${words[0]} `)) : []
  return family.length > 0 ? family : [findCommand(words).entry]
}

const usageText = ({ name, usage }: CommandEntry): string => `Usage: netsaat ${`${name} ${usage}`.trim()}`

const commandText = (entry: CommandEntry): string => `${usageText(entry)}\n\n  ${entry.summary}.\n`

const helpText = (): string =>
  [
    'Usage: netsaat COMMAND [options]',
    '',
    ...COMMANDS.flatMap(({ name, usage, summary }) => [`  ${`${name} ${usage}`.trim()}`, `      ${summary}`]),
    '',
    'Settings come from the environment: see docs/operate/operations.md.',
  ].join('\n')

const COMMAND_NAMES = COMMANDS.map(({ name }) => name)

const ALIASES: Readonly<Record<string, string>> = { '--help': 'help', '-h': 'help', '--version': 'version' }

function findCommand(argv: readonly string[]): { entry: CommandEntry; rest: string[] } {
  const words = argv.length === 0 ? ['help'] : [ALIASES[argv[0] ?? ''] ?? argv[0], ...argv.slice(1)]
  const entry = COMMANDS.find(({ name }) => name.split(' ').every((word, i) => words[i] === word))
  if (entry) return { entry, rest: [...argv].slice(entry.name.split(' ').length) }
  const known = COMMANDS.filter(({ name }) => name.startsWith(`${argv[0]} `)).map(({ name }) => name)
  if (known.length > 0)
    throw new UsageError(
      `"${argv[0]}" is followed by ${known.map((name) => name.split(' ')[1]).join(' or ')}`,
    )
  const similar =
    similarName(words.slice(0, 2).join(' '), COMMAND_NAMES) ?? similarName(words[0] ?? '', COMMAND_NAMES)
  throw new UsageError(`There is no command "${argv[0]}"${similar ? `: is "${similar}" meant?` : ''}`)
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
  let entry: CommandEntry | undefined
  try {
    const found = findCommand(argv)
    const { rest } = found
    entry = found.entry
    if (rest.includes('--help') || rest.includes('-h')) {
      io.out(commandText(entry))
      return 0
    }
    const command = await entry.load()
    const { values, positionals } = parse(entry, command, rest)
    const options = values as Record<string, string | boolean | undefined>
    return await command.run({ command: entry.name, options, positionals, rest, env, io })
  } catch (error) {
    if (error instanceof SettingsError) {
      io.err(`${error.lines.length === 1 ? 'A setting is' : 'Settings are'} wrong:`)
      for (const line of error.lines) io.err(`  ${line}`)
      return 2
    }
    io.err(`netsaat: ${messageOf(error)}`)
    if (!(error instanceof UsageError)) return 1
    io.err(entry ? usageText(entry) : 'Try "netsaat help".')
    return 2
  }
}

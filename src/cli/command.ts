import type { ParseArgsConfig } from 'node:util'
import type { Environment } from '../platform/settings/settings-group.ts'

/** The command line as a command sees it. */
export interface Invocation {
  /** The words of the command, such as `user create`. */
  readonly command: string
  readonly options: Readonly<Record<string, string | boolean | undefined>>
  readonly positionals: readonly string[]
  /** Everything after the command's words, as typed. */
  readonly rest: readonly string[]
  readonly env: Environment
  readonly io: Io
}

export interface Io {
  out(line: string): void
  err(line: string): void
  /** The whole of standard input. */
  readInput(): Promise<string>
  now(): number
}

export interface Command {
  readonly options: NonNullable<ParseArgsConfig['options']>
  /** The number of arguments besides options. */
  readonly positionals: number
  /** Passes the rest unparsed, for a command with its own parser. */
  readonly takesRest?: boolean
  /** Resolves with the exit code. */
  run(invocation: Invocation): Promise<number>
}

/** The command line is wrong: exit code 2. */
export class UsageError extends Error {}

/** Settings are wrong, one line each: exit code 2. */
export class SettingsError extends Error {
  readonly lines: readonly string[]
  constructor(lines: readonly string[]) {
    super('wrong settings')
    this.lines = lines
  }
}

export function required({ options }: Invocation, name: string): string {
  const value = options[name]
  if (typeof value !== 'string' || value.trim() === '') throw new UsageError(`--${name} is missing`)
  return value.trim()
}

export function optionalText({ options }: Invocation, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

import type { Reader } from './readers.ts'

/**
 * Settings that belong together. Each area declares a group next to the code that uses them: a reader for
 * each environment variable, rules over several of them, and the part of `Config` that they make.
 * `src/service/settings.ts` composes the groups. Every wrong setting of every group is reported at once.
 */

export type Environment = Readonly<Record<string, string | undefined>>

type Readers = Readonly<Record<string, Reader<unknown>>>

/** The values of the settings of a group, by their names. */
export type ValuesOf<R extends Readers> = {
  readonly [Name in keyof R]: R[Name] extends Reader<infer T> ? T : never
}

interface Rules<R extends Readers, Part extends object> {
  /** Settings whose values are never displayed, not even when they are invalid. */
  readonly secrets?: readonly (keyof R & string)[]
  /** Rules over several settings; returns one line for each broken rule. Wrong settings are absent. */
  readonly check?: (values: Partial<ValuesOf<R>>) => readonly string[]
  /** `isSet` is true for a setting that the operator provided, false for a default. */
  readonly toConfig: (values: ValuesOf<R>, isSet: (name: keyof R & string) => boolean) => Part
}

export type SettingsGroup<R extends Readers, Part extends object> = Rules<R, Part> & { readonly readers: R }

/** Two arguments, because the types of the rules follow from the readers. */
export const settingsGroup = <R extends Readers, Part extends object>(
  readers: R,
  rules: Rules<R, Part>,
): SettingsGroup<R, Part> => ({ readers, ...rules })

/** A group in a list of groups. Each group has values of its own type, so that `check` is called with a cast. */
export interface AnyGroup {
  readonly readers: Readers
  readonly secrets?: readonly string[]
  readonly check?: (values: never) => readonly string[]
}

export interface ReadGroups {
  /** One line for each wrong setting: its name, the given value, and what is allowed. */
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
  /** The part of the configuration that a group makes; only when there are no errors. */
  partOf<R extends Readers, Part extends object>(group: SettingsGroup<R, Part>): Part
}

const isGiven = (env: Environment, name: string): boolean => (env[name]?.trim() ?? '') !== ''

const displayed = (raw: string, isSecret: boolean): string =>
  isSecret ? `(${raw.length} characters, not shown)` : JSON.stringify(raw.slice(0, 200))

/** Reads every setting of every group. A setting that is absent or blank has its default. */
export function readGroups(groups: readonly AnyGroup[], env: Environment): ReadGroups {
  const values: Record<string, unknown> = {}
  const errors: string[] = []
  const warnings: string[] = []
  const rejected = new Set<string>()
  for (const { readers, secrets = [] } of groups) {
    for (const [name, read] of Object.entries(readers)) {
      const raw = env[name]?.trim() || undefined
      const result = read(raw)
      if ('allowed' in result) {
        rejected.add(name)
        errors.push(`${name}: ${displayed(raw ?? '', secrets.includes(name))}; ${result.allowed}`)
      } else values[name] = result.value
      if ('warning' in result && result.warning) warnings.push(`${name}: ${result.warning}`)
    }
  }
  // A rule over a setting that is wrong by itself would report it twice.
  const broken = groups
    .flatMap(({ check }) => check?.(values as never) ?? [])
    .filter((line) => ![...rejected].some((name) => line.includes(name)))
  return {
    errors: [...errors, ...broken],
    warnings,
    partOf: (group) => group.toConfig(values as never, (name) => isGiven(env, name)),
  }
}

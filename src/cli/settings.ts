import type { Settings } from '../platform/settings/config.ts'
import type { Environment } from '../platform/settings/settings-group.ts'
import { readSettings } from '../service/settings.ts'
import { type Io, SettingsError } from './command.ts'

/** Returns the settings, or throws an error that contains every wrong one. */
export function settingsOf(env: Environment, io: Io): Settings {
  const result = readSettings(env)
  if ('errors' in result) throw new SettingsError(result.errors)
  for (const warning of result.warnings) io.err(`Warning: ${warning}`)
  return result.settings
}

import { authSettings } from '../areas/access/auth/settings.ts'
import { quotaSettings } from '../areas/access/quotas/settings.ts'
import { tenantSettings } from '../areas/admin/tenants/settings.ts'
import { notificationSettings } from '../areas/alarms/notifications/settings.ts'
import { gatewaySettings } from '../areas/equipment/gateways/settings.ts'
import { historySettings } from '../areas/metering/history/settings.ts'
import { marketSettings } from '../areas/netting/market/settings.ts'
import { firmwareSettings } from '../areas/updates/firmware/settings.ts'
import { ocppSettings } from '../field/ocpp/settings.ts'
import { rateSettings } from '../http/rate-settings.ts'
import { similarName } from '../kernel/similar-name.ts'
import { mcpSettings } from '../mcp/settings.ts'
import { mqttSettings } from '../platform/mqtt/settings.ts'
import type { Settings } from '../platform/settings/config.ts'
import { type Environment, readGroups } from '../platform/settings/settings-group.ts'
import { processSettings } from './process-settings.ts'

/**
 * The settings of the whole service, composed of the groups of its parts. The groups are imported from their own files,
 * because the index of a part loads all of it, and a start reads the settings before it loads the parts.
 */
const GROUPS = [
  processSettings,
  mqttSettings,
  tenantSettings,
  authSettings,
  quotaSettings,
  rateSettings,
  gatewaySettings,
  historySettings,
  notificationSettings,
  marketSettings,
  firmwareSettings,
  ocppSettings,
  mcpSettings,
] as const

export const SETTING_NAMES: readonly string[] = GROUPS.flatMap(({ readers }) => Object.keys(readers))

export type SettingsResult =
  | { readonly settings: Settings; readonly warnings: readonly string[] }
  /**
   * One line for each wrong setting: its name, the given value, and what is allowed. Also the misspelt ones, which may
   * be the reason.
   */
  | { readonly errors: readonly string[] }

/**
 * Warns of variables that are probably misspelt settings. Others are not reported, because the environment contains
 * variables of other programs.
 */
function misspeltSettings(env: Environment): string[] {
  const known = new Set(SETTING_NAMES)
  return Object.keys(env)
    .filter((name) => !known.has(name))
    .flatMap((name) => {
      const similar = similarName(name, SETTING_NAMES)
      return similar === undefined ? [] : [`${name} is no setting: is ${similar} meant?`]
    })
}

/** Reads the environment. Every wrong setting is reported, not only the first. */
export function readSettings(env: Environment): SettingsResult {
  const { errors, warnings, partOf } = readGroups(GROUPS, env)
  const misspelt = misspeltSettings(env)
  if (errors.length > 0) return { errors: [...errors, ...misspelt] }
  const settings: Settings = Object.freeze({
    ...partOf(processSettings),
    ...partOf(mqttSettings),
    ...partOf(tenantSettings),
    ...partOf(authSettings),
    ...partOf(quotaSettings),
    ...partOf(rateSettings),
    ...partOf(gatewaySettings),
    ...partOf(historySettings),
    ...partOf(notificationSettings),
    ...partOf(marketSettings),
    ...partOf(firmwareSettings),
    ...partOf(ocppSettings),
    ...partOf(mcpSettings),
  })
  return { settings, warnings: [...warnings, ...misspelt] }
}

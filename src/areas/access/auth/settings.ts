import { byDefault, whole } from '../../../platform/settings/readers.ts'
import { settingsGroup } from '../../../platform/settings/settings-group.ts'

declare module '../../../platform/settings/config.ts' {
  interface Config {
    readonly passwordResetTtlMinutes: number
  }
}

export const authSettings = settingsGroup(
  { PASSWORD_RESET_TOKEN_TTL_MINUTES: byDefault(whole(1, 1440), 60) },
  {
    toConfig: (values) => ({ passwordResetTtlMinutes: values.PASSWORD_RESET_TOKEN_TTL_MINUTES }),
  },
)

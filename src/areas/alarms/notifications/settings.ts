import { addresses, byDefault, url, withoutEndSlash } from '../../../platform/settings/readers.ts'
import { settingsGroup } from '../../../platform/settings/settings-group.ts'

declare module '../../../platform/settings/config.ts' {
  interface Config {
    /** Networks that are not public and that webhooks may call all the same. */
    readonly webhookAllowedNetworks: readonly string[]
    /** Where a front end shows incidents; undefined where there is none. */
    readonly consoleUrl: string | undefined
  }
}

export const notificationSettings = settingsGroup(
  {
    WEBHOOK_ALLOWED_NETWORKS: byDefault(addresses, []),
    CONSOLE_URL: url(['http:', 'https:']),
  },
  {
    toConfig: (values) => ({
      webhookAllowedNetworks: values.WEBHOOK_ALLOWED_NETWORKS,
      consoleUrl: withoutEndSlash(values.CONSOLE_URL),
    }),
  },
)

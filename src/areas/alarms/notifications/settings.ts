import { addresses, byDefault, url, withoutEndSlash } from '../../../platform/settings/readers.ts'
import { settingsGroup } from '../../../platform/settings/settings-group.ts'

declare module '../../../platform/settings/config.ts' {
  interface Config {
    /** Private networks that webhooks may call. */
    readonly webhookAllowedNetworks: readonly string[]
    /** The base URL of the front end that shows incidents; undefined when there is none. */
    readonly consoleUrl: string | undefined
    /** The base URL of the Telegram Bot API. */
    readonly telegramApiUrl: string
  }
}

export const notificationSettings = settingsGroup(
  {
    WEBHOOK_ALLOWED_NETWORKS: byDefault(addresses, []),
    CONSOLE_URL: url(['http:', 'https:']),
    TELEGRAM_API_URL: byDefault(url(['http:', 'https:']), 'https://api.telegram.org'),
  },
  {
    toConfig: (values) => ({
      webhookAllowedNetworks: values.WEBHOOK_ALLOWED_NETWORKS,
      consoleUrl: withoutEndSlash(values.CONSOLE_URL),
      telegramApiUrl: values.TELEGRAM_API_URL.replace(/\/$/, ''),
    }),
  },
)

import { byDefault, flag, url, whole } from '../../../platform/settings/readers.ts'
import { settingsGroup } from '../../../platform/settings/settings-group.ts'
import { MARKET_CALL_TIMEOUT_S } from './limits.ts'

declare module '../../../platform/settings/config.ts' {
  interface Config {
    readonly marketopEnabled: boolean
    readonly marketopAuthUrl: string
    readonly marketopApiUrl: string
    /** Of one call, milliseconds. */
    readonly marketopTimeoutMs: number
  }
}

/** The transparency platform of the market operator. */
export const marketSettings = settingsGroup(
  {
    MARKETOP_ENABLED: byDefault(flag, false),
    MARKETOP_AUTH_URL: byDefault(url(['https:', 'http:']), 'https://giris.epias.com.tr/cas/v1/tickets'),
    MARKETOP_API_URL: byDefault(
      url(['https:', 'http:']),
      'https://seffaflik.epias.com.tr/electricity-service/v1',
    ),
    MARKETOP_TIMEOUT_SECONDS: byDefault(whole(1, 300), MARKET_CALL_TIMEOUT_S),
  },
  {
    toConfig: (values) => ({
      marketopEnabled: values.MARKETOP_ENABLED,
      marketopAuthUrl: values.MARKETOP_AUTH_URL,
      marketopApiUrl: values.MARKETOP_API_URL,
      marketopTimeoutMs: values.MARKETOP_TIMEOUT_SECONDS * 1000,
    }),
  },
)

import { byDefault, text, whole } from '../../platform/settings/readers.ts'
import { settingsGroup } from '../../platform/settings/settings-group.ts'
import { OCPP_HEARTBEAT_S } from './limits.ts'

export interface OcppSettings {
  /** The heartbeat interval that stations are asked for. */
  readonly heartbeatSeconds: number
  /** Port of the listener for stations that connect with TLS; without it there is none. */
  readonly tlsPort: number | undefined
  /** Files, PEM. */
  readonly tlsCert: string | undefined
  readonly tlsKey: string | undefined
  readonly tlsClientCa: string | undefined
}

declare module '../../platform/settings/config.ts' {
  interface Config {
    readonly ocpp: OcppSettings
  }
}

/** Charging stations. */
export const ocppSettings = settingsGroup(
  {
    OCPP_HEARTBEAT_SECONDS: byDefault(whole(1, 86_400), OCPP_HEARTBEAT_S),
    OCPP_TLS_PORT: whole(0, 65_535),
    OCPP_TLS_CERT: text,
    OCPP_TLS_KEY: text,
    OCPP_TLS_CLIENT_CA: text,
  },
  {
    check({ OCPP_TLS_PORT, OCPP_TLS_CERT, OCPP_TLS_KEY, OCPP_TLS_CLIENT_CA }) {
      const [hasPort, hasCert, hasKey] = [OCPP_TLS_PORT, OCPP_TLS_CERT, OCPP_TLS_KEY].map(
        (value) => value !== undefined,
      )
      if (hasPort !== hasCert || hasPort !== hasKey) {
        return ['OCPP_TLS_PORT, OCPP_TLS_CERT and OCPP_TLS_KEY: only some are given; give all three, or none']
      }
      return OCPP_TLS_CLIENT_CA !== undefined && !hasPort
        ? ['OCPP_TLS_CLIENT_CA: it means nothing without OCPP_TLS_PORT']
        : []
    },
    toConfig: (values): { readonly ocpp: OcppSettings } => ({
      ocpp: Object.freeze({
        heartbeatSeconds: values.OCPP_HEARTBEAT_SECONDS,
        tlsPort: values.OCPP_TLS_PORT,
        tlsCert: values.OCPP_TLS_CERT,
        tlsKey: values.OCPP_TLS_KEY,
        tlsClientCa: values.OCPP_TLS_CLIENT_CA,
      }),
    }),
  },
)

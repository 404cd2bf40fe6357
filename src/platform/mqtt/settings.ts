import { byDefault, flag, text, whole } from '../settings/readers.ts'
import { settingsGroup } from '../settings/settings-group.ts'

export interface MqttTlsSettings {
  /** 0 selects a free port. */
  readonly port: number
  /** Files, PEM. */
  readonly cert: string | undefined
  readonly key: string | undefined
  /** Authorities whose client certificates are trusted; without it no client certificate is requested. */
  readonly clientCa: string | undefined
  /** Whether a connection without a trusted client certificate is refused. */
  readonly requiresClientCert: boolean
}

declare module '../settings/config.ts' {
  interface Config {
    /** Whether the embedded broker has a listener without TLS. */
    readonly mqttPlainEnabled: boolean
    readonly mqttTls: MqttTlsSettings | undefined
  }
}

/** The listeners of the embedded broker; its port without TLS belongs to the process. */
export const mqttSettings = settingsGroup(
  {
    MQTT_PLAIN_ENABLED: byDefault(flag, true),
    MQTT_TLS_PORT: whole(0, 65_535),
    MQTT_TLS_CERT: text,
    MQTT_TLS_KEY: text,
    MQTT_TLS_CLIENT_CA: text,
    MQTT_TLS_CLIENT_CERT_REQUIRED: byDefault(flag, false),
  },
  {
    check(values) {
      const given = [values.MQTT_TLS_PORT, values.MQTT_TLS_CERT, values.MQTT_TLS_KEY]
      const hasTls = given.every((value) => value !== undefined)
      if (!hasTls && given.some((value) => value !== undefined))
        return ['MQTT_TLS_PORT, MQTT_TLS_CERT and MQTT_TLS_KEY: only some are given; give all three, or none']
      const rules: [boolean, string][] = [
        [values.MQTT_PLAIN_ENABLED === false, 'MQTT_PLAIN_ENABLED: false needs MQTT_TLS_PORT'],
        [
          values.MQTT_TLS_CLIENT_CA !== undefined,
          'MQTT_TLS_CLIENT_CA: it means nothing without MQTT_TLS_PORT',
        ],
      ]
      const broken = hasTls ? [] : rules.filter(([isBroken]) => isBroken).map(([, line]) => line)
      return values.MQTT_TLS_CLIENT_CERT_REQUIRED && values.MQTT_TLS_CLIENT_CA === undefined
        ? [...broken, 'MQTT_TLS_CLIENT_CERT_REQUIRED: true needs MQTT_TLS_CLIENT_CA']
        : broken
    },
    toConfig: (values) => ({
      mqttPlainEnabled: values.MQTT_PLAIN_ENABLED,
      mqttTls:
        values.MQTT_TLS_PORT === undefined
          ? undefined
          : Object.freeze({
              port: values.MQTT_TLS_PORT,
              cert: values.MQTT_TLS_CERT,
              key: values.MQTT_TLS_KEY,
              clientCa: values.MQTT_TLS_CLIENT_CA,
              requiresClientCert: values.MQTT_TLS_CLIENT_CERT_REQUIRED,
            }),
    }),
  },
)

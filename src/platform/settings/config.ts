/** The settings of the service, frozen at start. Names, defaults and meaning: docs/operations.md. */
export interface Config {
  readonly host: string
  readonly port: number
  /** Set by the operator, so a taken port is an error and not a reason to try the next one. */
  readonly portIsFixed: boolean
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly mqttUrl: string | undefined
  readonly mqttPort: number
  /** As portIsFixed. */
  readonly mqttPortIsFixed: boolean
  readonly redisUrl: string | undefined
  readonly secretKey: string
  readonly credentialEncryptionKey: string | undefined
  readonly adminEmail: string | undefined
  readonly adminPassword: string | undefined
  readonly corsOrigins: readonly string[]
  readonly tenantSignupEnabled: boolean
  readonly passwordResetTtlMinutes: number
  readonly rateLimits: RateLimits
  readonly trustedProxies: readonly string[]
  readonly internalAllowedNetworks: readonly string[]
  /** Networks that are not public and that webhooks may call all the same. */
  readonly webhookAllowedNetworks: readonly string[]
  readonly smtpUrl: string | undefined
  readonly mailFrom: string
  readonly publicBaseUrl: string | undefined
  /** Where a front end shows incidents; undefined where there is none. */
  readonly consoleUrl: string | undefined
  readonly marketopEnabled: boolean
  readonly marketopAuthUrl: string
  readonly marketopApiUrl: string
  /** Of one call, milliseconds. */
  readonly marketopTimeoutMs: number
  readonly firmwareMaxBytes: number
  /** Ed25519, base64: the 32 bytes of the key, or its SPKI. */
  readonly firmwarePublicKeys: readonly string[]
  readonly ocpp: OcppSettings
  readonly logLevel: string
  readonly roles: readonly Role[]
}

export const ROLES = ['api', 'realtime', 'ingest', 'ocpp', 'jobs'] as const
export type Role = (typeof ROLES)[number]

/** 0 turns a limit off. */
export interface RateLimits {
  readonly loginPerMinute: number
  readonly refreshPerMinute: number
  readonly apiPerSecond: number
  readonly apiBurst: number
  readonly resetPerEmailHour: number
  readonly resetPerAddressHour: number
  /** Handshakes of charging stations. */
  readonly ocppPerSecond: number
  /** Wrong logins of charging stations, in OCPP_FAILURES_WINDOW_MS. */
  readonly ocppFailures: number
}

/** Of charging stations. */
export interface OcppSettings {
  /** Between the heartbeats that stations are asked for. */
  readonly heartbeatSeconds: number
  /** Of the listener for stations that speak TLS to us; without it there is none. */
  readonly tlsPort: number | undefined
  /** Files, PEM. */
  readonly tlsCert: string | undefined
  readonly tlsKey: string | undefined
  readonly tlsClientCa: string | undefined
}

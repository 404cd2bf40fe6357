/**
 * The settings of the service, frozen at start. Names, defaults and meaning: docs/operate/operations.md.
 * These are the settings of the process and the platform; an area adds its own to this interface by
 * declaration merging, next to their readers.
 */
export interface Config {
  readonly host: string
  readonly port: number
  /** Set by the operator, so a taken port is an error and not a reason to try the next one. */
  readonly portIsFixed: boolean
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  /** The URL of the role that owns the tables; that of databaseUrl when undefined. */
  readonly databaseOwnerUrl: string | undefined
  /** Read replicas of the database; empty without. */
  readonly databaseReadUrls: readonly string[]
  /** A replica that is further behind is not used, milliseconds. */
  readonly databaseReadLagMaxMs: number
  readonly mqttUrl: string | undefined
  readonly mqttPort: number
  /** The same for the MQTT port. */
  readonly mqttPortIsFixed: boolean
  readonly redisUrl: string | undefined
  readonly secretKey: string
  readonly credentialEncryptionKey: string | undefined
  readonly corsOrigins: readonly string[]
  readonly trustedProxies: readonly string[]
  readonly internalAllowedNetworks: readonly string[]
  readonly brokerWebhookSecret: string | undefined
  readonly smtpUrl: string | undefined
  readonly mailFrom: string
  readonly publicBaseUrl: string | undefined
  /** Milliseconds from the begin of a stop until the port is closed. */
  readonly drainMs: number
  readonly logLevel: string
}

/** The settings before the start: all values except the key, which may have to be generated. */
export type Settings = Omit<Config, 'secretKey'> & { readonly secretKey: string | undefined }

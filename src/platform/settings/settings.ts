import type { Config } from './config.ts'
import {
  FIRMWARE_BYTES_DEFAULT,
  FIRMWARE_BYTES_MAX,
  MARKET_CALL_TIMEOUT_S,
  OCPP_HEARTBEAT_S,
} from './limits.ts'
import {
  addresses,
  byDefault,
  credentialKey,
  ed25519Key,
  email,
  flag,
  list,
  origin,
  password,
  type Reader,
  roles,
  secretKey,
  text,
  url,
  whole,
  word,
} from './setting-readers.ts'

/** The environment, read: everything but the key, which may still have to be generated. */
export type Settings = Omit<Config, 'secretKey'> & { readonly secretKey: string | undefined }

export type Environment = Readonly<Record<string, string | undefined>>

const PRIVATE_NETWORKS = [
  ...['127.0.0.0/8', '::1/128', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  ...['169.254.0.0/16', 'fc00::/7', 'fe80::/10'],
]

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const RATE_MAX = 1_000_000
const rate = (perDefault: number) => byDefault(whole(0, RATE_MAX), perDefault)

/** Every setting with its default. A secret is never shown, not even when it is wrong. */
const READERS = {
  HOST: byDefault(text, '127.0.0.1'),
  PORT: byDefault(whole(0, 65_535), 8080),
  DATA_DIR: byDefault(text, './data'),
  DATABASE_URL: url(['postgresql:', 'postgres:']),
  MQTT_URL: url(['mqtt:', 'mqtts:', 'ws:', 'wss:']),
  MQTT_PORT: byDefault(whole(0, 65_535), 1883),
  SECRET_KEY: secretKey,
  CREDENTIAL_ENCRYPTION_KEY: credentialKey,
  NETSAAT_ADMIN_EMAIL: email,
  NETSAAT_ADMIN_PASSWORD: password,
  CORS_ORIGINS: byDefault(list(origin), []),
  TENANT_SIGNUP_ENABLED: byDefault(flag, false),
  PASSWORD_RESET_TOKEN_TTL_MINUTES: byDefault(whole(1, 1440), 60),
  RATE_LIMIT_LOGIN_PER_MINUTE: rate(5),
  RATE_LIMIT_REFRESH_PER_MINUTE: rate(5),
  RATE_LIMIT_API_PER_SECOND: rate(30),
  RATE_LIMIT_API_BURST: rate(50),
  RATE_LIMIT_RESET_PER_EMAIL_HOUR: rate(3),
  RATE_LIMIT_RESET_PER_ADDRESS_HOUR: rate(10),
  RATE_LIMIT_OCPP_PER_SECOND: rate(50),
  RATE_LIMIT_OCPP_FAILURES: rate(10),
  TRUSTED_PROXIES: byDefault(addresses, []),
  INTERNAL_ALLOWED_NETWORKS: byDefault(addresses, PRIVATE_NETWORKS),
  WEBHOOK_ALLOWED_NETWORKS: byDefault(addresses, []),
  SMTP_URL: url(['smtp:', 'smtps:']),
  MAIL_FROM: byDefault(text, 'netsaat@localhost'),
  PUBLIC_BASE_URL: url(['http:', 'https:']),
  CONSOLE_URL: url(['http:', 'https:']),
  REDIS_URL: url(['redis:', 'rediss:']),
  MARKETOP_ENABLED: byDefault(flag, false),
  MARKETOP_AUTH_URL: byDefault(url(['https:', 'http:']), 'https://giris.epias.com.tr/cas/v1/tickets'),
  MARKETOP_API_URL: byDefault(
    url(['https:', 'http:']),
    'https://seffaflik.epias.com.tr/electricity-service/v1',
  ),
  MARKETOP_TIMEOUT_SECONDS: byDefault(whole(1, 300), MARKET_CALL_TIMEOUT_S),
  FIRMWARE_MAX_BYTES: byDefault(whole(1, FIRMWARE_BYTES_MAX), FIRMWARE_BYTES_DEFAULT),
  FIRMWARE_PUBLIC_KEYS: byDefault(list(ed25519Key), []),
  OCPP_HEARTBEAT_SECONDS: byDefault(whole(1, 86_400), OCPP_HEARTBEAT_S),
  OCPP_TLS_PORT: whole(0, 65_535),
  OCPP_TLS_CERT: text,
  OCPP_TLS_KEY: text,
  OCPP_TLS_CLIENT_CA: text,
  LOG_LEVEL: byDefault(word(LOG_LEVELS), 'info'),
  ROLES: roles,
} as const satisfies Record<string, Reader<unknown>>

export type SettingName = keyof typeof READERS
export const SETTING_NAMES = Object.keys(READERS) as SettingName[]
const SECRETS: ReadonlySet<SettingName> = new Set([
  ...(['SECRET_KEY', 'CREDENTIAL_ENCRYPTION_KEY', 'NETSAAT_ADMIN_PASSWORD'] as const),
  ...(['DATABASE_URL', 'MQTT_URL', 'SMTP_URL', 'REDIS_URL'] as const),
])

type Values = { [N in SettingName]: (typeof READERS)[N] extends Reader<infer T> ? T : never }

export type SettingsResult =
  | { readonly settings: Settings; readonly warnings: readonly string[] }
  /** One line a wrong setting: its name, what was given, what is allowed. */
  | { readonly errors: readonly string[] }

const shown = (name: SettingName, raw: string): string =>
  SECRETS.has(name) ? `(${raw.length} characters, not shown)` : JSON.stringify(raw.slice(0, 200))

interface Reading {
  readonly values: Partial<Record<SettingName, unknown>>
  readonly errors: string[]
  readonly warnings: string[]
}

function readAll(env: Environment): Reading {
  const reading: Reading = { values: {}, errors: [], warnings: [] }
  for (const name of SETTING_NAMES) {
    const raw = env[name]?.trim() || undefined
    const result = READERS[name](raw)
    if ('allowed' in result) reading.errors.push(`${name}: ${shown(name, raw ?? '')}; ${result.allowed}`)
    else reading.values[name] = result.value
    if ('warning' in result && result.warning) reading.warnings.push(`${name}: ${result.warning}`)
  }
  return reading
}

/** Rules over several settings. */
function checkTogether(values: Partial<Values>): string[] {
  const errors: string[] = []
  const { ROLES, DATABASE_URL, MQTT_URL, NETSAAT_ADMIN_EMAIL, NETSAAT_ADMIN_PASSWORD } = values
  if ((NETSAAT_ADMIN_EMAIL === undefined) !== (NETSAAT_ADMIN_PASSWORD === undefined)) {
    errors.push(
      'NETSAAT_ADMIN_EMAIL and NETSAAT_ADMIN_PASSWORD: only one is given; give both, or neither to have them generated',
    )
  }
  if (ROLES && !ROLES.includesAll && (!DATABASE_URL || !MQTT_URL)) {
    errors.push(
      `ROLES: "${ROLES.roles.join(',')}"; a part of the roles needs DATABASE_URL and MQTT_URL, through which the processes meet`,
    )
  }
  errors.push(...checkTls(values))
  return errors
}

function checkTls({
  OCPP_TLS_PORT,
  OCPP_TLS_CERT,
  OCPP_TLS_KEY,
  OCPP_TLS_CLIENT_CA,
}: Partial<Values>): string[] {
  const [hasPort, hasCert, hasKey] = [OCPP_TLS_PORT, OCPP_TLS_CERT, OCPP_TLS_KEY].map(
    (one) => one !== undefined,
  )
  if (hasPort !== hasCert || hasPort !== hasKey) {
    return ['OCPP_TLS_PORT, OCPP_TLS_CERT and OCPP_TLS_KEY: only some are given; give all three, or none']
  }
  return OCPP_TLS_CLIENT_CA !== undefined && !hasPort
    ? ['OCPP_TLS_CLIENT_CA: it means nothing without OCPP_TLS_PORT']
    : []
}

/** Reads the environment. Every wrong setting is reported, not the first only. */
export function readSettings(env: Environment): SettingsResult {
  const { values, errors, warnings } = readAll(env)
  const named = new Set(errors.map((line) => line.split(':')[0]))
  const together = checkTogether(values as Partial<Values>).filter(
    (line) => !SETTING_NAMES.some((name) => named.has(name) && line.includes(name)),
  )
  const all = [...errors, ...together]
  if (all.length > 0) return { errors: all }
  return { settings: toSettings(values as Values, env), warnings }
}

function toSettings(values: Values, env: Environment): Settings {
  return Object.freeze({
    host: values.HOST,
    port: values.PORT,
    portIsFixed: Boolean(env['PORT']?.trim()),
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    mqttUrl: values.MQTT_URL,
    mqttPort: values.MQTT_PORT,
    mqttPortIsFixed: Boolean(env['MQTT_PORT']?.trim()),
    redisUrl: values.REDIS_URL,
    secretKey: values.SECRET_KEY,
    credentialEncryptionKey: values.CREDENTIAL_ENCRYPTION_KEY,
    adminEmail: values.NETSAAT_ADMIN_EMAIL,
    adminPassword: values.NETSAAT_ADMIN_PASSWORD,
    corsOrigins: values.CORS_ORIGINS,
    tenantSignupEnabled: values.TENANT_SIGNUP_ENABLED,
    passwordResetTtlMinutes: values.PASSWORD_RESET_TOKEN_TTL_MINUTES,
    rateLimits: Object.freeze({
      loginPerMinute: values.RATE_LIMIT_LOGIN_PER_MINUTE,
      refreshPerMinute: values.RATE_LIMIT_REFRESH_PER_MINUTE,
      apiPerSecond: values.RATE_LIMIT_API_PER_SECOND,
      apiBurst: values.RATE_LIMIT_API_BURST,
      resetPerEmailHour: values.RATE_LIMIT_RESET_PER_EMAIL_HOUR,
      resetPerAddressHour: values.RATE_LIMIT_RESET_PER_ADDRESS_HOUR,
      ocppPerSecond: values.RATE_LIMIT_OCPP_PER_SECOND,
      ocppFailures: values.RATE_LIMIT_OCPP_FAILURES,
    }),
    trustedProxies: values.TRUSTED_PROXIES,
    internalAllowedNetworks: values.INTERNAL_ALLOWED_NETWORKS,
    webhookAllowedNetworks: values.WEBHOOK_ALLOWED_NETWORKS,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    publicBaseUrl: values.PUBLIC_BASE_URL?.replace(/\/+$/, ''),
    consoleUrl: values.CONSOLE_URL?.replace(/\/+$/, ''),
    marketopEnabled: values.MARKETOP_ENABLED,
    marketopAuthUrl: values.MARKETOP_AUTH_URL,
    marketopApiUrl: values.MARKETOP_API_URL,
    marketopTimeoutMs: values.MARKETOP_TIMEOUT_SECONDS * 1000,
    firmwareMaxBytes: values.FIRMWARE_MAX_BYTES,
    firmwarePublicKeys: values.FIRMWARE_PUBLIC_KEYS,
    ocpp: Object.freeze({
      heartbeatSeconds: values.OCPP_HEARTBEAT_SECONDS,
      tlsPort: values.OCPP_TLS_PORT,
      tlsCert: values.OCPP_TLS_CERT,
      tlsKey: values.OCPP_TLS_KEY,
      tlsClientCa: values.OCPP_TLS_CLIENT_CA,
    }),
    logLevel: values.LOG_LEVEL,
    roles: values.ROLES.roles,
  })
}

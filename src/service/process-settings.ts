import { BROKER_SECRET_MIN_LENGTH, SECRET_KEY_MIN_LENGTH } from '../kernel/limits.ts'
import { isSealerKey } from '../platform/auth/sealer.ts'
import { READ_LAG_MAX_S, REPLICAS_MAX } from '../platform/db/limits.ts'
import {
  addresses,
  byDefault,
  list,
  optional,
  origin,
  parts,
  type Read,
  type Reader,
  text,
  url,
  whole,
  withoutEndSlash,
  word,
} from '../platform/settings/readers.ts'
import { settingsGroup } from '../platform/settings/settings-group.ts'

/** The roles that a process can have. */
export const ROLES = ['api', 'realtime', 'ingest', 'ocpp', 'jobs'] as const
export type Role = (typeof ROLES)[number]

declare module '../platform/settings/config.ts' {
  interface Config {
    readonly roles: readonly Role[]
  }
}

const PRIVATE_NETWORKS = [
  ...['127.0.0.0/8', '::1/128', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  ...['169.254.0.0/16', 'fc00::/7', 'fe80::/10'],
]

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** Keys from published examples, which protect nothing. */
const KNOWN_KEYS =
  /^(.)\1*$|change[-_ ]?me|your[-_ ]?secret|secret[-_ ]?key|super[-_ ]?secret|example|password/i

const secretKey = optional<string>((raw) => {
  if (raw.length < SECRET_KEY_MIN_LENGTH)
    return { allowed: `at least ${SECRET_KEY_MIN_LENGTH} characters are needed (openssl rand -base64 48)` }
  return KNOWN_KEYS.test(raw)
    ? { allowed: 'this is a known default or example; make one of your own (openssl rand -base64 48)' }
    : { value: raw }
})

/** Without blanks, because it is sent in a header or in a URL. */
const webhookSecret = optional<string>((raw) =>
  raw.length >= BROKER_SECRET_MIN_LENGTH && /^[\x21-\x7e]+$/.test(raw)
    ? { value: raw }
    : {
        allowed: `at least ${BROKER_SECRET_MIN_LENGTH} ASCII characters without blanks are needed (openssl rand -hex 24)`,
      },
)

/** An invalid key is not refused at start: the areas that need it answer 503 encryption_misconfigured. */
const credentialKey = optional<string>((raw) =>
  isSealerKey(raw)
    ? { value: raw }
    : {
        value: raw,
        warning:
          'is not 32 bytes in base64; stored market credentials cannot be used until it is (openssl rand -base64 32)',
      },
)

/** The URL of one read replica. */
const replicaUrl = (part: string): Read<string> =>
  URL.canParse(part) && /^postgres(ql)?:$/.test(new URL(part).protocol)
    ? { value: part }
    : { allowed: 'allowed are URLs that start with postgresql://, separated by commas' }

interface RoleChoice {
  readonly roles: readonly Role[]
  readonly includesAll: boolean
}

const isRole = (name: string): name is Role => (ROLES as readonly string[]).includes(name)

const roles: Reader<RoleChoice> = (raw) => {
  if (raw === undefined || raw.toLowerCase() === 'all') return { value: { roles: ROLES, includesAll: true } }
  const names = parts(raw.toLowerCase())
  if (names.length === 0 || !names.every(isRole))
    return { allowed: `allowed are all, or some of ${ROLES.join(', ')}, separated by commas` }
  const chosen = ROLES.filter((role) => names.includes(role))
  return { value: { roles: chosen, includesAll: chosen.length === ROLES.length } }
}

/** The settings of the process and of the platform, which belong to no area. */
export const processSettings = settingsGroup(
  {
    HOST: byDefault(text, '127.0.0.1'),
    PORT: byDefault(whole(0, 65_535), 8080),
    DATA_DIR: byDefault(text, './data'),
    DATABASE_URL: url(['postgresql:', 'postgres:']),
    DATABASE_OWNER_URL: url(['postgresql:', 'postgres:']),
    DATABASE_READ_URL: byDefault(list(replicaUrl), []),
    DATABASE_READ_LAG_MAX_SECONDS: byDefault(whole(1, READ_LAG_MAX_S), 10),
    MQTT_URL: url(['mqtt:', 'mqtts:', 'ws:', 'wss:']),
    MQTT_PORT: byDefault(whole(0, 65_535), 1883),
    SECRET_KEY: secretKey,
    CREDENTIAL_ENCRYPTION_KEY: credentialKey,
    CORS_ORIGINS: byDefault(list(origin), []),
    TRUSTED_PROXIES: byDefault(addresses, []),
    INTERNAL_ALLOWED_NETWORKS: byDefault(addresses, PRIVATE_NETWORKS),
    BROKER_WEBHOOK_SECRET: webhookSecret,
    SMTP_URL: url(['smtp:', 'smtps:']),
    MAIL_FROM: byDefault(text, 'netsaat@localhost'),
    PUBLIC_BASE_URL: url(['http:', 'https:']),
    REDIS_URL: url(['redis:', 'rediss:']),
    DRAIN_SECONDS: byDefault(whole(0, 300), 0),
    LOG_LEVEL: byDefault(word(LOG_LEVELS), 'info'),
    ROLES: roles,
  },
  {
    secrets: [
      ...(['SECRET_KEY', 'CREDENTIAL_ENCRYPTION_KEY', 'BROKER_WEBHOOK_SECRET'] as const),
      ...(['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_READ_URL', 'MQTT_URL'] as const),
      ...(['SMTP_URL', 'REDIS_URL'] as const),
    ],
    check: ({ ROLES: choice, DATABASE_URL, DATABASE_OWNER_URL, DATABASE_READ_URL }) => [
      ...(DATABASE_READ_URL && DATABASE_READ_URL.length > 0 && !DATABASE_URL
        ? ['DATABASE_READ_URL: it needs DATABASE_URL, the primary of the replicas']
        : []),
      ...(DATABASE_READ_URL && DATABASE_READ_URL.length > REPLICAS_MAX
        ? [`DATABASE_READ_URL: at most ${REPLICAS_MAX} replicas`]
        : []),
      ...(choice && !choice.includesAll && !DATABASE_URL
        ? [
            `ROLES: "${choice.roles.join(',')}"; a part of the roles needs DATABASE_URL, through which the processes meet`,
          ]
        : []),
      ...(DATABASE_OWNER_URL && !DATABASE_URL
        ? ['DATABASE_OWNER_URL needs DATABASE_URL, the URL of the role that serves']
        : []),
    ],
    toConfig: (values, isSet) => ({
      host: values.HOST,
      port: values.PORT,
      portIsFixed: isSet('PORT'),
      dataDir: values.DATA_DIR,
      databaseUrl: values.DATABASE_URL,
      databaseOwnerUrl: values.DATABASE_OWNER_URL,
      databaseReadUrls: values.DATABASE_READ_URL,
      databaseReadLagMaxMs: values.DATABASE_READ_LAG_MAX_SECONDS * 1000,
      mqttUrl: values.MQTT_URL,
      mqttPort: values.MQTT_PORT,
      mqttPortIsFixed: isSet('MQTT_PORT'),
      redisUrl: values.REDIS_URL,
      secretKey: values.SECRET_KEY,
      credentialEncryptionKey: values.CREDENTIAL_ENCRYPTION_KEY,
      corsOrigins: values.CORS_ORIGINS,
      trustedProxies: values.TRUSTED_PROXIES,
      internalAllowedNetworks: values.INTERNAL_ALLOWED_NETWORKS,
      brokerWebhookSecret: values.BROKER_WEBHOOK_SECRET,
      smtpUrl: values.SMTP_URL,
      mailFrom: values.MAIL_FROM,
      publicBaseUrl: withoutEndSlash(values.PUBLIC_BASE_URL),
      drainMs: values.DRAIN_SECONDS * 1000,
      logLevel: values.LOG_LEVEL,
      roles: values.ROLES.roles,
    }),
  },
)

import { describe, expect, it } from 'vitest'
import { deploymentNotes } from '../http/deployment-notes.ts'
import type { Settings } from '../platform/settings/config.ts'
import type { Environment } from '../platform/settings/settings-group.ts'
import { readSettings, SETTING_NAMES } from './settings.ts'

const settings = (env: Environment): Settings => {
  const result = readSettings(env)
  if ('errors' in result) throw new Error(result.errors.join('\n'))
  return result.settings
}
const errors = (env: Environment): readonly string[] => {
  const result = readSettings(env)
  return 'errors' in result ? result.errors : []
}

const KEY = Buffer.alloc(32, 1).toString('base64')
const SPKI = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.alloc(32, 1)]).toString(
  'base64',
)
const STRONG_KEY = 'q7Zr0bC3n1Yt8Wd5Kx2Lv9Hs4Mf6Pg0J'

describe('settings', () => {
  it('are no unsafe combination by default', () => {
    expect(
      deploymentNotes(settings({}) as Parameters<typeof deploymentNotes>[0], { hasUnknownProxy: false }),
    ).toEqual([])
  })

  it('have a default for everything', () => {
    expect(settings({})).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      portIsFixed: false,
      dataDir: './data',
      mqttPort: 1883,
      corsOrigins: [],
      fieldAllowedNetworks: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
      passwordResetTtlMinutes: 60,
      roles: ['api', 'realtime', 'ingest', 'ocpp', 'jobs'],
      rateLimits: {
        loginPerMinute: 5,
        loginFailures: 10,
        changePasswordPerMinute: 5,
        refreshPerMinute: 5,
        apiPerSecond: 30,
        apiBurst: 50,
        resetPerEmailHour: 3,
        resetPerAddressHour: 10,
        ocppPerSecond: 50,
        ocppFailures: 10,
      },
      ocpp: { heartbeatSeconds: 300, tlsPort: undefined },
    })
    expect(settings({ PORT: '', HOST: '  ' })).toEqual(settings({}))
  })

  it.each([
    [{ PORT: '0' }, { port: 0, portIsFixed: true }],
    [{ MARKETOP_TIMEOUT_SECONDS: '30' }, { marketopTimeoutMs: 30_000 }],
    [{ DRAIN_SECONDS: '5' }, { drainMs: 5_000 }],
    [{ TELEGRAM_API_URL: 'http://127.0.0.1:8081/' }, { telegramApiUrl: 'http://127.0.0.1:8081' }],
    [{ FIELD_ALLOWED_NETWORKS: '10.7.0.0/16, ::1' }, { fieldAllowedNetworks: ['10.7.0.0/16', '::1'] }],
    [{ FIRMWARE_MAX_BYTES: '1000' }, { firmwareMaxBytes: 1000 }],
    [{ FIRMWARE_PUBLIC_KEYS: `${KEY}, ${SPKI}` }, { firmwarePublicKeys: [KEY, SPKI] }],
    [{ PORT: ' 9000 ' }, { port: 9000, portIsFixed: true }],
    [{ TENANT_SIGNUP_ENABLED: 'True' }, { tenantSignupEnabled: true }],
    [
      { CORS_ORIGINS: ' https://a.example/ , http://b.example:3000,' },
      { corsOrigins: ['https://a.example', 'http://b.example:3000'] },
    ],
    [{ TRUSTED_PROXIES: '10.0.0.1, 192.168.0.0/16' }, { trustedProxies: ['10.0.0.1', '192.168.0.0/16'] }],
    [{ RATE_LIMIT_LOGIN_PER_MINUTE: '0' }, { rateLimits: expect.objectContaining({ loginPerMinute: 0 }) }],
    [
      { RATE_LIMIT_API_KEY_PER_SECOND: '5', RATE_LIMIT_API_KEY_BURST: '9' },
      { rateLimits: expect.objectContaining({ apiKeyPerSecond: 5, apiKeyBurst: 9 }) },
    ],
    [{}, { quotas: { devices: null, samples_per_day: null, storage_bytes: null, exports_per_day: null } }],
    [
      { QUOTA_DEVICES: '0', QUOTA_SAMPLES_PER_DAY: '7', QUOTA_STORAGE_MB: '2', QUOTA_EXPORTS_PER_DAY: '3' },
      { quotas: { devices: 0, samples_per_day: 7, storage_bytes: 2_097_152, exports_per_day: 3 } },
    ],
    [{ ROLES: 'jobs,api', DATABASE_URL: 'postgres://h/d' }, { roles: ['api', 'jobs'] }],
    [
      { DATABASE_URL: 'postgres://h/d', DATABASE_READ_URL: 'postgres://a/d,postgres://b/d' },
      { databaseReadUrls: ['postgres://a/d', 'postgres://b/d'], databaseReadLagMaxMs: 10_000 },
    ],
    [{}, { compressAfterDays: 35 }],
    [{ COMPRESS_SAMPLES_AFTER_DAYS: '0' }, { compressAfterDays: 0 }],
    [{ SECRET_KEY: STRONG_KEY }, { secretKey: STRONG_KEY }],
    [{ PUBLIC_BASE_URL: 'https://a.example/' }, { publicBaseUrl: 'https://a.example' }],
    [{ CONSOLE_URL: 'https://a.example/console/' }, { consoleUrl: 'https://a.example/console' }],
  ])('parse %j', (env, expected) => {
    expect(settings(env as Environment)).toMatchObject(expected)
  })

  it.each([
    ['PORT', '80a', 'from 0 to 65535'],
    ['PORT', '-1', 'from 0 to 65535'],
    ['MQTT_PORT', '70000', 'from 0 to 65535'],
    ['FIRMWARE_PUBLIC_KEYS', `${KEY},AAAA`, 'Ed25519 public keys'],
    ['DATABASE_URL', 'mysql://h/d', 'postgresql://'],
    ['DATABASE_OWNER_URL', 'mysql://h/d', 'postgresql://'],
    ['DATABASE_READ_URL', 'postgres://r@h/d,mysql://h/d', 'postgresql://'],
    ['DATABASE_READ_LAG_MAX_SECONDS', '0', 'from 1 to 3600'],
    ['MQTT_URL', 'broker', 'mqtt://'],
    ['REDIS_URL', 'http://h', 'redis://'],
    ['SMTP_URL', 'mail.example', 'smtp://'],
    ['PUBLIC_BASE_URL', 'ftp://h', 'https://'],
    ['CONSOLE_URL', 'console.example', 'https://'],
    ['SECRET_KEY', 'short', 'at least 32'],
    ['SECRET_KEY', 'your-secret-key-your-secret-key-your-secret', 'known default'],
    ['SECRET_KEY', 'a'.repeat(40), 'known default'],
    ['CORS_ORIGINS', '*', 'origins such as'],
    ['CORS_ORIGINS', 'https://a.example/path', 'origins such as'],
    ['SIGNUP_VERIFICATION', 'maybe', 'required, off'],
    ['TENANT_SIGNUP_ENABLED', 'maybe', 'true and false'],
    ['PASSWORD_RESET_TOKEN_TTL_MINUTES', '0', 'from 1'],
    ['RATE_LIMIT_API_BURST', '1.5', 'whole number'],
    ['QUOTA_DEVICES', '-1', 'from 0'],
    ['COMPRESS_SAMPLES_AFTER_DAYS', '32', 'from 33 to 36500, or 0'],
    ['TRUSTED_PROXIES', '10.0.0.0/99', 'addresses and networks'],
    ['BROKER_WEBHOOK_SECRET', 'with blanks and long enough', 'without blanks'],
    ['LOG_LEVEL', 'loud', 'debug'],
    ['ROLES', 'api,cook', 'realtime'],
    ['ROLES', 'api', 'needs DATABASE_URL'],
    ['DATABASE_OWNER_URL', 'postgres://o@h/d', 'needs DATABASE_URL'],
    ['DATABASE_READ_URL', 'postgres://r@h/d', 'needs DATABASE_URL'],
    ['NETSAAT_ADMIN_EMAIL', 'nobody', 'e-mail'],
    ['NETSAAT_ADMIN_EMAIL', 'a@b.example', 'only one is given'],
    ['MQTT_TLS_PORT', '8883', 'only some are given'],
    ['MQTT_PLAIN_ENABLED', 'false', 'needs MQTT_TLS_PORT'],
    ['MQTT_TLS_CLIENT_CA', 'ca.pem', 'nothing without MQTT_TLS_PORT'],
    ['MQTT_TLS_CLIENT_CERT_REQUIRED', 'true', 'needs MQTT_TLS_CLIENT_CA'],
    ['OCPP_TLS_PORT', '8443', 'only some are given'],
    ['OCPP_TLS_CLIENT_CA', 'ca.pem', 'nothing without OCPP_TLS_PORT'],
    ['OCPP_HEARTBEAT_SECONDS', '0', 'from 1'],
    ['NETSAAT_ADMIN_PASSWORD', 'twelveletters', 'a digit'],
  ])('reject %s=%s and name the allowed values', (name, value, allowed) => {
    const lines = errors({ [name]: value })
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(new RegExp(`^${name}`))
    expect(lines[0]).toContain(allowed)
  })

  it('report all invalid ones at once, one line each', () => {
    const lines = errors({ PORT: 'x', LOG_LEVEL: 'loud', SECRET_KEY: 'short', ROLES: 'cook' })
    expect(lines.map((line) => line.split(':')[0])).toEqual(['PORT', 'SECRET_KEY', 'LOG_LEVEL', 'ROLES'])
  })

  it('never print a secret', () => {
    const secret = 'hunter2hunter'
    const lines = errors({
      SECRET_KEY: secret,
      DATABASE_URL: `mysql://u:${secret}@h/d`,
      REDIS_URL: secret,
      SMTP_URL: secret,
      MQTT_URL: secret,
      BROKER_WEBHOOK_SECRET: secret,
      NETSAAT_ADMIN_PASSWORD: secret.slice(0, 7),
    })
    expect(lines).toHaveLength(7)
    expect(lines.join('\n')).not.toContain('hunter2')
  })

  it('that are probably misspelt are reported beside those that are wrong', () => {
    const result = readSettings({ PORT: 'abc', PROT: '1' })
    expect('errors' in result && result.errors).toEqual([
      expect.stringContaining('PORT'),
      'PROT is no setting: is PORT meant?',
    ])
  })

  it('that are probably misspelt give a warning, and variables of other programs do not', () => {
    const names = {
      PROT: '1',
      mqtt_port: '2',
      DATABASEURL: 'x',
      PATH: '/bin',
      HOME: '/root',
      NODE_ENV: 'test',
    }
    const result = readSettings(names)
    expect('warnings' in result && result.warnings).toEqual([
      'PROT is no setting: is PORT meant?',
      'mqtt_port is no setting: is MQTT_PORT meant?',
      'DATABASEURL is no setting: is DATABASE_URL meant?',
    ])
  })

  it('with an invalid CREDENTIAL_ENCRYPTION_KEY give a warning and start', () => {
    const result = readSettings({ CREDENTIAL_ENCRYPTION_KEY: 'nonsense' })
    expect(result).toMatchObject({ warnings: [expect.stringContaining('32 bytes')] })
    expect(JSON.stringify('warnings' in result && result.warnings)).not.toContain('nonsense')
    const right = readSettings({ CREDENTIAL_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') })
    expect(right).toMatchObject({ warnings: [] })
  })

  it('are as many as these tests cover', () => {
    expect(SETTING_NAMES).toHaveLength(71)
  })
})

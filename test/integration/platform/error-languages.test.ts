import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  api = await startApi()
  tenant = await createTenant(api)
})
afterAll(() => api.close())

interface Case {
  readonly area: string
  readonly method?: string
  readonly path: string
  readonly body?: object
  readonly code: string
  readonly en: string
  readonly tr: string
  /** The first request succeeds. */
  readonly isSecond?: boolean
}

/** A conflict or a broken rule of each area. */
const CASES: readonly Case[] = [
  {
    area: 'equipment',
    path: '/api/regions',
    body: { name: 'Ege' },
    code: 'REGION_NAME_EXISTS',
    en: 'a region with this name exists',
    tr: 'bu adla bir bölge var',
    isSecond: true,
  },
  {
    area: 'alarms',
    path: '/api/alarms/maintenance',
    body: {
      policy_id: randomUUID(),
      device_id: randomUUID(),
      from: '2026-07-01T00:00:00Z',
      to: '2026-07-02T00:00:00Z',
    },
    code: 'MAINTENANCE_ONE_TARGET',
    en: 'must name exactly one of policy_id, device_id and subregion_id',
    tr: 'policy_id, device_id ve subregion_id alanlarından tam olarak biri verilmeli',
  },
  {
    area: 'metering',
    path: '/api/measurements',
    body: { samples: [] },
    code: 'SAMPLES_EMPTY',
    en: 'must NOT have fewer than 1 items',
    tr: 'en az 1 öğe içermeli',
  },
  {
    area: 'insight',
    path: '/api/measurements/export',
    body: {
      device_ids: [randomUUID()],
      metrics: ['active_power'],
      interval: 'hourly',
      start: '2026-07-02T00:00:00Z',
      end: '2026-07-01T00:00:00Z',
      format: 'csv',
    },
    code: 'RANGE_END_BEFORE_START',
    en: 'must be later than start',
    tr: 'start değerinden sonra olmalı',
  },
  {
    area: 'updates',
    path: '/api/ota/updates/batch',
    body: {
      firmware_version_id: randomUUID(),
      filter: { target: 'device' },
      deadline: '2020-01-01T00:00:00Z',
    },
    code: 'OTA_DEADLINE_RANGE',
    en: 'must lie between a minute and 30 days from now',
    tr: 'şu andan itibaren bir dakika ile 30 gün arasında olmalı',
  },
  {
    area: 'charging',
    path: '/api/ocpp/id-tags',
    body: { tag: 'KART1' },
    code: 'TAG_EXISTS',
    en: 'an id tag with these letters exists, whatever their case',
    tr: 'harf büyüklüğünden bağımsız olarak bu metinle bir kimlik kartı var',
    isSecond: true,
  },
  {
    area: 'safety',
    method: 'GET',
    path: `/api/loto/sessions/${randomUUID()}`,
    code: 'RECORD_NOT_FOUND',
    en: 'LOTO session not found',
    tr: 'kayıt bulunamadı: LOTO oturumu',
  },
  {
    area: 'admin',
    path: '/api/v1/admin/tenants',
    body: { name: 'Ege', admin_email: 'ege@example.test', admin_password: 'uzun bir parola 1' },
    code: 'SUPERUSER_NEEDED',
    en: 'only a superuser may do this',
    tr: 'bunu yalnızca sistem yöneticisi yapabilir',
  },
  {
    area: 'netting',
    path: '/api/mahsuplasma/scopes',
    body: { name: 'Ege' },
    code: 'SCOPE_NAME_TAKEN',
    en: 'a scope with this name exists',
    tr: 'bu adda bir kapsam var',
    isSecond: true,
  },
  {
    area: 'platform',
    method: 'GET',
    path: '/api/unknown',
    code: 'ENDPOINT_UNKNOWN',
    en: 'no such endpoint',
    tr: 'böyle bir uç nokta yok',
  },
  {
    area: 'rules of single values',
    path: '/api/auth/change-password',
    body: { current_password: 'x', new_password: '123456789012' },
    code: 'PASSWORD_WITHOUT_LETTER',
    en: 'must contain a letter',
    tr: 'bir harf içermeli',
  },
]

const send = ({ method = 'POST', path, body }: Case, language?: string) =>
  api.call(method, path, {
    token: tenant.admin.token,
    ...(body && { body }),
    ...(language && { headers: { 'accept-language': language } }),
  })

/** The text and its content; those of a failure of validation are in a list. */
const messageIn = ({ body }: { body: unknown }) => {
  const { detail: whole } = body as { detail?: unknown }
  const isNested = typeof whole === 'object' && whole !== null && !Array.isArray(whole)
  const { detail, message, ...content } = (isNested ? whole : body) as Record<string, unknown>
  const { msg, ...failure } = Array.isArray(detail)
    ? (detail[0] as Record<string, unknown>)
    : { msg: undefined }
  return { ...content, ...failure, text: msg ?? message ?? detail }
}

it.each(CASES)(
  'an error of $area is in English by default and in the language of the request',
  async (one) => {
    if (one.isSecond) await send(one)
    for (const [language, text] of [
      [undefined, one.en],
      ['en', one.en],
      ['tr-TR', one.tr],
    ] as const) {
      const response = await send(one, language)
      expect(messageIn(response)).toMatchObject({ text, message_code: one.code })
      expect(response.headers.get('content-language')).toBe(language === 'tr-TR' ? 'tr' : 'en')
    }
  },
)

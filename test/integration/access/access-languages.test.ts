import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  api = await startApi()
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const call = (method: string, path: string, body: object | undefined, language?: string) =>
  api.call(method, path, {
    token: tenant.admin.token,
    ...(body && { body }),
    ...(language && { headers: { 'accept-language': language } }),
  })

describe('errors of users, roles and links', () => {
  it.each([
    {
      request: () => ['POST', '/api/roles', { name: 'Sayaç okuyucu', permissions: [] }] as const,
      code: 'ROLE_NAME_EXISTS',
      en: 'a role with this name exists',
      tr: 'bu adla bir rol var',
    },
    {
      request: () => ['DELETE', `/api/users/${tenant.admin.id}`, undefined] as const,
      code: 'USER_OWN_DELETION',
      en: 'nobody can delete themselves',
      tr: 'kullanıcı kendini silemez',
    },
  ])(
    '$code is in English by default and in the language of the request',
    async ({ request, code, en, tr }) => {
      await call('POST', '/api/roles', { name: 'Sayaç okuyucu', permissions: [] })
      for (const [language, text] of [
        [undefined, en],
        ['en', en],
        ['tr-TR', tr],
      ] as const) {
        const [method, path, body] = request()
        const response = await call(method, path, body, language)
        expect(response.status).toBe(409)
        expect(response.body).toMatchObject({ detail: text, message_code: code, parameters: {} })
        expect(response.headers.get('content-language')).toBe(language === 'tr-TR' ? 'tr' : 'en')
      }
    },
  )
})

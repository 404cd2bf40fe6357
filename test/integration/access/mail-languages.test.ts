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

const call = (method: string, path: string, body?: object) =>
  api.call(method, path, { token: tenant.admin.token, ...(body && { body }) })

/** The next mail to an address that a request causes. */
async function mailOf(to: string, request: () => Promise<unknown>) {
  const before = api.mails.length
  await request()
  await expect
    .poll(() => api.mails.slice(before).some((mail) => mail.to === to), { timeout: 60_000 })
    .toBe(true)
  return api.mails.slice(before).find((mail) => mail.to === to)
}

describe('mails with links', () => {
  it.each([
    { language: 'tr', subject: 'Netsaat: şifre sıfırlama', greetings: ['Merhaba,'], token: 'Kod' },
    { language: 'en', subject: 'Netsaat: password reset', greetings: ['Hello,'], token: 'Token' },
    {
      language: null,
      subject: 'Netsaat: şifre sıfırlama / password reset',
      greetings: ['Merhaba,', 'Hello,'],
      token: 'Kod / Token',
    },
  ])('are in the language of the user: $language', async ({ language, subject, greetings, token }) => {
    const changed = await call('PUT', '/api/auth/me', { language })
    expect([changed.status, changed.body.language]).toEqual([200, language])
    const { email } = tenant.admin
    const mail = await mailOf(email, () => call('POST', '/api/auth/password-reset/request', { email }))
    expect(mail?.subject).toBe(subject)
    expect(mail?.text.match(/^(Merhaba|Hello),$/gm)).toEqual(greetings)
    expect(mail?.text).toMatch(new RegExp(`^${token}: \\S+$`, 'm'))
  })

  it('of an invitation are in its language, which becomes that of the user', async () => {
    const email = 'davetli@example.com'
    const mail = await mailOf(email, () => call('POST', '/api/users/invitations', { email, language: 'tr' }))
    expect(mail?.subject).toBe('Netsaat: davet')
    const token = /^Kod: (\S+)$/m.exec(mail?.text ?? '')?.[1]
    const body = { token, full_name: 'Ayşe Yılmaz', password: 'uzun bir parola 1' }
    const accepted = await api.call('POST', '/api/auth/invitations/accept', { body })
    expect([accepted.status, accepted.body.language]).toEqual([201, 'tr'])
    const changed = await call('PUT', `/api/users/${accepted.body.id}`, { language: 'en' })
    expect([changed.status, changed.body.language]).toEqual([200, 'en'])
  })

  it('refuse a language that the service does not have', async () => {
    expect((await call('PUT', '/api/auth/me', { language: 'de' })).status).toBe(422)
  })
})

import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccount, login, newEmail, systemRoles } from '../../support/accounts.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { CHROMIUM_ARGS, chromiumPath } from '../../support/process/chromium.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const PASSWORD = 'yeniŞifrem 2026'
const PATIENCE = { timeout: 120_000 }

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  api = await startApi()
  tenant = await createTenant(api)
})
afterAll(() => api.close())

/** Without PUBLIC_BASE_URL a mail contains only the path of its link. */
async function mailedLink(to: string): Promise<string> {
  await api.deps.background.drain()
  const text = api.mails.findLast((mail) => mail.to === to)?.text ?? ''
  return `${api.url}${/^\/\S+\?token=\S+$/m.exec(text)?.[0]}`
}
const resetLink = async (email: string) => {
  await api.call('POST', '/api/auth/password-reset/request', { body: { email } })
  return mailedLink(email)
}
async function invitationLink(email: string): Promise<string> {
  const role_ids = [(await systemRoles(api, tenant)).viewer]
  await api.call('POST', '/api/users/invitations', { token: tenant.admin.token, body: { email, role_ids } })
  return mailedLink(email)
}

describe('the landing page', () => {
  it.each([
    ['en', 'is running'],
    ['tr', 'çalışıyor'],
  ])('is public, in %s, without a script, and its links work', async (language, text) => {
    const response = await fetch(`${api.url}/`, { headers: { 'accept-language': language } })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
    const html = await response.text()
    expect(html).toContain(`<html lang="${language}">`)
    expect(html).toContain(text)
    const links = [...html.matchAll(/<a href="([^"]+)"/g)].map(([, path]) => path)
    expect(links).toEqual(['docs', 'openapi.json', 'health', 'readiness'])
    for (const link of links) expect((await fetch(`${api.url}/${link}`)).status, link).toBe(200)
  })
})

describe('the pages that mails link to', () => {
  it.each(['/password-reset', '/invitation', '/signup', '/email-verification'])(
    '%s is public and loads no external resources',
    async (path) => {
      const response = await fetch(`${api.url}${path}?token="><script>alert(1)</script>`)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; script-src 'sha256-/,
      )
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('referrer-policy')).toBe('no-referrer')
      const html = await response.text()
      expect(html).toContain('<html lang="tr">')
      expect(html).not.toContain('alert(1)')
      expect(html).not.toMatch(/(src|href)=/)
    },
  )

  it.each([
    ['en-GB,en;q=0.9,tr;q=0.8', 'en'],
    ['de-DE,de;q=0.9,en;q=0.8', 'en'],
    ['tr-TR,tr;q=0.9,en;q=0.8', 'tr'],
    ['de', 'tr'],
  ])('use the language that the browser requests: %s', async (accepted, language) => {
    const response = await fetch(`${api.url}/invitation`, { headers: { 'accept-language': accepted } })
    expect(response.headers.get('vary')).toContain('Accept-Language')
    expect(await response.text()).toContain(`<html lang="${language}">`)
  })
})

describe.runIf(chromiumPath)('in a real browser (needs chromium)', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: [...CHROMIUM_ARGS] })
  })
  afterAll(() => browser.close())

  async function open(link: string, locale = 'tr-TR') {
    const context = await browser.newContext({ locale })
    // As behind a proxy that serves the service below a path.
    await context.route(/\/netsaat\//, (route) =>
      route.continue({ url: route.request().url().replace('/netsaat/', '/') }),
    )
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    const called: string[] = []
    page.on('request', (request) => called.push(request.url()))
    await page.goto(link, PATIENCE)
    return { page, faults, called }
  }
  const fill = async (page: Page, fields: Readonly<Record<string, string>>) => {
    for (const [label, value] of Object.entries(fields))
      await page.getByLabel(label, { exact: true }).fill(value, PATIENCE)
    await page.getByRole('button').click(PATIENCE)
  }
  const decoded = (page: Page, text: RegExp) =>
    page.locator('[data-text]', { hasText: text }).waitFor({ state: 'visible', ...PATIENCE })

  it('a link changes the password once', async () => {
    const user = await createAccount(api, tenant)
    const link = await resetLink(user.email)
    const { page, faults } = await open(link)
    expect(page.url()).toBe(`${api.url}/password-reset`)
    await fill(page, { 'Yeni şifre': PASSWORD, 'Yeni şifre, bir kez daha': `${PASSWORD}!` })
    await decoded(page, /birbirinden farklı/)
    await fill(page, { 'Yeni şifre': 'yalnızca harfler', 'Yeni şifre, bir kez daha': 'yalnızca harfler' })
    await decoded(page, /kabul edilmedi/)
    await fill(page, { 'Yeni şifre': PASSWORD, 'Yeni şifre, bir kez daha': PASSWORD })
    await decoded(page, /Şifreniz değişti/)
    expect((await login(api, user.email, PASSWORD)).status).toBe(200)
    const again = await open(link)
    await fill(again.page, { 'Yeni şifre': PASSWORD, 'Yeni şifre, bir kez daha': PASSWORD })
    await decoded(again.page, /daha önce kullanılmış/)
    expect([...faults, ...again.faults]).toEqual([])
  })

  it('an invitation becomes an account, in English and below a path too', async () => {
    const email = newEmail()
    const link = (await invitationLink(email)).replace(api.url, `${api.url}/netsaat`)
    const { page, faults, called } = await open(link, 'en-GB')
    expect(page.url()).toBe(`${api.url}/netsaat/invitation`)
    await fill(page, {
      'Your name and surname': 'Ayşe Yılmaz',
      'New password': PASSWORD,
      'New password once more': PASSWORD,
    })
    await decoded(page, /Your account is open/)
    expect(called.filter((url) => url.includes('/api/'))).toEqual([
      `${api.url}/netsaat/api/auth/invitations/accept`,
    ])
    expect((await login(api, email, PASSWORD)).status).toBe(200)
    expect(faults).toEqual([])
  })

  it('a signup is confirmed with its password', async () => {
    const required = await startApi({ config: { tenantSignupEnabled: true, signupVerification: 'required' } })
    const email = newEmail()
    const body = { tenant_name: 'Çatı GES', full_name: 'Ece Ak', email, password: PASSWORD }
    expect((await required.call('POST', '/api/auth/signup', { body })).status).toBe(202)
    await required.deps.background.drain()
    const [path] = /\/signup\?token=\S+/.exec(required.mails.at(-1)?.text ?? '') ?? []
    const { page, faults } = await open(`${required.url}${path}`)
    await fill(page, { Şifreniz: 'another password 1' })
    await decoded(page, /kayıtta seçtiğiniz şifre değil/)
    await fill(page, { Şifreniz: PASSWORD })
    await decoded(page, /Hesabınız etkin/)
    expect((await login(required, email, PASSWORD)).status).toBe(200)
    expect(faults).toEqual([])
    await required.close()
  })

  it('a link without a token is reported at once', async () => {
    const { page } = await open(`${api.url}/invitation`)
    await decoded(page, /Davet geçerli değil/)
    expect(await page.getByRole('button').count()).toBe(0)
  })
})

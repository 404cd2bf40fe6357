import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccount } from '../../support/accounts.ts'
import type { TestApi } from '../../support/api.ts'
import { startConsole, type TestConsole } from '../../support/console/console.ts'
import { CLIENT_ID, CLIENT_SECRET, startProvider, type TestProvider } from '../../support/oidc/provider.ts'
import { chromiumPath } from '../../support/process/chromium.ts'
import type { TestTenant } from '../../support/tenants.ts'

describe.runIf(chromiumPath)('sign-in at a provider in the console (needs chromium)', () => {
  let web: TestConsole
  let api: TestApi
  let tenant: TestTenant
  let provider: TestProvider

  beforeAll(async () => {
    const credentialEncryptionKey = randomBytes(32).toString('base64')
    web = await startConsole({
      config: { credentialEncryptionKey, webhookAllowedNetworks: ['127.0.0.0/8'] },
    })
    ;({ api, tenant } = web)
    // The port of the service is known only after its start.
    Object.assign(api.deps.config, { publicBaseUrl: api.url })
    provider = await startProvider(`${api.url}/api/auth/oidc/callback`)
    const { status, text } = await api.call('PUT', '/api/auth/oidc/provider', {
      token: tenant.admin.token,
      body: {
        issuer: provider.issuer,
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        allowed_domains: ['example.test'],
      },
    })
    expect(status, text).toBe(200)
  })
  afterAll(async () => {
    await web.close()
    await provider.close()
  })

  async function beginAs(subject: string | undefined, email: string) {
    provider.signInAs(subject)
    const { page } = await web.browser.openPage()
    await page.goto(`${api.url}/sign-in`)
    await page.getByRole('button', { name: 'Sign in with your organisation' }).click()
    await page.getByLabel('E-mail address, or short name').fill(email)
    await page.keyboard.press('Enter')
    return page
  }

  it('signs in, without a token or code left in the address or the storage', async () => {
    const { email } = await createAccount(api, tenant)
    provider.accounts.set('person', { email, email_verified: true, name: 'Ayşe Yılmaz' })
    const page = await beginAs('person', email)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(page.url()).toBe(`${api.url}/overview`)
    const stored = await page.evaluate<string>('JSON.stringify({ ...sessionStorage, ...localStorage })')
    expect(stored).not.toMatch(/secret|eyJ/)
    await page.goto(`${api.url}/account`)
    await page.getByText(email).waitFor()
  })

  it('shows that the person cancelled at the provider, and keeps the form for the password', async () => {
    const { email } = await createAccount(api, tenant)
    const page = await beginAs(undefined, email)
    await page.getByText('the sign-in was cancelled or denied at the provider').waitFor()
    expect(new URL(page.url()).hash).toBe('')
    await page.getByLabel('Password', { exact: true }).waitFor()
  })

  it('shows no text of an address, only that of a known code', async () => {
    const { page } = await web.browser.openPage()
    await page.goto(`${api.url}/sign-in#error=Call+this+number`)
    await page.getByText('The sign-in at the organisation failed').waitFor()
    expect(await page.getByText('Call this number').count()).toBe(0)
  })

  it('is the page to which a sign-in returns that names no other', async () => {
    const { page } = await web.browser.openPage({ locale: 'tr-TR' })
    await page.goto(`${api.url}/api/auth/oidc/callback?state=unknown`)
    await page.getByText('giriş bilinmiyor, süresi dolmuş').waitFor()
    expect(new URL(page.url()).pathname).toBe('/sign-in')
  })

  it('asks for the one-time password where the tenant requires it', async () => {
    const { id, email } = await createAccount(api, tenant)
    provider.accounts.set('with-totp', { email, email_verified: true })
    const { pool } = api.deps.database
    await pool.query(
      `insert into user_totp (tenant_id, user_id, secret_sealed, confirmed_at, created_at)
       values ($1, $2, 'x', now(), now())`,
      [tenant.id, id],
    )
    await pool.query('update tenant set require_totp = true where id = $1', [tenant.id])
    const page = await beginAs('with-totp', email)
    await page.getByLabel('One-time password').waitFor()
    await pool.query('update tenant set require_totp = false where id = $1', [tenant.id])
  })

  it('refuses a code that was meant for another browser', async () => {
    const { page } = await web.browser.openPage()
    await page.goto(`${api.url}/sign-in#code=stolen`)
    await page.getByText('did not begin in this browser').waitFor()
  })
})

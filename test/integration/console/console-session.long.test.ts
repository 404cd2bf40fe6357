import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stepAt, totpCode } from '../../../src/platform/auth/totp.ts'
import { createAccount, login, newEmail, PASSWORD } from '../../support/accounts.ts'
import type { TestApi } from '../../support/api.ts'
import { enterPassword, PHONE, signInTo } from '../../support/console/browser.ts'
import { startConsole, type TestConsole } from '../../support/console/console.ts'
import { chromiumPath } from '../../support/process/chromium.ts'
import { fromBase32 } from '../../support/totp.ts'

const NEW_PASSWORD = 'yeniParolam 2026'

describe.runIf(chromiumPath)('sessions and accounts in the console (needs chromium)', () => {
  let web: TestConsole
  let api: TestApi

  beforeAll(async () => {
    web = await startConsole({
      config: {
        credentialEncryptionKey: randomBytes(32).toString('base64'),
        tenantSignupEnabled: true,
        signupVerification: 'required',
      },
    })
    api = web.api
  })
  afterAll(() => web.close())

  /** The link of the newest mail to an address. Without PUBLIC_BASE_URL a mail contains only its path. */
  async function mailedLink(to: string): Promise<string> {
    await api.deps.background.drain()
    const text = api.mails.findLast((mail) => mail.to === to)?.text ?? ''
    return `${api.url}${/^\/\S+\?token=\S+$/m.exec(text)?.[0]}`
  }
  /** Opens a link, and expects that its token stays nowhere. */
  async function openLink(page: Page, link: string): Promise<void> {
    const { pathname } = new URL(link)
    const token = link.split('token=')[1] ?? 'none'
    const later: string[] = []
    page.on('request', (request) => {
      if (request.url() !== link) later.push(`${request.url()} ${request.headers()['referer'] ?? ''}`)
    })
    await page.goto(link)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(page.url()).toBe(`${api.url}${pathname}`)
    expect(later.filter((text) => text.includes(token) || text.includes('?token'))).toEqual([])
    const stored = 'JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie'
    expect(await page.evaluate<string>(stored)).not.toContain(token)
  }
  const choosePassword = async (page: Page, again = NEW_PASSWORD) => {
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByLabel('New password once more').fill(again)
  }

  it('resets a forgotten password with the link of a mail, once', async () => {
    const { email } = await createAccount(api, web.tenant)
    const { page, errors, context } = await web.browser.openPage()
    await page.goto(web.urlOf('sign-in'))
    await page.getByRole('link', { name: 'Forgotten password' }).click()
    await page.getByLabel('E-mail address').fill(email)
    await page.keyboard.press('Enter')
    await page.getByText('a link is on its way').waitFor()
    const link = await mailedLink(email)
    await openLink(page, link)
    await choosePassword(page, 'something else 1')
    await page.getByText('The two passwords are not the same.').waitFor()
    const submit = page.getByRole('button', { name: 'Change the password' })
    expect(await submit.isDisabled()).toBe(true)
    await choosePassword(page)
    await submit.press('Enter')
    await page.getByText('The password has been changed.').waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await enterPassword(page, email, NEW_PASSWORD)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(errors).toEqual([])
    await openLink(page, link.replace('?', '#'))
    await choosePassword(page)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    expect((await login(api, email, NEW_PASSWORD)).status).toBe(200)
    await context.close()
  })

  it('invites a user, who opens the account, and revokes another invitation', async () => {
    const [invited, revoked] = [newEmail(), newEmail()]
    const steps = async (page: Page) => {
      const pending = page.getByRole('region', { name: 'Pending invitations' })
      for (const email of [invited, revoked]) {
        await page.getByLabel('E-mail address', { exact: true }).fill(email)
        await page.getByRole('button', { name: 'Invite a user' }).click()
        await pending.getByText(email).waitFor()
      }
      const guest = await web.browser.openPage()
      await openLink(guest.page, await mailedLink(invited))
      await guest.page.getByLabel('Name and surname').fill('Ayşe Yılmaz')
      await choosePassword(guest.page)
      await guest.page.getByRole('button', { name: 'Open the account' }).click()
      await guest.page.getByText(`The account ${invited} is open.`).waitFor()
      await guest.page.getByRole('link', { name: 'Sign in' }).click()
      await enterPassword(guest.page, invited, NEW_PASSWORD)
      await guest.page.getByRole('heading', { name: 'Overview' }).waitFor()
      expect(guest.errors).toEqual([])
      await page.getByRole('button', { name: `Revoke ${revoked}` }).click()
      await pending.waitFor({ state: 'detached' })
      await page.reload()
      await page.getByRole('row', { name: new RegExp(invited) }).waitFor()
      await openLink(guest.page, await mailedLink(revoked))
      await guest.page.getByLabel('Name and surname').fill('Ali')
      await choosePassword(guest.page)
      await guest.page.keyboard.press('Enter')
      await guest.page.getByRole('alert').waitFor()
      await guest.context.close()
    }
    await web.visit('admin', 'administration?tab=users', steps)
  })

  it('signs up a new organisation, whose account the link of the mail opens', async () => {
    const email = newEmail()
    const { page, errors, context } = await web.browser.openPage()
    await page.goto(web.urlOf('sign-in'))
    await page.getByRole('link', { name: 'Sign up' }).click()
    await page.getByLabel('Name of the organisation').fill('Çatı GES')
    await page.getByLabel('Name and surname').fill('Ece Ak')
    await page.getByLabel('E-mail address').fill(email)
    await choosePassword(page)
    await page.keyboard.press('Enter')
    await page.getByText(`A mail was sent to ${email}.`).waitFor()
    const first = await mailedLink(email)
    await page.getByRole('button', { name: 'Send the link again' }).click()
    await page.getByRole('status').nth(1).waitFor()
    await expect.poll(() => mailedLink(email)).not.toBe(first)
    await openLink(page, await mailedLink(email))
    await page.getByLabel('Password').fill(NEW_PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText(`The account ${email} is open.`).waitFor()
    expect((await login(api, email, NEW_PASSWORD)).status).toBe(200)
    expect(errors).toEqual([])
    await context.close()
  })

  it('verifies an address, and reports a link without a token', async () => {
    const { page, context } = await web.browser.open(web.emails.operator)
    await api.deps.database.pool.query('update app_user set is_email_verified = false where email = $1', [
      web.emails.operator,
    ])
    await page.goto(web.urlOf('account'))
    await page.getByRole('button', { name: 'Send a link' }).click()
    await page.locator('.notice[role=status]').waitFor()
    await openLink(page, await mailedLink(web.emails.operator))
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('The e-mail address is verified.').waitFor()
    await page.goto(web.urlOf('account'))
    await page.getByText(web.emails.operator).waitFor()
    expect(await page.getByRole('button', { name: 'Send a link' }).count()).toBe(0)
    await page.goto(web.urlOf('invitation'))
    await page.getByText('The link is not complete.').waitFor()
    await context.close()
  })

  it('signs in with a one-time password and with a recovery code, and removes one-time passwords', async () => {
    const { email } = await createAccount(api, web.tenant)
    const { page, context } = await web.browser.open(email)
    await page.goto(web.urlOf('account'))
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    const secret = (await page.locator('form code').textContent()) ?? ''
    /** Each code is accepted once, so the clock goes on to the next. */
    const nextCode = () => {
      api.clock.advance(60_000)
      return totpCode(fromBase32(secret), stepAt(api.clock.now()))
    }
    await page.getByLabel('One-time password').fill(nextCode())
    await page.keyboard.press('Enter')
    await page.getByText('Recovery codes, shown only now.').waitFor()
    const [recovery = ''] = await page.locator('.notice code').allTextContents()
    await page.getByRole('button', { name: 'Sign out' }).click()
    const signIn = async (code: string) => {
      await enterPassword(page, email)
      await page.getByLabel('One-time password').fill(code)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
    }
    await signIn(nextCode())
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signIn(recovery)
    await page.goto(web.urlOf('account'))
    await page.getByText('Recovery codes left: 9').waitFor()
    await page.getByRole('button', { name: 'Remove one-time passwords' }).click()
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('One-time password').fill(nextCode())
    await page.keyboard.press('Enter')
    await page.getByText('One-time passwords are removed.').waitFor()
    expect((await login(api, email)).body).toHaveProperty('access_token')
    await context.close()
  })

  it('goes on after the access token expired, and signs out in every tab', async () => {
    const { page, context } = await web.browser.open(web.emails.viewer)
    const other = await context.newPage()
    await other.goto(web.urlOf('account'))
    await other.getByText(web.emails.viewer).waitFor()
    api.clock.advance(60 * 60_000)
    await page.getByRole('link', { name: 'Devices' }).click()
    await page.getByRole('region', { name: 'Devices' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await other.locator('input[autocomplete=username]').waitFor()
    expect(await context.cookies()).toEqual([])
    await context.close()
  })

  it('has a menu on phones, skips to the content, and sets the focus at a change of the page', async () => {
    const { page, errors, context } = await web.browser.openPage({ ...PHONE, locale: 'en-GB' })
    await signInTo(page, api.url, web.emails.admin)
    await page.reload()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    const focused = () => page.evaluate<string>('document.activeElement.textContent.trim()')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('content')
    expect(await page.getByRole('navigation').isVisible()).toBe(false)
    const menu = page.getByRole('button', { name: 'Menu' })
    await menu.press('Enter')
    expect(await menu.getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Overview')
    await page.keyboard.press('Escape')
    expect(await page.getByRole('navigation').isVisible()).toBe(false)
    expect(await focused()).toContain('Menu')
    await menu.press('Enter')
    await page.getByRole('link', { name: 'Alarms' }).press('Enter')
    await page.getByRole('heading', { name: 'Alarms', level: 1 }).waitFor()
    await expect.poll(focused).toBe('Alarms')
    expect(await page.getByRole('navigation').isVisible()).toBe(false)
    expect(errors).toEqual([])
    await context.close()
  })
})

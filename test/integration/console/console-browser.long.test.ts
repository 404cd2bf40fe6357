import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { currentConsole } from '../../../tools/build.js'
import { createAccount, PASSWORD, systemRoles } from '../../support/accounts.ts'
import { makePolicy, openIncidents } from '../../support/alarms/incidents.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { DESKTOP, openPage as openConsolePage, PHONE, signInTo, violationsOf } from '../../support/console.ts'
import { createDevice, postSamples, sample, type TestDevice } from '../../support/metering/measurements.ts'
import { makeSpring, type Spring } from '../../support/netting/calculated-months.ts'
import { CHROMIUM_ARGS, chromiumPath } from '../../support/process/chromium.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

describe.runIf(chromiumPath)('the console in a browser (needs chromium)', () => {
  let api: TestApi
  let tenant: TestTenant
  let spring: Spring
  let meter: TestDevice
  let policy: string
  let browser: Browser
  let email: string

  beforeAll(async () => {
    api = await startApi({ consoleFolder: await currentConsole(), now: new Date().toISOString() })
    tenant = await createTenant(api)
    meter = await createDevice(api, tenant)
    policy = await makePolicy(api, tenant)
    spring = await makeSpring(api, tenant)
    const { admin } = await systemRoles(api, tenant)
    email = (await createAccount(api, tenant, { role_ids: [admin] })).email
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: [...CHROMIUM_ARGS] })
  })
  afterAll(async () => {
    await browser.close()
    await api.close()
  })

  const openPage = (options: BrowserContextOptions) => openConsolePage(browser, options)
  const signIn = (page: Page, address = email) => signInTo(page, api.url, address)

  const groupPath = () => `netting/groups/${spring.group.id}?month=2026-05`

  it('signs in, keeps the session over a reload without a token in reach of scripts, and signs out', async () => {
    const { page, errors, context } = await openPage({ ...DESKTOP, locale: 'en-GB' })
    await signIn(page)
    expect(page.url()).toBe(`${api.url}/overview`)
    await page.reload()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    const reachable = await page.evaluate<string>(
      'document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)',
    )
    expect(reachable).not.toMatch(/eyJ/)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.locator('input[type=password]').waitFor()
    expect(await context.cookies()).toEqual([])
    await page.goto(`${api.url}/${groupPath()}`)
    await page.locator('input[type=password]').waitFor()
    expect(errors).toEqual([])
    await context.close()
  })

  it('acts as the user who signed in last, in all pages of the browser', async () => {
    const { viewer } = await systemRoles(api, tenant)
    const second = await createAccount(api, tenant, { role_ids: [viewer] })
    const { page, errors, context } = await openPage({ ...DESKTOP, locale: 'en-GB' })
    await signIn(page)
    const other = await context.newPage()
    await other.goto(`${api.url}/account`)
    await other.getByText(email).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await other.locator('input[autocomplete=username]').waitFor()
    await signIn(page, second.email)
    await page.goto(`${api.url}/account`)
    await page.getByText(second.email).waitFor()
    await other.getByText(second.email).waitFor()
    await page.goto(`${api.url}/alarms`)
    await page.getByRole('heading', { name: 'Alarms' }).waitFor()
    expect(await page.getByRole('button', { name: /Acknowledge/ }).count()).toBe(0)
    expect(errors).toEqual([])
    await context.close()
  })

  it('opens the address that was asked for after signing in', async () => {
    const { page, context } = await openPage({ ...DESKTOP, locale: 'en-GB' })
    await page.goto(`${api.url}/${groupPath()}`)
    await page.locator('input[autocomplete=username]').fill(email)
    await page.locator('input[type=password]').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.locator('.heat-map').waitFor()
    expect(page.url()).toBe(`${api.url}/${groupPath()}`)
    await context.close()
  })

  it('says in the language of the reader that a password is wrong', async () => {
    const { page, context } = await openPage({ ...DESKTOP, locale: 'tr-TR' })
    await page.goto(`${api.url}/sign-in`)
    await page.getByLabel('E-posta adresi').fill(email)
    await page.getByLabel('Parola', { exact: true }).fill('wrong')
    await page.keyboard.press('Enter')
    expect(await page.getByRole('alert').textContent()).toMatch(/parola/i)
    await context.close()
  })

  it('shows the hours of a month, by keyboard, with an hour without a result left empty', async () => {
    const { page, errors, context } = await openPage({ ...DESKTOP, locale: 'en-GB' })
    await signIn(page)
    await page.goto(`${api.url}/${groupPath()}`)
    const cells = page.locator('.heat-map button')
    await cells.first().waitFor()
    expect(await cells.count()).toBe(3)
    await cells.first().focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Hour 01/05/2026, 01:00' }).waitFor()
    expect(page.url()).toContain('hour=2026-04-30T22')
    const total = page.locator('.card', { hasText: 'Production' }).first()
    expect(await total.textContent()).toContain('40.000 kWh')
    expect(errors).toEqual([])
    await context.close()
  })

  it('acknowledges alarms by keyboard alone', async () => {
    const ids = await openIncidents(api, tenant, policy, { count: 3, message: 'overheated' })
    const { page, errors, context } = await openPage({ ...DESKTOP, locale: 'en-GB' })
    await signIn(page)
    await page.goto(`${api.url}/alarms`)
    const boxes = page.getByRole('checkbox', { name: /overheated/ })
    await boxes.first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('a')
    await page.getByText('1 alarm acknowledged').waitFor()
    await page.waitForFunction('document.querySelectorAll("input[type=checkbox]").length === 2')
    await boxes.first().focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Acknowledge 2 alarms' }).press('Enter')
    await page.getByText('2 alarms acknowledged').waitFor()
    const states = await Promise.all(
      ids.map((id) => api.call('GET', `/api/alarms/incidents/${id}`, { token: tenant.admin.token })),
    )
    expect(states.map(({ body }) => body.status)).toEqual(['acknowledged', 'acknowledged', 'acknowledged'])
    expect(errors).toEqual([])
    await context.close()
  })

  it('shows samples of a meter as they arrive', async () => {
    const power = (value: number, ageMs: number) =>
      postSamples(api, tenant, [sample(meter, api.clock.now() - ageMs, { active_power: value })])
    await power(1500, 120_000)
    const { page, errors, context } = await openPage({ ...DESKTOP, locale: 'en-GB' })
    await signIn(page)
    await page.goto(`${api.url}/devices/${meter.id}`)
    await page.getByText('live', { exact: true }).waitFor()
    await page.getByText('Newest sample: 1,500').waitFor()
    await power(2750, 60_000)
    await page.getByText('Newest sample: 2,750').waitFor()
    const live = page.locator('section', { hasText: 'Since an hour ago' })
    expect(await live.locator('.chart canvas').count()).toBe(1)
    expect(errors).toEqual([])
    await context.close()
  })

  it.each([
    ['en-GB', 'light', DESKTOP],
    ['tr-TR', 'dark', DESKTOP],
    ['en-GB', 'dark', PHONE],
    ['tr-TR', 'light', PHONE],
  ] as const)(
    'has no serious accessibility fault and fits, in %s, %s, %o',
    async (locale, colorScheme, size) => {
      const { page, errors, context } = await openPage({ ...size, locale, colorScheme })
      await page.goto(`${api.url}/sign-in`)
      await page.locator('input[type=password]').waitFor()
      expect(await violationsOf(page)).toEqual([])
      await openIncidents(api, tenant, policy, { count: 2 })
      await postSamples(api, tenant, [sample(meter, api.clock.now(), { active_power: 800 })])
      await signIn(page)
      const paths = [
        ...['overview', 'netting', groupPath(), 'devices', `devices/${meter.id}`, 'alarms', 'account'],
        'netting/none',
      ]
      for (const path of paths) {
        await page.goto(`${api.url}/${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.waitForLoadState('networkidle')
        expect(await violationsOf(page), path).toEqual([])
        const width = await page.evaluate<number>('document.documentElement.scrollWidth')
        expect(width, path).toBeLessThanOrEqual(size.viewport.width)
      }
      expect(errors).toEqual([])
      await context.close()
    },
  )
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePolicy, openIncidents } from '../../support/alarms/incidents.ts'
import type { TestApi } from '../../support/api.ts'
import { DESKTOP, enterPassword, signInTo } from '../../support/console/browser.ts'
import { startConsole, type TestConsole } from '../../support/console/console.ts'
import { connectGateway, createDevice, createGateway, telemetry } from '../../support/field/mqtt.ts'
import { makeSpring, type Spring } from '../../support/netting/calculated-months.ts'
import { chromiumPath } from '../../support/process/chromium.ts'
import type { TestTenant } from '../../support/tenants.ts'

describe.runIf(chromiumPath)('the console in a browser (needs chromium)', () => {
  let web: TestConsole
  let api: TestApi
  let tenant: TestTenant
  let spring: Spring
  let policy: string

  beforeAll(async () => {
    web = await startConsole({ mqtt: true })
    ;({ api, tenant } = web)
    policy = await makePolicy(api, tenant)
    spring = await makeSpring(api, tenant)
  })
  afterAll(async () => {
    await web.close()
  })

  const groupPath = () => `netting/groups/${spring.group.id}?month=2026-05`

  it('signs in, keeps the session over a reload without a token in reach of scripts, and signs out', async () => {
    const { page, errors, context } = await web.browser.open(web.emails.admin)
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
    const { page, errors, context } = await web.browser.open(web.emails.admin)
    const other = await context.newPage()
    await other.goto(`${api.url}/account`)
    await other.getByText(web.emails.admin).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await other.locator('input[autocomplete=username]').waitFor()
    await signInTo(page, api.url, web.emails.viewer)
    await page.goto(`${api.url}/account`)
    await page.getByText(web.emails.viewer).waitFor()
    await other.getByText(web.emails.viewer).waitFor()
    await page.goto(`${api.url}/alarms`)
    await page.getByRole('heading', { name: 'Alarms' }).waitFor()
    expect(await page.getByRole('button', { name: /Acknowledge/ }).count()).toBe(0)
    expect(errors).toEqual([])
    await context.close()
  })

  it('opens the address that was asked for after signing in', async () => {
    const { page, context } = await web.browser.openPage()
    await page.goto(`${api.url}/${groupPath()}`)
    await enterPassword(page, web.emails.admin)
    await page.locator('.heat-map').waitFor()
    expect(page.url()).toBe(`${api.url}/${groupPath()}`)
    await context.close()
  })

  it('says in the language of the reader that a password is wrong', async () => {
    const { page, context } = await web.browser.openPage({ ...DESKTOP, locale: 'tr-TR' })
    await page.goto(`${api.url}/sign-in`)
    await page.getByLabel('E-posta adresi').fill(web.emails.admin)
    await page.getByLabel('Parola', { exact: true }).fill('wrong')
    await page.keyboard.press('Enter')
    expect(await page.getByRole('alert').textContent()).toMatch(/parola/i)
    await context.close()
  })

  it('shows the hours of a month, by keyboard, with an hour without a result left empty', async () => {
    const { page, errors, context } = await web.browser.open(web.emails.admin)
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
    const { page, errors, context } = await web.browser.open(web.emails.admin)
    await page.goto(`${api.url}/alarms`)
    const boxes = page.getByRole('checkbox', { name: /overheated/ })
    await boxes.first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('a')
    await page.getByText('1 alarm acknowledged').waitFor()
    // An acknowledged incident can still be selected, to be closed.
    await page.locator('tbody tr', { hasText: 'Acknowledged' }).getByRole('checkbox').waitFor()
    expect(await boxes.count()).toBe(3)
    await page.keyboard.press('Home')
    await page.keyboard.press('Space')
    await page.keyboard.press('End')
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Acknowledge 2 alarms' }).press('Enter')
    await page.getByText('2 alarms acknowledged').waitFor()
    const states = await Promise.all(
      ids.map((id) => api.call('GET', `/api/alarms/incidents/${id}`, { token: tenant.admin.token })),
    )
    expect(states.map(({ body }) => body.status)).toEqual(['acknowledged', 'acknowledged', 'acknowledged'])
    await boxes.first().focus()
    await page.keyboard.press('c')
    await page.getByText('1 alarm closed').waitFor()
    await page.waitForFunction(
      'document.activeElement.value === document.querySelector("tbody input[type=checkbox]").value',
    )
    expect(await boxes.count()).toBe(2)
    expect(errors).toEqual([])
    await context.close()
  })

  it('shows the samples of a simulated meter on the chart as its gateway sends them', async () => {
    const gateway = await createGateway(api, tenant, 'Roof')
    const meterId = await createDevice(api, tenant, { name: 'press', gatewayId: gateway.id })
    const client = await connectGateway(api.mqttPort, gateway)
    const power = (active_power: number, ageMs: number) =>
      client.publishAsync(
        'telemetry',
        telemetry('press', [{ ts: api.clock.now() - ageMs, v: { active_power } }]),
        { qos: 1 },
      )
    await power(1500, 120_000)
    const { page, errors, context } = await web.browser.open(web.emails.admin)
    await page.goto(`${api.url}/devices/${meterId}`)
    await page.getByText('live', { exact: true }).waitFor()
    await page.getByText('Newest sample: 1,500').waitFor()
    await power(2750, 60_000)
    await page.getByText('Newest sample: 2,750').waitFor()
    const live = page.locator('section', { hasText: 'Since an hour ago' })
    expect(await live.locator('.chart canvas').count()).toBe(1)
    expect(errors).toEqual([])
    await context.close()
    await client.endAsync()
  })
})

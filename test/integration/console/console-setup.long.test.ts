import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../../src/kernel/time.ts'
import type { TestApi } from '../../support/api.ts'
import { signInTo } from '../../support/console/browser.ts'
import { type ConsoleUser, startConsole, type TestConsole } from '../../support/console/console.ts'
import { connectGateway, telemetry } from '../../support/field/mqtt.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../support/netting/prices.ts'
import { chromiumPath } from '../../support/process/chromium.ts'
import type { TestTenant } from '../../support/tenants.ts'

const NOW = '2026-11-20T09:30:00Z'
const METERS = [
  { meter: 'roof', register: 'export_active_energy', perHour: 40, role: 'main_production' },
  { meter: 'press', register: 'import_active_energy', perHour: 25, role: 'main_consumption' },
] as const

describe.runIf(chromiumPath)('the setup in the console (needs chromium)', () => {
  let web: TestConsole
  let api: TestApi
  let tenant: TestTenant

  beforeAll(async () => {
    web = await startConsole({ mqtt: true, now: NOW })
    ;({ api, tenant } = web)
  })
  afterAll(async () => {
    await web.close()
  })

  /** A page whose date is that of the service from its first request: a loaded page would see 1970 for a moment. */
  async function openSetup(user: ConsoleUser = 'admin') {
    const opened = await web.browser.openPage()
    await opened.page.clock.setFixedTime(NOW)
    await signInTo(opened.page, api.url, web.emails[user])
    await opened.page.goto(`${api.url}/setup`)
    return opened
  }

  it('leads from an empty tenant to the first netted hour', async () => {
    const { page, errors, context } = await openSetup()
    const step = (name: string) => page.getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { name: 'Site' }).waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Factory')
    await page.getByRole('button', { name: 'Create site' }).click()
    await page.getByText('Already there (1): Factory').waitFor()

    await step('Meter')
    for (const { meter, register, perHour } of METERS) {
      await page.getByLabel('Meter', { exact: true }).fill(meter)
      await page.getByRole('button', { name: 'Connect meter' }).click()
      await page.locator('.notice dd code').nth(1).waitFor()
      const [username = '', password = ''] = await page.locator('.notice dd code').allTextContents()
      const gateway = await connectGateway(api.mqttPort, { username, password })
      const points = [0, 1, 2, 3].map((hours) => ({
        ts: Date.parse('2026-11-20T06:00:00Z') + hours * HOUR_MS,
        v: { [register]: 1000 + hours * perHour, active_power: perHour },
      }))
      await gateway.publishAsync('telemetry', telemetry(meter, points), { qos: 1 })
      await gateway.endAsync()
      await page.reload()
    }

    await step('First values')
    await page.getByRole('row', { name: /press.*25/ }).waitFor()

    await step('Facility')
    for (const { meter, role } of METERS) {
      await page.getByLabel('Facility', { exact: true }).fill(`${meter} facility`)
      await page.getByLabel('Site', { exact: true }).selectOption({ label: 'Factory' })
      await page.getByLabel('Main meter').fill(meter)
      await page.getByLabel('The meter measures').selectOption(role)
      if (role === 'main_production') await page.getByLabel('Installed power (kW)').fill('49,5')
      await page.getByRole('button', { name: 'Create facility' }).click()
      await page.getByText(new RegExp(`Already there .*${meter} facility`)).waitFor()
    }

    await step('Group')
    await page.getByLabel('Name', { exact: true }).fill('Own use')
    for (const { meter } of METERS) await page.getByLabel(`${meter} facility`).check()
    await page.getByLabel('Limit of the year of press facility (kWh)').fill('120000,5')
    await page.getByLabel('All members belong to the same official party').check()
    await page.getByRole('button', { name: 'Create group' }).click()
    await page.getByRole('link', { name: 'Own use' }).waitFor()

    await step('Calculation')
    await page.getByRole('button', { name: 'Calculate this month' }).click()
    await page.getByText(/R00T: No approved price/).waitFor()
    await makePriceSet(api.deps, '2026-11-01', INDUSTRIAL_PRICES)
    await page.getByRole('button', { name: 'Calculate this month' }).click()
    await page.getByText(/R00T/).waitFor({ state: 'detached' })
    await page.getByText('hours are netted').waitFor()
    await page.getByRole('link', { name: 'Show the hours of the group' }).click()
    await page.locator('.heat-map').waitFor()

    const { body: groups } = await api.call('GET', '/api/mahsuplasma/groups', { token: tenant.admin.token })
    const { body: hours } = await api.call(
      'GET',
      `/api/mahsuplasma/groups/${groups[0].id}/hourly?from=2026-11-20T06:00:00Z&to=2026-11-20T09:00:00Z`,
      { token: tenant.admin.token },
    )
    expect(hours).toHaveLength(3)
    for (const hour of hours)
      expect(hour).toMatchObject({
        production_kwh: '40.000',
        consumption_kwh: '25.000',
        bedelli_kwh: '15.000',
        matched_kwh: '25.000',
      })
    expect(errors).toEqual([])
    await context.close()
  })

  it('offers the steps that the user may do, and the import to superusers only', async () => {
    const { page, context } = await openSetup()
    await page.getByRole('link', { name: 'Calculation', exact: true }).waitFor()
    expect(await page.getByRole('link', { name: 'Import of past months' }).count()).toBe(0)
    await context.close()
    const other = await web.browser.open(web.emails.viewer)
    expect(await other.page.getByRole('link', { name: 'Setup', exact: true }).count()).toBe(0)
    await other.context.close()
  })

  it('imports past records after their errors are corrected in place', async () => {
    const { page, errors, context } = await openSetup('superuser')
    const suffix = randomUUID().slice(0, 8)
    const [supplier, group] = [`supplier ${suffix}`, `group ${suffix}`]
    await page.getByRole('link', { name: 'Import of past months' }).click()
    const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
    await page
      .getByLabel('Workbook or CSV files')
      .setInputFiles([
        file('organizations.csv', `org_type;name\nsupplier;${supplier}\n`),
        file('groups.csv', `name;responsible_supplier;group_status\n${group};${supplier};confirmed\n`),
      ])
    await page.getByText(/1 errors\. Nothing is stored yet/).waitFor()
    const line = page.getByLabel('Line 2')
    expect(await line.inputValue()).toBe(`${group};${supplier};confirmed`)
    await line.fill(`${group};${supplier};lum_reported`)
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByRole('button', { name: 'Import and calculate' }).click()
    await page.getByText('Imported: 2 new, 0 unchanged.').waitFor()
    const { body } = await api.call('GET', '/api/mahsuplasma/groups', { token: tenant.admin.token })
    expect(body.map(({ name }: { name: string }) => name)).toContain(group)
    expect(errors).toEqual([])
    await context.close()
  })
})

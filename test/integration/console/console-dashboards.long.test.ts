import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WIDGET_TYPES } from '../../../src/areas/insight/widgets/types.ts'
import { DAY_MS, HOUR_MS, iso } from '../../../src/kernel/time.ts'
import { currentConsole } from '../../../tools/build.js'
import { createAccount, systemRoles } from '../../support/accounts.ts'
import { makePolicy, openIncidents } from '../../support/alarms/incidents.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { type ConsoleBrowser, DISPLAYS, faultsOf, startBrowser } from '../../support/console/browser.ts'
import { type DashboardFixture, fillRegister, setUpDashboard } from '../../support/insight/widgets.ts'
import { postSamples, type TestDevice } from '../../support/metering/measurements.ts'
import { makeSpring } from '../../support/netting/calculated-months.ts'
import { makeInstallation, postReadings } from '../../support/netting/osos.ts'
import { chromiumPath } from '../../support/process/chromium.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

/** Presses a key until the element with the label has the focus. */
async function pressUntilFocused(page: Page, key: string, label: string): Promise<void> {
  const seen: unknown[] = []
  for (let presses = 0; presses < 20; presses += 1) {
    const focused = await page.evaluate('document.activeElement?.getAttribute("aria-label")')
    if (focused === label) return
    seen.push(focused)
    await page.keyboard.press(key)
  }
  throw new Error(`${label} is not among ${seen.join(', ')}`)
}

/** Drags a widget by a part of its head to the left edge of another one, where a line shows that it is inserted. */
async function drag(page: Page, title: string, target: string, part: 'button' | 'strong'): Promise<void> {
  const head = (name: string) =>
    page.locator('.widget').filter({ has: page.getByText(name, { exact: true }) })
  const from = await head(title).locator(`.widget-head ${part}`).boundingBox()
  const to = await head(target).boundingBox()
  if (!from || !to) throw new Error('the widgets are not on the page')
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + 30, to.y + 30, { steps: 10 })
  await page.mouse.move(to.x + 2, to.y + 30, { steps: 5 })
  const line = await page.locator('.drop-line[data-drop-target]').boundingBox()
  expect(line).toMatchObject({ y: to.y, height: to.height })
  expect(Math.abs((line?.x ?? 0) - to.x)).toBeLessThan(20)
  await page.mouse.up()
}

describe.runIf(chromiumPath)('dashboards in the console (needs chromium)', () => {
  let api: TestApi
  let tenant: TestTenant
  let dashboard: DashboardFixture
  let meter: TestDevice
  let browser: ConsoleBrowser
  let adminEmail: string
  let viewerEmail: string

  beforeAll(async () => {
    api = await startApi({ consoleFolder: await currentConsole(), now: new Date().toISOString() })
    tenant = await createTenant(api)
    const { admin, viewer } = await systemRoles(api, tenant)
    adminEmail = (await createAccount(api, tenant, { role_ids: [admin] })).email
    viewerEmail = (await createAccount(api, tenant, { role_ids: [viewer] })).email
    dashboard = await setUpDashboard(api, tenant)
    meter = await dashboard.device({ reporting_interval_s: 3600 })
    await fillMeter()
    await createWidgets()
    browser = await startBrowser(api.url)
  })
  afterAll(async () => {
    await browser.close()
    await api.close()
  })

  async function fillMeter(): Promise<void> {
    const hour = Math.floor(api.clock.now() / HOUR_MS) * HOUR_MS
    await fillRegister(api, tenant, meter, { from: iso(hour - 2 * DAY_MS), to: iso(hour), kwhPerHour: 1.5 })
    await postSamples(api, tenant, [
      {
        device_id: meter.id,
        timestamp: iso(api.clock.now()),
        values: {
          ...{ active_power: 12.5, reactive_power: 3.25, apparent_power: 12.9, power_factor: 0.97 },
          ...{ voltage_l1: 231, voltage_l2: 232, current_l1: 18.1, active_power_l1: 4.2 },
        },
      },
    ])
    await openIncidents(api, tenant, await makePolicy(api, tenant), { count: 2, deviceId: meter.id })
  }

  /** One of each type, and one whose device is deleted. */
  async function createWidgets(): Promise<void> {
    const spring = await makeSpring(api, tenant)
    const installation = await makeInstallation(api, tenant)
    const end = Math.floor(api.clock.now() / HOUR_MS) * HOUR_MS - DAY_MS
    await postReadings(api, tenant, { id: installation.id, readings: [[iso(end), '40.250', '0.000']] })
    const live = { device_id: meter.id }
    const configs: Readonly<Record<string, object>> = {
      device_read_rate: { device_ids: [meter.id] },
      consumption_chart: { ...live, period: '7d' },
      consumption_numeric: { ...live, period: '7d' },
      cost_chart: { ...live, abone_grubu: 'sanayi' },
      cost_numeric: live,
      reactive_ratio: { ...live, contracted_power_kw: 100 },
      realtime_value: { ...live, metric: 'voltage_l1' },
      realtime_gauge: { ...live, max_range: 20, warning_threshold: 10, critical_threshold: 15 },
      realtime_3phase: live,
      realtime_power: live,
      alarm_summary: { scope: 'tenant' },
      osos_consumption_chart: { installation_id: installation.id },
      mahsuplasma_balance: { group_id: spring.group.id, billing_period: '2026-05' },
    }
    for (const type of WIDGET_TYPES) await dashboard.widget(type, configs[type])
    const gone = await dashboard.device()
    await dashboard.widget('realtime_value', { device_id: gone.id }, { title: 'gone' })
    await api.deps.database.kysely.deleteFrom('device').where('id', '=', gone.id).execute()
  }

  const stored = async () => {
    const path = `/api/subregions/${dashboard.subregionId}/widgets?limit=100`
    const { body } = await api.call('GET', path, { token: tenant.admin.token })
    return body as { title: string; position: { x: number; y: number; w: number } | null; config: object }[]
  }

  it('shows each of the 13 types with its data, and why one cannot be computed', async () => {
    const { page, errors, context } = await browser.open(viewerEmail)
    await page.getByRole('link', { name: 'Dashboards' }).click()
    await page.locator('tbody').getByRole('link').first().waitFor()
    await page.goto(`${api.url}/dashboards/${dashboard.subregionId}`)
    const widget = (title: string) =>
      page.locator('.widget').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
    const expected: Readonly<Record<string, RegExp>> = {
      device_read_rate: /meter 01/,
      consumption_chart: /72 kWh/,
      consumption_numeric: /72 kWh/,
      cost_chart: /There is no approved price/,
      cost_numeric: /subscriber group of a meter is unknown/,
      reactive_ratio: /Inductive.*10.*20/s,
      realtime_value: /231 V/,
      realtime_gauge: /12\.5 kW.*from 0 to 20.*warning/s,
      realtime_3phase: /L1231 V18\.1 A4\.2 kW.*L2232 V—/s,
      realtime_power: /12\.9 kVA/,
      alarm_summary: /2 open alarms/,
      osos_consumption_chart: /40\.250 kWh/,
      mahsuplasma_balance: /Production40\.000 kWh/,
      gone: /does not exist any more/,
    }
    for (const [title, text] of Object.entries(expected)) {
      await widget(title).filter({ hasText: text }).waitFor()
    }
    expect(Object.keys(expected)).toHaveLength(WIDGET_TYPES.length + 1)
    expect(await page.getByRole('button', { name: /Arrange|Add/ }).count()).toBe(0)
    expect(errors).toEqual([])
    await context.close()
  })

  it('reads the data of all widgets with one request for each refresh', async () => {
    const { page, context } = await browser.open(viewerEmail)
    const paths: string[] = []
    page.on('request', (request) => paths.push(new URL(request.url()).pathname))
    await page.goto(`${api.url}/dashboards/${dashboard.subregionId}`)
    await page.getByText('2 open alarms').waitFor()
    await page.waitForLoadState('networkidle')
    expect(paths.filter((path) => path.startsWith('/api') && path.includes('/data'))).toEqual([
      `/api/subregions/${dashboard.subregionId}/widgets/data`,
    ])
    await context.close()
  })

  it('adds a widget with the form of its type, changes it and deletes it', async () => {
    const { page, errors, context } = await browser.open(adminEmail)
    await page.goto(`${api.url}/dashboards/${dashboard.subregionId}`)
    await page.getByRole('button', { name: 'Add a widget' }).click()
    await page.getByLabel('Type', { exact: true }).selectOption('realtime_gauge')
    await page.getByLabel('Title').fill('Pump')
    await page.getByLabel('Find: Device').fill('meter 01')
    await page.getByLabel('Device', { exact: true }).selectOption(meter.id)
    await page.getByLabel('Lower end of the scale').fill('30')
    await page.getByLabel('Upper end of the scale').fill('20')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Lower end of the scale').fill('0')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const pump = page.getByRole('region', { name: 'Pump' })
    await pump.getByText('from 0 to 20').waitFor()
    await page.getByRole('button', { name: 'Arrange' }).click()
    await page.getByRole('button', { name: 'Change Pump' }).click()
    await page.getByLabel('Upper end of the scale').fill('50')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await pump.getByText('from 0 to 50').waitFor()
    const widget = (await stored()).find(({ title }) => title === 'Pump')
    expect(widget?.config).toEqual({ device_id: meter.id, min_range: 0, max_range: 50 })
    await page.getByRole('button', { name: 'Arrange' }).click()
    await page.getByRole('button', { name: 'Delete Pump' }).click()
    await page.getByRole('button', { name: 'Really delete Pump' }).click()
    await page.getByRole('button', { name: 'Delete Pump' }).waitFor({ state: 'detached' })
    expect((await stored()).some(({ title }) => title === 'Pump')).toBe(false)
    // The refused widget is the only message of the browser.
    expect(errors.filter((text) => !text.includes('422'))).toEqual([])
    await context.close()
  })

  it('arranges widgets by keyboard and by pointer, and keeps the arrangement', async () => {
    const { page, errors, context } = await browser.open(adminEmail)
    await page.goto(`${api.url}/dashboards/${dashboard.subregionId}?arrange=yes`)
    const titles = () => page.locator('.widget-head strong').allTextContents()
    const handle = (title: string) => page.getByRole('button', { name: `Move ${title}`, exact: true })
    await handle('device_read_rate').waitFor()
    const [first, second, third] = await titles()
    const saved = () =>
      page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok())
    await handle(first ?? '').focus()
    await page.keyboard.press('Enter')
    await pressUntilFocused(page, 'ArrowRight', `Insert between ${second} and ${third}`)
    await Promise.all([saved(), page.keyboard.press('Enter')])
    expect((await titles()).slice(0, 3)).toEqual([second, first, third])
    await Promise.all([saved(), drag(page, third ?? '', second ?? '', 'button')])
    expect((await titles()).slice(0, 3)).toEqual([third, second, first])
    await Promise.all([saved(), drag(page, first ?? '', third ?? '', 'strong')])
    expect((await titles()).slice(0, 3)).toEqual([first, third, second])
    await Promise.all([saved(), drag(page, third ?? '', first ?? '', 'button')])
    await Promise.all([saved(), page.getByRole('button', { name: `Wider: ${third}`, exact: true }).click()])
    await page.reload()
    await handle('device_read_rate').waitFor()
    expect((await titles())[0]).toBe(third)
    const widget = (await stored()).find(({ title }) => title === third)
    expect(widget?.position).toMatchObject({ x: 0, y: 0 })
    expect(errors).toEqual([])
    await context.close()
  })

  it.each(DISPLAYS)('has no serious accessibility fault and fits, in %o', async (display) => {
    const { page, errors, context } = await browser.open(adminEmail, display)
    const path = `dashboards/${dashboard.subregionId}`
    for (const address of [path, `${path}?arrange=yes&widget=new`]) {
      await page.goto(`${api.url}/${address}`)
      expect(await faultsOf(page), address).toEqual([])
    }
    expect(errors).toEqual([])
    await context.close()
  })
})

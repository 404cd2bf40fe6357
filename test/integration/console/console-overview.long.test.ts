import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS, localHour } from '../../../src/kernel/time.ts'
import { currentConsole } from '../../../tools/build.js'
import { createAccount, systemRoles } from '../../support/accounts.ts'
import { makePolicy, openIncidents } from '../../support/alarms/incidents.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { type ConsoleBrowser, faultsOf, startBrowser } from '../../support/console/browser.ts'
import { createGateway } from '../../support/field/mqtt.ts'
import { postSamples } from '../../support/metering/measurements.ts'
import { addFacts, hourlyFacts } from '../../support/netting/energy.ts'
import { makeFacility, makeMeter, type TestFacility } from '../../support/netting/netting.ts'
import { chromiumPath } from '../../support/process/chromium.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

/** A fixed time in the middle of a day: an hour of today is over, and another one is to come. */
const NOW = Date.parse('2026-11-20T12:30:00+03:00')
const MIDNIGHT = NOW - localHour(NOW) * HOUR_MS - HOUR_MS / 2
const BOTH = [
  { locale: 'en-GB', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { locale: 'tr-TR', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  { locale: 'en-GB', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
  { locale: 'tr-TR', colorScheme: 'light', viewport: { width: 360, height: 740 } },
] as const

/** The shown powers by part in the smallest unit that is shown, with the sums of sources and uses. */
async function shownPowers(page: Page) {
  const rows = await page
    .locator('.balance tr[data-part]')
    .evaluateAll((all) =>
      all.map((row) => [row.getAttribute('data-part') ?? '', row.querySelector('td')?.textContent ?? '']),
    )
  const digits = (text: string) => BigInt(text.replaceAll(/\D/g, ''))
  const of = (part: string) => rows.filter(([name]) => name === part).map(([, text = '']) => digits(text))
  const parts = rows
    .filter(([name]) => name !== 'sum')
    .map(([name = '', text = '']) => [name, text.trim()] as const)
  return { parts: Object.fromEntries(parts), sums: of('sum'), of: (part: string) => of(part)[0] ?? 0n }
}

describe.runIf(chromiumPath)('the overview in a browser (needs chromium)', () => {
  let api: TestApi
  let tenant: TestTenant
  let browser: ConsoleBrowser
  let email: string
  let factory: TestFacility
  let home: TestFacility

  beforeAll(async () => {
    api = await startApi({ consoleFolder: await currentConsole(), now: new Date(NOW).toISOString() })
    tenant = await createTenant(api)
    const { admin } = await systemRoles(api, tenant)
    email = (await createAccount(api, tenant, { role_ids: [admin] })).email
    factory = await makeFacility(api.deps, tenant, {
      name: 'Factory',
      meters: ['main_production', 'pcc_import_export', 'battery'],
      reportingIntervalS: 10,
    })
    home = await makeFacility(api.deps, tenant, {
      name: 'Warehouse',
      meters: ['main_consumption'],
      reportingIntervalS: 10,
    })
    await createGateway(api, tenant, 'roof')
    await openIncidents(api, tenant, await makePolicy(api, tenant), { count: 2, message: 'overheated' })
    await addEnergies()
    browser = await startBrowser(api.url)
  })
  afterAll(async () => {
    await browser.close()
    await api.close()
  })

  async function addEnergies() {
    const sun = (hour: number) => Math.max(0, 60 - (hour - 12) ** 2 * 1.7)
    const day = (from: number, count: number, factor: number) => [
      ...hourlyFacts(
        { from, to: from + count * HOUR_MS },
        { facilityId: factory.id, role: 'main_production' },
        (hour) => ({ production: (sun(hour) * factor).toFixed(3) }),
      ),
      ...hourlyFacts(
        { from, to: from + count * HOUR_MS },
        { facilityId: factory.id, role: 'pcc_import_export' },
        (hour) => ({ import: hour < 8 ? '12.500' : '2.000', export: (sun(hour) * 0.3).toFixed(3) }),
      ),
      ...hourlyFacts(
        { from, to: from + count * HOUR_MS },
        { facilityId: home.id, role: 'main_consumption' },
        (hour) => ({ consumption: (8 + (hour % 5)).toFixed(3) }),
      ),
    ]
    await addFacts(api.deps, tenant, [...day(MIDNIGHT - 24 * HOUR_MS, 24, 1), ...day(MIDNIGHT, 12, 1.123)])
  }

  const deviceOf = (facility: TestFacility, role: keyof TestFacility['meters']): string =>
    facility.meters[role]?.deviceId ?? ''
  const send = async (
    kw: readonly [facility: TestFacility, role: keyof TestFacility['meters'], kw: number][],
    ageS: number,
  ) => {
    const timestamp = new Date(NOW - ageS * 1000).toISOString()
    const sent = await postSamples(
      api,
      tenant,
      kw.map(([facility, role, active_power]) => ({
        device_id: deviceOf(facility, role),
        timestamp,
        values: { active_power },
      })),
    )
    if (sent.status !== 201) throw new Error(sent.text)
  }
  const sendAll = (ageS: number) =>
    send(
      [
        [factory, 'main_production', -41.2345],
        [factory, 'pcc_import_export', -10.0067],
        [factory, 'battery', 3.3339],
        [home, 'main_consumption', 9.8765],
      ],
      ageS,
    )

  it('shows powers that add up, also after each new sample, and follows a facility in its address', async () => {
    await sendAll(20)
    const { page, errors, context } = await browser.open(email)
    await page.getByText('live', { exact: true }).waitFor()
    const first = await shownPowers(page)
    expect(first.parts).toEqual({
      sun: '41.23 kW',
      gridImport: '9.88 kW',
      discharge: '0.00 kW',
      load: '37.77 kW',
      gridExport: '10.01 kW',
      charge: '3.33 kW',
    })
    expect(first.sums).toEqual([5111n, 5111n])
    for (const [step, kw] of [-40.0044, -39.5551, -38.1119].entries()) {
      await send([[factory, 'main_production', kw]], 15 - step)
      const whole = `${Math.trunc(Math.abs(kw))}.`
      await page.locator('.balance [data-part=sun]', { hasText: whole }).waitFor()
      const shown = await shownPowers(page)
      expect(shown.sums[0]).toBe(shown.sums[1])
      expect(shown.of('sun') + shown.of('gridImport') + shown.of('discharge')).toBe(shown.sums[0])
      expect(shown.of('load') + shown.of('gridExport') + shown.of('charge')).toBe(shown.sums[1])
    }
    await page.getByRole('combobox', { name: 'Facility' }).fill('Warehouse')
    await page.waitForURL(/facility=/)
    await page.locator('.balance [data-part=sun]', { hasText: '0.000 kW' }).waitFor()
    await page.reload()
    await page.locator('.balance [data-part=load]', { hasText: '9.877 kW' }).waitFor()
    expect(await page.getByRole('combobox', { name: 'Facility' }).inputValue()).toBe('Warehouse')
    expect(errors).toEqual([])
    await context.close()
  })

  it('compares today with yesterday, and lists alarms and silent gateways', async () => {
    const { page, errors, context } = await browser.open(email)
    const days = page.locator('section', { hasText: 'Today and yesterday' })
    await days.getByText('Compared: 00:00 to 12:00, both days.').waitFor()
    const production = days.locator('.stack', { hasText: 'Production' }).first()
    expect(await production.locator('.figure').textContent()).toMatch(/^[\d,]+\.\d{3} kWh$/)
    expect(await production.textContent()).toContain('(+12.3%)')
    await days.locator('summary').click()
    const hours = days.getByRole('region', { name: 'By hour' })
    expect(await hours.getByRole('row').count()).toBe(25)
    await hours.getByRole('row', { name: '12:00–13:00' }).getByText('unknown').first().waitFor()
    await page.locator('.card', { hasText: 'Open alarms' }).getByText('overheated').first().waitFor()
    await page.locator('.card', { hasText: 'Silent gateways' }).getByRole('link', { name: 'roof' }).waitFor()
    expect(errors).toEqual([])
    await context.close()
  })

  it('says how old the powers are when no sample arrives, and leaves out what is unknown', async () => {
    const battery = await makeMeter(api.deps, tenant, {
      facilityId: home.id,
      subregionId: home.subregionId,
      role: 'battery',
      reportingIntervalS: 10,
    })
    const { page, errors, context } = await browser.open(email)
    await page.getByText('Not included, because a power is unknown: Warehouse').waitFor()
    expect((await shownPowers(page)).parts['gridImport']).toBe('0.00 kW')
    await postSamples(api, tenant, [
      {
        device_id: battery.deviceId,
        timestamp: new Date(NOW - 600_000).toISOString(),
        values: { active_power: -1 },
      },
    ])
    await page.getByText('stale: 10 min old').waitFor()
    await page.locator('.power-flow[data-stale]').waitFor()
    const shown = await shownPowers(page)
    expect(shown.sums[0]).toBe(shown.sums[1])
    await page.locator('summary', { hasText: 'By facility' }).click()
    await page
      .getByRole('row', { name: /Warehouse/ })
      .getByText('10 min')
      .waitFor()
    expect(errors).toEqual([])
    await context.close()
  })

  it.each(BOTH)('has no serious accessibility fault and fits: %o', async (display) => {
    await sendAll(5)
    const { page, errors, context } = await browser.open(email, display)
    await page.locator('.balance').waitFor()
    for (const more of await page.locator('.more > summary').all()) await more.click()
    expect(await faultsOf(page)).toEqual([])
    expect(errors).toEqual([])
    await context.close()
  })
})

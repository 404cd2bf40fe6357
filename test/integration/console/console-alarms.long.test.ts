import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../../src/kernel/time.ts'
import { makePolicy, openIncidents } from '../../support/alarms/incidents.ts'
import { startConsole, type TestConsole } from '../../support/console/console.ts'
import { createDevice, type TestDevice } from '../../support/metering/measurements.ts'
import { chromiumPath } from '../../support/process/chromium.ts'

const TEXTS = [
  {
    locale: 'en-GB',
    lanes: 'Lanes',
    system: 'System',
    keys: 'Keys',
    acknowledge: 'Acknowledge 3 alarms',
    acknowledged: '2 alarms acknowledged',
    failed: '1 alarm not changed:',
    reason: /already acknowledged|acknowledged/,
  },
  {
    locale: 'tr-TR',
    lanes: 'Satırlar',
    system: 'Sistem',
    keys: 'Tuşlar',
    acknowledge: '3 alarmı onayla',
    acknowledged: '2 alarm onaylandı',
    failed: '1 alarm değiştirilemedi:',
    reason: /onay/,
  },
] as const

describe.runIf(chromiumPath)('alarms in the console (needs chromium)', () => {
  let web: TestConsole
  let meter: TestDevice
  let meterName: string
  let critical: string
  let warning: string

  beforeAll(async () => {
    web = await startConsole()
    const { api, tenant } = web
    meter = await createDevice(api, tenant)
    meterName = (await call('GET', `/api/devices/${meter.id}`)).name
    critical = await makePolicy(api, tenant, { name: 'Overheating' })
    warning = await makePolicy(api, tenant, { name: 'No telegrams', severity: 'warning' })
    await open({ policy: critical, deviceId: meter.id, message: 'oil too hot', hoursAgo: 4 })
    await open({
      policy: warning,
      deviceId: meter.id,
      message: 'silent meter',
      hoursAgo: 2,
      severity: 'warning',
    })
    await open({ policy: critical, message: 'plant too hot', hoursAgo: 1 })
  })
  afterAll(async () => {
    await web.close()
  })

  interface Opened {
    readonly policy: string
    readonly message: string
    readonly hoursAgo?: number
    readonly deviceId?: string
    readonly severity?: string
    readonly count?: number
  }
  const open = ({ policy, hoursAgo = 0, ...spec }: Opened) =>
    openIncidents(web.api, web.tenant, policy, { ...spec, at: web.api.clock.now() - hoursAgo * HOUR_MS })

  async function call(method: 'GET' | 'POST', path: string, body?: object) {
    const response = await web.api.call(method, path, {
      token: web.tenant.admin.token,
      ...(body && { body }),
    })
    expect(response.status).toBe(200)
    return response.body
  }
  const statusesOf = (ids: readonly string[]): Promise<string[]> =>
    Promise.all(ids.map(async (id) => (await call('GET', `/api/alarms/incidents/${id}`)).status))

  const box = (page: Page, message: string) =>
    page.locator('tbody tr', { hasText: message }).getByRole('checkbox')
  const lanesOf = (page: Page) => page.locator('.alarm-name').allTextContents()

  it.each(TEXTS)('shows the alarms over time in lanes of devices or policies, in $locale', async (texts) => {
    const { page, errors, context } = await web.browser.open(web.emails.viewer, { locale: texts.locale })
    await page.goto(web.urlOf('alarms'))
    await page.locator('.alarm-timeline').waitFor()
    expect(await lanesOf(page)).toEqual([texts.system, meterName])
    const bars = page.locator('.alarm-bar')
    const [plant, hot, silent] = await bars.evaluateAll((all) =>
      all.map((bar) => {
        const { left, right, top } = bar.getBoundingClientRect()
        return { left, right, top, tone: bar.getAttribute('data-tone') }
      }),
    )
    expect([plant?.tone, hot?.tone, silent?.tone]).toEqual(['danger', 'danger', 'warning'])
    // Four, two and one hours ago until now.
    const width = (bar = { left: 0, right: 0 }) => bar.right - bar.left
    expect(width(silent) / width(hot)).toBeCloseTo(1 / 2, 1)
    expect(width(plant) / width(hot)).toBeCloseTo(1 / 4, 1)
    // Alarms of a lane at the same time are below each other, in the order of their beginning.
    const tops = [plant, hot, silent].map((bar) => bar?.top ?? 0)
    expect(tops.toSorted((one, other) => one - other)).toEqual(tops)
    expect(new Set(tops).size).toBe(3)
    await bars.nth(2).click()
    expect(await page.evaluate('document.activeElement.textContent')).toBe('silent meter')
    await page.getByLabel(texts.lanes).selectOption('policy')
    await page.locator('.alarm-name', { hasText: 'Overheating' }).waitFor()
    expect(await lanesOf(page)).toEqual(['Overheating', 'No telegrams'])
    expect(page.url()).toContain('lanes=policy')
    // A viewer cannot act on alarms, and is offered no key for it.
    expect(await page.getByRole('checkbox').count()).toBe(0)
    expect(await page.getByRole('list', { name: texts.keys }).count()).toBe(0)
    expect(errors).toEqual([])
    await context.close()
  })

  it.each(TEXTS)(
    'acknowledges the rest when one alarm refuses, and says which, in $locale',
    async (texts) => {
      const message = `pump of ${texts.locale}`
      const ids = await open({ policy: critical, message, count: 3 })
      const { page, errors, context } = await web.browser.open(web.emails.operator, { locale: texts.locale })
      await page.goto(web.urlOf('alarms'))
      for (const number of [1, 2, 3]) await box(page, `${message} ${number}`).check()
      const { message: refusing } = await call('POST', `/api/alarms/incidents/${ids[1]}/ack`, {})
      await page.getByRole('button', { name: texts.acknowledge }).click()
      const notice = page.getByRole('alert')
      await notice.getByText(texts.acknowledged).waitFor()
      await notice.getByText(texts.failed).waitFor()
      const failures = await notice.getByRole('listitem').allTextContents()
      expect(failures).toHaveLength(1)
      expect(failures[0]).toMatch(`${refusing}: `)
      expect(failures[0]?.slice(refusing.length)).toMatch(texts.reason)
      expect(await statusesOf(ids)).toEqual(['acknowledged', 'acknowledged', 'acknowledged'])
      const checked = page.locator('tbody tr', { has: page.locator('input:checked') })
      expect(await checked.locator('th').allTextContents()).toEqual([refusing])
      // The refused request is the only message of the browser.
      expect(errors.filter((text) => !text.includes('409'))).toEqual([])
      await context.close()
    },
  )

  it('snoozes and closes with a note by keys of the list only, and keeps the focus in it', async () => {
    const ids = await open({ policy: warning, message: 'fan', count: 3 })
    await web.visit('operator', 'alarms', async (page) => {
      await box(page, 'fan 1').focus()
      await page.keyboard.press('Space')
      await page.getByLabel('Note').focus()
      await page.keyboard.type('acs')
      expect(await page.getByLabel('Note').inputValue()).toBe('acs')
      await page.getByLabel('Snooze for').selectOption('15')
      await page.getByRole('heading', { name: 'Alarms' }).click()
      await page.keyboard.press('c')
      // A key works for the selected alarm, not for the one that has the focus.
      await box(page, 'fan 2').focus()
      await page.keyboard.press('Control+s')
      await page.keyboard.press('s')
      await page.getByText('1 alarm snoozed').waitFor()
      expect(await statusesOf(ids)).toEqual(['snoozed', 'active', 'active'])
      expect(await page.getByLabel('Note').inputValue()).toBe('')
      await page.waitForFunction('document.querySelectorAll("input:checked").length === 0')
      await box(page, 'fan 2').focus()
      await page.keyboard.press('c')
      await page.getByText('1 alarm closed').waitFor()
      await box(page, 'fan 2').waitFor({ state: 'detached' })
      await page.waitForFunction('document.activeElement.type === "checkbox"')
      expect(await statusesOf(ids)).toEqual(['snoozed', 'closed', 'active'])
    })
    const events: { event_type: string; details: object }[] = await call(
      'GET',
      `/api/alarms/incidents/${ids[0]}/events`,
    )
    expect(events.at(-1)).toMatchObject({ event_type: 'snoozed', details: { note: 'acs' } })
  })

  it('lists its keys', async () => {
    const { page, errors, context } = await web.browser.open(web.emails.operator)
    await page.goto(web.urlOf('alarms?shown=all'))
    const keys = page.getByRole('list', { name: 'Keys' })
    await keys.waitFor()
    expect(await keys.locator('kbd').allTextContents()).toEqual(
      expect.arrayContaining(['↑', '↓', 'Home', 'End', 'A', 'S', 'C']),
    )
    expect(errors).toEqual([])
    await context.close()
  })
})

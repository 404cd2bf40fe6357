import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { currentConsole } from '../../../tools/build.js'
import { createAccount, systemRoles } from '../../support/accounts.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { type ConsoleBrowser, faultsOf, PHONE, startBrowser } from '../../support/console/browser.ts'
import { chromiumPath } from '../../support/process/chromium.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const DEVICES = 3_000
const nameOf = (index: number): string => `meter ${String(index).padStart(5, '0')}`

describe.runIf(chromiumPath)('a list of many devices in a browser (needs chromium)', () => {
  let api: TestApi
  let tenant: TestTenant
  let browser: ConsoleBrowser
  let email: string

  beforeAll(async () => {
    api = await startApi({ consoleFolder: await currentConsole(), now: new Date().toISOString() })
    tenant = await createTenant(api)
    const { admin } = await systemRoles(api, tenant)
    email = (await createAccount(api, tenant, { role_ids: [admin] })).email
    const rows = Array.from({ length: DEVICES }, (_item, index) => ({
      tenant_id: tenant.id,
      name: nameOf(index),
      device_type: index % 2 === 0 ? 'energy_analyzer' : 'inverter',
      device_source: 'manual' as const,
    }))
    await api.deps.database.kysely.insertInto('device').values(rows).execute()
    browser = await startBrowser(api.url)
  })
  afterAll(async () => {
    await browser.close()
    await api.close()
  })

  const open = async (page: Page, query = '') => {
    await page.goto(`${api.url}/devices${query}`)
    await page.getByRole('link', { name: nameOf(0), exact: true }).waitFor()
  }

  it('draws the rows in view only, and has all of them for a screen reader', async () => {
    const { page, errors, context } = await browser.open(email)
    await open(page)
    const table = page.getByRole('table', { name: 'Devices' })
    expect(await table.getAttribute('aria-rowcount')).toBe(String(DEVICES + 1))
    expect(await page.locator('[data-index]').count()).toBeLessThan(60)
    const frame = page.locator('.table-frame.virtual')
    await frame.evaluate((element) => element.scrollTo(0, 44 * 1_500))
    const middle = page.locator('[data-index="1505"]')
    await middle.getByRole('link', { name: nameOf(1_505) }).waitFor()
    expect(await middle.getAttribute('aria-rowindex')).toBe('1507')
    expect(await page.locator('[data-index]').count()).toBeLessThan(60)
    expect(errors).toEqual([])
    await context.close()
  })

  it('is used by keyboard alone: from a row to the next one, to the last one and back', async () => {
    const { page, errors, context } = await browser.open(email)
    await open(page)
    const isFocused = (index: number) => page.locator('a:focus', { hasText: nameOf(index) }).waitFor()
    await page.locator('[data-index="0"] a').focus()
    await page.keyboard.press('ArrowDown')
    await isFocused(1)
    await page.keyboard.press('End')
    await isFocused(DEVICES - 1)
    await page.keyboard.press('ArrowUp')
    await isFocused(DEVICES - 2)
    await page.keyboard.press('Home')
    await isFocused(0)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: nameOf(0) }).waitFor()
    expect(errors).toEqual([])
    await context.close()
  })

  it('begins at its first row when a filter changes', async () => {
    const { page, errors, context } = await browser.open(email)
    await open(page)
    await page.locator('.table-frame.virtual').evaluate((element) => element.scrollTo(0, 44 * 2_000))
    await page.locator('[data-index="2005"] a').waitFor()
    await page.getByLabel('Search').fill('meter 0001')
    await page.getByText('10 devices').waitFor()
    await page.getByRole('link', { name: nameOf(10), exact: true }).waitFor()
    expect(await page.locator('[data-index]').count()).toBe(10)
    await page.getByLabel('Search').fill('absent')
    await page.getByText('No device found').waitFor()
    expect(errors).toEqual([])
    await context.close()
  })

  it('has no serious accessibility fault and fits a phone', async () => {
    const { page, errors, context } = await browser.open(email, PHONE)
    await open(page)
    expect(await faultsOf(page)).toEqual([])
    const frame = page.locator('.table-frame.virtual')
    const hidden = await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    expect(hidden).toBe(0)
    // Rows have the height that the table counts with: the last one is at the end.
    await frame.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await page.getByRole('link', { name: nameOf(DEVICES - 1) }).waitFor()
    const heights = page.locator('[data-index]').first()
    expect(await heights.evaluate((row) => row.getBoundingClientRect().height)).toBe(100)
    expect(errors).toEqual([])
    await context.close()
  })
})

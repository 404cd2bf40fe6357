import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DESKTOP, faultsOf, PHONE } from '../../support/console/browser.ts'
import { startConsole, type TestConsole } from '../../support/console/console.ts'
import { dateField, enterDate, shownDate } from '../../support/console/date-fields.ts'
import { chromiumPath } from '../../support/process/chromium.ts'

const WINDOWS = 'alarms/notifications?tab=maintenance'

describe.runIf(chromiumPath)('date fields in the console (needs chromium)', () => {
  let test: TestConsole

  beforeAll(async () => {
    test = await startConsole()
    const { token } = test.tenant.admin
    const region = await test.api.call('POST', '/api/regions', { token, body: { name: 'West' } })
    const body = { name: 'Roof', region_id: region.body.id }
    await test.api.call('POST', '/api/subregions', { token, body })
  })
  afterAll(() => test.close())

  const dialogOf = (page: Page) => page.getByRole('dialog', { name: /maintenance window|bakım/i })

  it('keep the form until the value is whole, say so at the field, and ask before they are lost', async () => {
    // The language and the zone of the browser are others.
    const display = { ...DESKTOP, locale: 'en-US', timezoneId: 'America/New_York' }
    const stored = async (page: Page) => {
      await page.getByRole('button', { name: 'New maintenance window' }).click()
      const dialog = dialogOf(page)
      await dialog.getByLabel('Site').fill('Roof')
      await dialog.getByRole('button', { name: 'Create' }).click()
      const from = dateField(dialog, 'From')
      await dialog.getByText('Enter a value.').first().waitFor()
      expect(await from.locator(':focus').getAttribute('data-type')).toBe('day')
      expect(await shownDate(dialog, 'From')).toMatch(/^dd\/mm\/yyyy, ––:––$/)

      await page.keyboard.type('3105')
      await dialog.getByRole('button', { name: 'Create' }).click()
      await dialog.getByText('Enter the whole value.').waitFor()
      await enterDate(dialog, 'From', '2099-05-31T23:30')
      expect(await shownDate(dialog, 'From')).toBe('31/05/2099, 23:30')
      expect(await dialog.getByText('Enter the whole value.').count()).toBe(0)

      await from.locator('[data-type=day]').press('ArrowUp')
      expect(await shownDate(dialog, 'From')).toBe('01/05/2099, 23:30')
      await enterDate(dialog, 'From', '2099-05-31T23:30')
      await page.keyboard.press('Escape')
      const question = page.getByRole('dialog', { name: 'Discard your entries?' })
      await question.getByRole('button', { name: 'Keep editing' }).click()
      // The last day that is possible is before the first one.
      await enterDate(dialog, 'Until', '2099-05-30T08:00')
      await dialog.getByRole('button', { name: 'Create' }).click()
      await dialog.getByRole('alert').first().waitFor()
      await enterDate(dialog, 'Until', '2099-06-01T08:00')
      await dialog.getByRole('button', { name: 'Create' }).click()
      await page.getByRole('row', { name: /Roof/ }).waitFor()
    }
    const { page, errors, context } = await test.browser.open(test.emails.admin, display)
    await page.goto(test.urlOf(WINDOWS))
    await stored(page)
    // The browser reports the refused request.
    expect(errors.filter((text) => !text.includes('422'))).toEqual([])
    await context.close()
    const { token } = test.tenant.admin
    const { body } = await test.api.call('GET', '/api/alarms/maintenance', { token })
    const [{ from, to }] = body.items
    expect([from, to].map((instant) => Date.parse(instant))).toEqual([
      Date.parse('2099-05-31T20:30:00Z'),
      Date.parse('2099-06-01T05:00:00Z'),
    ])
  })

  it.each([
    { ...DESKTOP, locale: 'tr-TR', colorScheme: 'light' },
    { ...PHONE, locale: 'tr-TR', colorScheme: 'dark' },
  ] as const)('have a calendar that is used by keyboard, above a dialog: %o', async (display) => {
    const steps = async (page: Page) => {
      await page.getByRole('button', { name: 'Yeni bakım penceresi' }).click()
      const dialog = dialogOf(page)
      expect(await shownDate(dialog, 'Başlangıç zamanı')).toMatch(/^gg\.aa\.yyyy ––:––$/)
      await enterDate(dialog, 'Başlangıç zamanı', '2099-05-31T23:30')
      expect(await shownDate(dialog, 'Başlangıç zamanı')).toBe('31.05.2099 23:30')
      const button = dialog.getByRole('button', { name: 'Takvim: Başlangıç zamanı' })
      await button.press('Enter')
      const calendar = page.getByRole('dialog', { name: 'Takvim: Başlangıç zamanı' })
      await calendar.getByRole('heading', { name: 'Mayıs 2099' }).waitFor()
      await calendar.locator('[data-focused]').waitFor()
      expect(await faultsOf(page)).toEqual([])
      await page.keyboard.press('Escape')
      await calendar.waitFor({ state: 'hidden' })
      expect(await dialog.isVisible()).toBe(true)

      await button.press('Enter')
      await calendar.locator('[data-focused]').waitFor()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Enter')
      await calendar.waitFor({ state: 'hidden' })
      expect(await shownDate(dialog, 'Başlangıç zamanı')).toBe('01.06.2099 23:30')
      expect(await button.evaluate((element) => element.matches(':focus'))).toBe(true)
    }
    await test.visit('admin', WINDOWS, steps, display)
  })

  it('filter by whole days only', async () => {
    await test.visit('admin', 'charging/sessions', async (page) => {
      await enterDate(page, 'From', '2026-02-03')
      await page.waitForURL(/from=2026-02-03/)
      const from = dateField(page, 'From')
      await from.locator('[data-type=year]').pressSequentially('19')
      expect(new URL(page.url()).searchParams.get('from')).toBe('2026-02-03')
      await page.keyboard.press('Tab')
      await page.getByText('Enter the whole value.').waitFor()
    })
  })
})

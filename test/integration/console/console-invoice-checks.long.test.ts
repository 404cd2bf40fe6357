import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violationsOf } from '../../support/console/browser.ts'
import { startConsole, type TestConsole } from '../../support/console/console.ts'
import { enterDate } from '../../support/console/date-fields.ts'
import { makeSpring, type Spring } from '../../support/netting/calculated-months.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../support/netting/prices.ts'
import { chromiumPath } from '../../support/process/chromium.ts'

describe.runIf(chromiumPath)('stored invoice checks in the console (needs chromium)', () => {
  let web: TestConsole
  let spring: Spring

  beforeAll(async () => {
    web = await startConsole()
    await makePriceSet(web.api.deps, '2025-01-01', INDUSTRIAL_PRICES)
    spring = await makeSpring(web.api, web.tenant)
  })
  afterAll(() => web.close())

  const onPage = (user: 'admin' | 'viewer', steps: (page: Page) => Promise<void>) =>
    web.visit(user, `netting/groups/${spring.group.id}/reconcile?month=2026-03`, steps)
  const choose = (page: Page, name: string, text: string) =>
    page.getByLabel('Choose a file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

  it('corrects the fields of an unknown file, and stores the check with its evidence', async () => {
    const file = 'VKN: 4444444444\nGün no;Slot;Üretilen miktar\n01.03.2026;00:00;31,500\n'
    const { page, errors, context } = await web.browser.open(web.emails.admin)
    await page.goto(`${web.api.url}/netting/groups/${spring.group.id}/reconcile?month=2026-03`)
    const steps = async () => {
      await choose(page, 'mart.csv', file)
      await page.getByRole('button', { name: 'Correct the fields' }).click()
      const fields = page.getByRole('region', { name: 'Fields of mart.csv' })
      await fields.getByText('First rows').click()
      await fields.getByText('3: 01.03.2026 | 00:00 | 31,500').waitFor()
      expect(await fields.getByLabel(/Supplier/).inputValue()).toBe('4444444444')
      await fields.getByLabel('Column "Gün no"').selectOption('date')
      await fields.getByLabel('Column "Slot"').selectOption('hour')
      await fields.getByLabel('Column "Üretilen miktar"').selectOption('production_kwh')
      expect(await violationsOf(page)).toEqual([])
      await fields.getByRole('button', { name: 'Store and check again' }).click()

      const lines = page.getByRole('region', { name: /^Lines: 1 differ/ })
      await lines.getByRole('link', { name: 'Show the hour' }).waitFor()
      const checks = page.getByRole('region', { name: 'Stored checks of March 2026' })
      await checks.getByRole('button', { name: 'mart.csv' }).waitFor()
      expect(await violationsOf(page)).toEqual([])
    }
    await steps()
    // The first check is refused, because no column is known.
    expect(errors).toEqual([expect.stringContaining('422')])
    await context.close()
  })

  it('shows the term, changes the receipt, records the objection and repeats the check', async () => {
    await onPage('admin', async (page) => {
      const checks = page.getByRole('region', { name: 'Stored checks of March 2026' })
      await checks.getByRole('button', { name: 'mart.csv' }).first().click()
      const check = page.getByRole('region', { name: 'mart.csv', exact: true })
      await check.getByText('assumed: day of the check').waitFor()
      await enterDate(check, 'Received on', '2026-03-10')
      await check.getByRole('button', { name: 'Save the day of receipt' }).click()
      await check.getByText('18/03/2026').waitFor()
      const download = page.waitForEvent('download')
      await check.getByRole('button', { name: 'Download the objection (PDF)' }).click()
      expect((await download).suggestedFilename()).toContain('itiraz-2026-03')
      await enterDate(check, 'Day', '2026-03-11')
      await check.getByLabel('Amount, TL (optional)').fill('12.5')
      await check.getByRole('button', { name: 'Record', exact: true }).click()
      await check.getByRole('row', { name: /^sent 11\/03\/2026 12\.500000/ }).waitFor()
      expect(await violationsOf(page)).toEqual([])
      await check.getByRole('button', { name: 'Check again' }).click()
      await page.getByRole('region', { name: 'Changes from the check before: 0' }).waitFor()
    })
  })

  it('compares without storing for a user who only reads', async () => {
    await onPage('viewer', async (page) => {
      await choose(page, 'nisan.csv', 'Tarih;Saat;Üretim (kWh)\n01.03.2026;00:00;30,000\n')
      await page.getByRole('heading', { name: 'Result of nisan.csv' }).waitFor()
      expect(await page.getByRole('button', { name: 'nisan.csv' }).count()).toBe(0)
    })
  })
})

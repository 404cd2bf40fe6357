import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { schedule } from '../../../src/jobs/schedule.ts'
import { periodOf } from '../../../src/kernel/time.ts'
import type { TestApi } from '../../support/api.ts'
import { violationsOf } from '../../support/console/browser.ts'
import { startConsole, type TestConsole } from '../../support/console/console.ts'
import { exportTable } from '../../support/console/export-table.ts'
import { perform } from '../../support/jobs/timetable.ts'
import { makeSpring, readMarch, type Spring } from '../../support/netting/calculated-months.ts'
import { correct } from '../../support/netting/corrections.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../support/netting/prices.ts'
import { chromiumPath } from '../../support/process/chromium.ts'
import type { TestTenant } from '../../support/tenants.ts'

describe.runIf(chromiumPath)('the netting pages of the console (needs chromium)', () => {
  let web: TestConsole
  let api: TestApi
  let tenant: TestTenant
  let spring: Spring

  beforeAll(async () => {
    web = await startConsole()
    ;({ api, tenant } = web)
    await makePriceSet(api.deps, '2025-01-01', INDUSTRIAL_PRICES)
    spring = await makeSpring(api, tenant)
  })
  afterAll(async () => {
    await web.close()
  })

  /** Opens a page of the group as the administrator, and expects that the browser reported no error at its end. */
  const onPage = (path: string, steps: (page: Page) => Promise<void>, { group }: Spring = spring) =>
    web.visit('admin', `netting/groups/${group.id}${path}`, steps)
  const read = async (path: string) => {
    const url = `/api/mahsuplasma/groups/${spring.group.id}/${path}`
    return (await api.call('GET', url, { token: tenant.admin.token })).body
  }

  async function runBulkJob(): Promise<void> {
    const job = schedule(api.deps).find(({ name }) => name === 'run-bulk-calculations')
    if (!job) throw new Error('there is no job run-bulk-calculations')
    await perform(api, { job, slot: api.clock.now() })
  }

  it('shows how an hour came about: facts, surplus, amounts, ledger, run and replay', async () => {
    const [run] = await read('runs?billing_period=2026-05')
    await onPage('?month=2026-05', async (page) => {
      await page.locator('.heat-map button').first().click()
      await page.getByRole('heading', { name: 'Hour 01/05/2026, 00:00' }).waitFor()
      const facts = page.getByRole('region', { name: /^Facts/ })
      await facts.getByRole('row', { name: /Producer Production .* 40\.000 kWh/ }).waitFor()
      await facts.getByRole('row', { name: /Consumer Consumption .* 10\.000 kWh/ }).waitFor()
      const result = page.getByRole('table', { name: 'Where the production went' })
      expect(await result.getByRole('row').last().textContent()).toBe('= Production40.000 kWh')
      await page
        .getByRole('region', { name: 'Surplus by virtual meter' })
        .getByText('Limit used up')
        .waitFor()
      const amounts = page.getByRole('region', { name: /^Amounts/ })
      await amounts
        .getByRole('button', { name: /price row of/ })
        .first()
        .click()
      await page.getByRole('heading', { name: /^Price row/ }).waitFor()
      expect(page.url()).toMatch(/hour=2026-04-30T21.*amount=[\da-f-]{36}/)
      const movements = page.getByRole('region', { name: /^Movements of the ledger/ })
      await movements.getByRole('row', { name: /Matched consumption −10\.000 kWh/ }).waitFor()
      const file = await exportTable(page, 'Movements of the ledger', 'CSV')
      const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n')
      expect(lines).toHaveLength(await movements.getByRole('row').count())
      await page.getByText(run.input_hash).waitFor()
      await page.reload()
      await page.getByText(run.input_hash).waitFor()
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download the audit package' }).click()
      expect((await download).suggestedFilename()).toMatch(/\.zip$/)
    })
  })

  it('shows the course of the hours from a year to an hour, by keyboard, with the range in the address', async () => {
    await onPage('?month=2026-05', async (page) => {
      const course = page.locator('section', { has: page.getByRole('heading', { name: 'Course' }) })
      const production = course.getByRole('listitem').filter({ hasText: 'Production' })
      await production.filter({ hasText: '40.000 kWh' }).waitFor()
      expect(await course.locator('canvas').count()).toBe(1)
      await course.getByText('not calculated (741)').waitFor()
      await course.getByRole('button', { name: 'Year' }).press('Enter')
      await production.filter({ hasText: '120.000 kWh' }).waitFor()
      expect(page.url()).toContain('from=2025-12-31T21%3A00%3A00.000Z&to=2026-12-31T21%3A00%3A00.000Z')
      await page.goto(
        `${api.url}/netting/groups/${spring.group.id}?month=2026-05&hour=2026-04-30T21:00:00.000Z`,
      )
      const hour = course.getByText('01/05/2026, 00:00 to 01/05/2026, 01:00, kWh by hour')
      for (let step = 0; step < 30 && !(await hour.isVisible()); step += 1)
        await course.getByRole('button', { name: 'Zoom in' }).press('Enter')
      await hour.waitFor()
      expect(await production.textContent()).toContain('40.000 kWh')
      expect(await violationsOf(page)).toEqual([])
    })
  })

  it('shows limits, and the ledger as a statement whose corrections open by keyboard', async () => {
    const corrected = await makeSpring(api, tenant)
    await readMarch(api, tenant, corrected)
    expect((await correct(api, tenant, corrected.group, { billing_period: '2026-03-01' })).status).toBe(201)
    const steps = async (page: Page) => {
      await page.getByRole('meter').waitFor()
      expect(await page.getByRole('meter').getAttribute('aria-valuetext')).toBe('100.000 of 100.000 kWh used')
      await page.getByText(/^Used up since/).waitFor()
      const rows = page.getByRole('region', { name: /^Statement/ }).getByRole('row')
      const texts = async () => (await rows.allTextContents()).slice(1)
      await page.getByText('Correction: 2 movements').first().waitFor()
      const closed = await texts()
      expect(closed.at(-1)).toMatch(/^Opening.*0\.000 kWh100\.000 kWh$/)
      expect(closed[0]).toMatch(/0\.000 kWh$/)
      const disclosure = page.getByRole('button', { name: /^▸? ?Correction/ }).first()
      await disclosure.focus()
      await page.keyboard.press('Enter')
      await page.getByText('Correction, reversal').first().waitFor()
      expect((await texts()).length).toBeGreaterThan(closed.length)
      expect(await violationsOf(page)).toEqual([])
    }
    await onPage('/ledger?month=2026-05', steps, corrected)
  })

  it('shows the amounts by type, whose rows lead to their hours', async () => {
    await onPage('/amounts?month=2026-03', async (page) => {
      const name = 'Show the rows of: Payment to the producer for paid surplus'
      await page.getByRole('button', { name }).click()
      const rows = page.getByRole('region', { name: /^Rows/ })
      await rows.getByRole('row', { name: /20\.000 kWh 2\.909687 TL\/kWh 58\.193740 TL/ }).waitFor()
      await rows.getByRole('row', { name: /Virtual meter of the group/ }).waitFor()
      const file = await exportTable(page, 'Rows', 'CSV')
      const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n')
      expect(lines).toHaveLength(await rows.getByRole('row').count())
      await rows.getByRole('link').first().click()
      await page.getByRole('heading', { name: 'Hour 01/03/2026, 00:00' }).waitFor()
      await page.getByRole('heading', { name: /^Price row: Payment to the producer/ }).waitFor()
    })
  })

  it('evaluates the rules with reasons and remedies, and shows the members over time', async () => {
    await onPage(`/rules?month=${periodOf(api.clock.now()).slice(0, 7)}`, async (page) => {
      await page.getByRole('button', { name: 'Evaluate now' }).click()
      const rules = page.locator('.rules > li')
      await rules.first().waitFor()
      expect(await rules.count()).toBe(13)
      const confirmation = rules.filter({ hasText: 'R013' })
      expect(await confirmation.textContent()).toMatch(/Failed.*What to do: Advance the status of the group/)
      await page.getByRole('link', { name: 'Members' }).click()
      const members = page.getByRole('region', { name: 'Members' })
      await members.getByRole('row', { name: /Producer .* open/ }).waitFor()
      expect(await members.locator('.timeline').count()).toBe(2)
    })
  })

  it('corrects a month with progress that survives leaving the page, and compares its runs', async () => {
    const late = await makeSpring(api, tenant)
    await readMarch(api, tenant, late)
    const steps = async (page: Page) => {
      await page.getByLabel('Reason of the correction').fill('the official reading came late')
      await page.getByRole('button', { name: 'Correct', exact: true }).click()
      await page.getByText('0 of 1 groups').waitFor()
      await page.goto(`${api.url}/netting/groups/${late.group.id}/runs?month=2026-03`)
      await page.getByText('0 of 1 groups').waitFor()
      await runBulkJob()
      await page.getByText('1 of 1 groups').waitFor()
      const runs = page.getByRole('region', { name: 'Runs of March 2026' })
      await runs.getByRole('row', { name: /superseded Schedule/ }).waitFor()
      await runs.getByRole('row', { name: /current Correction/ }).waitFor()
      const differences = page.getByRole('region', { name: 'What the runs differ in' })
      const production = { name: 'Production 30.000 kWh 45.000 kWh 15.000 kWh' }
      await differences.getByRole('row', production).waitFor()
      await page.getByRole('region', { name: '1 hour differs' }).waitFor()
      expect(await violationsOf(page)).toEqual([])
    }
    await onPage('/runs?month=2026-03', steps, late)
  })

  it('reconciles a file that is chosen, and one that is dropped', async () => {
    await onPage('/reconcile?month=2026-03', async (page) => {
      const csv = (kwh: string) => `Tarih;Saat;Üretim (kWh)\n01.03.2026;00:00;${kwh}\n`
      const buffer = Buffer.from(csv('31,500'))
      await page.getByLabel('Choose a file').setInputFiles({ name: 'mart.csv', mimeType: 'text/csv', buffer })
      await page.getByText('1 of 1 rows differ.').waitFor()
      const rows = page.getByRole('region', { name: 'Figures that differ: 1' })
      const row = /^01\/03\/2026, 00:00 2 Production 31\.500 kWh 30\.000 kWh 1\.500 kWh$/
      await rows.getByRole('row', { name: row }).waitFor()
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download the objection' }).click()
      const objection = await download
      expect(objection.suggestedFilename()).toMatch(/\.pdf$/)
      expect((await readFile(await objection.path())).subarray(0, 5).toString()).toBe('%PDF-')
      expect(await violationsOf(page)).toEqual([])
      const dataTransfer = await page.evaluateHandle(`(() => {
        const transfer = new DataTransfer()
        transfer.items.add(new File([${JSON.stringify(csv('30,000'))}], 'dropped.csv', { type: 'text/csv' }))
        return transfer
      })()`)
      await page.dispatchEvent('.drop-zone', 'drop', { dataTransfer })
      await page.getByRole('heading', { name: 'Result of dropped.csv' }).waitFor()
      await page.getByText('All 1 rows agree.').waitFor()
      expect(await page.getByRole('button', { name: 'Download the objection' }).count()).toBe(0)
    })
  })

  it('calculates a month of all groups from their overview, with the results by group', async () => {
    const { page, errors, context } = await web.browser.open(web.emails.admin)
    await page.goto(`${api.url}/netting?month=2026-04`)
    await page.getByRole('button', { name: 'Calculate', exact: true }).click()
    await page.getByText(/^0 of \d groups$/).waitFor()
    await runBulkJob()
    const job = page.getByRole('region', { name: 'Calculation of April 2026', exact: true })
    await job.getByText('finished').waitFor()
    const results = job.getByRole('region', { name: 'Results by group' })
    await results
      .getByRole('row', { name: /new run|Unchanged/ })
      .first()
      .waitFor()
    expect(await violationsOf(page)).toEqual([])
    expect(errors).toEqual([])
    await context.close()
  })
})

import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violationsOf } from '../../support/console/browser.ts'
import { startConsole, type TestConsole } from '../../support/console/console.ts'
import { enterDate } from '../../support/console/date-fields.ts'
import { exportTable } from '../../support/console/export-table.ts'
import { makeSpring, type Spring } from '../../support/netting/calculated-months.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../support/netting/prices.ts'
import { runScenarioJob } from '../../support/netting/scenario-job.ts'
import { chromiumPath } from '../../support/process/chromium.ts'

describe.runIf(chromiumPath)('scenarios in the console (needs chromium)', () => {
  let web: TestConsole
  let spring: Spring
  let names: { readonly producer: string; readonly consumer: string }

  beforeAll(async () => {
    web = await startConsole()
    const { api, tenant } = web
    await makePriceSet(api.deps, '2025-01-01', INDUSTRIAL_PRICES)
    spring = await makeSpring(api, tenant)
    const nameOf = async (id: string) => {
      const { body } = await api.call('GET', `/api/mahsuplasma/facilities/${id}`, {
        token: tenant.admin.token,
      })
      return body.name as string
    }
    names = { producer: await nameOf(spring.producer.id), consumer: await nameOf(spring.consumer.id) }
  })
  afterAll(() => web.close())

  /** Adds a change with the dialog: its kind, and the texts of its fields. */
  async function addChange(page: Page, kind: string, fill: (dialog: Locator) => Promise<void>) {
    await page.getByRole('button', { name: 'Add a change' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Kind of change').selectOption({ label: kind })
    await fill(dialog)
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await dialog.waitFor({ state: 'detached' })
  }

  it('are created with forms, calculated while the page is left, read, compared and downloaded', async () => {
    const { page, errors, context } = await web.browser.open(web.emails.admin)
    await page.goto(web.urlOf(`netting/groups/${spring.group.id}?month=2026-03`))
    await page.getByRole('link', { name: 'What if …' }).click()
    await page.getByRole('heading', { name: 'New scenario' }).waitFor()
    await page.getByRole('button', { name: /^Remove group/ }).waitFor()
    await page.getByLabel('Name', { exact: false }).first().fill('Bigger plant')
    await enterDate(page, 'Last month', '2026-05')
    await page.getByLabel('Investment, TL').fill('1000,50')
    await addChange(page, 'Add a battery', async (dialog) => {
      await dialog.getByLabel('Facility').fill(names.consumer)
      await dialog.getByLabel('Capacity, kWh').fill('10')
      await dialog.getByLabel('Power, kW').fill('5')
      await dialog.getByRole('button', { name: 'Apply' }).press('Enter')
      // The browser names the first field that is required and empty.
      expect(
        await dialog.getByLabel('Efficiency, at most 1').evaluate((input) => input.matches(':invalid')),
      ).toBe(true)
      await dialog.getByLabel('Efficiency, at most 1').fill('0,9')
      await dialog.getByRole('button', { name: 'Apply' }).press('Enter')
      await dialog.getByText('This is needed.').waitFor()
      await dialog.getByLabel('Dispatch').selectOption({ label: 'stores the surplus' })
      await dialog.getByLabel('Surplus of').selectOption({ label: 'the group' })
      expect(await violationsOf(page)).toEqual([])
    })
    await addChange(page, 'Scale the production', async (dialog) => {
      await dialog.getByLabel('Facility').fill(names.producer)
      await dialog.getByLabel('Factor').fill('2')
    })
    await page.getByRole('button', { name: 'Move change 2 up' }).press('Enter')
    const entries = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name: /^Edit change/ }) })
    await entries.first().getByText('Scale the production').waitFor()
    expect(await entries.last().textContent()).toContain(
      'Efficiency, at most 1: 0.9 · Dispatch: stores the surplus',
    )
    await page.getByRole('button', { name: 'Calculate the scenario' }).click()
    await page.getByText('0 of 3 months of groups').waitFor()
    await page.reload()
    await page.getByText('0 of 3 months of groups').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await runScenarioJob(web.api)
    await page.getByText('calculated', { exact: true }).waitFor()
    await checkResult(page)
    await compareWithMonthly(page)
    expect(errors).toEqual([])
    await context.close()
  })

  async function checkResult(page: Page): Promise<void> {
    await page.getByText('Calculated with assumed changes.').waitFor()
    const totals = page.getByRole('region', { name: 'Scenario: all groups and months' })
    await totals.getByRole('row', { name: 'Production 120.000 kWh 240.000 kWh 120.000 kWh' }).waitFor()
    const batteries = page.getByRole('region', { name: 'Batteries of the scenario' })
    await batteries.getByRole('row', { name: / 11\.11\d kWh 0\.000 kWh 1\.112 kWh 9\.999 kWh$/ }).waitFor()
    await page.getByRole('tab', { name: 'By month' }).click()
    const table = page.getByRole('region', { name: 'Scenario: Production' })
    await page.getByLabel('Quantity').selectOption({ label: 'Production' })
    await table.getByRole('row', { name: /^April 2026 .* 50\.000 kWh 100\.000 kWh 50\.000 kWh/ }).waitFor()
    expect(await page.locator('canvas').count()).toBe(1)
    const download = await exportTable(page, '', 'CSV')
    expect(download.suggestedFilename()).toMatch(/^netsaat-scenario-months-.*\.csv$/)
    expect(await readFile(await download.path(), 'utf8')).toContain('100.000')
    await page.getByRole('tab', { name: 'By facility' }).click()
    await page.getByLabel('Quantity').selectOption({ label: 'Production' })
    await table.getByRole('row', { name: `${names.producer} 120.000 kWh 240.000 kWh 120.000 kWh` }).waitFor()
    await page.getByRole('tab', { name: 'By hour' }).click()
    await page.getByLabel('Quantity').selectOption({ label: 'Production' })
    await page.getByLabel('Month').selectOption({ index: 1 })
    await table
      .getByRole('row', { name: /^01\/04\/2026, 00:00 50\.000 kWh 100\.000 kWh 50\.000 kWh/ })
      .waitFor()
    expect(page.url()).toContain('view=hours')
    expect(await violationsOf(page)).toEqual([])
  }

  async function compareWithMonthly(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Compare with monthly netting' }).click()
    await page.getByRole('heading', { name: 'Comparison of scenarios' }).waitFor()
    await page.getByText('0 of 3 months of groups').waitFor()
    await runScenarioJob(web.api)
    const totals = page.getByRole('region', { name: 'Scenario: all groups and months' })
    await totals.getByRole('columnheader', { name: 'Bigger plant (netted by month)' }).waitFor()
    const production = totals.getByRole('row', { name: /^Production/ })
    expect(await production.textContent()).toBe('Production240.000 kWhΔ 120.000 kWh240.000 kWhΔ 120.000 kWh')
    for (const [tab, row] of [
      ['By month', /^April 2026/],
      ['By facility', new RegExp(`^${names.consumer}`)],
      ['By hour', /^01\/03\/2026, 00:00/],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click()
      await page
        .getByRole('region', { name: /^Scenario: / })
        .getByRole('row', { name: row })
        .waitFor()
    }
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'Scenarios', exact: true }).click()
    const list = page.getByRole('region', { name: 'Scenarios' })
    await list.getByRole('row', { name: /^Bigger plant calculated .* March 2026 – May 2026/ }).waitFor()
    await list.getByRole('checkbox', { name: 'Select Bigger plant for the comparison' }).check()
    await page.getByRole('button', { name: 'Compare 1 selected' }).click()
    await totals.waitFor()
  }

  it('name the change that is wrong; one that waits is cancelled, and deleted', async () => {
    const { page, errors, context } = await web.browser.open(web.emails.admin)
    const address = `netting/scenarios/new?group=${spring.group.id}&month=2026-03`
    await page.goto(web.urlOf(address))
    await page.getByLabel('Name', { exact: false }).first().fill('Wrong')
    await addChange(page, 'Scale the production', async (dialog) => {
      await dialog.getByLabel('Facility').fill(names.consumer)
      await dialog.getByLabel('Factor').fill('-2')
    })
    await page.getByRole('button', { name: 'Calculate the scenario' }).click()
    await page.getByText(/^Change 1: Factor – /).waitFor()
    await page.getByRole('button', { name: 'Edit change 1' }).click()
    await page.getByRole('dialog').getByLabel('Factor').fill('2')
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('button', { name: 'Calculate the scenario' }).click()
    await page.getByRole('button', { name: 'Cancel the calculation' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the calculation' }).click()
    await page.getByText('cancelled', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Calculate again' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Calculate again' }).click()
    await page.getByText('being calculated', { exact: true }).waitFor()
    await runScenarioJob(web.api)
    await page.getByText(/^Change 1: .*no production meter/).waitFor()
    await page.getByRole('button', { name: 'Delete Wrong' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Scenarios' }).waitFor()
    expect(await page.getByRole('link', { name: 'Wrong' }).count()).toBe(0)
    expect(errors.filter((error) => !error.includes('422'))).toEqual([])
    await context.close()
  })
})

import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violationsOf } from '../../support/console/browser.ts'
import { startConsole, type TestConsole } from '../../support/console/console.ts'
import { enterDate } from '../../support/console/date-fields.ts'
import { exportTable } from '../../support/console/export-table.ts'
import { makeSpring, type Spring } from '../../support/netting/calculated-months.ts'
import { runOptimisationJob } from '../../support/netting/optimisation-job.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../support/netting/prices.ts'
import { runSizingJob } from '../../support/netting/scenario-job.ts'
import { chromiumPath } from '../../support/process/chromium.ts'

describe.runIf(chromiumPath)('optimisations and sizings in the console (needs chromium)', () => {
  let web: TestConsole
  let spring: Spring
  let names: { readonly group: string; readonly producer: string; readonly consumer: string }

  beforeAll(async () => {
    web = await startConsole()
    const { api, tenant } = web
    await makePriceSet(api.deps, '2025-01-01', INDUSTRIAL_PRICES)
    spring = await makeSpring(api, tenant)
    const nameOf = async (path: string): Promise<string> =>
      (await api.call('GET', `/api/mahsuplasma/${path}`, { token: tenant.admin.token })).body.name
    names = {
      group: await nameOf(`groups/${spring.group.id}`),
      producer: await nameOf(`facilities/${spring.producer.id}`),
      consumer: await nameOf(`facilities/${spring.consumer.id}`),
    }
  })
  afterAll(() => web.close())

  it('creates an optimisation, follows it in the list, reads its result and makes it a scenario', async () => {
    await web.visit('admin', 'netting/optimisations', async (page) => {
      await createOptimisation(page)
      const list = page.getByRole('region', { name: 'Optimisations' })
      const row = list.getByRole('row', { name: `waiting ${names.group} March 2026 March 2026` })
      await row.waitFor()
      await runOptimisationJob(web.api)
      // The list is read again by itself.
      await list.getByRole('row', { name: /^Best dispatch .* finished group / }).waitFor()
      await list.getByRole('link', { name: 'Best dispatch' }).click()
      await page.getByText('calculated', { exact: true }).waitFor()
      await checkOptimisation(page)
      await page.getByRole('button', { name: /^Calculate as a scenario/ }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Calculate as a scenario' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Delete Best dispatch' }).click()
      const ofThisOne = `optimisations/${page.url().split('/').at(-1)}`
      const requests: string[] = []
      page.on('request', (request) => {
        if (request.url().endsWith(ofThisOne)) requests.push(request.method())
      })
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await list.waitFor()
      // The deleted optimisation is not read again while its page closes.
      expect(requests).toEqual(['DELETE'])
      await page.getByRole('link', { name: 'Best dispatch' }).waitFor({ state: 'detached' })
      await page.goto(web.urlOf('netting/scenarios'))
      await page.getByRole('link', { name: /^Best dispatch/ }).waitFor()
    })
  })

  async function createOptimisation(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'New optimisation' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: false }).first().fill('Best dispatch')
    await dialog.getByLabel('Groups').fill(names.group)
    await dialog.getByRole('button', { name: `Remove ${names.group}` }).waitFor()
    await enterDate(dialog, 'From', '2026-03')
    await enterDate(dialog, 'Until', '2026-03')
    await dialog.getByRole('button', { name: 'Add: Batteries' }).click()
    await dialog.getByLabel('Facility').fill(names.consumer)
    for (const [label, text] of [
      ['Capacity', '10'],
      ['Power', '5'],
      ['Efficiency', '0,9'],
    ] as const)
      await dialog.getByLabel(label).fill(text)
    expect(await violationsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.waitFor({ state: 'detached' })
  }

  async function checkOptimisation(page: Page): Promise<void> {
    const result = page.getByRole('region', { name: 'Result', exact: true })
    await result.getByRole('row', { name: 'Production 30.000 kWh 30.000 kWh' }).waitFor()
    await page
      .getByRole('region', { name: 'Candidates' })
      .getByRole('row', { name: /^proposal of the solver/ })
      .waitFor()
    await page.getByText(`Facility: ${names.consumer}`, { exact: false }).first().waitFor()
    await page.getByText('Surplus of: the facility itself').waitFor()
    await page.getByRole('slider', { name: `Set points: ${names.consumer}` }).waitFor()
    await page.getByText('1–24 of 744').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page
      .getByRole('region', { name: 'Set points' })
      .getByRole('row', { name: /02\/03\/2026, 00:00/ })
      .waitFor()
    const download = await exportTable(page, 'Set points', 'CSV')
    expect(await readFile(await download.path(), 'utf8')).toContain(names.consumer)
    expect(await violationsOf(page)).toEqual([])
  }

  it('creates a sizing, follows it while the page is left, and reads the chart, the table and its file', async () => {
    await web.visit('admin', 'netting/sizings/new', async (page) => {
      await createSizing(page)
      await page.getByText('0 of 3 sizes').waitFor()
      await page.getByRole('link', { name: 'Sizings', exact: true }).click()
      const row = page.getByRole('row', { name: /^How large/ })
      await row.getByText('0 of 3 sizes').waitFor()
      await runSizingJob(web.api)
      await row.getByText('calculated').waitFor()
      await row.getByRole('link').click()
      await checkSizing(page)
      await page.getByRole('button', { name: 'Delete How large' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('region', { name: 'Sizings' }).getByText('No sizing yet').waitFor()
    })
  })

  async function createSizing(page: Page): Promise<void> {
    await page.getByText('No change yet: add the one whose size varies.').waitFor()
    await page.getByLabel('Groups').fill(names.group)
    await page.getByRole('button', { name: `Remove ${names.group}` }).waitFor()
    await page.getByLabel('Name', { exact: true }).fill('How large')
    await enterDate(page, 'First month', '2026-03')
    await enterDate(page, 'Last month', '2026-05')
    for (const [label, text] of [
      ['Smallest size', '0,5'],
      ['Largest size', '1,5'],
      ['Step', '0,5'],
      ['Investment of one unit, TL', '1000,50'],
    ] as const)
      await page.getByLabel(label, { exact: false }).fill(text)
    await page.getByRole('button', { name: 'Add a change' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Kind of change').selectOption({ label: 'Scale the production' })
    await dialog.getByLabel('Facility').fill(names.producer)
    await dialog.getByLabel('Factor').fill('1')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Calculate the sizes' }).click()
  }

  async function checkSizing(page: Page): Promise<void> {
    await page.getByText('Change whose size varies').waitFor()
    await page.getByRole('region', { name: 'Result by size' }).waitFor()
    await page.getByText('Largest benefit at 1 factor').waitFor()
    const chart = page.getByRole('figure').filter({ hasText: 'Benefit over the size, TL' })
    expect(await chart.locator('polyline').getAttribute('points')).toMatch(/^\S+ \S+ \S+$/)
    const table = page.getByRole('region', { name: 'Result by size' })
    // The hours consume 40 kWh and produce 120 kWh at the factor 1; the limit is 100 kWh.
    await table.getByRole('row', { name: /^0\.5 40\.000 kWh .* 500\.25 TL/ }).waitFor()
    await table.getByRole('row', { name: /^1\.5 40\.000 kWh .* 1,500\.75 TL/ }).waitFor()
    const download = await exportTable(page, 'Result by size', 'CSV')
    expect(download.suggestedFilename()).toMatch(/^netsaat-sizing-points-.*\.csv$/)
    expect(await readFile(await download.path(), 'utf8')).toContain('1500.75')
    expect(await violationsOf(page)).toEqual([])
  }
})

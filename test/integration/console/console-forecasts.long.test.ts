import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayStart } from '../../../src/kernel/time.ts'
import { violationsOf } from '../../support/console/browser.ts'
import { startConsole, type TestConsole } from '../../support/console/console.ts'
import { addFacts, hourlyFacts } from '../../support/netting/energy.ts'
import { makeGroup } from '../../support/netting/netting.ts'
import { runHourlyForecastJob } from '../../support/netting/scenario-job.ts'
import { chromiumPath } from '../../support/process/chromium.ts'

describe.runIf(chromiumPath)('forecasts by hour in the console (needs chromium)', () => {
  let web: TestConsole
  let name: string

  beforeAll(async () => {
    web = await startConsole()
    const { api, tenant } = web
    const group = await makeGroup(api.deps, tenant, { members: [{ role: 'consumption' }] })
    const [facility] = group.facilities
    if (!facility) throw new Error('the group has no facility')
    const { token } = tenant.admin
    const { body } = await api.call('GET', `/api/mahsuplasma/facilities/${facility.id}`, { token })
    name = body.name
    const end = api.clock.now()
    const range = { from: dayStart('2026-10-01'), to: end - (end % 3_600_000) }
    const load = { facilityId: facility.id, role: 'main_consumption' } as const
    await addFacts(
      api.deps,
      tenant,
      hourlyFacts(range, load, (index) => ({ consumption: `${10 + (index % 24)}.000` })),
    )
  })
  afterAll(() => web.close())

  it('are requested, show their progress, their band, the hours of a day and the scores', async () => {
    const { page, errors, context } = await web.browser.open(web.emails.admin)
    await page.goto(web.urlOf('netting/forecasts'))
    await page.getByRole('heading', { name: 'New forecast' }).waitFor()
    await page.getByLabel('Facilities').fill(name)
    await page.getByRole('button', { name: /^Remove/ }).waitFor()
    await page.getByLabel('Days').fill('2')
    await page.getByRole('button', { name: 'Forecast', exact: true }).click()
    await page.getByText('being computed').waitFor()
    await runHourlyForecastJob(web.api)
    const table = page.getByRole('table', { name: /^Hours of the day/ })
    await table.waitFor()
    // The load of 00:00 is 10 kWh each day.
    expect(await table.getByRole('row').nth(1).textContent()).toMatch(/10\.000.*10\.000.*10\.000/)
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('25–48 of 48').waitFor()
    const scores = page.getByRole('table', { name: /^Scores/ })
    expect(await scores.getByRole('row').nth(1).textContent()).toContain('0.000')
    expect(await page.locator('.uplot canvas').count()).toBe(1)
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: /^Delete .* – / }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No forecast yet').waitFor()
    expect(errors).toEqual([])
    await context.close()
  })
})

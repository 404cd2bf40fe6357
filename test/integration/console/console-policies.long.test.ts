import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import { startConsole, type TestConsole } from '../../support/console/console.ts'
import { createDevice, postSamples, sample, type TestDevice } from '../../support/metering/measurements.ts'
import { chromiumPath } from '../../support/process/chromium.ts'
import type { TestTenant } from '../../support/tenants.ts'

const MINUTE_MS = 60_000

describe.runIf(chromiumPath)('alarm policies in the console (needs chromium)', () => {
  let web: TestConsole
  let api: TestApi
  let tenant: TestTenant
  let meter: TestDevice

  beforeAll(async () => {
    web = await startConsole()
    ;({ api, tenant } = web)
    meter = await createDevice(api, tenant)
    const values = [10, 20, 90, 95, 20, 99, 10]
    const now = api.clock.now()
    await postSamples(
      api,
      tenant,
      values.map((active_power, index) =>
        sample(meter, now - (values.length - index) * 10 * MINUTE_MS, { active_power }),
      ),
    )
  })
  afterAll(async () => {
    await web.close()
  })

  it('previews a policy on stored samples, and creates it', async () => {
    const { page, errors, context } = await web.browser.open(web.emails.operator)
    await page.goto(`${api.url}/alarms`)
    await page.getByRole('link', { name: 'Policies' }).click()
    await page.getByLabel('Name', { exact: true }).fill('overload')
    await page.getByLabel('Threshold', { exact: true }).fill('80,5')
    await page.getByRole('button', { name: 'Preview on stored samples' }).press('Enter')
    await page.getByText('2 incidents at 1 device').waitFor()
    const incidents = page.getByRole('region', { name: 'Incidents' })
    await incidents.getByText('95', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Create the policy' }).click()
    await page.getByText('The policy overload was created.').waitFor()
    const policies = page.getByRole('region', { name: 'Alarm policies' })
    await policies.getByText('Active power above 80.5').waitFor()
    expect(errors).toEqual([])
    await context.close()
  })

  it('offers no form to a user who may only read', async () => {
    const { page, context } = await web.browser.open(web.emails.viewer)
    await page.goto(`${api.url}/alarms/policies`)
    await page.getByText('overload').waitFor()
    expect(await page.getByLabel('Threshold', { exact: true }).count()).toBe(0)
    await context.close()
  })
})

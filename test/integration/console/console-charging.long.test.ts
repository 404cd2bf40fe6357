import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import { type ChargingFixture, openCharging } from '../../support/charging/charging.ts'
import { startConsole, type TestConsole } from '../../support/console/console.ts'
import { exportTable } from '../../support/console/export-table.ts'
import { chromiumPath } from '../../support/process/chromium.ts'
import type { TestTenant } from '../../support/tenants.ts'

describe.runIf(chromiumPath)('charging in the console (needs chromium)', () => {
  let web: TestConsole
  let api: TestApi
  let tenant: TestTenant
  let fixture: ChargingFixture & { readonly tag: string }

  const now = () => new Date(api.clock.now()).toISOString()

  beforeAll(async () => {
    web = await startConsole({ config: { roles: ['api', 'realtime', 'ocpp'] } })
    ;({ api, tenant } = web)
    fixture = await openCharging(api, tenant, { name: 'Parking 1' })
    const { station, start, meter } = fixture
    await station.call('BootNotification', { chargePointVendor: 'Acme', chargePointModel: 'Wall 22' })
    await status('Available')
    station.onCall('ClearCache', () => ({ status: 'Rejected' }))
    station.onCall('RemoteStopTransaction', () => ({ status: 'Accepted' }))
    // A real station responds first and then reports the start of the transaction.
    station.onCall('RemoteStartTransaction', ({ idTag, connectorId }) => {
      setTimeout(() => {
        void (async () => {
          await status('Charging')
          const { transactionId } = await start({ tag: idTag, connectorId, meterStart: 1000 })
          for (const [power, register] of [
            ['7200', '1000'],
            ['11000', '1250'],
          ] as const) {
            api.clock.advance(60_000)
            await meter(
              now(),
              [
                { measurand: 'Power.Active.Import', unit: 'W', value: power },
                { measurand: 'Energy.Active.Import.Register', unit: 'Wh', value: register },
              ],
              { transactionId },
            )
          }
        })()
      }, 50)
      return { status: 'Accepted' }
    })
  })
  afterAll(async () => {
    await fixture.station.end()
    await web.close()
  })

  const status = (name: string) =>
    fixture.station.call('StatusNotification', {
      connectorId: 1,
      errorCode: 'NoError',
      status: name,
      timestamp: now(),
    })

  it('starts a charging session and shows its power and energy', async () => {
    const { page, errors, context } = await web.browser.open(web.emails.operator)
    await page.getByRole('link', { name: 'Charging' }).click()
    const tile = page.getByRole('listitem').filter({ hasText: 'Parking 1' })
    await tile.getByText('available').first().waitFor()
    await page.getByRole('link', { name: 'Parking 1' }).click()
    await page.getByLabel('Id tag').fill(fixture.tag)
    await page.getByLabel('Connector', { exact: true }).selectOption('1')
    await page.getByRole('button', { name: 'Start charging' }).press('Enter')
    await page.getByText('accepted', { exact: true }).waitFor()
    const sessions = page.getByRole('region', { name: 'Charging sessions' })
    await sessions.getByText(fixture.tag).waitFor()
    await sessions.getByText('active').waitFor()
    await sessions.getByRole('link').click()
    const measured = page.getByRole('region', { name: 'Measurements' })
    await measured.getByText('11 kW').waitFor()
    await measured.getByText('0.250 kWh').waitFor()
    expect(await page.locator('.chart canvas').count()).toBe(1)
    const csv = await readFile(await (await exportTable(page, 'Measurements', 'CSV')).path(), 'utf8')
    expect(csv.trim().split('\n').at(-1)).toMatch(/11\b.*0\.25/)
    expect(errors).toEqual([])
    await context.close()
  })

  it('sends commands with forms from their schemas and shows the response of the station', async () => {
    const { page, errors, context } = await web.browser.open(web.emails.operator)
    await page.goto(`${api.url}/charging/chargers/${fixture.charger.id}?tab=commands`)
    await page.getByLabel('Command', { exact: true }).selectOption('change_availability')
    expect(await page.getByLabel('Kind', { exact: true }).locator('option').allTextContents()).toEqual([
      'not given',
      'operative',
      'inoperative',
    ])
    fixture.station.onCall('ChangeAvailability', () => ({ status: 'Scheduled' }))
    await page.getByLabel('Kind', { exact: true }).selectOption('inoperative')
    await page.getByLabel('Connector', { exact: true }).fill('1')
    await page.getByRole('button', { name: 'Send the command' }).click()
    const commands = page.getByRole('region', { name: 'Commands' })
    await commands.getByText('Scheduled').waitFor()
    expect(fixture.station.called.at(-1)).toEqual({
      action: 'ChangeAvailability',
      payload: { connectorId: 1, type: 'Inoperative' },
    })
    await page.getByLabel('Command', { exact: true }).selectOption('data_transfer')
    await page.getByLabel('Vendor', { exact: true }).fill('acme')
    await page.getByLabel('Data', { exact: true }).fill('{')
    await page.getByRole('button', { name: 'Send the command' }).click()
    await page.getByRole('alert').getByText('Data is not valid JSON.').waitFor()
    await page.getByLabel('Command', { exact: true }).selectOption('clear_cache')
    await page.getByRole('button', { name: 'Send the command' }).click()
    await commands.getByText('rejected', { exact: true }).waitFor()
    expect(errors).toEqual([])
    await context.close()
  })

  it('offers the sessions as a file, and no action to a user who may only read', async () => {
    const { page, errors, context } = await web.browser.open(web.emails.viewer)
    await page.goto(`${api.url}/charging/sessions?state=active`)
    await page.getByText(fixture.tag).waitFor()
    expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0)
    const file = await exportTable(page, 'Charging sessions', 'CSV')
    expect(file.suggestedFilename()).toMatch(/^netsaat-charging-sessions-.*\.csv$/)
    await page.goto(`${api.url}/charging/chargers/${fixture.charger.id}`)
    await page.getByText('Acme Wall 22').waitFor()
    expect(await page.getByLabel('Id tag').count()).toBe(0)
    expect(errors).toEqual([])
    await context.close()
  })
})

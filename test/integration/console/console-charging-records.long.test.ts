import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCharging } from '../../support/charging/charging.ts'
import { DISPLAYS, faultsOf } from '../../support/console/browser.ts'
import { startConsole, type TestConsole } from '../../support/console/console.ts'
import { enterDate } from '../../support/console/date-fields.ts'
import { makeDataFolder } from '../../support/folder.ts'
import { chromiumPath } from '../../support/process/chromium.ts'

describe.runIf(chromiumPath)('forms of chargers in the console (needs chromium)', () => {
  let test: TestConsole
  let chargerId: string
  let close: () => Promise<void>

  beforeAll(async () => {
    test = await startConsole({
      config: { roles: ['api', 'realtime', 'ocpp'], dataDir: await makeDataFolder('console-charging') },
    })
    const fixture = await openCharging(test.api, test.tenant, { name: 'Parking 1' })
    await fixture.station.call('BootNotification', { chargePointVendor: 'Acme', chargePointModel: 'Wall 22' })
    await fixture.start({ meterStart: 1000 })
    chargerId = fixture.charger.id
    close = () => fixture.station.end()
  })
  afterAll(async () => {
    await close()
    await test.close()
  })

  const read = async (path: string) =>
    (await test.api.call('GET', path, { token: test.tenant.admin.token })).body
  const dialogOf = (page: Page) => page.getByRole('dialog')
  const submit = (page: Page, name: string) =>
    dialogOf(page).getByRole('button', { name, exact: true }).click()

  it('creates a group with a charger, changes its share, and deletes it', async () => {
    await test.visit('operator', 'charging/management', async (page) => {
      await page.getByRole('button', { name: 'New charging group' }).click()
      await dialogOf(page).getByLabel('Name').fill('Garage')
      await dialogOf(page).getByLabel('Power limit, kW').fill('44')
      expect(await dialogOf(page).getByLabel('Minimum of a connector').inputValue()).toBe('1.4')
      await dialogOf(page).getByRole('button', { name: 'Add: Chargers' }).click()
      await dialogOf(page).getByLabel('Charger', { exact: true }).fill('Parking 1')
      await dialogOf(page).getByLabel('Maximum power, kW').fill('22')
      await submit(page, 'Create')
      await page.getByRole('row', { name: /Garage.*44/ }).waitFor()
      await page.getByRole('button', { name: 'Edit Garage' }).click()
      await dialogOf(page).getByLabel('Maximum power, kW').fill('11')
      await dialogOf(page).getByLabel('Division').selectOption('by_need')
      await submit(page, 'Save')
      await page.getByRole('row', { name: /Garage.*by need/ }).waitFor()
    })
    const groups = await read('/api/ocpp/charging-groups')
    const group = await read(`/api/ocpp/charging-groups/${groups.items[0].id}`)
    expect(group).toMatchObject({ split: 'by_need', members: [{ charger_id: chargerId, max_kw: 11 }] })
    await test.visit('operator', 'charging/management', async (page) => {
      await page.getByRole('button', { name: 'Delete Garage' }).click()
      await submit(page, 'Delete')
      await page.getByText('No record found').waitFor()
    })
  })

  it('creates a tag, reserves a connector for it, and cancels the reservation', async () => {
    // The reservation of a station without a connection waits.
    const body = { cpid: 'CP-2', name: 'Parking 2' }
    await test.api.call('POST', '/api/ocpp/chargers', { token: test.tenant.admin.token, body })
    await test.visit('operator', 'charging/management?tab=tags', async (page) => {
      await page.getByRole('button', { name: 'New id tag' }).click()
      await dialogOf(page).getByLabel('Tag', { exact: true }).fill('CARD-7')
      await submit(page, 'Create')
      await page.getByRole('row', { name: /CARD-7.*accepted/ }).waitFor()
      await page.getByRole('tab', { name: 'Reservations' }).click()
      await page.getByRole('button', { name: 'New reservation' }).click()
      await dialogOf(page).getByLabel('Charger').fill('Parking 2')
      await dialogOf(page).getByLabel('Id tag').fill('CARD-7')
      const soon = new Date(test.api.clock.now() + 7_200_000 + 10_800_000).toISOString().slice(0, 16)
      await enterDate(dialogOf(page), 'Valid until', soon)
      await submit(page, 'Create')
      await page.getByRole('row', { name: /Parking 2.*CARD-7/ }).waitFor()
      await page.getByRole('button', { name: /Cancel the reservation: / }).click()
      await submit(page, 'Cancel the reservation')
      await dialogOf(page).waitFor({ state: 'detached' })
    })
    expect((await read('/api/ocpp/reservations')).total).toBe(1)
  })

  it('sends a profile with its periods, chooses the local list, and queries certificates', async () => {
    await test.visit('operator', `charging/chargers/${chargerId}?tab=profiles`, async (page) => {
      await page.getByRole('button', { name: 'Send a profile' }).click()
      await dialogOf(page).getByLabel('Purpose').selectOption('tx_default')
      await dialogOf(page).getByLabel('Unit').selectOption('A')
      await dialogOf(page).getByRole('button', { name: 'Add: Periods' }).click()
      await dialogOf(page).getByLabel('From second').fill('0')
      await dialogOf(page).getByLabel('Limit', { exact: true }).fill('16')
      await submit(page, 'Create')
      await page.getByRole('row', { name: /every session/ }).waitFor()

      await page.getByRole('tab', { name: 'Local list' }).click()
      await page.getByLabel('Tags').fill('CARD-7')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved.').waitFor()

      await page.getByRole('tab', { name: 'Certificates' }).click()
      await page.getByRole('button', { name: 'Query the installed ones: Parking 1' }).click()
      await dialogOf(page).getByLabel('Use').selectOption('central_system_root')
      await submit(page, 'Query the installed ones')
      await dialogOf(page).getByText('State').waitFor()
      await submit(page, 'Close')
    })
    const list = await read(`/api/ocpp/chargers/${chargerId}/local-list`)
    expect(list).toMatchObject({ is_chosen: true, tag_ids: [expect.any(String)] })
    const { items } = await read(`/api/ocpp/chargers/${chargerId}/charging-profiles`)
    expect(items[0].purpose).toBe('tx_default')
  })

  it('closes a session whose end was lost', async () => {
    const { items } = await read('/api/ocpp/sessions')
    await test.visit('operator', `charging/sessions/${items[0].id}`, async (page) => {
      await page.getByRole('button', { name: /Close the session: / }).press('Enter')
      await submit(page, 'Close the session')
      await page.getByText('ended', { exact: true }).waitFor()
      expect(await page.getByRole('button', { name: /Close the session: / }).count()).toBe(0)
    })
  })

  it('offers a viewer no change', async () => {
    await test.visit('viewer', 'charging/management?tab=tags', async (page) => {
      await page.getByRole('row', { name: /CARD-7/ }).waitFor()
      expect(await page.getByRole('button', { name: /New|Edit|Delete/ }).count()).toBe(0)
    })
  })

  it.each(DISPLAYS)('has no serious accessibility fault in a form and fits: %o', async (display) => {
    await test.visit(
      'operator',
      `charging/chargers/${chargerId}?tab=profiles`,
      async (page) => {
        await page.getByRole('button', { name: /^(Send a profile|Profil gönder)$/ }).click()
        await dialogOf(page).getByRole('group').first().waitFor()
        expect(await faultsOf(page)).toEqual([])
      },
      display,
    )
  })
})

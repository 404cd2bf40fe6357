import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DISPLAYS, faultsOf } from '../../support/console/browser.ts'
import { startConsole, type TestConsole } from '../../support/console/console.ts'
import { chromiumPath } from '../../support/process/chromium.ts'

describe.runIf(chromiumPath)('the forms of records in the console (needs chromium)', () => {
  let test: TestConsole

  beforeAll(async () => {
    test = await startConsole()
  })
  afterAll(() => test.close())

  const create = async (path: string, body: object) => {
    const token = test.tenant.admin.token
    const response = await test.api.call('POST', path, { token, body })
    expect(response.status, response.text).toBe(201)
    return response.body
  }
  const read = async (path: string) =>
    (await test.api.call('GET', path, { token: test.tenant.admin.token })).body
  const dialogOf = (page: Page) => page.getByRole('dialog')
  const submit = (page: Page, name: string) =>
    dialogOf(page).getByRole('button', { name, exact: true }).click()

  it('creates, changes and deletes a site, and names what uses it', async () => {
    const region = await create('/api/regions', { name: 'West' })
    await test.visit('admin', 'registry', async (page) => {
      await page.getByRole('button', { name: 'New site' }).click()
      await dialogOf(page).getByLabel('Name').fill('Roof')
      await dialogOf(page).getByLabel('Region').fill('West')
      await dialogOf(page).getByLabel('Contracted power').fill('250.5')
      await submit(page, 'Create')
      await page.getByRole('row', { name: /Roof.*West.*250\.5/ }).waitFor()
      await page.getByRole('button', { name: 'Edit Roof' }).click()
      await dialogOf(page).getByLabel('City').fill('Bursa')
      await submit(page, 'Save')
      await page.getByRole('row', { name: /Roof.*Bursa/ }).waitFor()

      await page.getByRole('tab', { name: 'Regions' }).click()
      await page.getByRole('button', { name: 'Delete West' }).click()
      await dialogOf(page).getByText('Sites: Roof').waitFor()
      await submit(page, 'Cancel')
      await page.getByRole('tab', { name: 'Sites' }).click()
      await page.getByRole('button', { name: 'Delete Roof' }).click()
      await dialogOf(page).getByText('No other record uses it.').waitFor()
      await submit(page, 'Delete')
      await page.getByText('No record found').waitFor()
    })
    expect((await read(`/api/subregions?region_id=${region.id}`)).total).toBe(0)
  })

  it('shows faults at their fields and keeps what was typed', async () => {
    await test.visit('admin', 'gateways', async (page) => {
      await page.getByRole('button', { name: 'New gateway' }).click()
      await dialogOf(page).getByLabel('Name').fill('Cellar')
      await dialogOf(page).getByLabel('Type').selectOption('modbus')
      await dialogOf(page).getByLabel('Configuration').fill('{"baud_rate": ')
      await submit(page, 'Create')
      await dialogOf(page).getByText('This is no valid JSON.').waitFor()
      await dialogOf(page).getByLabel('Configuration').fill('')
      await dialogOf(page).getByLabel('Host').fill('10.1.2.7')
      await submit(page, 'Create')
      await page.getByRole('link', { name: 'Cellar' }).waitFor()
    })
    expect(await read('/api/gateways?search=Cellar')).toMatchObject({
      items: [{ name: 'Cellar', gateway_type: 'modbus', host: '10.1.2.7' }],
    })
  })

  it('keeps a change of someone else, and lets the user save again', async () => {
    const gateway = await create('/api/gateways', { name: 'Shared', gateway_type: 'mqtt', model: 'A' })
    const { page, errors, context } = await test.browser.open(test.emails.admin)
    await page.goto(test.urlOf(`gateways/${gateway.id}`))
    await page.getByRole('button', { name: 'Edit Shared' }).click()
    await dialogOf(page).getByLabel('Serial number').fill('S-1')
    await test.api.call('PUT', `/api/gateways/${gateway.id}`, {
      ...{ token: test.tenant.admin.token, body: { model: 'B' } },
    })
    await submit(page, 'Save')
    await dialogOf(page).getByText('changed this record after you opened it: Model').waitFor()
    expect(await dialogOf(page).getByLabel('Model').inputValue()).toBe('B')
    await submit(page, 'Save')
    await dialogOf(page).waitFor({ state: 'detached' })
    expect(await read(`/api/gateways/${gateway.id}`)).toMatchObject({ model: 'B', serial_number: 'S-1' })
    // The refusal is reported by the browser.
    expect(errors.filter((error) => !error.includes('412'))).toEqual([])

    await page.getByRole('button', { name: 'New login' }).click()
    await submit(page, 'New login')
    await dialogOf(page).getByText('Copy these values now').waitFor()
    await submit(page, 'Close')
    await page.getByRole('button', { name: 'Delete Shared' }).click()
    await submit(page, 'Delete')
    await page.getByRole('heading', { name: 'Gateways', level: 1 }).waitFor()
    await context.close()
  })

  it('explains a conflict and what to do', async () => {
    await create('/api/mahsuplasma/organizations', { name: 'Grid', org_type: 'grid_operator' })
    const { page, context } = await test.browser.open(test.emails.admin)
    await page.goto(test.urlOf('registry?tab=organizations'))
    await page.getByRole('button', { name: 'New organization' }).click()
    await dialogOf(page).getByLabel('Kind').selectOption('grid_operator')
    await dialogOf(page).getByLabel('Name').fill('Grid')
    await submit(page, 'Create')
    await dialogOf(page).getByText('Use another name or number').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await dialogOf(page).waitFor({ state: 'detached' })
    await context.close()
  })

  it('offers no form to a user who may only read', async () => {
    await test.visit('viewer', 'registry', async (page) => {
      await page.getByRole('tab', { name: 'Regions' }).click()
      await page.getByRole('row', { name: 'West' }).waitFor()
      expect(await page.getByRole('button', { name: /New|Edit|Delete/ }).count()).toBe(0)
    })
  })

  it.each(DISPLAYS)('has no serious accessibility fault in a form and fits: %o', async (display) => {
    const { page, errors, context } = await test.browser.open(test.emails.admin, display)
    await page.goto(test.urlOf('registry?tab=facilities'))
    await page.locator('.record-tools .button').click()
    await page.getByRole('dialog').locator('input').first().waitFor()
    expect(await faultsOf(page), 'form').toEqual([])
    expect(errors).toEqual([])
    await context.close()
  })
})

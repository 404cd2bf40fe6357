import { randomBytes, randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DISPLAYS, faultsOf } from '../../support/console/browser.ts'
import { startConsole, type TestConsole } from '../../support/console/console.ts'
import { chromiumPath } from '../../support/process/chromium.ts'

describe.runIf(chromiumPath)('forms of tenants and of devices in the console (needs chromium)', () => {
  let test: TestConsole

  beforeAll(async () => {
    test = await startConsole({ config: { credentialEncryptionKey: randomBytes(32).toString('base64') } })
  })
  afterAll(() => test.close())

  const read = async (path: string) =>
    (await test.api.call('GET', path, { token: test.tenant.superuser.token })).body
  const dialogOf = (page: Page) => page.getByRole('dialog')
  const submit = (page: Page, name: string) =>
    dialogOf(page).getByRole('button', { name, exact: true }).click()

  /** Steps with requests that the service refuses, which the browser reports as errors. */
  const visitRefused = async (path: string, steps: (page: Page) => Promise<void>) => {
    const { page, errors, context } = await test.browser.open(test.emails.superuser)
    await page.goto(test.urlOf(path))
    await steps(page)
    expect(errors.filter((error) => !/40[49]|422/.test(error))).toEqual([])
    await context.close()
  }

  it('creates, renames and deactivates a tenant, sets its quotas, and deletes it by its name', async () => {
    await visitRefused('administration?tab=tenants', async (page) => {
      await page.getByRole('button', { name: 'New tenant' }).click()
      await dialogOf(page).getByLabel('Name', { exact: true }).fill('Zone 4')
      await dialogOf(page).getByLabel('E-mail address').fill('zone4@example.org')
      await dialogOf(page).getByLabel('Password of').fill('a long enough password 4')
      await submit(page, 'Create')
      await page.getByRole('button', { name: 'Edit Zone 4' }).click()
      await dialogOf(page).getByLabel('Name').fill('Zone 5')
      await submit(page, 'Save')
      await page.getByRole('button', { name: 'Quotas: Zone 5' }).click()
      await dialogOf(page).getByLabel('Devices').fill('12')
      await submit(page, 'Save')
      await dialogOf(page).waitFor({ state: 'detached' })
      expect(await page.getByRole('button', { name: 'Delete Zone 5' }).count()).toBe(0)
      await page.getByRole('button', { name: 'Deactivate: Zone 5' }).click()
      await submit(page, 'Deactivate')
      await page.getByRole('button', { name: 'Reactivate: Zone 5' }).waitFor()
      const { items } = await read('/api/v1/admin/tenants?search=Zone')
      const { quotas } = await read(`/api/v1/admin/tenants/${items[0].id}/quotas`)
      expect(quotas).toContainEqual(expect.objectContaining({ name: 'devices', limit: 12 }))

      await page.getByRole('button', { name: 'Delete Zone 5' }).click()
      await dialogOf(page).getByLabel('Name of the tenant').fill('Zone 6')
      await submit(page, 'Delete')
      await dialogOf(page).getByRole('alert').waitFor()
      await dialogOf(page).getByLabel('Name of the tenant').fill('Zone 5')
      await submit(page, 'Delete')
      const deletions = page.getByRole('region', { name: 'Deletions' })
      await deletions.getByRole('row', { name: /Zone 5.*0 of \d+ tables/ }).waitFor()
    })
    const { items } = await read('/api/v1/admin/tenant-deletions')
    expect(items).toMatchObject([{ name: 'Zone 5', status: 'queued' }])
  })

  it('sets an OpenID provider and keeps its secret, and refuses a rule that the user does not meet', async () => {
    await visitRefused('administration?tab=settings', async (page) => {
      const provider = page.locator('section').filter({ hasText: 'OpenID provider' })
      await provider.getByLabel('Issuer').fill('https://login.example.org')
      await provider.getByLabel('Client id').fill('netsaat')
      await provider.getByLabel('Client secret').fill('a secret of the provider')
      await provider.getByLabel('Domains').fill('example.org')
      await provider.getByRole('button', { name: 'Save' }).click()
      await provider.getByText('Saved.').waitFor()
      await provider.getByLabel('Passwords stay possible').uncheck()
      const stored = page.waitForResponse((response) => response.request().method() === 'PUT')
      await provider.getByRole('button', { name: 'Save' }).click()
      expect((await stored).status()).toBe(200)
      const rules = page.locator('section').filter({ hasText: 'Rules for sign-in' })
      await rules.getByLabel('Require one-time passwords').check()
      await rules.getByRole('button', { name: 'Save' }).click()
      await rules.getByRole('alert').waitFor()
    })
    const stored = await read('/api/auth/oidc/provider')
    expect(stored).toMatchObject({
      client_id: 'netsaat',
      allows_password: false,
      is_enabled: true,
      allowed_domains: ['example.org'],
    })
  })

  it('creates a market account and a machine key', async () => {
    await test.visit('superuser', 'administration?tab=market-accounts', async (page) => {
      await page.getByRole('button', { name: 'New market account' }).click()
      await dialogOf(page).getByLabel('Name', { exact: true }).fill('Platform')
      await dialogOf(page).getByLabel('Password at the platform').fill('pw')
      await submit(page, 'Create')
      await page.getByRole('button', { name: 'Next step: Platform' }).click()
      await dialogOf(page).getByLabel('Approval step').selectOption('spec_downloaded')
      await submit(page, 'Next step')
      await page.getByRole('row', { name: /Platform.*specification downloaded/ }).waitFor()
      await page.getByRole('tab', { name: 'Machine keys' }).click()
      await page.getByRole('button', { name: 'New machine key' }).click()
      await dialogOf(page).getByLabel('Name').fill('Historian')
      await dialogOf(page).getByLabel('Devices: read').check()
      await submit(page, 'Create')
      await dialogOf(page).getByText('Copy these values now').waitFor()
      await submit(page, 'Close')
      await page.getByRole('button', { name: 'Delete Historian' }).waitFor()
    })
  })

  it('creates a collector mapping with a rule', async () => {
    await test.visit('admin', 'registry?tab=collectors', async (page) => {
      await page.getByRole('button', { name: 'New collector mapping' }).click()
      await dialogOf(page).getByLabel('Name', { exact: true }).fill('factory')
      await dialogOf(page).getByRole('button', { name: 'Add: Rules for values' }).click()
      await dialogOf(page).getByLabel('Field').fill('watts')
      await dialogOf(page).getByLabel('Metric', { exact: true }).fill('active_power')
      await dialogOf(page).getByLabel('Factor').fill('0.001')
      await submit(page, 'Create')
      await page.getByRole('row', { name: /factory.*device, host/ }).waitFor()
    })
    const { items } = await read('/api/collector-mappings')
    expect(items[0].metrics).toMatchObject([{ field: 'watts', metric: 'active_power', factor: 0.001 }])
  })

  it('imports a definition of zigbee2mqtt, and edits the head of its map', async () => {
    const name = `Plug ${randomUUID()}`
    await test.visit('admin', 'templates', async (page) => {
      await page.getByRole('button', { name: 'Import a template' }).click()
      await dialogOf(page).getByLabel('Format').selectOption('zigbee2mqtt')
      const exposes = [{ type: 'numeric', name: 'power', property: 'power', unit: 'W', access: 1 }]
      await dialogOf(page)
        .getByLabel('File')
        .setInputFiles({
          name: 'plug.json',
          mimeType: 'application/json',
          buffer: Buffer.from(JSON.stringify({ exposes })),
        })
      await dialogOf(page).getByLabel('Name').fill(name)
      await dialogOf(page).getByLabel('Type of device').fill('smart_plug')
      await submit(page, 'Import a template')
      await dialogOf(page).getByRole('button', { name: 'Open the template' }).click()
      await page.getByText('Head of the map').click()
      await page.getByLabel('Maker').fill('Acme')
      await page.getByText('There are unsaved changes.').waitFor()
      await page.getByRole('button', { name: 'Save the register map' }).click()
      await page.getByText('The register map is saved.').waitFor()
    })
    const { items } = await read(`/api/devices/device-templates?search=${encodeURIComponent(name)}`)
    const { register_map } = await read(`/api/devices/device-templates/${items[0].id}`)
    expect(register_map).toMatchObject({ vendor: 'Acme' })
  })

  it.each(DISPLAYS)('has no serious accessibility fault and fits: %o', async (display) => {
    await test.visit(
      'superuser',
      'administration?tab=tenants',
      async (page) => {
        await page
          .getByRole('button', { name: /^(Quotas|Kotalar): / })
          .first()
          .click()
        await dialogOf(page).getByRole('spinbutton').first().waitFor()
        expect(await faultsOf(page)).toEqual([])
      },
      display,
    )
  })
})

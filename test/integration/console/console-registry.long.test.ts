import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startConsole, type TestConsole } from '../../support/console/console.ts'
import { enterDate } from '../../support/console/date-fields.ts'
import { makeDataFolder } from '../../support/folder.ts'
import { makeGroup } from '../../support/netting/netting.ts'
import { chromiumPath } from '../../support/process/chromium.ts'

describe.runIf(chromiumPath)(
  'forms of netting, chargers and firmware in the console (needs chromium)',
  () => {
    let test: TestConsole

    beforeAll(async () => {
      test = await startConsole({ config: { dataDir: await makeDataFolder('console') } })
    })
    afterAll(() => test.close())

    const read = async (path: string) =>
      (await test.api.call('GET', path, { token: test.tenant.admin.token })).body
    const dialogOf = (page: Page) => page.getByRole('dialog')
    const submit = (page: Page, name: string) =>
      dialogOf(page).getByRole('button', { name, exact: true }).click()

    it('ends a membership, and books an adjustment of a limit with its reason', async () => {
      const group = await makeGroup(test.api.deps, test.tenant, {
        members: [{ role: 'production' }, { role: 'consumption', limits: { 2026: '1000.000' } }],
      })
      await test.visit('admin', `netting/groups/${group.id}/members`, async (page) => {
        await page.getByRole('button', { name: 'Edit consumption' }).click()
        await enterDate(dialogOf(page), 'Valid to', '2027-12-31')
        await submit(page, 'Save')
        await page.getByRole('row', { name: /31\/12\/2027/ }).waitFor()
        await page.goto(test.urlOf('registry?tab=accounts'))
        await page.getByRole('button', { name: 'Adjust: ' }).click()
        await dialogOf(page).getByLabel('Amount').fill('-12,5')
        await dialogOf(page).getByLabel('Reason').fill('official letter')
        await submit(page, 'Adjust')
        await page.getByRole('row', { name: /987\.500/ }).waitFor()
      })
      const [account] = await read('/api/mahsuplasma/limits/accounts?include=limits')
      expect(account).toMatchObject({ remaining_limit_kwh: '987.500' })
    })

    it('creates a charger, whose password is shown once, and removes it', async () => {
      await test.visit('admin', 'charging', async (page) => {
        await page.getByRole('button', { name: 'New charger' }).click()
        await dialogOf(page).getByLabel('Station identity').fill('CP-1')
        await submit(page, 'Create')
        await dialogOf(page).getByText('Copy these values now').waitFor()
        const password = await dialogOf(page).locator('code').last().textContent()
        expect(password?.length).toBeGreaterThanOrEqual(16)
        await submit(page, 'Close')
        await page.getByRole('link', { name: 'CP-1' }).click()
        await page.getByRole('button', { name: 'Delete CP-1' }).click()
        await submit(page, 'Delete')
        await page.getByText('No charger').waitFor()
      })
      expect((await read('/api/ocpp/chargers')).total).toBe(0)
    })

    it('creates a code with which a Zigbee gateway joins, and withdraws it', async () => {
      const pending = async () => (await read('/api/v1/zigbee/claims/pending')).items
      await test.visit('admin', 'registry?tab=zigbee', async (page) => {
        await page.getByRole('button', { name: 'New join code' }).click()
        await dialogOf(page).getByLabel('Name of the gateway').fill('Roof')
        await submit(page, 'Create')
        // The whole code is shown only now; lists show its end.
        const code = await dialogOf(page)
          .getByText(/^\w{1,7}(-\w{4}){3}$/)
          .textContent()
        await dialogOf(page).getByRole('button', { name: 'Close' }).click()
        await page.getByRole('tab', { name: 'Join codes' }).click()
        await page.getByRole('row', { name: new RegExp(`Roof.*\\*-${code?.slice(-4)}`) }).waitFor()
        await page.getByRole('button', { name: 'Delete Roof' }).click()
        await submit(page, 'Delete')
        await page.getByRole('row', { name: /Roof/ }).waitFor({ state: 'detached' })
      })
      expect(await pending()).toEqual([])
    })

    it('uploads a firmware version and releases it', async () => {
      await test.visit('admin', 'updates?tab=firmware', async (page) => {
        await page.getByText('Upload a firmware version').first().click()
        await page.getByLabel('Version').fill('1.2.3')
        await page.getByLabel('Device model').fill('Gateway 5')
        await page.getByLabel('File', { exact: true }).setInputFiles({
          name: 'firmware.bin',
          mimeType: 'application/octet-stream',
          buffer: Buffer.alloc(100_000, 7),
        })
        await page.getByRole('button', { name: 'Upload a firmware version' }).click()
        await page.getByText('Version 1.2.3 is stored as a draft.').waitFor()
        await page.getByRole('button', { name: 'Release: 1.2.3' }).click()
        await submit(page, 'Release')
        await page.getByRole('button', { name: 'Deprecate: 1.2.3' }).waitFor()
        expect(await page.getByRole('button', { name: 'Edit 1.2.3' }).count()).toBe(0)
      })
      const { items } = await read('/api/firmware/versions')
      expect(items).toMatchObject([{ version: '1.2.3', status: 'released', size_bytes: 100_000 }])
    })
  },
)

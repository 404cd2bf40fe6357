import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newEmail } from '../../support/accounts.ts'
import type { TestApi } from '../../support/api.ts'
import { startConsole, type TestConsole } from '../../support/console/console.ts'
import { exportTable } from '../../support/console/export-table.ts'
import { chromiumPath } from '../../support/process/chromium.ts'
import type { TestTenant } from '../../support/tenants.ts'

describe.runIf(chromiumPath)('the administration in the console (needs chromium)', () => {
  let web: TestConsole
  let api: TestApi
  let tenant: TestTenant

  beforeAll(async () => {
    web = await startConsole()
    ;({ api, tenant } = web)
  })
  afterAll(async () => {
    await web.close()
  })

  it('creates an API key, which is shown once and works, and revokes it', async () => {
    const { page, errors, context } = await web.browser.open(web.emails.operator)
    await page.getByRole('link', { name: 'Administration' }).click()
    await page.getByRole('tab', { name: 'API keys' }).click()
    await page.getByLabel('Name', { exact: true }).fill('billing')
    expect(await page.getByLabel('Users: manage').count()).toBe(0)
    await page.getByLabel('Devices: read').check()
    await page.getByRole('button', { name: 'Create an API key' }).press('Enter')
    const key = (await page.locator('.code-block').textContent()) ?? ''
    const status = async (path: string) => (await api.call('GET', path, { token: key })).status
    expect([await status('/api/devices'), await status('/api/gateways')]).toEqual([200, 403])
    await page.reload()
    await page.getByRole('region', { name: 'API keys' }).getByText('billing').waitFor()
    expect(await page.locator('body').textContent()).not.toContain(key)
    await page.getByRole('button', { name: 'Revoke billing' }).click()
    await page.getByText('No API key').waitFor()
    expect(await status('/api/devices')).toBe(401)
    expect(errors).toEqual([])
    await context.close()
  })

  it('creates a role, invites a user with it, and deactivates another user', async () => {
    const { page, errors, context } = await web.browser.open(web.emails.admin)
    await page.goto(`${api.url}/administration?tab=roles`)
    await page.getByLabel('Name', { exact: true }).fill('reader')
    await page.getByLabel('Netting: read').check()
    await page.getByRole('button', { name: 'Create a role' }).click()
    await page.getByRole('region', { name: 'Roles' }).getByText('reader').waitFor()
    expect(await page.getByRole('button', { name: 'Delete admin' }).count()).toBe(0)
    await page.getByRole('tab', { name: 'Users' }).click()
    const invited = newEmail()
    await page.getByLabel('E-mail address', { exact: true }).fill(invited)
    await page.getByLabel('reader').check()
    await page.getByRole('button', { name: 'Invite a user' }).click()
    await page.getByText(`An invitation was sent to ${invited}.`).waitFor()
    await page.getByRole('button', { name: `Deactivate ${tenant.viewer.email}` }).click()
    await page.getByRole('button', { name: `Activate ${tenant.viewer.email}`, exact: true }).waitFor()
    expect((await api.call('GET', '/api/devices', { token: tenant.viewer.token })).status).toBe(401)
    expect(await page.getByRole('button', { name: `Deactivate ${web.emails.admin}` }).count()).toBe(0)
    expect(errors).toEqual([])
    await context.close()
  })

  it('shows who changed what, filtered by the address, and offers it as a file', async () => {
    const { page, errors, context } = await web.browser.open(web.emails.admin)
    await page.goto(`${api.url}/administration?tab=changes&search=reader`)
    const log = page.getByRole('region', { name: 'Change log' })
    await log.getByText('created').first().waitFor()
    await log.getByText(web.emails.admin).first().waitFor()
    const row = log.getByRole('row', { name: /created (User|Role|Invitation) / })
    await row.first().waitFor()
    // The id of the operation is for support; the row says it in words.
    expect(await log.textContent()).not.toMatch(/create[A-Z]/)
    await page.getByLabel('Action').selectOption('delete')
    await page.getByText('No change in this range').waitFor()
    expect(page.url()).toContain('action=delete')
    const file = await exportTable(page, 'Change log', 'XLSX')
    expect(file.suggestedFilename()).toMatch(/^netsaat-changes-.*\.xlsx$/)
    expect(errors).toEqual([])
    await context.close()
  })

  it('shows an operator no change log', async () => {
    const { page, context } = await web.browser.open(web.emails.operator)
    await page.goto(`${api.url}/administration?tab=changes`)
    await page.getByRole('tab', { name: 'Users' }).waitFor()
    expect(await page.getByRole('tab', { name: 'Change log' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0)
    await context.close()
  })
})

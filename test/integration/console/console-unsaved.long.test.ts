import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PHONE, violationsOf } from '../../support/console/browser.ts'
import { startConsole, type TestConsole } from '../../support/console/console.ts'
import { chromiumPath } from '../../support/process/chromium.ts'

describe.runIf(chromiumPath)('changed entries in the console (needs chromium)', () => {
  let test: TestConsole

  beforeAll(async () => {
    test = await startConsole()
    const token = test.tenant.admin.token
    const made = await test.api.call('POST', '/api/regions', { token, body: { name: 'West' } })
    expect(made.status, made.text).toBe(201)
  })
  afterAll(() => test.close())

  const question = (page: Page) => page.getByRole('dialog', { name: 'Discard your entries?' })
  const answer = (page: Page, name: string) => question(page).getByRole('button', { name }).click()

  it('are not lost with a dialog: Escape and Cancel ask first, and closing an unchanged one does not', async () => {
    await test.visit('admin', 'registry?tab=regions', async (page) => {
      await page.getByRole('button', { name: 'Edit West' }).click()
      const dialog = page.getByRole('dialog', { name: 'Edit West' })
      const name = dialog.getByLabel('Name')
      await name.fill('East')
      await name.press('Escape')
      await question(page).waitFor()
      expect(await violationsOf(page)).toEqual([])
      await page.keyboard.press('Escape')
      await question(page).waitFor({ state: 'detached' })
      expect(await dialog.locator('input:focus').inputValue()).toBe('East')
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await answer(page, 'Keep editing')
      // The same entries as before are nothing to lose.
      await name.fill('West')
      await name.press('Escape')
      await dialog.waitFor({ state: 'detached' })

      await page.getByRole('button', { name: 'Edit West' }).click()
      await name.fill('North')
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await answer(page, 'Discard')
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Edit West' }).click()
      expect(await name.inputValue()).toBe('West')
      await name.fill('South')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: 'Edit South' }).waitFor()
      expect(await question(page).count()).toBe(0)
    })
  })

  it('are not lost with a page: links, tabs and the buttons of the browser ask first', async () => {
    await test.visit('admin', 'devices', async (page) => {
      const name = page.getByRole('textbox', { name: 'Name' })
      await page.getByRole('link', { name: 'Administration' }).click()
      await page.getByRole('tab', { name: 'Roles' }).click()
      await name.fill('Shift lead')
      await page.getByRole('link', { name: 'Devices' }).click()
      await answer(page, 'Keep editing')
      expect(await name.inputValue()).toBe('Shift lead')
      expect(page.url()).toContain('administration')
      await page.getByRole('tab', { name: 'Users' }).click()
      await answer(page, 'Keep editing')
      expect(await name.inputValue()).toBe('Shift lead')
      await page.goBack()
      await answer(page, 'Keep editing')
      expect(page.url()).toContain('administration')
      await page.getByRole('link', { name: 'Devices' }).click()
      await answer(page, 'Discard')
      await page.waitForURL(/\/devices/)
      await page.getByRole('link', { name: 'Gateways' }).click()
      await page.waitForURL(/\/gateways/)
    })
  })

  it('are not lost with the tab, and stored ones are nothing to ask about', async () => {
    const { page, context, errors } = await test.browser.open(test.emails.admin)
    await page.goto(test.urlOf('administration?tab=roles'))
    const asked: string[] = []
    page.on('dialog', async (dialog) => {
      asked.push(dialog.type())
      await dialog.accept()
    })
    await page.getByRole('textbox', { name: 'Name' }).fill('Shift lead')
    await page.reload()
    expect(asked).toEqual(['beforeunload'])
    const name = page.getByRole('textbox', { name: 'Name' })
    await name.fill('Shift lead')
    await page.getByRole('checkbox').first().check()
    await page.getByRole('button', { name: 'Create a role' }).click()
    await page.getByRole('row', { name: /Shift lead/ }).waitFor()
    await page.reload()
    await name.waitFor()
    expect(asked).toEqual(['beforeunload'])
    expect(errors).toEqual([])
    await context.close()
  })

  it('are asked about in Turkish, at the width of a phone, by keyboard', async () => {
    await test.visit(
      'admin',
      'registry?tab=regions',
      async (page) => {
        await page.getByRole('button', { name: 'South kaydını düzenle' }).click()
        await page.getByRole('dialog').locator('input').first().fill('Güney')
        await page.keyboard.press('Escape')
        const asked = page.getByRole('dialog', { name: 'Girdikleriniz silinsin mi?' })
        await asked.waitFor()
        expect(await violationsOf(page)).toEqual([])
        await page.keyboard.press('Tab')
        await page.keyboard.press('Enter')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      },
      PHONE,
    )
  })

  it('of a new scenario survive leaving the page, and end with it', async () => {
    const { page, context, errors } = await test.browser.open(test.emails.admin)
    const name = page.getByRole('textbox', { name: 'Name' })
    await page.goto(test.urlOf('netting/scenarios/new'))
    await name.fill('Bigger plant')
    await page.getByLabel('Investment, TL').fill('1000')
    await page.getByRole('button', { name: 'Add a change' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a change' })
    await dialog.getByLabel('Kind of change').selectOption({ label: 'Scale a price' })
    await dialog.press('Escape')
    await answer(page, 'Discard')
    await page.getByRole('link', { name: 'Devices' }).click()
    await page.waitForURL(/\/devices/)
    await page.goto(test.urlOf('netting/scenarios/new'))
    await page.getByText('These are your entries from before').waitFor()
    expect(await name.inputValue()).toBe('Bigger plant')
    expect(await page.getByLabel('Investment, TL').inputValue()).toBe('1000')
    const stored = await page.evaluate<string>('JSON.stringify({ ...sessionStorage })')
    expect(stored).toContain(test.tenant.id)
    expect(stored).not.toMatch(/eyJ|token/)
    await page.getByRole('button', { name: 'Begin anew' }).click()
    expect(await name.inputValue()).toBe('')
    await page.getByRole('link', { name: 'Devices' }).click()
    await page.goto(test.urlOf('netting/scenarios/new'))
    await name.waitFor()
    expect(await name.inputValue()).toBe('')
    expect(errors).toEqual([])
    await context.close()
  })
})

import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeNotifier } from '../../../src/areas/alarms/notifications/index.ts'
import { makePolicy, openIncidents } from '../../support/alarms/incidents.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../support/alarms/webhook-receiver.ts'
import { DISPLAYS, faultsOf } from '../../support/console/browser.ts'
import { startConsole, type TestConsole } from '../../support/console/console.ts'
import { enterDate, shownDate } from '../../support/console/date-fields.ts'
import { chromiumPath } from '../../support/process/chromium.ts'

const PAGE = 'alarms/notifications'

describe.runIf(chromiumPath)('forms of notifications in the console (needs chromium)', () => {
  let test: TestConsole
  let receiver: WebhookReceiver

  beforeAll(async () => {
    receiver = await startWebhookReceiver()
    test = await startConsole({
      config: {
        credentialEncryptionKey: randomBytes(32).toString('base64'),
        webhookAllowedNetworks: ['127.0.0.0/8'],
      },
    })
  })
  afterAll(async () => {
    await test.close()
    await receiver.close()
  })

  const read = async (path: string) =>
    (await test.api.call('GET', path, { token: test.tenant.admin.token })).body
  const dialogOf = (page: Page) => page.getByRole('dialog')
  const submit = (page: Page, name: string) =>
    dialogOf(page).getByRole('button', { name, exact: true }).click()

  /** Steps with requests that the service refuses, which the browser reports as errors. */
  const visitRefused = async (path: string, steps: (page: Page) => Promise<void>) => {
    const { page, errors, context } = await test.browser.open(test.emails.admin)
    await page.goto(test.urlOf(path))
    await steps(page)
    expect(errors.filter((error) => !error.includes('422'))).toEqual([])
    await context.close()
  }

  it('shows the messages of the user, and marks one and then all of them as read', async () => {
    const { api, tenant } = test
    const policy = await makePolicy(api, tenant, { name: 'Transformer' })
    await openIncidents(api, tenant, policy, { count: 3, message: 'too hot' })
    const notifier = makeNotifier(api.deps)
    await notifier.work()
    await notifier.stop()
    await test.visit('viewer', PAGE, async (page) => {
      const messages = page.getByRole('region', { name: 'Messages' })
      const unread = messages.getByText('new', { exact: true })
      await messages.getByText('too hot 3').waitFor()
      expect(await unread.count()).toBe(3)
      const row = messages.getByRole('row', { name: /too hot 2/ })
      await row.getByRole('button', { name: 'Mark as read: Transformer' }).press('Enter')
      await row.getByText('new', { exact: true }).waitFor({ state: 'detached' })
      expect(await unread.count()).toBe(2)
      await page.getByRole('button', { name: 'Mark all as read' }).press('Enter')
      await unread.first().waitFor({ state: 'detached' })
      await page.reload()
      await messages.getByText('too hot 3').waitFor()
      expect(await unread.count()).toBe(0)
    })
    // Another user has an inbox of their own.
    await test.visit('operator', PAGE, async (page) => {
      await page.getByText('new', { exact: true }).nth(2).waitFor()
    })
  })

  it('creates a webhook, whose secret is shown once, tests it, and deletes it', async () => {
    await visitRefused(`${PAGE}?tab=webhooks`, async (page) => {
      await page.getByRole('button', { name: 'New webhook' }).click()
      await dialogOf(page).getByLabel('Name').fill('Control room')
      await dialogOf(page).getByLabel('Address').fill('no address')
      await submit(page, 'Create')
      await dialogOf(page).locator('[data-invalid]').getByLabel('Address').fill(receiver.url)
      await submit(page, 'Create')
      await dialogOf(page).getByText('Copy these values now').waitFor()
      await submit(page, 'Close')
      await page.getByRole('button', { name: 'Test: Control room' }).click()
      await submit(page, 'Test')
      await dialogOf(page).getByText('It worked.').waitFor()
      await submit(page, 'Close')
      expect(receiver.delivered.length).toBe(1)
      await page.getByRole('button', { name: 'New secret: Control room' }).click()
      await submit(page, 'New secret')
      await dialogOf(page).locator('code').waitFor()
      await submit(page, 'Close')
      await page.getByRole('button', { name: 'Delete Control room' }).click()
      await submit(page, 'Delete')
      await page.getByText('No record found').waitFor()
    })
  })

  it('shows the fields of the platform of a channel, and names the channel in an escalation', async () => {
    await visitRefused(`${PAGE}?tab=channels`, async (page) => {
      await page.getByRole('button', { name: 'New channel' }).click()
      await dialogOf(page).getByLabel('Chat id').waitFor()
      await dialogOf(page).getByLabel('Type').selectOption('ntfy')
      expect(await dialogOf(page).getByLabel('Chat id').count()).toBe(0)
      await dialogOf(page).getByLabel('Name').fill('Night shift')
      await dialogOf(page).getByLabel('Address of the server').fill(receiver.url)
      await dialogOf(page).getByLabel('Topic').fill('alarms')
      await submit(page, 'Create')
      await page.getByRole('row', { name: /Night shift.*ntfy/ }).waitFor()

      await page.getByRole('tab', { name: 'Escalation' }).click()
      await page.getByRole('button', { name: 'New escalation policy' }).click()
      await dialogOf(page).getByLabel('Name').fill('At night')
      await dialogOf(page).getByRole('button', { name: 'Add: Levels' }).click()
      await dialogOf(page).getByLabel('After, minutes').fill('15')
      await dialogOf(page).getByRole('button', { name: 'Add: Recipients' }).click()
      await submit(page, 'Create')
      // The service refuses a recipient that is nobody, at its row.
      const recipient = dialogOf(page).getByRole('group', { name: 'Recipients 1', exact: true })
      await recipient.getByRole('alert').waitFor()
      await recipient.getByLabel('Channel', { exact: true }).fill('Night shift')
      await submit(page, 'Create')
      await page.getByRole('row', { name: /At night/ }).waitFor()
    })
    const channels = await read('/api/notification-channels')
    const { items } = await read('/api/escalation-policies')
    expect(items).toMatchObject([
      {
        name: 'At night',
        is_active: true,
        levels: [{ delay_minutes: 15, recipients: [{ channel_id: channels.items[0].id }] }],
      },
    ])
  })

  it('adds a level to an escalation, and an active one can be switched off', async () => {
    await test.visit('admin', `${PAGE}?tab=escalation`, async (page) => {
      await page.getByRole('button', { name: 'Edit At night' }).click()
      await dialogOf(page).getByRole('button', { name: 'Add: Levels' }).press('Enter')
      const second = dialogOf(page).getByRole('group', { name: 'Levels 2', exact: true })
      await second.getByLabel('After, minutes').fill('60')
      await second.getByRole('button', { name: 'Add: Recipients' }).press('Enter')
      await second.getByLabel('E-mail address').fill('duty@example.org')
      await dialogOf(page).getByLabel('Active').uncheck()
      await submit(page, 'Save')
      await dialogOf(page).waitFor({ state: 'detached' })
    })
    const { items } = await read('/api/escalation-policies')
    expect(items[0]).toMatchObject({
      is_active: false,
      levels: [{ delay_minutes: 15 }, { delay_minutes: 60, recipients: [{ email: 'duty@example.org' }] }],
    })
  })

  it('creates a maintenance window for a site and ends it', async () => {
    const { token } = test.tenant.admin
    const region = await test.api.call('POST', '/api/regions', { token, body: { name: 'West' } })
    await test.api.call('POST', '/api/subregions', {
      token,
      body: { name: 'Roof', region_id: region.body.id },
    })
    await test.visit('admin', `${PAGE}?tab=maintenance`, async (page) => {
      await page.getByRole('button', { name: 'New maintenance window' }).click()
      await enterDate(dialogOf(page), 'From', '2099-01-01T08:00')
      await enterDate(dialogOf(page), 'Until', '2099-01-01T12:00')
      await dialogOf(page).getByLabel('Site').fill('Roof')
      await dialogOf(page).getByLabel('Note').fill('new inverter')
      await submit(page, 'Create')
      await page.getByRole('row', { name: /Roof.*new inverter/ }).waitFor()
      await page.getByRole('button', { name: 'End now: new inverter' }).click()
      await submit(page, 'End now')
      await page.getByText('No record found').waitFor()
    })
    expect((await read('/api/alarms/maintenance')).total).toBe(0)
  })

  it('stores the mail settings of a viewer, who is offered no other change', async () => {
    await test.visit('viewer', `${PAGE}?tab=mails`, async (page) => {
      await enterDate(page, 'Quiet hours from', '22:00')
      await enterDate(page, 'Quiet hours until', '06:00')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved.').waitFor()
      await page.reload()
      expect(await shownDate(page, 'Quiet hours from')).toBe('22:00')
      await page.getByRole('tab', { name: 'Escalation' }).click()
      await page.getByRole('row', { name: /At night/ }).waitFor()
      expect(await page.getByRole('button', { name: /Edit|New|Delete/ }).count()).toBe(0)
    })
  })

  it.each(DISPLAYS)('has no serious accessibility fault in a form and fits: %o', async (display) => {
    await test.visit(
      'admin',
      `${PAGE}?tab=escalation`,
      async (page) => {
        await page
          .getByRole('button', { name: /At night/ })
          .first()
          .click()
        await dialogOf(page).getByRole('group').first().waitFor()
        expect(await faultsOf(page)).toEqual([])
      },
      display,
    )
  })
})

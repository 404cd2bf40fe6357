import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import { startConsole, type TestConsole } from '../../support/console/console.ts'
import { connectGateway, type TestGateway } from '../../support/field/mqtt.ts'
import { makeDataFolder } from '../../support/folder.ts'
import { chromiumPath } from '../../support/process/chromium.ts'
import { createPoint, lotoCalls, setUpLoto } from '../../support/safety/loto.ts'
import type { TestTenant } from '../../support/tenants.ts'
import { createModelGateway, releaseFirmware } from '../../support/updates/firmware.ts'
import { waitFor } from '../../support/wait-for.ts'

const MODEL = 'GW-9'

describe.runIf(chromiumPath)('updates and lockout/tagout in the console (needs chromium)', () => {
  let web: TestConsole
  let api: TestApi
  let tenant: TestTenant
  let gateway: TestGateway
  let batchId: string
  let sessionId: string

  beforeAll(async () => {
    const dataDir = await makeDataFolder('console-plant')
    web = await startConsole({ mqtt: true, config: { dataDir } })
    ;({ api, tenant } = web)
    const firmware = await releaseFirmware(api, tenant, { version: '2.0.0', model: MODEL })
    gateway = await createModelGateway(api, tenant, { name: 'east', model: MODEL })
    const other = await createModelGateway(api, tenant, { name: 'west', model: MODEL })
    const started = await api.call('POST', '/api/ota/updates/batch', {
      token: tenant.operator.token,
      body: { firmware_version_id: firmware.id, gateway_ids: [gateway.id, other.id] },
    })
    expect(started.status, started.text).toBe(201)
    batchId = started.body.id
    const loto = await setUpLoto(api, tenant)
    const point = await createPoint(loto, { name: 'Ana şalter' })
    sessionId = await lotoCalls(loto).request([point])
  })
  afterAll(async () => {
    await web.close()
  })

  it('shows the progress of a rollout as the gateways report it', async () => {
    const { page, errors, context } = await web.browser.open(web.emails.operator)
    await page.getByRole('link', { name: 'Updates' }).click()
    await page.getByText('0 of 2 installed, 0 failed').waitFor()
    await page.getByRole('region', { name: 'Rollouts' }).getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: 'Rollout of 2.0.0' }).waitFor()
    const updates = page.getByRole('region', { name: 'Updates of devices' })
    await updates.getByText('2.0.0').first().waitFor()
    await updates.getByRole('link', { name: 'Gateway east' }).waitFor()
    const { body } = await api.call('GET', `/api/ota/updates?batch_id=${batchId}`, {
      token: tenant.operator.token,
    })
    const own = body.items.find(({ gateway_id }: { gateway_id: string }) => gateway_id === gateway.id)
    const client = await connectGateway(api.mqttPort, gateway)
    await client.publishAsync(
      `ota/${own.id}/progress`,
      JSON.stringify({ state: 'failed', attempt: 1, error: 'no space' }),
      { qos: 1 },
    )
    await client.endAsync()
    await page.getByText('0 of 2 installed, 1 failed').waitFor()
    await updates.getByText('no space').waitFor()
    expect(errors).toEqual([])
    await context.close()
  })

  it('rolls back the devices of a rollout after a question', async () => {
    const model = 'GW-10'
    const [first, second] = [
      await releaseFirmware(api, tenant, { version: '1.0.0', model }),
      await releaseFirmware(api, tenant, { version: '2.0.0', model }),
    ]
    const north = await createModelGateway(api, tenant, { name: 'north', model })
    const { token } = tenant.operator
    const call = (method: string, path: string, body?: object) => api.call(method, path, { token, body })
    const succeed = async (updateId: string) => {
      const client = await connectGateway(api.mqttPort, north)
      await client.publishAsync(`ota/${updateId}/progress`, JSON.stringify({ state: 'succeeded' }), {
        qos: 1,
      })
      await client.endAsync()
    }
    const single = { gateway_id: north.id, firmware_version_id: first.id }
    await succeed((await call('POST', '/api/ota/updates', single)).body.id)
    const all = { gateway_ids: [north.id], firmware_version_id: second.id }
    const { id } = (await call('POST', '/api/ota/updates/batch', all)).body
    const { items } = (await call('GET', `/api/ota/updates?batch_id=${id}`)).body
    await waitFor(async () => {
      const { body } = await call('GET', `/api/ota/updates/${items[0].id}`)
      return body.status === 'notified'
    })
    await succeed(items[0].id)
    await web.visit('operator', `updates/batches/${id}`, async (page) => {
      await page.getByText('1 of 1 installed, 0 failed').waitFor()
      await page.getByRole('button', { name: 'Roll back every device' }).click()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Roll back every device' }).press('Enter')
      await page.getByRole('button', { name: 'Yes, roll back every device' }).press('Enter')
      await page.getByRole('button', { name: 'Yes, roll back every device' }).waitFor({ state: 'detached' })
      await page.goto(web.urlOf('updates?tab=updates'))
      const back = page.getByRole('row', { name: /Gateway north.*2\.0\.0 → 1\.0\.0/ })
      await back.waitFor()
    })
    const updates = (await call('GET', `/api/ota/updates?gateway_id=${north.id}`)).body.items
    const back = updates.filter(({ rollback_of }: { rollback_of: string | null }) => rollback_of !== null)
    expect(back).toMatchObject([{ rollback_of: items[0].id, version: '1.0.0' }])
  })

  it('approves, locks and applies a session of another user, and removes the lock', async () => {
    const { page, errors, context } = await web.browser.open(web.emails.operator)
    await page.getByRole('link', { name: 'Lockout/tagout' }).click()
    await page.getByText('No point is locked out').waitFor()
    await page.getByRole('link', { name: 'Rulman değişimi' }).click()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByLabel('Number on the padlock').fill('17')
    await page.getByRole('button', { name: 'Place a lock' }).press('Enter')
    const locks = page.getByRole('region', { name: 'Locks' })
    await locks.getByText(web.emails.operator).waitFor()
    await page.getByLabel('Verification on site: Ana şalter').fill('0 V, Fluke T150')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('applied', { exact: true }).waitFor()
    await page.getByText('0 V, Fluke T150').waitFor()
    await page.goto(`${api.url}/safety`)
    await page.getByRole('heading', { name: 'Ana şalter' }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Remove the lock of' }).click()
    await page.getByRole('button', { name: 'Remove the lock of' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Release' }).click()
    await page.getByText('released', { exact: true }).waitFor()
    expect(errors).toEqual([])
    await context.close()
  })

  it('offers no step to a user who may only read', async () => {
    const { page, context } = await web.browser.open(web.emails.viewer)
    await page.goto(`${api.url}/safety/sessions/${sessionId}`)
    await page.getByText('Yatak sıcaklığı yüksek').waitFor()
    for (const name of ['Approve', 'Apply', 'Release', 'Place a lock', 'Remove'])
      expect(await page.getByRole('button', { name }).count(), name).toBe(0)
    await context.close()
  })
})

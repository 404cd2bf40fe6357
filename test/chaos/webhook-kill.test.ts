import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { makeNotifier } from '../../src/areas/alarms/notifications/index.ts'
import { makePolicy, openIncidents } from '../support/alarms/incidents.ts'
import { startWebhookReceiver } from '../support/alarms/webhook-receiver.ts'
import { startApi } from '../support/api.ts'
import { createTenant } from '../support/tenants.ts'
import { waitFor } from '../support/wait-for.ts'

const MINUTE = 60_000

it('a delivery accepted just before its sender was killed is repeated with the same id', {
  retry: 0,
}, async () => {
  const key = randomBytes(32).toString('base64')
  const api = await startApi({
    config: { credentialEncryptionKey: key, webhookAllowedNetworks: ['127.0.0.0/8'] },
  })
  const notifier = makeNotifier(api.deps)
  const own = await startWebhookReceiver()
  try {
    api.clock.set(Date.now())
    const tenant = await createTenant(api)
    const created = await api.call('POST', '/api/notification-webhooks', {
      token: tenant.operator.token,
      body: { name: 'to the office', url: own.url },
    })
    expect(created.status).toBe(201)
    await openIncidents(api, tenant, await makePolicy(api, tenant, { notify: ['webhook'] }), { count: 1 })
    own.answers.push('hang')
    const file = fileURLToPath(new URL('../support/alarms/notifier-process.ts', import.meta.url))
    const url = String(api.deps.database.pool.options.connectionString)
    const child = spawn(process.execPath, ['--import', 'tsx', file, url, key], { stdio: 'inherit' })
    const ended = once(child, 'exit')
    await waitFor(() => own.delivered.length > 0, 120_000)
    child.kill('SIGKILL')
    await ended
    await notifier.work()
    expect(own.delivered).toHaveLength(1)
    api.clock.set(Date.now() + MINUTE)
    await notifier.work()
    expect(own.delivered).toHaveLength(2)
    const [taken, again] = own.delivered
    expect(again?.id).toBe(taken?.id)
    expect(again?.body.data).toEqual(taken?.body.data)
  } finally {
    await notifier.stop()
    await own.close()
    await api.close()
  }
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { followConfigReports } from '../../../src/field/mqtt/config-reports.ts'
import { serveGateways } from '../../../src/field/mqtt/embedded-source.ts'
import { startIntake } from '../../../src/field/mqtt/intake.ts'
import { makeEmbeddedBroker } from '../../../src/platform/mqtt/embedded-broker.ts'
import { makeLog } from '../../../src/platform/observability/log.ts'
import { makeMetrics } from '../../../src/platform/observability/metrics.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { connectGateway, createGateway } from '../../support/field/mqtt.ts'
import { createTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

const FLOOD = 3_000
const KEPT = 10_000

let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

it('a flood of unusable messages writes few log lines even when the list of dead letters is full', async () => {
  const lines: { msg: string; times?: number }[] = []
  const log = makeLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
  const broker = await makeEmbeddedBroker(log)
  const metrics = makeMetrics()
  const deps = { ...api.deps, log, broker, metrics }
  const intake = startIntake(deps)
  await serveGateways(deps, intake, broker)
  const stopFollowing = followConfigReports(deps)
  const port = await broker.listen({ host: '127.0.0.1', port: 0 })
  try {
    const tenant = await createTenant(api)
    const gateway = await createGateway(api, tenant, 'broken')
    await api.deps.database.pool.query(
      `insert into dead_letter (tenant_id, topic, payload, reason, detail, received_at)
       select $1, 'telemetry', 'x', 'not_json', '', $2 from generate_series(1, $3)`,
      [tenant.id, new Date(api.clock.now() - 60_000), KEPT],
    )
    const client = await connectGateway(port, gateway)
    const poison = Array.from({ length: FLOOD }, (_, number) =>
      client.publishAsync(number % 2 ? 'telemetry' : 'config/reported', `poison ${number}`, { qos: 1 }),
    )
    await Promise.all(poison)
    const path = '/api/gateways/dead-letters?limit=1'
    const deadLetters = async () => (await api.call('GET', path, { token: tenant.viewer.token })).body
    await waitFor(async () => (await deadLetters()).dropped >= 800)
    expect((await deadLetters()).total).toBeLessThanOrEqual(KEPT + 700)
    await client.endAsync()
    expect(lines.filter(({ msg }) => msg.includes('fell out'))).toEqual([
      expect.objectContaining({ times: expect.any(Number) }),
    ])
    expect(lines.length).toBeLessThan(10)
  } finally {
    await broker.close()
    await stopFollowing()
    await intake.close()
  }
})

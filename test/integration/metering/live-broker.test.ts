import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linkOutside, type OutsideBroker } from '../../../src/platform/mqtt/outside.ts'
import { makeLog } from '../../../src/platform/observability/log.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { joinLive } from '../../support/metering/live.ts'
import { createDevice } from '../../support/metering/measurements.ts'
import { hasProgram } from '../../support/process/programs.ts'
import { type SecondProcess, startSecondProcess } from '../../support/process/second-process.ts'
import { createTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

describe.runIf(hasProgram('mosquitto'))('two processes with an external broker (needs mosquitto)', () => {
  let api: TestApi
  let mosquitto: ChildProcess
  let links: OutsideBroker[]
  let processes: SecondProcess[]

  beforeAll(async () => {
    api = await startApi()
    const port = await freePort()
    const mqttUrl = `mqtt://127.0.0.1:${port}`
    mosquitto = spawn('mosquitto', ['-p', `${port}`], { stdio: 'ignore' })
    links = [1, 2].map(() => linkOutside({ url: mqttUrl, log: makeLog('silent') }))
    await waitFor(() => links.every((link) => link.isConnected()))
    processes = await Promise.all(links.map((link) => startSecondProcess(api, { mqttUrl }, link)))
  })
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.close()))
    await Promise.all(links.map((link) => link.close()))
    mosquitto.kill()
    await once(mosquitto, 'exit')
    await api.close()
  })

  it('deliver each sample once, whichever process stored it', async () => {
    const tenant = await createTenant(api)
    const meter = await createDevice(api, tenant)
    const order = { token: tenant.viewer.token, devices: [meter] }
    const clients = await Promise.all(processes.map(({ url }) => joinLive(url, order)))
    // The processes have found each other: every message from here on arrives.
    const headers = { authorization: `Bearer ${tenant.viewer.token}` }
    for (const { url } of processes) {
      const ask = async () =>
        (await (await fetch(`${url}/ws/stats`, { headers })).json()) as { processes: unknown[] }
      await waitFor(async () => (await ask()).processes.length === 2)
    }
    const steps = Array.from({ length: 20 }, (_, step) => step)
    for (const step of steps) {
      const at = api.clock.now() - 60_000 + step
      await processes[step % 2]?.deps.ingest.submit(tenant.id, [
        { deviceId: meter.id, at, values: { voltage: step } },
      ])
    }
    for (const client of clients) {
      await waitFor(() => client.samples().length >= steps.length)
      client.send('ping')
      await client.find(({ type }) => type === 'pong')
      expect(
        client
          .samples()
          .map(({ values }) => values.voltage)
          .toSorted((a, b) => a - b),
      ).toEqual(steps)
      await client.end()
    }
  })
})

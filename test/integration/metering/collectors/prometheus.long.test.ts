import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../support/api.ts'
import { createTenant, type TestTenant } from '../../../support/tenants.ts'
import { waitFor } from '../../../support/wait-for.ts'

const isInstalled = spawnSync('prometheus', ['--version']).status === 0

describe.skipIf(!isInstalled)(`Prometheus${isInstalled ? '' : ' (needs prometheus)'}`, () => {
  let api: TestApi
  let tenant: TestTenant
  let target: Server
  let folder: string
  let prometheus: ChildProcess | undefined
  beforeAll(async () => {
    api = await startApi({ now: new Date().toISOString() })
    tenant = await createTenant(api)
    target = createServer((_request, response) => {
      response.setHeader('content-type', 'text/plain; version=0.0.4')
      response.end('# TYPE active_power gauge\nactive_power{device="roof"} 4.25\n')
    }).listen(0, '127.0.0.1')
    await once(target, 'listening')
    folder = await mkdtemp(join(tmpdir(), 'prometheus-'))
  })
  afterAll(async () => {
    if (prometheus) {
      const end = once(prometheus, 'exit')
      prometheus.kill()
      await end
    }
    target.close()
    target.closeAllConnections()
    await rm(folder, { recursive: true, force: true })
    await api.close()
  })

  it('sends what it scrapes by remote write', async () => {
    const device = await api.call('POST', '/api/devices', {
      token: tenant.admin.token,
      body: { name: 'roof', device_type: 'energy_analyzer' },
    })
    const { port } = target.address() as AddressInfo
    const settings = {
      global: { scrape_interval: '1s' },
      scrape_configs: [{ job_name: 'energy', static_configs: [{ targets: [`127.0.0.1:${port}`] }] }],
      remote_write: [
        {
          url: `${api.url}/api/v1/write`,
          authorization: { credentials: tenant.operator.token },
          write_relabel_configs: [{ source_labels: ['__name__'], regex: 'active_power', action: 'keep' }],
        },
      ],
    }
    // JSON is YAML as well.
    await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(settings))
    prometheus = spawn(
      'prometheus',
      ['--config.file=prometheus.yml', '--storage.tsdb.path=data', '--web.listen-address=127.0.0.1:0'],
      { cwd: folder, stdio: 'ignore' },
    )
    const path = `/api/measurements/latest?device_ids=${device.body.id}`
    await waitFor(
      async () => (await api.call('GET', path, { token: tenant.viewer.token })).text.includes('4.25'),
      60_000,
    )
    expect(prometheus.exitCode).toBeNull()
  }, 90_000)
})

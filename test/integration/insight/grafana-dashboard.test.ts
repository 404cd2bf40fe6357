import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePolicy, openIncidents } from '../../support/alarms/incidents.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createDevice, postSamples, sample, type TestDevice } from '../../support/metering/measurements.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const HOUR = 3_600_000

interface Query {
  readonly url: string
  readonly root_selector: string
  readonly columns: readonly { readonly selector: string }[]
}
interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly Query[] }[]
  readonly templating: { readonly list: readonly { readonly query: { readonly infinityQuery: Query } }[] }
}

let api: TestApi
let tenant: TestTenant
let device: TestDevice
let key: string
let dashboard: Dashboard
beforeAll(async () => {
  api = await startApi()
  tenant = await createTenant(api)
  device = await createDevice(api, tenant)
  const now = api.clock.now()
  const samples = [3, 2, 1].map((hours) =>
    sample(device, now - hours * HOUR, {
      ...{ active_power: 4, voltage: 230, import_active_energy: 100 - hours },
    }),
  )
  expect((await postSamples(api, tenant, samples)).status).toBe(201)
  await openIncidents(api, tenant, await makePolicy(api, tenant))
  const created = await api.call('POST', '/api/machine-keys', {
    token: tenant.admin.token,
    body: {
      ...{ name: 'Grafana', expires_in_days: 30 },
      permissions: ['read:device', 'read:measurement', 'read:alarm'],
    },
  })
  key = created.body.key
  dashboard = JSON.parse(await readFile('packaging/grafana/dashboards/netsaat.json', 'utf8'))
})
afterAll(() => api.close())

/** Replaces the variables as Grafana does. */
const urlOf = ({ url }: Query): string =>
  url
    .replaceAll(/\$\{device\}/g, device.id)
    .replaceAll(/\$\{__from:date:iso\}/g, new Date(api.clock.now() - 24 * HOUR).toISOString())
    .replaceAll(/\$\{__to:date:iso\}/g, new Date(api.clock.now()).toISOString())

const select = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .filter(Boolean)
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], value)

async function expectFields(query: Query): Promise<void> {
  const url = urlOf(query)
  expect(url).not.toContain('$')
  const { status, body, text } = await api.call('GET', url, { token: key })
  expect(status, text).toBe(200)
  const rows = select(body, query.root_selector) as unknown[]
  expect(rows.length, url).toBeGreaterThan(0)
  for (const { selector } of query.columns)
    expect(
      rows.some((row) => (select(row, selector) ?? null) !== null),
      `${url} has ${selector}`,
    ).toBe(true)
}

describe('the dashboard of Grafana', () => {
  it('lists the devices of the tenant as a variable', async () => {
    const [variable] = dashboard.templating.list
    if (!variable) throw new Error('there is no variable')
    await expectFields(variable.query.infinityQuery)
  })

  it('has panels whose requests are answered with the fields that they show', async () => {
    expect(dashboard.panels.length).toBeGreaterThan(3)
    for (const { targets } of dashboard.panels) for (const query of targets) await expectFields(query)
  })
})

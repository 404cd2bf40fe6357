import { request } from 'node:http'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let writing: TestApi
let tenant: TestTenant

beforeAll(async () => {
  api = await startApi({ now: '2026-11-20T09:00:00Z' })
  writing = await startApi({ now: '2026-11-20T09:00:00Z', config: { mcpTools: 'write' } })
  tenant = await createTenant(api)
})
afterAll(() => Promise.all([api.close(), writing.close()]))

async function connect({ url }: TestApi, token: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }))
  return client
}

interface ToolResult {
  readonly isError?: boolean
  readonly content: readonly { readonly text: string }[]
}
async function use(client: Client, name: string, given: Record<string, unknown> = {}) {
  const { content, isError = false } = (await client.callTool({
    name,
    arguments: given,
  })) as unknown as ToolResult
  const text = content[0]?.text ?? ''
  return { isError, text, body: isError ? undefined : JSON.parse(text) }
}

const post = (body: unknown, headers: Record<string, string> = {}) =>
  api.call('POST', '/mcp', { token: tenant.viewer.token, body, headers })
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

const makeRegion = async (token: string) =>
  (await api.call('POST', '/api/regions', { token, body: { name: `region ${token.slice(-6)}` } })).body

describe('MCP over HTTP', () => {
  it('offers the tools that read, with schemas and annotations', async () => {
    const client = await connect(api, tenant.viewer.token)
    expect(client.getServerVersion()).toMatchObject({ name: 'netsaat' })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'list_groups',
      'get_group_month',
      'list_group_hours',
      'list_group_amounts',
      'get_group_amount_totals',
      'list_group_runs',
      'list_alarms',
      'list_devices',
      'get_latest_values',
      'get_device_energy',
      'list_charging_sessions',
      'get_charging_session',
    ])
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true)
    await client.ping()
    await client.close()
  })

  it('calls the API with the permissions and the tenant of the caller', async () => {
    const { body: group } = await api.call('POST', '/api/mahsuplasma/scopes', {
      token: tenant.admin.token,
      body: { name: 'Scope' },
    })
    const made = await api.call('POST', '/api/mahsuplasma/groups', {
      token: tenant.admin.token,
      body: { name: 'Konya', scope_id: group.id },
    })
    expect(made.status, made.text).toBe(201)
    const client = await connect(api, tenant.viewer.token)
    expect((await use(client, 'list_groups', { search: 'konya' })).body).toMatchObject({
      total: 1,
      items: [{ id: made.body.id, name: 'Konya' }],
    })
    const month = await use(client, 'get_group_month', { group_id: made.body.id, month: '2026-06' })
    expect(month.body).toMatchObject({ group_id: made.body.id, has_data: false })
    for (const name of ['list_group_hours', 'list_group_amounts', 'list_group_runs'])
      expect((await use(client, name, { group_id: made.body.id })).body).toEqual({ total: 0, items: [] })
    expect((await use(client, 'get_group_amount_totals', { group_id: made.body.id })).isError).toBe(false)
    const other = await connect(api, (await createTenant(api)).viewer.token)
    expect((await use(other, 'list_groups')).body).toEqual({ total: 0, items: [] })
    const foreign = await use(other, 'get_group_month', { group_id: made.body.id, month: '2026-06' })
    expect([foreign.isError, foreign.text]).toEqual([true, expect.stringContaining('404')])
    await client.close()
    await other.close()
  })

  it('reads devices, values, alarms and sessions', async () => {
    const client = await connect(api, tenant.viewer.token)
    for (const name of ['list_devices', 'list_alarms', 'list_charging_sessions'])
      expect((await use(client, name, { limit: 1 })).body).toMatchObject({
        total: expect.any(Number),
        items: [],
      })
    const unknown = '00000000-0000-4000-8000-000000000000'
    expect((await use(client, 'get_latest_values', { device_ids: [unknown] })).body).toMatchObject({
      not_found_device_ids: [unknown],
    })
    for (const given of [{ device_id: unknown }, { session_id: unknown }]) {
      const name = 'device_id' in given ? 'get_device_energy' : 'get_charging_session'
      expect((await use(client, name, given)).text).toContain('404')
    }
    await client.close()
  })

  it('describes wrong arguments as errors of the tool, and unknown tools as errors of the protocol', async () => {
    const client = await connect(api, tenant.viewer.token)
    const wrong = await use(client, 'get_group_month', { group_id: 'x', month: '2026-06' })
    expect([wrong.isError, wrong.text]).toEqual([true, expect.stringContaining('arguments/group_id')])
    expect((await use(client, 'list_groups', { limit: 100_000 })).isError).toBe(true)
    await expect(client.callTool({ name: 'calculate_group', arguments: {} })).rejects.toThrow(/no tool/)
    await client.close()
  })

  it('changes something only where that is enabled, in the name of the caller', async () => {
    const own = await createTenant(writing)
    const client = await connect(writing, own.admin.token)
    const { tools } = await client.listTools()
    expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name)).toEqual([
      'acknowledge_alarm',
      'calculate_group',
    ])
    const missing = '00000000-0000-4000-8000-000000000000'
    expect((await use(client, 'acknowledge_alarm', { incident_id: missing })).text).toContain('404')
    const viewer = await connect(writing, own.viewer.token)
    expect((await use(viewer, 'acknowledge_alarm', { incident_id: missing })).text).toContain('403')
    await client.close()
    await viewer.close()
  })

  it('answers clients that send no header but those they need', async () => {
    const body = JSON.stringify({ ...LIST, method: 'tools/call', params: { name: 'list_devices' } })
    // fetch adds Accept-Language by itself.
    const status = await new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${tenant.viewer.token}`, 'content-type': 'application/json' }
      const sent = request(new URL('/mcp', api.url), { method: 'POST', headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on('error', reject).end(body)
    })
    expect(status).toBe(200)
  })

  it('refuses callers without a token, other origins, and messages that are no requests', async () => {
    const anonymous = await api.call('POST', '/mcp', { body: LIST })
    expect([anonymous.status, anonymous.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect((await post(LIST, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await post(LIST, { origin: new URL(api.url).origin })).status).toBe(200)
    expect((await post([LIST])).body.error.code).toBe(-32600)
    expect((await post({ ...LIST, method: 'resources/list' })).body.error.code).toBe(-32601)
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202)
    const get = await api.call('GET', '/mcp', { token: tenant.viewer.token })
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
  })
})

describe('netsaat mcp', () => {
  it('serves the tools of a running service over standard input and output', async () => {
    await makeRegion(tenant.admin.token)
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ['bin/netsaat.js', 'mcp', '--url', api.url],
      env: { ...(process.env as Record<string, string>), NETSAAT_TOKEN: tenant.viewer.token },
    })
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transport)
    expect((await client.listTools()).tools).toHaveLength(12)
    expect((await use(client, 'list_devices')).body).toMatchObject({ items: [] })
    await client.close()
  })

  it('names a service that cannot be reached, and a token that is not valid', async () => {
    const run = async (url: string, token: string) => {
      const client = new Client({ name: 'test', version: '1' })
      const env = { ...(process.env as Record<string, string>), NETSAAT_TOKEN: token }
      const args = ['bin/netsaat.js', 'mcp', '--write', '--url', url]
      await client.connect(new StdioClientTransport({ command: process.execPath, args, env }))
      expect((await client.listTools()).tools).toHaveLength(14)
      const { text } = await use(client, 'list_devices')
      await client.close()
      return text
    }
    expect(await run('http://127.0.0.1:1', 'x')).toContain('cannot be reached')
    expect(await run(api.url, 'x')).toContain('401')
  })
})

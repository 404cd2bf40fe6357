import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import { emitSamples, liveUrl } from '../../support/metering/live.ts'
import { createDevice, type TestDevice } from '../../support/metering/measurements.ts'
import { CHROMIUM_ARGS, chromiumPath } from '../../support/process/chromium.ts'
import { type SecondProcess, startSecondProcess } from '../../support/process/second-process.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

/** What a page receives on a socket: all messages until the first sample, or the close. */
const PAGE = `<!doctype html><title>live</title><script>
  window.watch = (url) => new Promise((resolve) => {
    const messages = []
    const socket = new WebSocket(url)
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data)
      messages.push(message)
      if (message.type === 'hello') window.isGreeted = true
      if (message.type === 'sample') { socket.close(); resolve({ messages }) }
    }
    socket.onclose = ({ code, reason }) => resolve({ messages, code, reason })
  })
</script>`

describe.runIf(chromiumPath)('a page in a real browser (needs chromium)', () => {
  let api: TestApi
  let listed: SecondProcess
  let tenant: TestTenant
  let meter: TestDevice
  let pages: Server
  let browser: Browser
  let port: number

  beforeAll(async () => {
    pages = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(PAGE))
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
    port = (pages.address() as AddressInfo).port
    api = await startApi()
    tenant = await createTenant(api)
    meter = await createDevice(api, tenant)
    listed = await startSecondProcess(api, { corsOrigins: [`http://127.0.0.1:${port}/`] })
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: [...CHROMIUM_ARGS] })
  })
  afterAll(async () => {
    await browser.close()
    pages.closeAllConnections()
    await new Promise((resolve) => pages.close(resolve))
    await listed.close()
    await api.close()
  })

  async function watchFrom(origin: string, token: string) {
    const page = await browser.newPage()
    await page.goto(origin)
    const url = liveUrl(listed.url, { token, devices: [meter] })
    const seen = page.evaluate<{ messages: { type: string }[]; code?: number; reason?: string }>(
      `window.watch(${JSON.stringify(url)})`,
    )
    return { page, seen }
  }

  it('of a foreign origin is closed with 4003', async () => {
    const { seen } = await watchFrom(`http://localhost:${port}`, tenant.viewer.token)
    expect(await seen).toEqual({ messages: [], code: 4003, reason: 'Forbidden origin' })
  })

  it('of an allowed origin with an invalid token is closed with 4001', async () => {
    const { seen } = await watchFrom(`http://127.0.0.1:${port}`, 'bad')
    expect(await seen).toEqual({ messages: [], code: 4001, reason: 'Invalid token' })
  })

  it('of an allowed origin receives live samples', async () => {
    const { page, seen } = await watchFrom(`http://127.0.0.1:${port}`, tenant.viewer.token)
    await page.waitForFunction('window.isGreeted')
    emitSamples(listed, tenant.id, [{ deviceId: meter.id, at: 0, values: { active_power: 1.5 } }])
    expect((await seen).messages).toMatchObject([
      { type: 'hello', devices: [meter.id] },
      { type: 'sample', device_id: meter.id, values: { active_power: 1.5 } },
    ])
  })
})

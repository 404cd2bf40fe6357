import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import { CHROMIUM_ARGS, chromiumPath } from '../../support/process/chromium.ts'

interface OpenApiDocument {
  readonly info: { readonly title: string; readonly description: string }
  readonly paths: Readonly<Record<string, object>>
  readonly 'x-tagGroups': readonly { readonly name: string }[]
}

let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

describe('the browsable documentation', () => {
  it.each(['/docs/explorer.js', '/openapi.json', '/openapi.json?area=netting'])(
    'sends %s compressed, and once to a client',
    async (path) => {
      const compressed = await fetch(api.url + path)
      const plain = await fetch(api.url + path, { headers: { 'accept-encoding': 'identity' } })
      expect(compressed.headers.get('content-encoding')).toBe('gzip')
      expect(plain.headers.get('content-encoding')).toBeNull()
      expect(await plain.text()).toBe(await compressed.text())
      const etag = plain.headers.get('etag') ?? ''
      const again = await fetch(api.url + path, { headers: { 'if-none-match': etag } })
      expect([again.status, await again.text()]).toEqual([304, ''])
      const other = await fetch(api.url + path, { headers: { 'if-none-match': 'W/"other"' } })
      expect(other.status).toBe(200)
    },
  )

  it('serves the document of each area, which the whole document lists', async () => {
    const read = async (query = '') => {
      const response = await fetch(`${api.url}/openapi.json${query}`)
      return (await response.json()) as OpenApiDocument
    }
    const whole = await read()
    for (const { name } of whole['x-tagGroups']) {
      expect(whole.info.description).toContain(`[${name}](openapi.json?area=${name})`)
      const { info, paths } = await read(`?area=${name}`)
      expect([info.title, Object.keys(paths).length > 0]).toEqual([`Netsaat: ${name}`, true])
    }
    const { paths } = await read('?area=charging')
    expect(Object.keys(paths)).toContain('/api/ocpp/chargers')
    expect(Object.keys(paths)).not.toContain('/api/devices')
  })

  it.each(['billing', ''])('refuses the area %j and lists the areas', async (area) => {
    const response = await fetch(`${api.url}/openapi.json?area=${area}`)
    expect(response.status).toBe(422)
    const text = await response.text()
    expect(text).toContain('access, admin, alarms')
    expect(text).toContain('netting')
  })

  it('loads nothing of another origin', async () => {
    const response = await fetch(`${api.url}/docs`)
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; /,
    )
    expect(await response.text()).not.toMatch(/https?:/)
  })
})

describe.runIf(chromiumPath)('the browsable documentation in a browser (needs chromium)', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: [...CHROMIUM_ARGS] })
  })
  afterAll(() => browser.close())

  it('lists and finds the operations, and violates no security policy', async () => {
    const page = await browser.newPage()
    const errors: string[] = []
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    page.on('pageerror', (error) => errors.push(error.message))
    await page.goto(`${api.url}/docs`)
    await page.getByText('authentication').first().waitFor()
    await page.getByPlaceholder('Filter').pressSequentially('Sign in with')
    await page.getByPlaceholder('Filter').press('Enter')
    await page.getByText('Sign in with e-mail address and password').first().click()
    await page.getByText('/api/auth/login').first().waitFor()
    expect(errors).toEqual([])
  })
})

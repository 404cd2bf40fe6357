import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pathToRoot } from '../../../src/http/console.ts'
import { CONSOLE_SECTIONS, LINK_PAGES } from '../../../src/kernel/console-sections.ts'
import { currentConsole } from '../../../tools/build.js'
import { startApi, type TestApi } from '../../support/api.ts'

/** Bytes of compressed script before the first page is drawn. */
const SCRIPT_BYTES_MAX = 150_000

let api: TestApi
let folder: string
beforeAll(async () => {
  folder = await currentConsole()
  api = await startApi({ consoleFolder: folder })
})
afterAll(() => api.close())

const page = async (path: string) => {
  const response = await fetch(api.url + path)
  return { response, html: await response.text() }
}

describe('the files of the console', () => {
  it('are one page for all its addresses, with the path to the root of the service', async () => {
    const paths = ['/', ...CONSOLE_SECTIONS.map((section) => `/${section}`), '/netting/groups/7']
    for (const path of paths) {
      const { response, html } = await page(path)
      expect(response.status, path).toBe(200)
      expect(html).toContain(`<base href="${pathToRoot(path)}">`)
    }
    expect([pathToRoot('/'), pathToRoot('/netting'), pathToRoot('/netting/groups/7')]).toEqual([
      './',
      './',
      '../../',
    ])
  })

  it('allow scripts and styles of the service only, and a new nonce for each page', async () => {
    const [first, second] = [await page('/'), await page('/')]
    const policy = first.response.headers.get('content-security-policy') ?? ''
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; /)
    expect(first.html).toContain(`nonce="${nonce}"`)
    expect(second.html).not.toContain(nonce)
    expect(first.html).not.toMatch(/https?:/)
  })

  it('send each page with the same policy, and pages with a token of a mail are not stored', async () => {
    const { response: first } = await page('/overview')
    const withoutNonce = (text: string | null) => text?.replace(/nonce-[^']+/, 'nonce')
    const policy = withoutNonce(first.headers.get('content-security-policy'))
    expect(policy).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'nonce'; img-src 'self' data: blob:; " +
        "connect-src 'self'; form-action 'none'; base-uri 'self'; frame-ancestors 'none'",
    )
    for (const section of CONSOLE_SECTIONS) {
      const { response } = await page(`/${section}?token=x`)
      const { headers } = response
      expect(withoutNonce(headers.get('content-security-policy')), section).toBe(policy)
      expect(headers.get('referrer-policy'), section).toBe('no-referrer')
      expect(headers.get('x-content-type-options'), section).toBe('nosniff')
      const isLinkPage = LINK_PAGES.some((name) => name === section)
      expect(headers.get('cache-control'), section).toBe(isLinkPage ? 'no-store' : 'no-cache')
    }
  })

  it('are kept by browsers, because their names contain a hash', async () => {
    const { html } = await page('/')
    const [, name = ''] = /src="\.\/(assets\/[^"]+\.js)"/.exec(html) ?? []
    const response = await fetch(`${api.url}/${name}`)
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('content-encoding')).toBe('gzip')
  })

  it.each(['/assets/..%2findex.html', '/assets/absent.js', '/assets/', '/netting-groups'])(
    'do not include %s',
    async (path) => {
      expect((await fetch(api.url + path)).status).toBe(404)
    },
  )

  it('load at most 150 kB of compressed script before the first page', async () => {
    const { html } = await page('/')
    const names = [...html.matchAll(/(?:src|href)="\.\/assets\/([^"]+\.js)"/g)].map(([, name]) => name ?? '')
    expect(await readdir(join(folder, 'assets'))).toEqual(expect.arrayContaining(names))
    const sizes = names.map(async (name) => gzipSync(await readFile(join(folder, 'assets', name))).length)
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    expect(total).toBeGreaterThan(0)
    expect(total).toBeLessThan(SCRIPT_BYTES_MAX)
  })
})

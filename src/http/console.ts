/**
 * The web console: static files that `tools/build.js` makes of `web/` and puts beside the program. The page is the same
 * for all its addresses; the router in it shows what belongs to the address.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CONSOLE_SECTIONS, LINK_PAGES } from '../kernel/console-sections.ts'
import { forEveryone } from '../platform/http/access.ts'
import type { App } from '../platform/http/app-type.ts'
import { type Asset, lazily, sendAsset } from '../platform/http/assets.ts'

const BUILT = fileURLToPath(new URL('./web/', import.meta.url))

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
}

/** Random bytes of the nonce of a page. */
const NONCE_BYTES = 16

/** Scripts and styles of this service only. The nonce is for the styles that the controls insert (react-aria). */
const securityPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The path from an address to the root of the service, so that links work below a path of a proxy. */
export const pathToRoot = (path: string): string =>
  '../'.repeat(Math.max(0, path.split('/').length - 2)) || './'

/** Addresses with a token of a mail: nothing of them is stored, not even the page that is the same for all. */
const isLinkPage = (pathname: string): boolean => LINK_PAGES.some((name) => pathname === `/${name}`)

function sendPage(request: FastifyRequest, reply: FastifyReply, html: string) {
  const nonce = randomBytes(NONCE_BYTES).toString('base64')
  const { pathname } = new URL(request.url, 'http://service.invalid')
  return reply
    .type('text/html; charset=utf-8')
    .header('Content-Security-Policy', securityPolicy(nonce))
    .header('Cache-Control', isLinkPage(pathname) ? 'no-store' : 'no-cache')
    .send(html.replaceAll('%NONCE%', nonce).replaceAll('%ROOT%', pathToRoot(pathname)))
}

/** Adds the console; false when this program has no build of it, as when it runs from the sources. */
export function addConsole(app: App, folder: string = BUILT): boolean {
  const page = join(folder, 'index.html')
  if (!existsSync(page)) return false
  const html = readFileSync(page, 'utf8')
  const hidden = { ...forEveryone, schema: { hide: true } }
  const send = (request: FastifyRequest, reply: FastifyReply) => sendPage(request, reply, html)
  app.get('/', hidden, send)
  for (const section of CONSOLE_SECTIONS) {
    app.get(`/${section}`, hidden, send)
    app.get(`/${section}/*`, hidden, send)
  }
  const assets = readAssets(join(folder, 'assets'))
  app.get('/assets/:name', hidden, async (request, reply) => {
    const { name } = request.params as { readonly name: string }
    const asset = assets.get(name)
    if (!asset) return reply.callNotFound()
    // The name contains a hash of the content.
    void reply.type(TYPES[extname(name)] ?? 'application/octet-stream')
    void reply.header('Cache-Control', 'public, max-age=31536000, immutable')
    return sendAsset(request, reply, await asset())
  })
  return true
}

/** The files by name. Only names that exist are looked up, so no request can leave the folder. */
function readAssets(folder: string): ReadonlyMap<string, () => Promise<Asset>> {
  const names = readdirSync(folder)
  return new Map(names.map((name) => [name, lazily(() => readFile(join(folder, name)))]))
}

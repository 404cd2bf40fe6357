/**
 * The browsable documentation at /docs: a page with the component of openapi-explorer, which shows the OpenAPI
 * document, searches it, and sends requests (ADR 0073). Its script is the browser bundle of the package, which loads
 * nothing else.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { forEveryone } from './access.ts'
import type { App } from './app-type.ts'

/** The build copies the bundle beside the program (tools/build.js), so that the package itself is not installed. */
const BUILT = new URL('./openapi-explorer.js', import.meta.url)
const PACKAGED = 'openapi-explorer/dist/browser/openapi-explorer.min.js'

const readBundle = (): Promise<Buffer> =>
  readFile(BUILT).catch(() => readFile(createRequire(import.meta.url).resolve(PACKAGED)))

/** Styles are set by the component at run time, also as attributes of elements. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Addresses are relative, so that the page works below a path of a proxy. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Netsaat API</title>
<link rel="icon" href="data:,">
<script type="module" src="docs/explorer.js"></script>
</head>
<body>
<openapi-explorer spec-url="openapi.json" collapse table show-components></openapi-explorer>
</body>
</html>
`

interface Asset {
  readonly plain: Buffer
  readonly compressed: Buffer
  readonly etag: string
}

async function assetOf(plain: Buffer): Promise<Asset> {
  const digest = createHash('sha256').update(plain).digest('base64url')
  return { plain, compressed: await promisify(gzip)(plain), etag: `W/"${digest}"` }
}

/** Makes an asset at the first request for it. */
function lazily(load: () => Promise<Buffer>): () => Promise<Asset> {
  let asset: Promise<Asset> | undefined
  return () => {
    asset ??= load().then(assetOf)
    return asset
  }
}

/** Sends an asset, compressed if the client accepts it; 304 without a body if the client has it. */
function sendAsset(request: FastifyRequest, reply: FastifyReply, { plain, compressed, etag }: Asset) {
  void reply.header('ETag', etag).header('Cache-Control', 'no-cache').header('Vary', 'Accept-Encoding')
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  if (!/\bgzip\b(?!;q=0)/.test(request.headers['accept-encoding'] ?? '')) return reply.send(plain)
  return reply.header('Content-Encoding', 'gzip').send(compressed)
}

/** Adds /docs and /openapi.json, which returns `document`. */
export function addDocsPage(app: App, document: () => object): void {
  const hidden = { ...forEveryone, schema: { hide: true } }
  const script = lazily(readBundle)
  const json = lazily(async () => Buffer.from(JSON.stringify(document())))
  app.get('/docs', hidden, (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('Content-Security-Policy', CONTENT_SECURITY_POLICY)
      .send(PAGE),
  )
  app.get('/docs/explorer.js', hidden, async (request, reply) =>
    sendAsset(request, reply.type('text/javascript; charset=utf-8'), await script()),
  )
  app.get('/openapi.json', hidden, async (request, reply) =>
    sendAsset(request, reply.type('application/json; charset=utf-8'), await json()),
  )
}

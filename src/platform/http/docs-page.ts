/**
 * The browsable documentation at /docs: a page with the component of openapi-explorer, which shows the OpenAPI
 * document, searches it, and sends requests (ADR 0073). Its script is the browser bundle of the package, which loads
 * nothing else.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Type } from 'typebox'
import { forEveryone } from './access.ts'
import type { App } from './app-type.ts'
import { type Asset, lazily, sendAsset } from './assets.ts'
import { Word } from './fields.ts'
import { type ApiAreas, documentOfArea } from './openapi-areas.ts'

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

/** What /docs and /openapi.json serve. */
interface ServedDocument {
  readonly read: () => Promise<Buffer>
  readonly areas: ApiAreas
}

/**
 * Adds /docs and /openapi.json, which returns the document. With `area`, it returns the document of that area, which is
 * made from the whole document at the first request for it.
 */
export function addDocsPage(app: App, { read, areas }: ServedDocument): void {
  const hidden = { ...forEveryone, schema: { hide: true } }
  const script = lazily(readBundle)
  const json = lazily(read)
  const ofAreas = new Map<string, () => Promise<Asset>>()
  for (const area of Object.keys(areas))
    ofAreas.set(
      area,
      lazily(async () => {
        const whole = JSON.parse((await json()).plain.toString()) as object
        return Buffer.from(JSON.stringify(documentOfArea(whole, area)))
      }),
    )
  app.get('/docs', hidden, (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('Content-Security-Policy', CONTENT_SECURITY_POLICY)
      .send(PAGE),
  )
  app.get('/docs/explorer.js', hidden, async (request, reply) =>
    sendAsset(request, reply.type('text/javascript; charset=utf-8'), await script()),
  )
  const querystring = Type.Object({ area: Type.Optional(Word(Object.keys(areas))) })
  app.get('/openapi.json', { ...hidden, schema: { hide: true, querystring } }, async (request, reply) => {
    const { area = '' } = request.query
    const asset = await (ofAreas.get(area) ?? json)()
    return sendAsset(request, reply.type('application/json; charset=utf-8'), asset)
  })
}

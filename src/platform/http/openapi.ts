import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { FastifyContextConfig } from 'fastify'
import type { App } from './app-type.ts'
import { addDocsPage } from './docs-page.ts'
import type { ApiAreas } from './openapi-areas.ts'
import type { MoreErrors } from './openapi-errors.ts'
import type { ApiInfo } from './openapi-generator.ts'

export type { ApiInfo }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Errors in the OpenAPI document that the access rule and the schemas of the route do not imply. */
    errors?: readonly MoreErrors[]
  }
}

/** Adds errors to the description of a route: `...withErrors(needs('read:device'), 404)`. */
export const withErrors = (
  { config }: { readonly config: FastifyContextConfig },
  ...errors: readonly MoreErrors[]
) => ({ config: { ...config, errors } })

/** The document that the build copies, because generating it blocks the process for 0.4 s. */
const BUILT_DOCUMENT = new URL('./openapi.json', import.meta.url)

/**
 * Adds the OpenAPI document, which /openapi.json returns and /docs displays. The built program has it beside it;
 * otherwise it is generated from the routes, and only then the generator is loaded (ADR 0170).
 */
export async function describeApi(app: App, info: ApiInfo, areas: ApiAreas): Promise<void> {
  if (existsSync(BUILT_DOCUMENT)) return addDocsPage(app, { read: () => readFile(BUILT_DOCUMENT), areas })
  const { generateDocument } = await import('./openapi-generator.ts')
  const generate = await generateDocument(app, info, areas)
  addDocsPage(app, { read: async () => Buffer.from(JSON.stringify(generate())), areas })
}

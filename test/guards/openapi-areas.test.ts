import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { API_AREAS } from '../../src/http/api-areas.ts'
import { documentOfArea } from '../../src/platform/http/openapi-areas.ts'
import { OPENAPI_FILE } from '../../tools/openapi-document.ts'
import { withoutReferences } from '../support/openapi.ts'

/**
 * The limit for generated types is 600 kB for each area. openapi-typescript 7 makes 0.9 to 1.2 bytes for each byte of a
 * document, and 0.97 for the only large one (ADR 0100).
 */
const DOCUMENT_MAX_BYTES = 560_000

interface Operation {
  readonly tags?: readonly string[]
}
interface Document {
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[]
}

let whole: Document
let parts: (readonly [area: string, document: Document])[]
beforeAll(async () => {
  whole = JSON.parse(await readFile(OPENAPI_FILE, 'utf8')) as Document
  parts = Object.keys(API_AREAS).map((area) => [area, documentOfArea(whole, area) as Document])
})

const operationsOf = ({ paths }: Document): (readonly [name: string, operation: Operation])[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation] as const),
  )

const referencesIn = (part: unknown): string[] =>
  [...JSON.stringify(part).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => reference)

describe('the documents of areas', () => {
  it('contain together every operation of the whole document, once', () => {
    const names = parts.flatMap(([, part]) => operationsOf(part).map(([name]) => name))
    expect(names.sort()).toEqual(
      operationsOf(whole)
        .map(([name]) => name)
        .sort(),
    )
    const tags = new Set(operationsOf(whole).flatMap(([, operation]) => operation.tags ?? []))
    const listed = whole['x-tagGroups'].flatMap((group) => group.tags)
    expect([...listed].sort()).toEqual([...tags].sort())
  })

  it('describe each operation like the whole document, with descriptions and errors', () => {
    const expected = new Map(operationsOf(withoutReferences(whole)))
    for (const [, part] of parts)
      for (const [name, operation] of operationsOf(withoutReferences(part)))
        expect(operation, name).toEqual(expected.get(name))
  })

  it('contain exactly the components that they use', () => {
    for (const [area, part] of parts) {
      const { securitySchemes, ...components } = part.components
      const present = Object.entries(components).flatMap(([kind, named]) =>
        Object.keys(named).map((name) => `#/components/${kind}/${name}`),
      )
      expect([...new Set(referencesIn(part))].sort(), area).toEqual(present.sort())
      expect(securitySchemes).toEqual(whole.components['securitySchemes'])
    }
  })

  it('are small enough for generators', () => {
    const large = parts.filter(([, part]) => JSON.stringify(part).length > DOCUMENT_MAX_BYTES)
    expect(large.map(([area]) => area)).toEqual([])
  })
})

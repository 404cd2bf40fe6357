/**
 * Parts of the OpenAPI document: the operations of one area with the components that they use, for generators whose
 * output for the whole document is too large (ADR 0100). The whole document lists the areas under `x-tagGroups`, the
 * extension with which documentation pages group tags, so a part can be made from any stored document.
 */

/** The tags of the operations by area. */
export type ApiAreas = Readonly<Record<string, readonly string[]>>

type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>
interface Document {
  readonly info: { readonly title: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly tags?: readonly string[] }>>>>
  readonly components: Components
  readonly 'x-tagGroups': readonly TagGroup[]
}
interface TagGroup {
  readonly name: string
  readonly tags: readonly string[]
}

export const tagGroups = (areas: ApiAreas): readonly TagGroup[] =>
  Object.entries(areas).map(([name, tags]) => ({ name, tags }))

/** Returns the document of one area. Components that no reference names, the kinds of credentials, are in each. */
export function documentOfArea(whole: object, area: string): object {
  const document = whole as Document
  const groups = document['x-tagGroups'].filter(({ name }) => name === area)
  const tags = new Set(groups.flatMap((group) => group.tags))
  const paths = Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, methods]) => {
      const own = Object.entries(methods).filter(([, operation]) =>
        operation.tags?.some((tag) => tags.has(tag)),
      )
      return own.length > 0 ? [[path, Object.fromEntries(own)]] : []
    }),
  )
  const { info } = document
  return {
    ...document,
    info: { ...info, title: `${info.title}: ${area}` },
    components: usedComponents(paths, document.components),
    paths,
    'x-tagGroups': groups,
  }
}

/** The components that a part of the document uses, also through other components, in the order of the document. */
function usedComponents(part: object, { securitySchemes = {}, ...components }: Components): Components {
  const used = new Set<string>()
  const follow = (references: Iterable<string>): void => {
    for (const reference of references) {
      if (used.has(reference)) continue
      used.add(reference)
      const [, , kind = '', name = ''] = reference.split('/')
      follow(referencesIn(components[kind]?.[name]))
    }
  }
  follow(referencesIn(part))
  const own = Object.entries(components).map(([kind, named]) => {
    const kept = Object.entries(named).filter(([name]) => used.has(`#/components/${kind}/${name}`))
    return [kind, Object.fromEntries(kept)]
  })
  return { securitySchemes, ...Object.fromEntries(own) }
}

/** The references in a part of the document. Examples contain none. */
function* referencesIn(part: unknown): Generator<string> {
  if (typeof part !== 'object' || part === null) return
  for (const [key, value] of Object.entries(part))
    if (key === '$ref' && typeof value === 'string') yield value
    else yield* referencesIn(value)
}

/** The schemas of request bodies, from the API document of the running service, which is read when a form is opened. */
import { useQuery } from '@tanstack/react-query'
import { BASE_URL } from '../kernel/base-url.ts'
import type { JsonSchema } from './schema.ts'

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}
interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
}

export type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

async function readDocument(): Promise<ApiDocument> {
  const response = await fetch(`${BASE_URL}/openapi.json`)
  if (!response.ok) throw new Error(`the API document is HTTP ${response.status}`)
  return (await response.json()) as ApiDocument
}

/** The schema of the JSON body of an operation, with the names of its schemas replaced by them. */
function bodySchema({ paths, components }: ApiDocument, method: Method, path: string): JsonSchema {
  const resolved = (schema: JsonSchema): JsonSchema =>
    schema.$ref === undefined ? schema : (components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
  const content = paths[path]?.[method.toLowerCase()]?.requestBody?.content
  const body = resolved(content?.['application/json']?.schema ?? {})
  const { properties = {} } = body
  return {
    ...body,
    properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, resolved(one)])),
  }
}

/** The schema of the body of an operation; without properties when it has none. */
export function useBodySchema(method: Method, path: string) {
  return useQuery({
    queryKey: ['API document'],
    queryFn: readDocument,
    staleTime: Number.POSITIVE_INFINITY,
    select: (document) => bodySchema(document, method, path),
  })
}

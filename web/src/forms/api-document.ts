/** The schemas of request bodies, from the API document of the running service, which is read when a form is opened. */
import { useQuery } from '@tanstack/react-query'
import { BASE_URL } from '../kernel/base-url.ts'
import { type ApiDocument, bodySchema, type Method } from './body-schema.ts'

async function readDocument(): Promise<ApiDocument> {
  const response = await fetch(`${BASE_URL}/openapi.json`)
  if (!response.ok) throw new Error(`the API document is HTTP ${response.status}`)
  return (await response.json()) as ApiDocument
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

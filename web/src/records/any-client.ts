/** The client without the types of single paths: the paths of resources are data, and the API checks the bodies. */
import { useClient } from '../api/session.tsx'
import type { Method } from '../forms/body-schema.ts'

interface AnyOptions {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly ifMatch?: string | undefined
  readonly signal?: AbortSignal
}
interface AnyResponse {
  readonly data: unknown
  readonly etag: string | undefined
}
type Call = (path: string, options: AnyOptions) => Promise<AnyResponse>
export interface AnyClient {
  readonly get: Call
  readonly post: Call
  readonly put: Call
  readonly patch: Call
  readonly delete: Call
}

export function useAnyClient(): { readonly api: AnyClient; readonly language: 'tr' | 'en' } {
  const { api, language } = useClient()
  return { api: api as unknown as AnyClient, language }
}

export function callOf(api: AnyClient, method: Method): Call {
  switch (method) {
    case 'POST':
      return (path, options) => api.post(path, options)
    case 'PUT':
      return (path, options) => api.put(path, options)
    case 'PATCH':
      return (path, options) => api.patch(path, options)
    case 'DELETE':
      return (path, options) => api.delete(path, options)
  }
}

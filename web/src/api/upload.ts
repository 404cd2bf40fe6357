/** Uploads with their progress, which `fetch` does not report. */
import { ApiError } from '../../../clients/typescript/src/index.ts'
import { BASE_URL } from '../kernel/base-url.ts'
import { obtainToken } from './client.ts'

interface UploadOptions {
  readonly path: string
  readonly method?: 'POST' | 'PUT'
  readonly body: FormData | string
  /** Of a text. */
  readonly contentType?: string
  readonly language: string
  /** Share of the bytes that were sent, from 0 to 1. */
  readonly onProgress?: (share: number) => void
  readonly signal?: AbortSignal
}

/** The parsed response; `ApiError` for a refusal. */
export async function upload(options: UploadOptions): Promise<unknown> {
  const { method = 'POST', path, body, contentType, language, onProgress, signal } = options
  const token = await obtainToken()
  const request = new XMLHttpRequest()
  request.open(method, `${BASE_URL}${path}`)
  request.setRequestHeader('authorization', `Bearer ${token}`)
  request.setRequestHeader('accept-language', language)
  if (contentType !== undefined) request.setRequestHeader('content-type', contentType)
  signal?.addEventListener('abort', () => request.abort())
  request.upload.addEventListener('progress', ({ loaded, total }) =>
    onProgress?.(total > 0 ? loaded / total : 0),
  )
  return new Promise((resolve, reject) => {
    request.addEventListener('load', () => {
      const parsed = parse(request.responseText)
      if (request.status < 400) return resolve(parsed)
      const headers = new Headers()
      for (const name of ['x-request-id', 'retry-after']) {
        const value = request.getResponseHeader(name)
        if (value !== null) headers.set(name, value)
      }
      reject(new ApiError(new Response(null, { status: request.status, headers }), parsed))
    })
    request.addEventListener('error', () => reject(new TypeError('the connection failed')))
    request.addEventListener('abort', () => reject(new DOMException('cancelled', 'AbortError')))
    request.send(body)
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import { createHash, randomBytes } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import type { ApiResponse, TestApi } from '../api.ts'
import { createGateway, type TestGateway } from '../field/mqtt.ts'
import type { TestTenant } from '../tenants.ts'

export interface TestFirmware {
  readonly id: string
  readonly version: string
  readonly bytes: Buffer
  readonly sha256: string
}

export const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

type Fields = Readonly<Record<string, string>>

export function firmwareForm(bytes: Buffer, fields: Fields, name = 'firmware.bin'): FormData {
  const form = new FormData()
  for (const [field, text] of Object.entries(fields)) form.append(field, text)
  form.append('file', new Blob([new Uint8Array(bytes)]), name)
  return form
}

export const upload = (api: TestApi, tenant: TestTenant, form: FormData): Promise<ApiResponse> =>
  api.call('POST', '/api/firmware/versions', { token: tenant.admin.token, body: form })

/** Uploads random bytes as a version of a model, and releases it. */
export async function releaseFirmware(
  api: TestApi,
  tenant: TestTenant,
  {
    version,
    model,
    size = 1_000,
  }: { readonly version: string; readonly model: string; readonly size?: number },
): Promise<TestFirmware> {
  const bytes = randomBytes(size)
  const created = await upload(api, tenant, firmwareForm(bytes, { version, device_model: model }))
  if (created.status !== 201) throw new Error(`the upload answered ${created.status}: ${created.text}`)
  const { id } = created.body
  const released = await api.call('POST', `/api/firmware/versions/${id}/release`, {
    token: tenant.admin.token,
  })
  if (released.status !== 200) throw new Error(`the release answered ${released.status}: ${released.text}`)
  return { id, version, bytes, sha256: sha256Of(bytes) }
}

/** A gateway of a model with its login. */
export async function createModelGateway(
  api: TestApi,
  tenant: TestTenant,
  { name, model }: { readonly name: string; readonly model: string },
): Promise<TestGateway> {
  const gateway = await createGateway(api, tenant, name)
  await api.call('PUT', `/api/gateways/${gateway.id}`, { token: tenant.admin.token, body: { model } })
  return gateway
}

export interface CuttingProxy {
  readonly url: string
  readonly cuts: () => number
  close(): Promise<void>
}

/**
 * Proxies connections to a service, and aborts each of them after a given number of bytes of its response.
 */
export async function cutConnections(target: string, afterBytes: number): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let cuts = 0
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    let left = afterBytes
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    client.pipe(upstream)
    upstream.on('data', (chunk: Buffer) => {
      const piece = chunk.subarray(0, left)
      left -= piece.length
      client.write(piece, () => {
        if (left > 0 || client.destroyed) return
        cuts += 1
        client.destroy()
        upstream.destroy()
      })
    })
    upstream.on('end', () => client.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    cuts: () => cuts,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Downloads a file as a device does: resumes after an abort by Range, as long as it is the same file. */
export async function fetchInPieces(url: string, size: number): Promise<Buffer> {
  let got = Buffer.alloc(0)
  let etag: string | undefined
  for (let tries = 0; got.length < size && tries < 100; tries += 1) {
    try {
      const response = await fetch(url, {
        headers: {
          connection: 'close',
          ...(etag !== undefined && { range: `bytes=${got.length}-`, 'if-range': etag }),
        },
      })
      if (response.status !== 200 && response.status !== 206) throw new Error(`answered ${response.status}`)
      if (response.status === 200) got = Buffer.alloc(0)
      etag = response.headers.get('etag') ?? undefined
      for await (const chunk of response.body ?? []) got = Buffer.concat([got, chunk])
    } catch {
      // The connection broke: the next one resumes.
    }
  }
  return got
}

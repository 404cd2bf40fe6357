/** Files that are sent to browsers from memory: compressed once, with an ETag. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface Asset {
  readonly plain: Buffer
  readonly compressed: Buffer
  readonly etag: string
}

async function assetOf(plain: Buffer): Promise<Asset> {
  const digest = createHash('sha256').update(plain).digest('base64url')
  return { plain, compressed: await promisify(gzip)(plain), etag: `W/"${digest}"` }
}

/** Makes an asset at the first request for it. A failure is not kept: the next request tries again. */
export function lazily(load: () => Promise<Buffer>): () => Promise<Asset> {
  let asset: Promise<Asset> | undefined
  return () => {
    asset ??= load()
      .then(assetOf)
      .catch((error: unknown) => {
        asset = undefined
        throw error
      })
    return asset
  }
}

/** Sends an asset, compressed if the client accepts it; 304 without a body if the client has it. */
export function sendAsset(request: FastifyRequest, reply: FastifyReply, { plain, compressed, etag }: Asset) {
  void reply.header('ETag', etag).header('Vary', 'Accept-Encoding')
  if (!reply.hasHeader('Cache-Control')) void reply.header('Cache-Control', 'no-cache')
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  if (!/\bgzip\b(?!;q=0)/.test(request.headers['accept-encoding'] ?? '')) return reply.send(plain)
  return reply.header('Content-Encoding', 'gzip').send(compressed)
}

import type { FastifySerializerCompiler } from 'fastify'

/** A large response that encodes itself, without a generic serializer. */
export interface EncodedResponse {
  /** The JSON text in UTF-8. */
  toBuffer(): Buffer
}

const isEncoded = (response: unknown): response is EncodedResponse =>
  typeof response === 'object' && response !== null && 'toBuffer' in response

/** The serializer of a route with encoded responses; its errors are ordinary objects. */
export const encodedResponses: FastifySerializerCompiler<unknown> = () => (response: unknown) =>
  (isEncoded(response) ? response.toBuffer() : JSON.stringify(response)) as string

import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { RouteOptions } from 'fastify'
import { describe, expect, it } from 'vitest'
import { makeAjv } from '../../src/platform/http/validation.ts'
import { startApi } from '../support/api.ts'

/** Returns what cannot be compiled, with its reason. */
function schemaFaults(routes: readonly RouteOptions[]): string[] {
  const ajv = makeAjv({})
  const compileSerializer = SerializerSelector()()
  const faults: string[] = []
  for (const { method, url, schema = {} } of routes) {
    const attempt = (part: string, compile: () => unknown): void => {
      try {
        compile()
      } catch (error) {
        faults.push(`${[method].flat().join()} ${url}, ${part}: ${(error as Error).message}`)
      }
    }
    for (const part of ['body', 'querystring', 'params', 'headers'] as const) {
      const one = schema[part]
      if (one) attempt(part, () => ajv.compile(one))
    }
    for (const [status, one] of Object.entries((schema.response ?? {}) as Record<string, object>))
      attempt(status, () => compileSerializer({ method: '', url, httpStatus: status, schema: one }))
  }
  return faults
}

describe('schemas of routes, which are compiled at their first request', () => {
  it('can all be compiled', async () => {
    const routes: RouteOptions[] = []
    const api = await startApi({ onRoute: (route) => routes.push(route) })
    await api.close()
    expect(routes.length).toBeGreaterThan(300)
    expect(schemaFaults(routes)).toEqual([])
  })

  it('are reported where they cannot', () => {
    const schema = { body: { type: 'nonsense' }, response: { 200: { $ref: '#/definitions/missing' } } }
    const faults = schemaFaults([{ method: 'GET', url: '/x', schema, handler: () => {} }])
    expect(faults).toEqual([
      expect.stringMatching(/^GET \/x, body: /),
      expect.stringMatching(/^GET \/x, 200: /),
    ])
  })
})

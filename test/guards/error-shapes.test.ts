import { readdir, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import { messages } from '../../src/kernel/messages.ts'
import { forEveryone } from '../../src/platform/http/access.ts'
import { setErrorShape } from '../../src/platform/http/errors.ts'
import { mount } from '../../src/platform/http/mount.ts'
import { startApi, type TestApi } from '../support/api.ts'

const TEST_TEXTS = messages({ TEST_ERROR_SHAPE: { en: 'a message', tr: 'bir mesaj' } })
const CONTENT = { message_code: 'TEST_ERROR_SHAPE', parameters: {} }

const SCOPES = ['standard', 'nested', 'market'] as const
type Scope = (typeof SCOPES)[number]

/** The same in every scope (docs/adr/0002). */
const ALWAYS_STANDARD =
  /^(TOKEN_EXPIRED|INVALID_CREDENTIALS|TENANT_INACTIVE|PERMISSION_DENIED|RATE_LIMITED|VALIDATION_ERROR|UNSUPPORTED_MEDIA_TYPE|PAYLOAD_TOO_LARGE)$/

/** The shapes of the interface specification, written a second time by hand. */
function promised(code: string, scope: Scope): object {
  const standard = { detail: 'a message', error_code: code, ...CONTENT }
  if (ALWAYS_STANDARD.test(code)) return standard
  if (code === 'SUPERUSER_REQUIRED') {
    const detail = { error_code: code, message: 'a message', ...CONTENT }
    return { detail: scope === 'market' ? { ...detail, code } : detail }
  }
  if (scope === 'standard') return standard
  return { detail: { [scope === 'nested' ? 'error_code' : 'code']: code, message: 'a message', ...CONTENT } }
}

/** Every code that the sources throw. */
async function thrownCodes(): Promise<string[]> {
  const names = await readdir('src', { recursive: true })
  const sources = await Promise.all(
    names
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => readFile(`src/${name}`, 'utf8')),
  )
  const pattern = /(?:AppError\(\s*\d+,|conflict\(|unprocessable\()\s*'([A-Za-z_]+)'/g
  return [
    ...new Set(sources.flatMap((source) => [...source.matchAll(pattern)].map(([, code]) => code ?? ''))),
  ]
}

let api: TestApi
let codes: string[]
beforeAll(async () => {
  codes = await thrownCodes()
  api = await startApi({
    extend: (app) => {
      for (const scope of SCOPES) {
        mount(app, `/planted/${scope}`, (routes) => {
          setErrorShape(routes, scope)
          routes.get('/unexpected', forEveryone, () => {
            throw new Error('an inside that nobody should see')
          })
          for (const code of codes) {
            routes.get(`/${code}`, forEveryone, () => {
              throw new AppError(418, code, TEST_TEXTS.TEST_ERROR_SHAPE())
            })
          }
        })
      }
    },
  })
})
afterAll(() => api.close())

describe('error bodies', () => {
  it('have the documented shape for every code in every scope', async () => {
    expect(codes.length).toBeGreaterThan(20)
    for (const scope of SCOPES) {
      for (const code of codes) {
        const response = await api.call('GET', `/planted/${scope}/${code}`)
        expect([scope, response.status, response.body]).toEqual([scope, 418, promised(code, scope)])
      }
    }
  })

  it.each(SCOPES)('contain no details of an unexpected error in the scope %s', async (scope) => {
    const response = await api.call('GET', `/planted/${scope}/unexpected`)
    expect(response.status).toBe(500)
    expect(response.text).toContain('INTERNAL_ERROR')
    expect(response.text).not.toContain('inside')
  })

  it('use the shape of the error instead of that of the scope', async () => {
    const shaped = (shape: 'flat' | 'plain') =>
      new AppError(409, 'SOME_CODE', TEST_TEXTS.TEST_ERROR_SHAPE(), { shape, extra: { device_id: 'x' } })
    const special = await startApi({
      extend: (app) =>
        mount(app, '/planted', (routes) => {
          setErrorShape(routes, 'nested')
          routes.get('/flat', forEveryone, () => {
            throw shaped('flat')
          })
          routes.get('/plain', forEveryone, () => {
            throw shaped('plain')
          })
        }),
    })
    expect((await special.call('GET', '/planted/flat')).body).toEqual({
      error_code: 'SOME_CODE',
      message: 'a message',
      ...CONTENT,
      device_id: 'x',
    })
    expect((await special.call('GET', '/planted/plain')).body).toEqual({ detail: 'a message' })
    await special.close()
  })

  it.each([
    ['/api', { detail: 'no such endpoint', error_code: 'RESOURCE_NOT_FOUND' }],
    ['/api/osos-other', { detail: 'no such endpoint', error_code: 'RESOURCE_NOT_FOUND' }],
    ['/api/mahsuplasma', { detail: { error_code: 'RESOURCE_NOT_FOUND', message: 'no such endpoint' } }],
    ['/api/osos', { detail: { error_code: 'RESOURCE_NOT_FOUND', message: 'no such endpoint' } }],
    ['/api/v1/admin/regulated-tariffs', { detail: { error_code: 'NOT_FOUND', message: 'no such endpoint' } }],
    [
      '/api/v1/admin/marketop-transparency/accounts',
      { detail: { code: 'NOT_FOUND', message: 'no such endpoint' } },
    ],
  ])('have the shape of the scope for an unknown path below %s', async (prefix, body) => {
    const paths = [`${prefix}/unknown/path/of/many/parts?x=1`, `${prefix}/installations/${'x'.repeat(300)}/y`]
    for (const path of [...paths, `${prefix}/%zz`])
      for (const method of ['GET', 'POST']) {
        const response = await api.call(method, path)
        expect([path, response.status, response.body]).toMatchObject([path, 404, body])
      }
  })

  it('have the shape of the scope for a method that an existing path does not have', async () => {
    const response = await api.call('PUT', '/api/osos/installations')
    expect([response.status, response.body.detail.error_code]).toEqual([404, 'RESOURCE_NOT_FOUND'])
  })
})

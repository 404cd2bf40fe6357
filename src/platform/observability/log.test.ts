import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { loggableUrl, makeLog } from './log.ts'

function capture(write: (log: ReturnType<typeof makeLog>) => void): string {
  const lines: string[] = []
  write(makeLog('trace', { write: (line: string) => void lines.push(line) }))
  return lines.join('')
}

describe('log', () => {
  it('redacts secrets in the usual fields', () => {
    const text = capture((log) => {
      log.info({ password: 's3cret', user: { token: 's3cret' }, body: { new_password: 's3cret' } }, 'a line')
      log.info({ req: { headers: { authorization: 'Bearer s3cret' } } })
    })
    expect(text).toContain('a line')
    expect(text).not.toContain('s3cret')
  })

  it('contains code and message of a database error, and nothing of the rows', () => {
    const error = new pg.DatabaseError('duplicate key', 10, 'error')
    error.code = '23505'
    error.detail = 'Key (email)=(ayse@plant.example) already exists.'
    error.where = 'COPY app_user, line 1: "hash-of-a-password"'
    const text = capture((log) => log.error({ err: new Error('outer', { cause: error }) }, 'failed'))
    expect(text).toContain('23505')
    expect(text).toContain('duplicate key')
    expect(text).not.toMatch(/ayse|hash-of/)
  })

  it('hides the content of a query string', () => {
    expect(loggableUrl('/ws/telemetry?token=abc.def&devices=1')).toBe('/ws/telemetry?token=…&devices=1')
    expect(loggableUrl('/ws/telemetry?ticket=abc')).toBe('/ws/telemetry?ticket=…')
    expect(loggableUrl('/x?a=1&refresh_token=abc#b')).toBe('/x?a=1&refresh_token=…#b')
    expect(loggableUrl(`/api/firmware/download/${'aB-_'.repeat(21)}AA?x=1`)).toBe(
      '/api/firmware/download/…?x=1',
    )
    expect(loggableUrl('/x?name=token')).toBe('/x?name=token')
  })
})

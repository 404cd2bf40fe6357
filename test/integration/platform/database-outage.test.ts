import pg from 'pg'
import { expect, it } from 'vitest'
import { startApi } from '../../support/api.ts'
import { createTenant } from '../../support/tenants.ts'

it('answers 503 with Retry-After during a database outage, and works again afterwards', async () => {
  const api = await startApi()
  try {
    const { admin } = await createTenant(api)
    const database = new URL(api.deps.database.pool.options.connectionString ?? '').pathname.slice(1)
    const server = new URL(api.deps.database.pool.options.connectionString ?? '')
    server.pathname = '/postgres'
    const operator = new pg.Client({ connectionString: server.href })
    await operator.connect()
    try {
      await operator.query(`alter database ${database} connection limit 0`)
      await operator.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user',
        [database],
      )
      const away = await api.call('GET', '/api/regions', { token: admin.token })
      expect(away.status).toBe(503)
      expect(away.body).toMatchObject({
        detail: 'the database is out of reach; try again',
        error_code: 'SERVICE_UNAVAILABLE',
      })
      expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0)
      await operator.query(`alter database ${database} connection limit -1`)
      expect((await api.call('GET', '/api/regions', { token: admin.token })).status).toBe(200)
    } finally {
      await operator.end()
    }
  } finally {
    await api.close()
  }
})

it('answers 503 with Retry-After, and not 500, after a deadlock', async () => {
  const api = await startApi({
    extend: (app) =>
      app.get('/deadlock', { config: { access: { kind: 'everyone' } } }, async () => {
        const sql = `do $$ begin raise exception 'deadlock detected' using errcode = '40P01'; end $$`
        await api.deps.database.pool.query(sql)
      }),
  })
  try {
    const response = await api.call('GET', '/deadlock')
    expect([response.status, response.body.error_code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect(response.headers.get('retry-after')).toBe('1')
  } finally {
    await api.close()
  }
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RESOURCE_TYPE_NAMES } from '../../../src/areas/admin/change-log/resource-types.ts'
import { readMailedToken, systemRoles } from '../../support/accounts.ts'
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts'
import { runOn } from '../../support/metering/storage.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const NOW = '2026-11-20T09:00:00Z'
let api: TestApi
let tenant: TestTenant

beforeAll(async () => {
  api = await startApi({
    now: NOW,
    config: { credentialEncryptionKey: Buffer.alloc(32, 7).toString('base64') },
  })
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const call = (
  method: string,
  path: string,
  body?: unknown,
  token = tenant.admin.token,
): Promise<ApiResponse> => api.call(method, path, { token, body })
const changes = async (query: string) => (await call('GET', `/api/changes?${query}`)).body.items
const makeRegion = async (name: string) => (await call('POST', '/api/regions', { name })).body

describe('change log', () => {
  it('records who created, changed and deleted a record, with the old and the new values', async () => {
    const { id } = await makeRegion('Marmara')
    const renamed = await api.call('PUT', `/api/regions/${id}`, {
      token: tenant.admin.token,
      body: { name: 'Ege' },
      headers: { 'x-request-id': 'rename-1' },
    })
    expect(renamed.status).toBe(200)
    expect((await call('DELETE', `/api/regions/${id}`)).status).toBeLessThan(300)
    const listed = await changes(`resource_type=region&resource_id=${id}&sort_order=asc`)
    expect(listed.map(({ action }: { action: string }) => action).toSorted()).toEqual([
      'create',
      'delete',
      'update',
    ])
    const update = listed.find(({ action }: { action: string }) => action === 'update')
    expect(update).toEqual({
      id: expect.stringMatching(/^\d+$/),
      at: '2026-11-20T09:00:00.000Z',
      actor_kind: 'user',
      user_id: tenant.admin.id,
      user_email: tenant.admin.email,
      api_key_id: null,
      api_key_name: null,
      operation: 'updateRegion',
      request_id: 'rename-1',
      ip: '127.0.0.1',
      action: 'update',
      resource_type: 'region',
      resource_id: id,
      resource_name: 'Ege',
      changes: { name: { from: 'Marmara', to: 'Ege' } },
    })
    expect(listed.find(({ action }: { action: string }) => action === 'delete').changes.name).toEqual({
      from: 'Ege',
    })
  })

  it('has no record of a request that changed nothing or was refused', async () => {
    const { id } = await makeRegion('Akdeniz')
    await call('PUT', `/api/regions/${id}`, { name: 'Akdeniz' })
    expect((await call('PUT', `/api/regions/${id}`, { name: '' })).status).toBe(422)
    expect(await changes(`resource_id=${id}`)).toHaveLength(1)
  })

  it('names the API key, and the owner as the user', async () => {
    const key = await call('POST', '/api/api-keys', {
      name: 'importer',
      permissions: ['manage:region'],
      expires_in_days: 30,
    })
    expect(key.status).toBe(201)
    const made = await call('POST', '/api/regions', { name: 'Karadeniz' }, key.body.key)
    expect(made.status).toBe(201)
    expect(await changes(`resource_id=${made.body.id}`)).toMatchObject([
      { actor_kind: 'user', api_key_id: key.body.id, api_key_name: 'importer', user_id: tenant.admin.id },
    ])
    expect(await changes(`api_key_id=${key.body.id}`)).toHaveLength(1)
  })

  it('names requests without a token, and commands', async () => {
    const email = `guest-${Date.now()}@example.com`
    const roles = await systemRoles(api, tenant)
    const invited = await call('POST', '/api/users/invitations', { email, role_ids: [roles.viewer] })
    expect(invited.status, invited.text).toBe(201)
    const accepted = await api.call('POST', '/api/auth/invitations/accept', {
      body: { token: await readMailedToken(api, email), full_name: 'Guest', password: 'Uzun-Bir-Parola-42' },
    })
    expect(accepted.status, accepted.text).toBe(201)
    expect(await changes(`resource_type=user&search=${email}`)).toMatchObject([
      { actor_kind: 'anonymous', action: 'create', user_id: null, operation: 'acceptInvitation' },
    ])
    const { rows } = await api.deps.database.pool.query('select slug from tenant where id = $1', [tenant.id])
    await runOn(
      api,
      'user',
      'create',
      '--tenant',
      rows[0].slug,
      '--email',
      `cli-${email}`,
      '--role',
      'viewer',
    )
    expect(await changes(`resource_type=user&search=cli-${email}`)).toMatchObject([
      { actor_kind: 'command', operation: 'user create' },
    ])
  })

  it('never contains passwords, tokens or their hashes', async () => {
    const password = 'Uzun-Bir-Parola-42'
    const user = await call('POST', '/api/users', {
      email: `log-${Date.now()}@example.com`,
      full_name: 'Log User',
      password,
    })
    expect(user.status).toBe(201)
    const [created] = await changes(`resource_type=user&resource_id=${user.body.id}`)
    expect(created.changes).toMatchObject({
      password_hash: { is_hidden: true },
      email: { to: user.body.email },
    })
    const { rows } = await api.deps.database.pool.query(
      `select l.changes::text as text, u.password_hash from change_log l, app_user u
        where u.tenant_id = $2 and u.id = $1 and l.tenant_id = $2`,
      [user.body.id, tenant.id],
    )
    for (const { text, password_hash } of rows) {
      expect(text).not.toContain(password)
      expect(text).not.toContain(password_hash)
    }
  })

  it('hides what only managers of alarms may read: addresses of webhooks, chats and topics', async () => {
    const webhook = { name: 'Hook', url: 'https://hooks.example.com/services/T0/B0/the-credential' }
    const channel = { name: 'Push', type: 'ntfy', topic: 'a-topic-that-is-a-password' }
    const made = [
      await call('POST', '/api/notification-webhooks', webhook),
      await call('POST', '/api/notification-channels', channel),
    ]
    expect(made.map(({ status, text }) => (status === 201 ? status : text))).toEqual([201, 201])
    const [hook] = await changes('resource_type=webhook')
    expect(hook.changes).toMatchObject({ name: { to: 'Hook' }, url: { is_hidden: true } })
    const [push] = await changes('resource_type=notification_channel')
    expect(push.changes).toMatchObject({ type: { to: 'ntfy' }, topic: { is_hidden: true } })
    // That a secret was removed is a change too.
    const path = `/api/notification-channels/${push.resource_id}`
    for (const token of ['tk_secret', null]) expect((await call('PUT', path, { token })).status).toBe(200)
    const removed = (await changes('resource_type=notification_channel&action=update')).map(
      (change: { changes: object }) => change.changes,
    )
    expect(removed).toEqual([{ secret_sealed: { is_hidden: true } }, { secret_sealed: { is_hidden: true } }])
  })

  it('filters by time, user, action, operation and search, and pages', async () => {
    const { id } = await makeRegion('İç Anadolu')
    await call('PUT', `/api/regions/${id}`, { name: 'Doğu' })
    const of = async (query: string) => (await changes(`resource_id=${id}&${query}`)).length
    expect(await of('action=create')).toBe(1)
    expect(await of('operation=updateRegion')).toBe(1)
    expect(await of(`user_id=${tenant.viewer.id}`)).toBe(0)
    expect(await of('search=iç anadolu')).toBe(1)
    expect(await of(`search=${encodeURIComponent(tenant.admin.email.toUpperCase())}`)).toBe(2)
    expect(await of('from=2026-11-20T09:00:00Z&to=2026-11-20T09:00:01Z')).toBe(2)
    expect(await of('from=2026-11-20T09:00:01Z')).toBe(0)
    expect((await call('GET', '/api/changes?__proto__=1&limit=1')).status).toBe(200)
    const page = await call('GET', `/api/changes?resource_id=${id}&limit=1&skip=1`)
    expect(page.body).toMatchObject({ total: 2, skip: 1, limit: 1, items: [expect.anything()] })
  })

  it('is read by those who manage users, and by superusers for any tenant', async () => {
    expect((await call('GET', '/api/changes', undefined, tenant.viewer.token)).status).toBe(403)
    const other = await createTenant(api)
    const own = await call('GET', '/api/changes?limit=100', undefined, other.admin.token)
    expect(own.body.items.every(({ user_id }: { user_id: string }) => user_id !== tenant.admin.id)).toBe(true)
    const path = `/api/v1/admin/tenants/${tenant.uid}/changes?resource_type=region`
    expect((await call('GET', path, undefined, other.admin.token)).status).toBe(403)
    const seen = await call('GET', path, undefined, other.superuser.token)
    expect(seen.body.items.length).toBeGreaterThan(0)
    expect(
      (await call('PATCH', `/api/v1/admin/tenants/${tenant.uid}`, { name: 'Yeni Ad' }, other.superuser.token))
        .status,
    ).toBe(200)
    // The address of the superuser belongs to another tenant.
    expect(await changes('resource_type=tenant&action=update')).toMatchObject([
      { user_id: other.superuser.id, user_email: null, changes: { name: { to: 'Yeni Ad' } } },
    ])
  })

  it('is exported with words in the language of the reader', async () => {
    await makeRegion('Trakya')
    const range = 'from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z'
    const csv = await call('GET', `/api/changes/report?format=csv&${range}`)
    expect(csv.text).toContain('Değişen alanlar')
    expect(csv.text).toMatch(/oluşturma.*Bölge.*Trakya/)
    const names = await call('GET', `/api/changes/report?format=csv&locale=en&headers=names&${range}`)
    expect(names.text).toMatch(/create,region,.*Trakya/)
    for (const format of ['xlsx', 'pdf'])
      expect((await call('GET', `/api/changes/report?format=${format}&${range}`)).status).toBe(200)
    const long = 'from=2024-11-01T00:00:00Z&to=2026-12-01T00:00:00Z'
    expect((await call('GET', `/api/changes/report?format=csv&${long}`)).status).toBe(422)
  })

  it('cannot be changed', async () => {
    const { pool } = api.deps.database
    await expect(
      pool.query(`update change_log set ip = '' where tenant_id = $1`, [tenant.id]),
    ).rejects.toThrow(/denied/)
    await expect(pool.query('delete from change_log where tenant_id = $1', [tenant.id])).rejects.toThrow(
      /denied/,
    )
  })
})

/** Tables of tenants whose changes are not recorded, with the reason. */
const NOT_RECORDED: Readonly<Record<string, readonly string[]>> = {
  'the record itself': ['change_log'],
  'part of a recorded user, and the links of a mail': [
    'login_email',
    'password_reset',
    'email_verification',
    'totp_recovery_code',
    'oidc_sign_in',
    'user_last_write',
    'access_version',
  ],
  'measured, or computed from what is recorded': [
    'measurement',
    'measurement_chunk',
    'measurement_set_aside',
    'measurement_hour',
    'hourly_energy',
    'tenant_usage_day',
    'tenant_storage',
    'monthly_summary',
    'calculation_hour',
    'virtual_meter_hour',
    'amount',
    'limit_usage_hour',
    'charging_session',
  ],
  'append-only records, which name their own users': [
    'totp_event',
    'alarm_event',
    'meter_change_revision',
    'facility_history',
    'eligibility_run',
    'limit_movement',
    'calculation_run',
    'calculation_input',
    'correction_chain',
    'bulk_calculation',
    'bulk_calculation_group',
    'history_calculation',
    'history_calculation_step',
    'scenario',
    'scenario_group',
    'scenario_month',
    'sizing',
    'sizing_group',
    'hourly_forecast',
    'hourly_forecast_facility',
    'hourly_forecast_series',
    'optimisation',
    'invoice_file',
    'invoice_check',
    'invoice_objection_step',
    'osos_import',
    'osos_reading',
    'osos_reading_history',
    'gateway_config',
    'loto_session',
    'loto_session_point',
    'loto_lock',
    'loto_event',
    'ota_update',
    'ota_event',
    'charger_command',
    'charger_event',
    'charger_event_day',
    'charger_reservation',
    'data_export',
    'incident_escalation',
    'escalation_message',
  ],
  'state of devices and stations, which they report': [
    'gateway_sequence',
    'gateway_session',
    'gateway_client',
    'zigbee_gateway',
    'zigbee_device',
    'charger_cpid',
    'charger_connector',
    'charger_variable',
    'charger_report',
    'charger_certificate',
    'charger_file',
    'charger_local_list_tag',
    'dead_letter',
    'dead_letter_overflow',
    'deleted_device',
  ],
  'bookkeeping of the service': [
    'live_ticket',
    'idempotency_key',
    'live_ticket',
    'modbus_lease',
    'rollup_dirty_range',
    'rollup_state',
    'late_dirty_range',
    'fact_rebuild',
    'stale_mark',
    'sample_watch',
    'unevaluated_batch',
    'alarm_state',
    'alarm_incident',
    'notification',
    'notification_reader',
    'notification_read',
    'notification_cursor',
  ],
}

it('every table of tenants is recorded, or is not for a reason', async () => {
  const { rows } = await api.deps.database.pool.query<{ name: string; type: string | null }>(`
    select c.relname as name, split_part(encode(t.tgargs, 'escape'), E'\\\\000', 1) as type
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
    left join pg_trigger t on t.tgrelid = c.oid and t.tgname = 'record_change'
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition`)
  const reasons = new Set(Object.values(NOT_RECORDED).flat())
  expect(
    rows.filter(({ name, type }) => type === null && !reasons.has(name)).map(({ name }) => name),
  ).toEqual([])
  const types = rows.flatMap(({ type }) => type ?? [])
  expect([...types, 'tenant'].toSorted()).toEqual([...RESOURCE_TYPE_NAMES].toSorted())
})

it('a trigger that runs for some columns runs for all that are recorded', async () => {
  const { rows } = await api.deps.database.pool.query<{ name: string; set: string[]; recorded: string[] }>(`
    select c.relname as name,
      array(select attname::text from pg_attribute where attrelid = c.oid and attnum = any(t.tgattr)) as set,
      (string_to_array(encode(t.tgargs, 'escape'), E'\\\\000'))[4]::text[]
        || (string_to_array(encode(t.tgargs, 'escape'), E'\\\\000'))[5]::text[] as recorded
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where t.tgname = 'record_change' and t.tgattr <> '' and not c.relispartition`)
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['charger', 'device', 'gateway']))
  for (const { name, set, recorded } of rows) expect(set.toSorted(), name).toEqual(recorded.toSorted())
})

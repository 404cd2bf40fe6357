import { randomBytes, randomUUID } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { toJson } from '../../../src/platform/db/json-columns.ts'
import { type ForeignFixture, type PathIds, post, unique } from '../foreign-fixture.ts'
import { SENT_BY_TEST } from '../sent-by-test.ts'

const CHARGERS = '/api/ocpp/chargers'
const charger = (fixture: ForeignFixture) => post(fixture, CHARGERS, { cpid: `CP-${randomUUID()}` })
async function chargerCommand(fixture: ForeignFixture): Promise<PathIds> {
  const { api, tenant } = fixture
  const id = await charger(fixture)
  const row = await api.deps.database.kysely
    .insertInto('charger_command')
    .values({
      tenant_id: tenant.id,
      charger_id: id,
      action: 'clear_cache',
      request: toJson({}),
      created_at: new Date(api.clock.now()),
      expires_at: new Date(api.clock.now() + 60_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, command_id: row.id }
}

async function chargerFile(fixture: ForeignFixture): Promise<PathIds> {
  const { api, tenant } = fixture
  const id = await charger(fixture)
  const row = await api.deps.database.kysely
    .insertInto('charger_file')
    .values({
      tenant_id: tenant.id,
      charger_id: id,
      kind: 'diagnostics',
      token_hash: randomBytes(32),
      created_at: new Date(api.clock.now()),
      expires_at: new Date(api.clock.now() + 60_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, file_id: row.id }
}

async function chargingSession(fixture: ForeignFixture): Promise<string> {
  const { api, tenant } = fixture
  const id = await charger(fixture)
  const { rows } = await api.deps.database.pool.query<{ id: string }>(
    `insert into charging_session (tenant_id, charger_id, connector_id, device_id, authorization_status, started_at,
       created_at, updated_at)
     select tenant_id, id, 1, device_id, 'accepted', $2, $2, $2 from charger where tenant_id = $1 and id = $3
     returning id ${SENT_BY_TEST}`,
    [tenant.id, new Date(api.clock.now()), id],
  )
  return rows[0]?.id ?? ''
}

const chargingGroup = (fixture: ForeignFixture) =>
  post(fixture, '/api/ocpp/charging-groups', { name: unique('site'), limit_kw: 10 })
const chargingProfile = async (fixture: ForeignFixture) =>
  post(fixture, `${CHARGERS}/${await charger(fixture)}/charging-profiles`, PROFILE)
const PROFILE = {
  purpose: 'tx_default',
  schedule: { unit: 'A', periods: [{ start_second: 0, limit: 16 }] },
}
async function reservation(fixture: ForeignFixture): Promise<string> {
  const id_tag = randomBytes(10).toString('hex')
  await post(fixture, '/api/ocpp/id-tags', { tag: id_tag })
  const expires_at = new Date(fixture.api.clock.now() + 3_600_000).toISOString()
  return post(fixture, '/api/ocpp/reservations', { charger_id: await charger(fixture), id_tag, expires_at })
}

/** For `MAKERS` in foreign-records. */
export const CHARGER_MAKERS: Readonly<Record<string, (fixture: ForeignFixture) => Promise<PathIds>>> = {
  [`${CHARGERS}/:id`]: async (fixture) => ({ id: await charger(fixture) }),
  [`${CHARGERS}/:id/commands/:command_id`]: chargerCommand,
  [`${CHARGERS}/:id/files/:file_id`]: chargerFile,
  '/api/ocpp/id-tags/:id': async (fixture) => ({
    id: await post(fixture, '/api/ocpp/id-tags', { tag: randomBytes(10).toString('hex') }),
  }),
  '/api/ocpp/charging-groups/:id': async (fixture) => ({ id: await chargingGroup(fixture) }),
  '/api/ocpp/charging-profiles/:id': async (fixture) => ({ id: await chargingProfile(fixture) }),
  '/api/ocpp/reservations/:id': async (fixture) => ({ id: await reservation(fixture) }),
  '/api/ocpp/sessions/:id': async (fixture) => ({ id: await chargingSession(fixture) }),
}

/** For `BODIES` in foreign-records. */
export const CHARGER_BODIES: Readonly<Record<string, () => object>> = {
  [`POST ${CHARGERS}/:id/charging-profiles`]: () => PROFILE,
  [`POST ${CHARGERS}/:id/composite-schedule`]: () => ({ duration_seconds: 60 }),
  [`POST ${CHARGERS}/:id/files`]: () => ({ kind: 'diagnostics', location: 'ftp://files.example/' }),
  [`POST ${CHARGERS}/:id/certificates/install`]: () => ({
    use: 'manufacturer_root',
    certificate_pem: rootCertificates[0],
  }),
  [`POST ${CHARGERS}/:id/certificates/installed`]: () => ({ use: 'manufacturer_root' }),
  [`POST ${CHARGERS}/:id/certificates/delete`]: () => ({
    hash_algorithm: 'SHA256',
    issuer_name_hash: 'ab',
    issuer_key_hash: 'cd',
    serial: '01',
  }),
  [`PUT ${CHARGERS}/:id/local-list`]: () => ({ tag_ids: null }),
  [`POST ${CHARGERS}/:id/commands`]: () => ({ action: 'clear_cache' }),
}

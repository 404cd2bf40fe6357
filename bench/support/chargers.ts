import { generatePassword, hashChosen, hashGenerated } from '../../src/areas/charging/passwords/password.ts'
import type { BenchService } from './service.ts'
import type { BenchStation } from './station-link.ts'

interface Login extends BenchStation {
  readonly hash: string
}

/** Inserts chargers of the bench tenant directly, with generated passwords and a known connector 1. */
export function createChargers(service: BenchService, count: number): Promise<BenchStation[]> {
  const logins = Array.from({ length: count }, (_, index): Login => {
    const password = generatePassword()
    return { cpid: `BENCH-${index}`, password, hash: hashGenerated(password) }
  })
  return insertChargers(service, logins)
}

/** Chargers with one password that a person has chosen; checking it costs the same for each. */
export async function createChargersWithChosen(
  service: BenchService,
  count: number,
): Promise<BenchStation[]> {
  const password = 'a-chosen-password-1'
  const hash = await hashChosen(service.deps, password)
  const logins = Array.from({ length: count }, (_, index) => ({ cpid: `CHOSEN-${index}`, password, hash }))
  return insertChargers(service, logins)
}

async function insertChargers(
  { deps, tenant }: BenchService,
  stations: readonly Login[],
): Promise<BenchStation[]> {
  await deps.database.pool.query(
    `with given as (
       select gen_random_uuid() as id, gen_random_uuid() as device_id, t.*
       from unnest($2::text[], $3::text[]) as t (cpid, password_hash)
     ), devices as (
       insert into device (tenant_id, id, name, device_type, device_role, device_source)
       select $1, device_id, cpid, 'charger', 'charger', 'ocpp' from given
     ), chargers as (
       insert into charger (tenant_id, id, device_id, cpid, name, password_hash, created_at, updated_at)
       select $1, id, device_id, cpid, cpid, password_hash, now(), now() from given
     ), connectors as (
       insert into charger_connector (tenant_id, charger_id, connector_id, device_id)
       select $1, id, 1, device_id from given
     )
     insert into charger_cpid (cpid, tenant_id, charger_id) select cpid, $1, id from given`,
    [tenant.id, stations.map(({ cpid }) => cpid), stations.map(({ hash }) => hash)],
  )
  await deps.database.owner.pool.query('analyze')
  return stations.map(({ cpid, password }) => ({ cpid, password }))
}

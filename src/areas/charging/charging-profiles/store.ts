import { sql } from 'kysely'
import { at } from '../../../kernel/checked.ts'
import { toJson } from '../../../platform/db/json-columns.ts'
import { readPage } from '../../../platform/db/list.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import type { ClearChargingProfiles, ProfileFields, ProfilePurpose } from './profile.ts'
import type { ProfileQuery } from './schema.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'charging_profile.profile': ProfileFields
  }
}

const columns = [
  ...([
    'id',
    'profile_number',
    'charger_id',
    'connector_id',
    'stack_level',
    'profile',
    'session_id',
  ] as const),
  ...(['reason', 'command_id', 'requested_by', 'created_at', 'updated_at'] as const),
  sql<ProfilePurpose>`purpose`.as('purpose'),
] as const

/** A profile of a session is over with it. */
const stateNow = (tenantId: number) => sql<string>`case when state in ('pending', 'active') and exists (
  select 1 from charging_session s where (s.tenant_id, s.id) = (${tenantId}, charging_profile.session_id)
    and s.state = 'ended') then 'over' else state end`

const profiles = (tenant: TenantDb) =>
  selectRows(tenant, 'charging_profile').select([...columns, stateNow(tenant.tenantId).as('state')])

export function list(tenant: TenantDb, chargerId: string, query: ProfileQuery) {
  let rows = profiles(tenant).where('charger_id', '=', chargerId)
  if (query.purpose !== undefined) rows = rows.where('purpose', '=', query.purpose)
  if (query.state !== undefined) rows = rows.where(stateNow(tenant.tenantId), '=', query.state)
  return readPage(rows, query)
}

export const find = (tenant: TenantDb, id: string) => profiles(tenant).where('id', '=', id).executeTakeFirst()
export type ProfileRow = NonNullable<Awaited<ReturnType<typeof find>>>

export const lockByNumber = (tx: TenantTx, chargerId: string, number: number) =>
  profiles(tx)
    .where('charger_id', '=', chargerId)
    .where('profile_number', '=', number)
    .forUpdate()
    .executeTakeFirst()

interface NewProfile {
  readonly chargerId: string
  readonly connectorId: number
  readonly purpose: ProfilePurpose
  readonly stackLevel: number
  readonly profile: ProfileFields
  readonly sessionId: string | null
  readonly requestedBy: string
  readonly now: Date
}

export const create = ({ db, tenantId }: TenantTx, profile: NewProfile) =>
  db
    .insertInto('charging_profile')
    .values({
      tenant_id: tenantId,
      charger_id: profile.chargerId,
      connector_id: profile.connectorId,
      purpose: profile.purpose,
      stack_level: profile.stackLevel,
      profile: toJson(profile.profile),
      session_id: profile.sessionId,
      requested_by: profile.requestedBy,
      created_at: profile.now,
      updated_at: profile.now,
    })
    .returning(['id', 'profile_number'])
    .executeTakeFirstOrThrow()

/** Allocates a number for a profile that is part of another command and has no record of its own. */
export async function nextNumber({ db }: TenantTx): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    select nextval(pg_get_serial_sequence('charging_profile', 'profile_number'))::float8 as number`.execute(
    db,
  )
  return at(rows, 0).number
}

interface Change {
  readonly state?: 'active' | 'rejected'
  readonly reason?: string | null
  readonly command_id?: string
  readonly updated_at: Date
}

export const update = (tx: TenantTx, id: string, set: Change) =>
  updateRows(tx, 'charging_profile').set(set).where('id', '=', id).execute()

/**
 * Marks the profiles that a new one replaces: a station stores one of each purpose, level, connector and, for
 * tx, session.
 */
export const replaceOthers = (tx: TenantTx, by: ProfileRow, now: Date) =>
  updateRows(tx, 'charging_profile')
    .set({ state: 'replaced', updated_at: now })
    .where('charger_id', '=', by.charger_id)
    .where('connector_id', '=', by.connector_id)
    .where('purpose', '=', by.purpose)
    .where('stack_level', '=', by.stack_level)
    .where('session_id', 'is not distinct from', by.session_id)
    .where('state', '=', 'active')
    .where('id', '<>', by.id)
    .execute()

/** Marks the matching profiles of a charger as cleared; also those whose response was lost. */
export async function clear(tx: TenantTx, chargerId: string, filter: ClearChargingProfiles, now: Date) {
  let rows = updateRows(tx, 'charging_profile')
    .set({ state: 'cleared', updated_at: now })
    .where('charger_id', '=', chargerId)
    .where((eb) =>
      eb.or([
        eb('state', '=', 'active'),
        eb.and([eb('state', '=', 'pending'), eb('reason', 'is not', null)]),
      ]),
    )
  const { profile_number, connector_id, purpose, stack_level } = filter
  if (profile_number !== undefined && profile_number !== null)
    rows = rows.where('profile_number', '=', profile_number)
  if (connector_id !== undefined && connector_id !== null)
    rows = rows.where('connector_id', '=', connector_id)
  if (purpose !== undefined && purpose !== null) rows = rows.where('purpose', '=', purpose)
  if (stack_level !== undefined && stack_level !== null) rows = rows.where('stack_level', '=', stack_level)
  await rows.execute()
}

export const findSession = (tenant: TenantDb, chargerId: string, id: string) =>
  selectRows(tenant, 'charging_session')
    .select(['state', 'connector_id', 'transaction_number', 'ocpp_transaction_id'])
    .where('charger_id', '=', chargerId)
    .where('id', '=', id)
    .executeTakeFirst()

/** Whether the charger is a member of a charging group. */
export const isInGroup = async (tenant: TenantDb, chargerId: string): Promise<boolean> =>
  (await selectRows(tenant, 'charging_group_member')
    .select('charger_id')
    .where('charger_id', '=', chargerId)
    .executeTakeFirst()) !== undefined

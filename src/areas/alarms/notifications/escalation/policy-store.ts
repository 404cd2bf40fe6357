import { sql } from 'kysely'
import { conflict } from '../../../../kernel/errors.ts'
import { refusing } from '../../../../platform/db/constraints.ts'
import { toJson } from '../../../../platform/db/json-columns.ts'
import { readList, readPage } from '../../../../platform/db/list.ts'
import { lockResource } from '../../../../platform/db/locks.ts'
import { matchesSearch } from '../../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../../platform/db/tenant-rows.ts'
import { ALARM_TEXTS } from '../../messages.ts'
import type { EscalationLevel, EscalationPolicyQuery } from './schema.ts'

declare module '../../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'escalation_policy.levels': EscalationLevel[]
  }
}

const columns = [
  'id',
  'name',
  'language',
  'levels',
  'repeat_minutes',
  'repeat_count',
  'default_severities',
  'is_active',
  'created_at',
  'updated_at',
] as const
const constraints = {
  escalation_policy_name_key: () => conflict('DUPLICATE_ENTRY', ALARM_TEXTS.ESCALATION_NAME_EXISTS()),
  alarm_policy_escalation_fkey: () => conflict('STATE_CONFLICT', ALARM_TEXTS.ESCALATION_IN_USE()),
}

export type EscalationPolicyRow = NonNullable<Awaited<ReturnType<typeof findPolicy>>>

export const findPolicy = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'escalation_policy').select(columns).where('id', '=', id).executeTakeFirst()

export const findPolicies = (tenant: TenantDb, ids: readonly string[]) =>
  selectRows(tenant, 'escalation_policy').select(columns).where('id', 'in', ids).execute()

export const listPolicies = (tenant: TenantDb, query: EscalationPolicyQuery) =>
  readPage(
    selectRows(tenant, 'escalation_policy')
      .select(columns)
      .where(matchesSearch(query.search, ['name'])),
    query,
  )

/** Serializes changes of the escalation policies of a tenant and returns their default severities. */
export async function lockDefaults(tx: TenantTx) {
  await lockResource(tx, `escalation policies of tenant ${tx.tenantId}`)
  return selectRows(tx, 'escalation_policy').select(['id', 'default_severities']).execute()
}

export interface PolicyValues {
  readonly name?: string | undefined
  readonly language?: string | undefined
  readonly levels?: EscalationLevel[] | undefined
  readonly repeat_minutes?: number | null | undefined
  readonly repeat_count?: number | undefined
  readonly default_severities?: string[] | undefined
  readonly is_active?: boolean | undefined
}

const valuesOf = ({ levels, ...rest }: PolicyValues) => ({
  ...rest,
  ...(levels && { levels: toJson(levels) }),
})

export const insertPolicy = (
  { db, tenantId }: TenantTx,
  {
    name,
    levels,
    language = 'tr',
    ...rest
  }: PolicyValues & { readonly name: string; readonly levels: EscalationLevel[] },
  at: Date,
) =>
  refusing(
    constraints,
    db
      .insertInto('escalation_policy')
      .values({
        ...{ ...rest, tenant_id: tenantId, language, name, levels: toJson(levels) },
        ...{ created_at: at, updated_at: at },
      })
      .returning(columns)
      .executeTakeFirstOrThrow(),
  )

export const updatePolicy = (tx: TenantTx, id: string, { values, at }: { values: PolicyValues; at: Date }) =>
  refusing(
    constraints,
    updateRows(tx, 'escalation_policy')
      .set({ ...valuesOf(values), updated_at: at })
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirst(),
  )

export const removePolicy = (tx: TenantTx, id: string) =>
  refusing(
    constraints,
    deleteRows(tx, 'escalation_policy').where('id', '=', id).returning('id').executeTakeFirst(),
  )

const REFERENCES = { user_id: 'app_user', role_id: 'role', channel_id: 'notification_channel' } as const
export type ReferenceField = keyof typeof REFERENCES

/** Returns which of the ids exist in the tenant. */
export async function existingIds(
  { db, tenantId }: TenantDb,
  field: ReferenceField,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(REFERENCES[field])} where tenant_id = ${tenantId} and id = any (${[...ids]}::uuid[])
  `.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** The messages of the escalation of an incident, oldest first. */
export const listMessages = (
  tenant: TenantDb,
  incidentId: string,
  slice: { readonly limit: number; readonly offset: number },
) =>
  readList(
    selectRows(tenant, 'escalation_message')
      .select([
        'id',
        'repetition',
        'user_id',
        'channel_id',
        'email as to_address',
        'status',
        'attempts',
        'error',
      ])
      .select([sql<number>`level + 1`.as('level'), 'created_at', 'sent_at'])
      .where('incident_id', '=', incidentId)
      .orderBy('created_at')
      .orderBy('target'),
    slice,
  )

/** Returns which of the addresses are verified addresses of active users of the tenant. */
export async function verifiedAddresses(
  { db, tenantId }: TenantDb,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ email: string }>`
    select lower(email) as email from app_user where tenant_id = ${tenantId} and is_active and is_email_verified
      and lower(email) = any (${addresses.map((address) => address.toLowerCase())}::text[])`.execute(db)
  return new Set(rows.map(({ email }) => email))
}

export const incidentExists = async (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'alarm_incident').select('id').where('id', '=', id).executeTakeFirst()

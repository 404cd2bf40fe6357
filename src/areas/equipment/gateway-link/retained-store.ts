import { sql } from 'kysely'
import type { Database } from '../../../platform/db/pool.ts'
import type { RetainedMessage } from '../../../platform/mqtt/broker-hooks.ts'
import { tenantRootOf } from '../../../platform/mqtt/gateway-root.ts'

/** Upsert; an empty payload deletes the retained message. */
export async function storeRetained(
  { kysely }: Database,
  { topic, payload }: RetainedMessage,
): Promise<void> {
  if (payload.length === 0) await kysely.deleteFrom('broker_retained').where('topic', '=', topic).execute()
  else {
    await kysely
      .insertInto('broker_retained')
      .values({ topic, payload })
      .onConflict((conflict) => conflict.column('topic').doUpdateSet({ payload }))
      .execute()
  }
}

export const readRetained = ({ kysely }: Database): Promise<RetainedMessage[]> =>
  kysely.selectFrom('broker_retained').select(['topic', 'payload']).orderBy('topic').execute()

/** Deletes the retained messages of all gateways of a tenant. */
export const deleteRetainedOf = ({ kysely }: Database, tenantUid: string) =>
  kysely
    .deleteFrom('broker_retained')
    .where(sql<boolean>`starts_with(topic, ${tenantRootOf(tenantUid)})`)
    .execute()

import { sql } from 'kysely'
import type { Message } from '../../../../kernel/messages.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { selectRows } from '../../../../platform/db/tenant-rows.ts'
import type { OtaStatus } from '../updates/states.ts'

const ACTIONS = ['update_firmware', 'update_signed_firmware']

/** The newest command that notified a charging station of an attempt. */
export const findLastCommand = (
  tenant: TenantDb,
  { id, attempt }: { readonly id: string; readonly attempt: number },
) =>
  selectRows(tenant, 'charger_command')
    .select([
      'id',
      'state',
      sql<string | Message | null>`coalesce(error_content, to_jsonb(error))`.as('error'),
    ])
    .where('action', 'in', ACTIONS)
    .where(sql<boolean>`request ->> 'update_id' = ${id}`)
    .where(sql<boolean>`(request ->> 'attempt')::int = ${attempt}`)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()

interface CommandRef {
  readonly chargerId: string
  /** The number of the command, where the station's message carries it. */
  readonly commandNumber: number | undefined
}

/**
 * The update and attempt that a station's message refers to: that of the command it names, else that of the
 * newest command that it was sent. Undefined when it was sent none.
 */
export async function findUpdateOfCommand(
  tenant: TenantDb,
  { chargerId, commandNumber }: CommandRef,
): Promise<{ readonly updateId: string; readonly attempt: number } | undefined> {
  let commands = selectRows(tenant, 'charger_command')
    .select([
      sql<string>`request ->> 'update_id'`.as('updateId'),
      sql<number>`(request ->> 'attempt')::int`.as('attempt'),
    ])
    .where('charger_id', '=', chargerId)
    .where('action', 'in', ACTIONS)
    .where('sent_at', 'is not', null)
  if (commandNumber !== undefined) commands = commands.where('seq', '=', String(commandNumber))
  return commands.orderBy('seq', 'desc').limit(1).executeTakeFirst()
}

/** The open update of a station that it has been notified of. */
export const findOpenUpdate = (tenant: TenantDb, chargerId: string) =>
  selectRows(tenant, 'ota_update')
    .select(['id', 'attempt', sql<OtaStatus>`status`.as('status')])
    .where('via_charger_id', '=', chargerId)
    .where('finished_at', 'is', null)
    .where('notified_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()

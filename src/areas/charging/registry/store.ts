import { found, invalidReference } from '../../../kernel/errors.ts'
import type { OcppVersion } from '../../../kernel/ocpp.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'

/** A charger by its id; the tenant is that of the transaction. */
export interface ChargerRef {
  readonly chargerId: string
}

/** A charger that is in service, with the version of OCPP that decides what it can be sent. */
export interface KnownCharger {
  readonly id: string
  /** Null: it has never been connected. */
  readonly version: OcppVersion | null
}

export async function findCharger(tenant: TenantDb, id: string): Promise<KnownCharger | undefined> {
  const row = await selectRows(tenant, 'charger')
    .select(['id', 'ocpp_version'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row && { id: row.id, version: row.ocpp_version as OcppVersion | null }
}

/** 404 for the charger of a path that does not exist. */
export const requireCharger = async (tenant: TenantDb, id: string): Promise<KnownCharger> =>
  found('charger', await findCharger(tenant, id))

/** 422 for the charger of a body that does not exist. */
export async function referToCharger(tenant: TenantDb, id: string): Promise<KnownCharger> {
  const charger = await findCharger(tenant, id)
  if (!charger) throw invalidReference('charger_id')
  return charger
}

/**
 * Locks a charger until the transaction ends; undefined when the tenant has none with this id, or it was
 * removed.
 */
export const lockCharger = (tx: TenantTx, id: string) =>
  selectRows(tx, 'charger')
    .select(['id', 'device_id', 'cpid', 'name'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()

/**
 * Locks a charger, a removed one too. Serializes two messages of a station that come over an old socket and a
 * new one.
 */
export const lockChargerRow = (tx: TenantTx, { chargerId }: ChargerRef) =>
  selectRows(tx, 'charger')
    .select('id')
    .where('id', '=', chargerId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()

/** The subject that alarms about a charger have in common. */
export const alarmSubject = ({ chargerId }: ChargerRef): string => `charger:${chargerId}`

/** The fields that identify a charger in the payload of an alarm. */
export const readAlarmPayload = (tenant: TenantDb, { chargerId }: ChargerRef) =>
  selectRows(tenant, 'charger')
    .select(['id as charger_id', 'device_id', 'cpid', 'name'])
    .where('id', '=', chargerId)
    .executeTakeFirstOrThrow()

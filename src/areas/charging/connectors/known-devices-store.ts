import { sql } from 'kysely'
import { byTenant } from '../../../platform/db/by-tenant.ts'
import type { SystemDb } from '../../../platform/db/tenant.ts'
import type { ChargerRef } from '../registry/index.ts'

export interface ConnectorRef extends ChargerRef {
  readonly tenantId: number
  readonly connectorId: number
}

export const connectorKey = ({ chargerId, connectorId }: Omit<ConnectorRef, 'tenantId'>): string =>
  `${chargerId} ${connectorId}`

/** Whether a connector may have this device: only connector 1 has that of the whole station. */
export const isDeviceOf = (connectorId: number, isMain: boolean): boolean => connectorId === 1 || !isMain

/**
 * The devices of connectors by `connectorKey`, of those that have one already; `deviceOfConnector` creates the others.
 * It sends one statement for each tenant, because after a start the first values of all stations arrive together.
 */
export async function findConnectorDevices(
  { db }: SystemDb,
  wanted: readonly ConnectorRef[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const [tenantId, own] of byTenant(wanted)) {
    const rows = await db
      .selectFrom('charger_connector as n')
      .innerJoin('charger as c', (join) =>
        join.onRef('c.tenant_id', '=', 'n.tenant_id').onRef('c.id', '=', 'n.charger_id'),
      )
      .select(['n.charger_id as chargerId', 'n.connector_id as connectorId', 'n.device_id as deviceId'])
      .select(sql<boolean>`n.device_id = c.device_id`.as('isMain'))
      .where('n.tenant_id', '=', tenantId)
      .where('n.charger_id', '=', sql<string>`any(${own.map(({ chargerId }) => chargerId)}::uuid[])`)
      .orderBy('n.evse_connector_id')
      .execute()
    // As in `deviceOfConnector`, the first connector of an EVSE counts.
    const first = new Map(rows.toReversed().map((row) => [connectorKey(row), row]))
    for (const [key, { connectorId, deviceId, isMain }] of first)
      if (isDeviceOf(connectorId, isMain)) found.set(key, deviceId)
  }
  return found
}

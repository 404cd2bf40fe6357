import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { selectRows } from '../../../../platform/db/tenant-rows.ts'
import type { OtaStatus } from './states.ts'

/** An update with everything that its device needs for it. */
export interface UpdateCommand {
  readonly id: string
  readonly status: OtaStatus
  readonly is_due: boolean
  readonly attempt: number
  readonly progress_pct: number
  readonly notified_at: Date | null
  readonly deadline_at: Date | null
  readonly device_id: string | null
  readonly device_name: string | null
  /** The channel of the device: one of the two. */
  readonly via_gateway_id: string | null
  readonly via_charger_id: string | null
  readonly tenant_uid: string
  readonly firmware_version_id: string
  readonly version: string
  readonly device_model: string
  readonly file_name: string
  readonly size_bytes: number
  readonly sha256: string
  readonly signature: string | null
  readonly signing_certificate: string | null
  readonly certificate_signature: string | null
}

const commandRows = (tenant: TenantDb) =>
  selectRows(tenant, 'ota_update as u')
    .innerJoin('tenant as t', 't.id', 'u.tenant_id')
    .innerJoin('firmware_version as f', (join) =>
      join.onRef('f.tenant_id', '=', 'u.tenant_id').onRef('f.id', '=', 'u.firmware_version_id'),
    )
    .leftJoin('device as d', (join) =>
      join.onRef('d.tenant_id', '=', 'u.tenant_id').onRef('d.id', '=', 'u.device_id'),
    )
    .select(['u.id', 'u.is_due', 'u.attempt', 'u.progress_pct', 'u.notified_at', 'u.deadline_at'])
    .select(['u.device_id', 'u.via_gateway_id', 'u.via_charger_id', 'u.firmware_version_id'])
    .select(['f.version', 'f.device_model', 'f.file_name', 'f.size_bytes', 'f.sha256', 'f.signature'])
    .select(['f.signing_certificate', 'f.certificate_signature', 'd.name as device_name'])
    .select([sql<OtaStatus>`u.status`.as('status'), 't.uid as tenant_uid'])

export const findCommand = (tenant: TenantDb, id: string): Promise<UpdateCommand | undefined> =>
  commandRows(tenant).where('u.id', '=', id).executeTakeFirst()

/** Due open updates that a gateway is notified of; its own first. */
export const listOpenCommands = (
  tenant: TenantDb,
  gatewayId: string,
  limit: number,
): Promise<UpdateCommand[]> =>
  commandRows(tenant)
    .where('u.via_gateway_id', '=', gatewayId)
    .where('u.finished_at', 'is', null)
    .where('u.is_due', '=', true)
    .orderBy('u.device_id', (order) => order.asc().nullsFirst())
    .limit(limit)
    .execute()

/** Returns the same for the device that the gateway names by its id, its external ids or its name. */
export const listOpenCommandsOfDevice = (
  tenant: TenantDb,
  { gatewayId, name }: { readonly gatewayId: string; readonly name: string },
): Promise<UpdateCommand[]> =>
  commandRows(tenant)
    .where('u.via_gateway_id', '=', gatewayId)
    .where('u.finished_at', 'is', null)
    .where('u.is_due', '=', true)
    .where(
      sql<boolean>`${name} in
        (d.id::text, d.extra_metadata->>'external_id', d.extra_metadata->>'ieee_address', d.name)`,
    )
    .limit(2)
    .execute()

import { sql } from 'kysely'
import { readList } from '../../../../platform/db/list.ts'
import type { Database } from '../../../../platform/db/pool.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../../platform/db/tenant-rows.ts'
import { GATEWAY_DEVICES_MAX } from '../limits.ts'

const columns = [
  'id',
  'name',
  'gateway_type',
  'host',
  'port',
  'poll_interval_s',
  'config',
  'config_state',
  'config_synced_at',
  'synced_version',
  'synced_sha256',
  'reported_version',
  'reported_sha256',
  'reported_reason',
  'reported_at',
] as const

const gateways = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'gateway').select(columns).where('id', '=', id)

export const findGateway = (tenant: TenantDb, id: string) => gateways(tenant, id).executeTakeFirst()
export type ConfiguredGateway = NonNullable<Awaited<ReturnType<typeof findGateway>>>

/** Serializes syncs and reports of a gateway. */
export const lockGateway = (tx: TenantTx, id: string) => gateways(tx, id).forNoKeyUpdate().executeTakeFirst()

/** Devices of a gateway, at most one more than the limit, by which the caller detects too many. */
export const listBoundDevices = (tenant: TenantDb, { id, gateway_type }: ConfiguredGateway) =>
  selectRows(tenant, 'device')
    .select(['id', 'name', 'slave_id', 'template_id', 'extra_metadata'])
    .where(gateway_type === 'modbus' ? 'gateway_id' : 'mqtt_gateway_id', '=', id)
    .orderBy('slave_id')
    .orderBy('id')
    .limit(GATEWAY_DEVICES_MAX + 1)
    .execute()
export type BoundDevice = Awaited<ReturnType<typeof listBoundDevices>>[number]

export async function readTemplateMaps(tenant: TenantDb, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, unknown>()
  const rows = await selectRows(tenant, 'device_template')
    .select(['id', 'register_map'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map<string, unknown>(rows.map((row) => [row.id, row.register_map]))
}

const pushedVersions = (tenant: TenantDb, gatewayId: string) =>
  selectRows(tenant, 'gateway_config')
    .select(['gateway_id', 'version', 'sha256', 'is_forced', 'created_at', 'created_by'])
    .select(sql<number>`octet_length(document)`.as('size_bytes'))
    .where('gateway_id', '=', gatewayId)

interface VersionPage {
  readonly skip: number
  readonly limit: number
  readonly sort_order: 'asc' | 'desc'
}

/** One page of the pushed versions of a gateway, without their documents. */
export async function listVersions(
  tenant: TenantDb,
  gatewayId: string,
  { skip, limit, sort_order }: VersionPage,
) {
  const rows = pushedVersions(tenant, gatewayId).orderBy('version', sort_order)
  return { ...(await readList(rows, { limit, offset: skip })), skip, limit }
}

/** A pushed version with its document. */
export const findVersion = (tenant: TenantDb, gatewayId: string, version: number) =>
  pushedVersions(tenant, gatewayId).select('document').where('version', '=', version).executeTakeFirst()

/** Document of a pushed version. */
export async function findPushed(tenant: TenantDb, gatewayId: string, version: number | null) {
  if (version === null) return undefined
  return (await findVersion(tenant, gatewayId, version))?.document
}

export interface PushedConfig {
  readonly gatewayId: string
  readonly version: number
  readonly sha256: string
  readonly document: string
  readonly isForced: boolean
  readonly createdBy: string
  readonly at: Date
}

export const insertPushed = ({ db, tenantId }: TenantTx, config: PushedConfig) =>
  db
    .insertInto('gateway_config')
    .values({
      tenant_id: tenantId,
      gateway_id: config.gatewayId,
      version: config.version,
      sha256: config.sha256,
      document: config.document,
      is_forced: config.isForced,
      created_at: config.at,
      created_by: config.createdBy,
    })
    .execute()

export type ConfigState = 'in_sync' | 'pending' | 'drift' | 'rejected'

export interface SyncMark {
  readonly version: number
  readonly sha256: string
  readonly state: ConfigState
  readonly at: Date
  /** True for gateways that the service polls itself: the configuration counts as reported at once. */
  readonly isSelfReported: boolean
}

export const markSynced = (tx: TenantTx, id: string, mark: SyncMark) =>
  updateRows(tx, 'gateway')
    .set({
      synced_version: mark.version,
      synced_sha256: mark.sha256,
      config_synced_at: mark.at,
      config_state: mark.state,
      ...(mark.isSelfReported && {
        reported_version: mark.version,
        reported_sha256: mark.sha256,
        reported_reason: null,
        reported_at: mark.at,
      }),
    })
    .where('id', '=', id)
    .execute()

export interface ReportMark {
  readonly version: number
  readonly sha256: string | null
  readonly reason: string | null
  readonly state: ConfigState | null
  readonly at: Date
}

export const markReported = (tx: TenantTx, id: string, mark: ReportMark) =>
  updateRows(tx, 'gateway')
    .set({
      reported_version: mark.version,
      reported_sha256: mark.sha256,
      reported_reason: mark.reason,
      reported_at: mark.at,
      config_state: mark.state,
    })
    .where('id', '=', id)
    .execute()

/** The latest report of a Modbus gateway's poller. */
export const findPollReport = (tenant: TenantDb, gatewayId: string) =>
  selectRows(tenant, 'modbus_lease')
    .select(['report', 'reported_at'])
    .where('gateway_id', '=', gatewayId)
    .executeTakeFirst()

/** Tenant by the id in a topic. */
export async function findTenantId({ kysely }: Pick<Database, 'kysely'>, uid: string) {
  const { rows } = await sql<{ id: number }>`select id from tenant where uid::text = ${uid}`.execute(kysely)
  return rows[0]?.id
}

import { isRecord } from '../../../../kernel/checked.ts'
import type { Database } from '../../../../platform/db/pool.ts'
import { inTenantTx } from '../../../../platform/db/tenant.ts'
import { GATEWAY_REASON_MAX_LENGTH } from '../limits.ts'
import * as store from './store.ts'

/**
 * The payload of `config/reported`: the configuration that a gateway has applied, or the reason why it
 * rejected one.
 */
interface ReportedConfig {
  readonly version: number
  readonly sha256: string | null
  readonly status: 'applied' | 'pending' | 'rejected'
  readonly reason: string | null
}

const STATUSES: Readonly<Record<string, ReportedConfig['status']>> = {
  applied: 'applied',
  accepted: 'applied',
  ok: 'applied',
  pending: 'pending',
  received: 'pending',
  applying: 'pending',
  rejected: 'rejected',
  failed: 'rejected',
  error: 'rejected',
}
const VERSION_MAX = 2_147_483_647
const SHA256 = /^[0-9a-f]{64}$/i

/** Returns an error message (text) for an invalid payload. */
export function parseReport(payload: Uint8Array): ReportedConfig | string {
  let document: unknown
  try {
    document = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload))
  } catch {
    return 'is not JSON'
  }
  if (!isRecord(document)) return 'is not an object'
  const { version, sha256 = null, status = 'applied', reason = null } = document
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 0 || version > VERSION_MAX)
    return 'version is not a whole number'
  if (sha256 !== null && (typeof sha256 !== 'string' || !SHA256.test(sha256)))
    return 'sha256 is not 64 hexadecimal digits'
  const known = typeof status === 'string' ? STATUSES[status.toLowerCase()] : undefined
  if (!known) return 'status is none of applied, pending, rejected'
  return {
    version,
    sha256: sha256?.toLowerCase() ?? null,
    status: known,
    // PostgreSQL cannot store NUL characters.
    reason:
      typeof reason === 'string' ? reason.replaceAll('\0', '').slice(0, GATEWAY_REASON_MAX_LENGTH) : null,
  }
}

interface PushedVersion {
  readonly synced_version: number | null
  readonly synced_sha256: string | null
}

/**
 * Compares a report with the pushed configuration. A report of an older version is `pending`, because the
 * report of the newest version may still follow.
 */
export function compareWithPushed(
  { version, sha256, status }: ReportedConfig,
  synced: PushedVersion,
): store.ConfigState {
  if (synced.synced_version === null || version > synced.synced_version) return 'drift'
  if (version < synced.synced_version) return 'pending'
  if (status === 'rejected') return 'rejected'
  if (sha256 !== null && sha256 !== synced.synced_sha256) return 'drift'
  return status === 'applied' ? 'in_sync' : 'pending'
}

export interface ConfigReport {
  readonly tenantId: number
  readonly gatewayId: string
  readonly payload: Uint8Array
  /** Receipt time, epoch milliseconds. */
  readonly at: number
}

/**
 * Stores the configuration state that a gateway reports: in_sync, pending, drift or rejected. Returns
 * undefined when it was stored, else the reason as a sentence. Idempotent except for the time.
 */
export async function recordReportedConfig(
  { kysely }: Pick<Database, 'kysely'>,
  { tenantId, gatewayId, payload, at }: ConfigReport,
): Promise<string | undefined> {
  const reported = parseReport(payload)
  if (typeof reported === 'string') return reported
  return inTenantTx(kysely, tenantId, async (tx) => {
    const gateway = await store.lockGateway(tx, gatewayId)
    if (gateway?.gateway_type !== 'mqtt') return 'is not of a gateway that is told its configuration'
    const { version, sha256, reason } = reported
    const state = compareWithPushed(reported, gateway)
    await store.markReported(tx, gatewayId, { version, sha256, reason, state, at: new Date(at) })
    return undefined
  })
}

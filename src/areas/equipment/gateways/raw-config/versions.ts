import { found, invalidReference } from '../../../../kernel/errors.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { GATEWAY_CHANGES_LISTED_MAX } from '../limits.ts'
import { diffConfigs } from './diff.ts'
import type { VersionListQuery } from './schema.ts'
import * as store from './store.ts'

/** The versions that were pushed to a gateway. 404 for a gateway that does not exist any more. */
export async function listVersions(tenant: TenantDb, id: string, query: VersionListQuery) {
  found('gateway', await store.findGateway(tenant, id))
  return store.listVersions(tenant, id, query)
}

interface VersionInput {
  readonly id: string
  readonly version: number
  /** Default: the version before, if there is one. */
  readonly compareWith: number | undefined
}

/**
 * One pushed version with its configuration, and its changes from another version. 422 for another version that was
 * never pushed.
 */
export async function getVersion(tenant: TenantDb, { id, version, compareWith }: VersionInput) {
  found('gateway', await store.findGateway(tenant, id))
  const pushed = await store.findVersion(tenant, id, version)
  const { document, ...row } = found('configuration version', pushed)
  const comparedWith = compareWith ?? (version > 1 ? version - 1 : null)
  const before = await store.findPushed(tenant, id, comparedWith)
  if (compareWith !== undefined && before === undefined) throw invalidReference('compare_with')
  const config: unknown = JSON.parse(document)
  const changes = diffConfigs(before && JSON.parse(before), config)
  return {
    ...row,
    config,
    compared_with: comparedWith,
    changes: changes.slice(0, GATEWAY_CHANGES_LISTED_MAX),
    changes_total: changes.length,
  }
}

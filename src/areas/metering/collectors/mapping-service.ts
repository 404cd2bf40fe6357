import { conflict, found } from '../../../kernel/errors.ts'
import { changes } from '../../../platform/db/columns.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { COLLECTOR_MAPPINGS_MAX } from './limits.ts'
import { COLLECTOR_TEXTS } from './messages.ts'
import type { CreateCollectorMapping, UpdateCollectorMapping } from './schema.ts'
import * as store from './store.ts'
import { DEFAULT_MAPPING, type MetricRule } from './translate.ts'

const RESOURCE = 'collector mapping'
const WRITABLE = ['name', 'device_labels', 'metrics', 'ignore_unknown'] as const

const toRules = (rules: NonNullable<CreateCollectorMapping['metrics']>): MetricRule[] =>
  rules.map(({ measurement = null, field, metric, factor = 1 }) => ({ measurement, field, metric, factor }))

export const getMapping = async (db: TenantDb, id: string) => found(RESOURCE, await store.findMapping(db, id))

export async function createMapping(
  { clock }: Pick<Deps, 'clock'>,
  tx: TenantTx,
  { name, metrics = [], ...body }: CreateCollectorMapping,
) {
  if ((await store.lockAndCount(tx)) >= COLLECTOR_MAPPINGS_MAX)
    throw conflict(
      'STATE_CONFLICT',
      COLLECTOR_TEXTS.COLLECTOR_MAPPINGS_EXCEEDED({ max: COLLECTOR_MAPPINGS_MAX }),
    )
  const mapping = {
    name,
    metrics: toRules(metrics),
    device_labels: body.device_labels ?? DEFAULT_MAPPING.device_labels,
    ignore_unknown: body.ignore_unknown ?? DEFAULT_MAPPING.ignore_unknown,
  }
  return store.insertMapping(tx, mapping, new Date(clock.now()))
}

export async function updateMapping(
  { clock }: Pick<Deps, 'clock'>,
  tx: TenantTx,
  { id, body }: { readonly id: string; readonly body: UpdateCollectorMapping },
) {
  const set = changes(body, WRITABLE)
  if (!set) return getMapping(tx, id)
  const { metrics, ...others } = set
  const change = { ...others, ...(metrics && { metrics: toRules(metrics) }) }
  return found(RESOURCE, await store.updateMapping(tx, id, change, new Date(clock.now())))
}

export const removeMapping = async (tx: TenantTx, id: string) =>
  found(RESOURCE, await store.removeMapping(tx, id))

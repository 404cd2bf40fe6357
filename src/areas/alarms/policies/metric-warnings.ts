import type { Warning } from '../../../kernel/warnings.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import { hasSentMetric } from '../../metering/sample-watch/index.ts'
import { ALARM_METRIC_DEVICES_MAX, ALARM_METRIC_SAMPLES } from './limits.ts'
import { POLICY_WARNINGS } from './messages.ts'
import { readScope } from './store.ts'

/**
 * Warns about a policy on a metric that none of its devices sends, which is usually a misspelt name. The policy
 * is valid: the device may be connected later. The search is bounded, so that it costs milliseconds with any
 * number of devices and samples; a metric that is sent rarely is therefore reported as not sent.
 */
export async function metricWarnings(
  tx: TenantTx,
  { id, metric }: { readonly id: string; readonly metric: string | null },
  now: number,
): Promise<Warning[]> {
  if (metric === null) return []
  const deviceKeys = await readScope(tx, id, { after: 0, limit: ALARM_METRIC_DEVICES_MAX, now })
  if (deviceKeys.length === 0)
    return [
      {
        code: 'ALARM_POLICY_WITHOUT_DEVICES',
        subject: id,
        message: POLICY_WARNINGS.ALARM_POLICY_WITHOUT_DEVICES(),
      },
    ]
  if (await hasSentMetric(tx, { deviceKeys, metric, samples: ALARM_METRIC_SAMPLES })) return []
  const message = POLICY_WARNINGS.ALARM_METRIC_NOT_SENT({ metric })
  return [{ code: 'ALARM_METRIC_NOT_SENT', subject: id, message }]
}

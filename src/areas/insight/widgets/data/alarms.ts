import { iso } from '../../../../kernel/time.ts'
import type { Plan } from './plan.ts'
import type { Sources } from './sources.ts'

const SEVERITIES = ['info', 'warning', 'critical'] as const
const STATUSES = ['active', 'acknowledged', 'snoozed'] as const

/** Open incidents by severity and status. */
export function alarmSummary({ widget: { config } }: Plan, sources: Sources) {
  const { scope, severities } = config
  const isWide = scope === 'tenant'
  const shown = Array.isArray(severities)
    ? SEVERITIES.filter((word) => severities.includes(word))
    : SEVERITIES
  const rows = sources
    .incidents()
    .filter(({ severity, is_here }) => (isWide || is_here) && shown.some((word) => word === severity))
  const count = (test: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(test).reduce((sum, row) => sum + row.count, 0)
  const latest = rows.map((row) => row.latest.getTime())
  return {
    scope: isWide ? 'tenant' : 'subregion',
    severities: [...shown],
    open_count: count(() => true),
    by_severity: Object.fromEntries(
      SEVERITIES.map((word) => [word, count(({ severity }) => severity === word)]),
    ),
    by_status: Object.fromEntries(STATUSES.map((word) => [word, count(({ status }) => status === word)])),
    latest_triggered_at: latest.length > 0 ? iso(Math.max(...latest)) : null,
  }
}

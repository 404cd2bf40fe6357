import type { Language } from '../../../src/kernel/messages.ts'
import { metricNames } from '../../../src/kernel/metric-names.ts'

/** The name of a metric as a title; one that only a register map defines keeps its own. */
export function metricTitle(metric: string, language: Language): string {
  const found = metricNames(metric)
  if (!found) return metric
  const name = (found.names.register ?? found.names)[language]
  const title = name.slice(0, 1).toLocaleUpperCase(language) + name.slice(1)
  return found.phase === undefined ? title : `${title} ${found.phase}`
}

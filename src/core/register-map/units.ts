import { GAUGES, REGISTERS } from '../../kernel/metrics.ts'

/** Units by canonical (stored) unit, each with its power of ten. */
const DIMENSIONS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  kWh: { mWh: -6, Wh: -3, kWh: 0, MWh: 3, GWh: 6 },
  kvarh: { varh: -3, kvarh: 0, Mvarh: 3 },
  kVAh: { VAh: -3, kVAh: 0, MVAh: 3 },
  kW: { mW: -6, W: -3, kW: 0, MW: 3 },
  kvar: { var: -3, kvar: 0, Mvar: 3 },
  kVA: { VA: -3, kVA: 0, MVA: 3 },
  V: { mV: -3, V: 0, kV: 3 },
  A: { mA: -3, A: 0, kA: 3 },
  Hz: { mHz: -3, Hz: 0 },
  '%': { '%': 0 },
  '°C': { '°C': 0 },
  '1': { '1': 0 },
}

/** Other spellings. Spellings of reactive units differ only in capitals (see `normalizeUnit`). */
const SPELLINGS: Readonly<Record<string, string>> = {
  C: '°C',
  degC: '°C',
  '℃': '°C',
  Pct: '%',
  PF: '1',
  'cos φ': '1',
  cosφ: '1',
}
const normalizeUnit = (unit: string): string =>
  SPELLINGS[unit] ??
  unit.replace(/^([kKM]?)[Vv][Aa][Rr](h?)$/, (_, k: string, h: string) => `${k === 'K' ? 'k' : k}var${h}`)

export interface CanonicalUnit {
  readonly unit: string | null
  /** canonical value = value × 10^power */
  readonly power: number
}

const KNOWN: ReadonlyMap<string, CanonicalUnit> = new Map(
  Object.entries(DIMENSIONS).flatMap(([unit, spellings]) =>
    Object.entries(spellings).map(([name, power]) => [name, { unit, power }] as const),
  ),
)

const UNITS_BY_PREFIX: readonly (readonly [start: string, unit: string])[] = [
  ['voltage', 'V'],
  ['current', 'A'],
  ['active_power', 'kW'],
  ['reactive_power', 'kvar'],
  ['apparent_power', 'kVA'],
  ['power_factor', '1'],
  ['frequency', 'Hz'],
  ['state_of_charge', '%'],
  ['temperature', '°C'],
  ['inductive_reactive_energy', 'kvarh'],
  ['capacitive_reactive_energy', 'kvarh'],
]

/** Canonical unit of every metric of the product. */
const METRIC_UNITS: ReadonlyMap<string, string> = new Map(
  [...GAUGES, ...REGISTERS].map((metric) => [
    metric,
    UNITS_BY_PREFIX.find(([start]) => metric.startsWith(start))?.[1] ?? 'kWh',
  ]),
)

/** The unit in which a metric is stored; null for a metric that only a map defines. */
export const unitOf = (metric: string): string | null => METRIC_UNITS.get(metric) ?? null

/**
 * The canonical unit for values of a metric that the device sends in `unit`. Undefined when the unit does not
 * fit the metric. A metric that only a map defines keeps its unit, except that energy and power are converted
 * to kWh and kW.
 */
export function canonicalUnit(metric: string | null, unit: string | null): CanonicalUnit | undefined {
  const required = metric === null ? undefined : METRIC_UNITS.get(metric)
  if (unit === null) return { unit: required ?? null, power: 0 }
  const known = KNOWN.get(normalizeUnit(unit))
  if (required === undefined) return known ?? { unit, power: 0 }
  if (metric === 'power_factor' && known?.unit === '%') return { unit: required, power: -2 }
  return known?.unit === required ? known : undefined
}

import { METRICS } from '../../kernel/metrics.ts'
import type { Integers } from './integers.ts'
import type { Nulls } from './nulls.ts'

export type Metric = (typeof METRICS)[number]

/** The values of a metric in all samples of a chunk; those of samples without one are 0. */
export interface MetricColumn {
  readonly nulls: Nulls
  /** Registers: whole millionths. Gauges: always float64. */
  readonly values: Integers
}

/** Samples of one device as columns. */
export interface SampleColumns {
  readonly rows: number
  /** Epoch microseconds, the resolution of the database. */
  readonly times: Float64Array
  /** Without the metrics that no sample has. */
  readonly metrics: ReadonlyMap<Metric, MetricColumn>
  /** The text of each sample's extra values, as the database prints it; undefined when no sample has any. */
  readonly extra: readonly (string | null)[] | undefined
}

/** The number of a column in stored chunks. A number is never used again for another column. */
const NUMBERS: Readonly<Record<Metric, number>> = {
  import_active_energy: 1,
  export_active_energy: 2,
  production_active_energy: 3,
  battery_charge_energy: 4,
  battery_discharge_energy: 5,
  inductive_reactive_energy: 6,
  capacitive_reactive_energy: 7,
  voltage: 8,
  voltage_l1: 9,
  voltage_l2: 10,
  voltage_l3: 11,
  current: 12,
  current_l1: 13,
  current_l2: 14,
  current_l3: 15,
  active_power: 16,
  active_power_l1: 17,
  active_power_l2: 18,
  active_power_l3: 19,
  reactive_power: 20,
  apparent_power: 21,
  power_factor: 22,
  frequency: 23,
  state_of_charge: 24,
  temperature: 25,
}
export const EXTRA_NUMBER = 0

export const isMetric = (name: string): name is Metric => Object.hasOwn(NUMBERS, name)

export const columnNumber = (metric: Metric): number => NUMBERS[metric]

const byNumber: ReadonlyMap<number, Metric> = new Map(METRICS.map((metric) => [NUMBERS[metric], metric]))
export const metricOfColumn = (number: number): Metric | undefined => byNumber.get(number)

import { declareWords, type Language } from './messages.ts'

type Names = Readonly<Record<Language, string>>

interface MetricNames extends Names {
  /** The reading of a register, whose name is the energy of a time span. */
  readonly register?: Names
}

/** The names of metrics for people, as they stand within a sentence. A phase is appended: `aktif güç L1`. */
const METRIC_NAMES: Readonly<Record<string, MetricNames>> = {
  import_active_energy: {
    tr: 'çekilen aktif enerji',
    en: 'active energy drawn',
    register: { tr: 'aktif enerji, çekiş endeksi', en: 'active energy, import register' },
  },
  export_active_energy: {
    tr: 'verilen aktif enerji',
    en: 'active energy fed in',
    register: { tr: 'aktif enerji, veriş endeksi', en: 'active energy, export register' },
  },
  production_active_energy: {
    tr: 'üretilen aktif enerji',
    en: 'active energy produced',
    register: { tr: 'aktif enerji, üretim endeksi', en: 'active energy, production register' },
  },
  battery_charge_energy: {
    tr: 'bataryaya şarj edilen enerji',
    en: 'battery energy charged',
    register: { tr: 'batarya, şarj endeksi', en: 'battery, charge register' },
  },
  battery_discharge_energy: {
    tr: 'bataryadan deşarj edilen enerji',
    en: 'battery energy discharged',
    register: { tr: 'batarya, deşarj endeksi', en: 'battery, discharge register' },
  },
  inductive_reactive_energy: {
    tr: 'endüktif reaktif enerji',
    en: 'inductive reactive energy',
    register: { tr: 'endüktif reaktif enerji endeksi', en: 'inductive reactive energy register' },
  },
  capacitive_reactive_energy: {
    tr: 'kapasitif reaktif enerji',
    en: 'capacitive reactive energy',
    register: { tr: 'kapasitif reaktif enerji endeksi', en: 'capacitive reactive energy register' },
  },
  voltage: { tr: 'gerilim', en: 'voltage' },
  current: { tr: 'akım', en: 'current' },
  active_power: { tr: 'aktif güç', en: 'active power' },
  reactive_power: { tr: 'reaktif güç', en: 'reactive power' },
  apparent_power: { tr: 'görünür güç', en: 'apparent power' },
  power_factor: { tr: 'güç faktörü', en: 'power factor' },
  frequency: { tr: 'frekans', en: 'frequency' },
  state_of_charge: { tr: 'şarj durumu', en: 'state of charge' },
  temperature: { tr: 'sıcaklık', en: 'temperature' },
}

const PHASES = ['l1', 'l2', 'l3']
const PHASE = /_(l[123])$/

/** The names of a metric, and its phase in capitals; undefined for a metric that only a register map defines. */
export function metricNames(metric: string): { names: MetricNames; phase: string | undefined } | undefined {
  const base = metric.replace(PHASE, '')
  const names = Object.hasOwn(METRIC_NAMES, base) ? METRIC_NAMES[base] : undefined
  return names && { names, phase: PHASE.exec(metric)?.[1]?.toUpperCase() }
}

/** The name of a metric within a sentence; one that only a register map defines keeps its own. */
export function metricName(metric: string, language: Language): string {
  const found = metricNames(metric)
  if (!found) return metric
  const name = found.names[language]
  return found.phase === undefined ? name : `${name} ${found.phase}`
}

// In messages: {metric:word}.
declareWords(
  Object.fromEntries(
    Object.keys(METRIC_NAMES)
      .flatMap((base) => [base, ...PHASES.map((phase) => `${base}_${phase}`)])
      .map((metric) => [metric, metricName(metric, 'tr')]),
  ),
)

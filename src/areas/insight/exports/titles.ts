import { unitOf } from '../../../core/register-map/units.ts'
import type { ExportRequest } from './export-request.ts'

interface Words {
  /** Columns besides the metrics. */
  readonly columns: Readonly<Record<string, string>>
  /** Registers: readings (raw) and the energy of a bucket. */
  readonly registers: Readonly<Record<string, readonly [reading: string, energy: string]>>
  readonly gauges: Readonly<Record<string, string>>
  readonly mean: string
}

const TR: Words = {
  columns: {
    device_name: 'Cihaz',
    device_id: 'Cihaz kimliği',
    timestamp: 'Tarih ve saat (Türkiye saati)',
    is_estimated: 'Kısmen tahmini',
    data_quality: 'Veri kalitesi',
    true: 'evet',
    false: 'hayır',
    complete: 'tam',
    partial: 'kısmi',
    missing: 'eksik',
    suspect: 'şüpheli',
  },
  registers: {
    import_active_energy: ['Aktif enerji, çekiş endeksi', 'Çekilen aktif enerji'],
    export_active_energy: ['Aktif enerji, veriş endeksi', 'Verilen aktif enerji'],
    production_active_energy: ['Aktif enerji, üretim endeksi', 'Üretilen aktif enerji'],
    battery_charge_energy: ['Batarya, şarj endeksi', 'Bataryaya şarj edilen enerji'],
    battery_discharge_energy: ['Batarya, deşarj endeksi', 'Bataryadan deşarj edilen enerji'],
    inductive_reactive_energy: ['Endüktif reaktif enerji endeksi', 'Endüktif reaktif enerji'],
    capacitive_reactive_energy: ['Kapasitif reaktif enerji endeksi', 'Kapasitif reaktif enerji'],
  },
  gauges: {
    voltage: 'gerilim',
    current: 'akım',
    active_power: 'aktif güç',
    reactive_power: 'reaktif güç',
    apparent_power: 'görünür güç',
    power_factor: 'güç faktörü',
    frequency: 'frekans',
    state_of_charge: 'şarj durumu',
    temperature: 'sıcaklık',
  },
  mean: 'ortalama',
}

const EN: Words = {
  columns: {
    device_name: 'Device',
    device_id: 'Device id',
    timestamp: 'Date and time (Turkish time)',
    is_estimated: 'Partly estimated',
    data_quality: 'Data quality',
    true: 'yes',
    false: 'no',
    complete: 'complete',
    partial: 'partial',
    missing: 'missing',
    suspect: 'suspect',
  },
  registers: {
    import_active_energy: ['Active energy, import register', 'Active energy drawn'],
    export_active_energy: ['Active energy, export register', 'Active energy fed in'],
    production_active_energy: ['Active energy, production register', 'Active energy produced'],
    battery_charge_energy: ['Battery, charge register', 'Battery energy charged'],
    battery_discharge_energy: ['Battery, discharge register', 'Battery energy discharged'],
    inductive_reactive_energy: ['Inductive reactive energy register', 'Inductive reactive energy'],
    capacitive_reactive_energy: ['Capacitive reactive energy register', 'Capacitive reactive energy'],
  },
  gauges: {
    voltage: 'voltage',
    current: 'current',
    active_power: 'active power',
    reactive_power: 'reactive power',
    apparent_power: 'apparent power',
    power_factor: 'power factor',
    frequency: 'frequency',
    state_of_charge: 'state of charge',
    temperature: 'temperature',
  },
  mean: 'mean',
}

const PHASE = /_(l[123])$/

/** A dimensionless metric has the unit 1, which is not shown. */
function withUnit(label: string, metric: string): string {
  const unit = unitOf(metric)
  return unit === null || unit === '1' ? label : `${label} (${unit})`
}

/**
 * The title of a column by its name in the API, and the words of cells. `labels`: a translation with
 * the unit; a metric that only a register map defines keeps its name, because its unit is not known here.
 */
export function titlesOf({
  headers,
  locale,
  interval,
}: Pick<ExportRequest, 'headers' | 'locale' | 'interval'>): (name: string) => string {
  if (headers === 'names') return (name) => name
  const { columns, registers, gauges, mean } = locale === 'tr' ? TR : EN
  return (name) => {
    if (columns[name] !== undefined) return columns[name]
    const register = registers[name]
    if (register) return withUnit(register[interval === 'raw' ? 0 : 1], name)
    const gauge = gauges[name.replace(PHASE, '')]
    if (gauge === undefined) return name
    const words = [interval === 'raw' ? [] : mean, gauge].flat().join(' ')
    const phase = PHASE.exec(name)?.[1]?.toUpperCase()
    const label = words.charAt(0).toLocaleUpperCase(locale) + words.slice(1)
    return withUnit(phase ? `${label} ${phase}` : label, name)
  }
}

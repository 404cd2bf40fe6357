import { unitOf } from '../../../core/register-map/units.ts'
import { metricNames } from '../../../kernel/metric-names.ts'
import type { ExportRequest } from './export-request.ts'

interface Words {
  /** Columns besides the metrics. */
  readonly columns: Readonly<Record<string, string>>
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
  mean: 'mean',
}

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
  const { columns, mean } = locale === 'tr' ? TR : EN
  return (name) => {
    if (columns[name] !== undefined) return columns[name]
    const metric = metricNames(name)
    if (!metric) return name
    const { names, phase } = metric
    const words =
      interval === 'raw'
        ? (names.register ?? names)[locale]
        : names.register
          ? names[locale]
          : `${mean} ${names[locale]}`
    const label = words.charAt(0).toLocaleUpperCase(locale) + words.slice(1)
    return withUnit(phase ? `${label} ${phase}` : label, name)
  }
}

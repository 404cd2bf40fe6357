import type { Labels } from '../../../platform/reports/table-report.ts'
import { INVOICE_NAMES } from './invoice-names.ts'

const label = (tr: string, en: string): Labels => ({ tr, en })

/** Titles of columns of forecasts by hour and of sizings. */
export const COMPUTED_NAMES: Readonly<Record<string, Labels>> = {
  ...INVOICE_NAMES,
  size: label('Boyut', 'Size'),
  points_total: label('Boyut sayısı', 'Number of sizes'),
  points_done: label('Biten boyutlar', 'Sizes done'),
  first_over_limit_hour: label('Limitin aşıldığı ilk saat', 'First hour over the limit'),
  facility_ids: label('Tesisler', 'Facilities'),
  facilities_total: label('Tesis sayısı', 'Number of facilities'),
  facilities_done: label('Biten tesisler', 'Facilities done'),
  history_hours: label('Bilinen saatler', 'Known hours'),
  history_from: label('Bilinen ilk saat', 'First known hour'),
  mae_kwh: label('Ortalama hata (kWh)', 'Mean error (kWh)'),
  naive_week_mae_kwh: label('Önceki haftanın hatası (kWh)', 'Error of the week before (kWh)'),
  naive_year_mae_kwh: label('Önceki yılın hatası (kWh)', 'Error of the year before (kWh)'),
  pinball_kwh: label('Pinball kaybı (kWh)', 'Pinball loss (kWh)'),
  coverage_pct: label('Bandın içinde (%)', 'Within the band (%)'),
  lower_factor: label('Alt yarının katsayısı', 'Factor of the lower half'),
  upper_factor: label('Üst yarının katsayısı', 'Factor of the upper half'),
  p10_kwh: label('Düşük, % 10 (kWh)', 'Low, 10 % (kWh)'),
  p50_kwh: label('Beklenen (kWh)', 'Expected (kWh)'),
  p90_kwh: label('Yüksek, % 90 (kWh)', 'High, 90 % (kWh)'),
}

import { type Language, languageOf } from '../../../../platform/pdf/language.ts'

const TR = {
  title: 'Enerji raporu',
  period: 'Dönem',
  made: 'Hazırlanma',
  devices: 'Cihazlar',
  device: 'Cihaz',
  consumption: 'Tüketim',
  production: 'Üretim',
  exported: 'Şebekeye',
  inductive: 'Endüktif',
  capacitive: 'Kapasitif',
  total: 'Toplam',
  totalsTitle: 'Cihazlara göre toplamlar',
  chartDay: 'Günlük enerji (kWh)',
  chartMonth: 'Aylık enerji (kWh)',
  rowsDay: 'Günlere göre',
  rowsMonth: 'Aylara göre',
  day: 'Gün',
  month: 'Ay',
  quality: 'Kalite',
  complete: 'tam',
  partial: 'kısmi',
  missing: 'eksik',
  suspect: 'şüpheli',
  estimated: '* Bir bölümü güçten veya boşluk üzerindeki doğrusal paydan hesaplanmıştır.',
  noData: 'Bu dönem için veri yok.',
  doubled:
    'Toplamlar bütün cihazları içerir; alt sayaçlar üst sayaçlarla birlikte iki kez sayılmış olabilir.',
}
type Labels = typeof TR

const EN: Labels = {
  title: 'Energy report',
  period: 'Period',
  made: 'Made',
  devices: 'Devices',
  device: 'Device',
  consumption: 'Consumption',
  production: 'Production',
  exported: 'Fed in',
  inductive: 'Inductive',
  capacitive: 'Capacitive',
  total: 'Total',
  totalsTitle: 'Totals by device',
  chartDay: 'Energy by day (kWh)',
  chartMonth: 'Energy by month (kWh)',
  rowsDay: 'By day',
  rowsMonth: 'By month',
  day: 'Day',
  month: 'Month',
  quality: 'Quality',
  complete: 'complete',
  partial: 'partial',
  missing: 'missing',
  suspect: 'suspect',
  estimated: '* Partly made from power, or from a linear share across a gap.',
  noData: 'There is no data for this period.',
  doubled: 'The totals hold all devices; a meter below another one may be counted twice.',
}

/** The texts of an energy report, with the number and date formats of its locale. */
export type ReportLanguage = Language & typeof TR

export const reportLanguage = (locale: 'tr' | 'en'): ReportLanguage => ({
  ...languageOf(locale),
  ...(locale === 'tr' ? TR : EN),
})

import { TURKEY_OFFSET_MS } from '../../../../kernel/time.ts'

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
  page: (page: number, pages: number) => `Sayfa ${page} / ${pages}`,
  estimated: '* Bir bölümü güçten veya boşluk üzerindeki doğrusal paydan hesaplanmıştır.',
  noData: 'Bu dönem için veri yok.',
  doubled:
    'Toplamlar bütün cihazları içerir; alt sayaçlar üst sayaçlarla birlikte iki kez sayılmış olabilir.',
  clock: 'Saatler Türkiye saatidir (UTC+3).',
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
  page: (page, pages) => `Page ${page} of ${pages}`,
  estimated: '* Partly made from power, or from a linear share across a gap.',
  noData: 'There is no data for this period.',
  doubled: 'The totals hold all devices; a meter below another one may be counted twice.',
  clock: 'Times are those of Turkey (UTC+3).',
}

export interface Language extends Labels {
  number(value: number, decimals?: number): string
  date(at: number): string
  time(at: number): string
  monthName(at: number): string
}

const MONTH = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const

/** The words, numbers and dates of a report; instants are shown on the Turkish clock. */
export function languageOf(locale: 'tr' | 'en'): Language {
  const tag = locale === 'tr' ? 'tr-TR' : 'en-GB'
  const months = new Intl.DateTimeFormat(tag, MONTH)
  const date = (at: number): string => {
    const [year, month, day] = new Date(at + TURKEY_OFFSET_MS).toISOString().slice(0, 10).split('-')
    return locale === 'tr' ? `${day}.${month}.${year}` : `${year}-${month}-${day}`
  }
  return {
    ...(locale === 'tr' ? TR : EN),
    number: (value, decimals = 1) =>
      value.toLocaleString(tag, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
    date,
    time: (at) => `${date(at)} ${new Date(at + TURKEY_OFFSET_MS).toISOString().slice(11, 16)}`,
    monthName: (at) => months.format(new Date(at + TURKEY_OFFSET_MS)),
  }
}

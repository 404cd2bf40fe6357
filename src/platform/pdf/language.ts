import { TURKEY_OFFSET_MS } from '../../kernel/time.ts'

/**
 * Number and date formats of a document, and the texts that every document needs. Instants are shown in Turkish time.
 */
export interface Language {
  number(value: number, decimals?: number): string
  date(at: number): string
  /** Date and time, to the minute. */
  time(at: number): string
  monthName(at: number): string
  /** The page number in the footer. */
  page(page: number, pages: number): string
  /** States the time zone of the document. */
  readonly clock: string
}

const TEXTS = {
  tr: {
    page: (page: number, pages: number) => `Sayfa ${page} / ${pages}`,
    clock: 'Saatler Türkiye saatidir (UTC+3).',
  },
  en: {
    page: (page: number, pages: number) => `Page ${page} of ${pages}`,
    clock: 'Times are those of Turkey (UTC+3).',
  },
} as const

const MONTH = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const

export function languageOf(locale: 'tr' | 'en'): Language {
  const tag = locale === 'tr' ? 'tr-TR' : 'en-GB'
  const months = new Intl.DateTimeFormat(tag, MONTH)
  const date = (at: number): string => {
    const [year, month, day] = new Date(at + TURKEY_OFFSET_MS).toISOString().slice(0, 10).split('-')
    return locale === 'tr' ? `${day}.${month}.${year}` : `${year}-${month}-${day}`
  }
  return {
    ...TEXTS[locale],
    number: (value, decimals = 1) =>
      value.toLocaleString(tag, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
    date,
    time: (at) => `${date(at)} ${new Date(at + TURKEY_OFFSET_MS).toISOString().slice(11, 16)}`,
    monthName: (at) => months.format(new Date(at + TURKEY_OFFSET_MS)),
  }
}

import type { Language } from '../../../kernel/messages.ts'
import { type OutColumn, type OutSheet, writeXlsxSheets } from '../../../platform/tables/index.ts'
import { GUIDE_SHEETS } from './files.ts'
import { type Column, KINDS, type Kind } from './kinds.ts'

const GUIDE_HEADS = {
  en: ['Sheet', 'Column', 'Required', 'Content', 'Example'],
  tr: ['Sayfa', 'Sütun', 'Zorunlu', 'İçerik', 'Örnek'],
} as const
const CONTENTS = {
  en: {
    text: 'text',
    number: 'number',
    day: 'date',
    time: 'date, with or without time of day',
    choice: '',
    yes: 'yes or no',
    year: 'year',
  },
  tr: {
    text: 'metin',
    number: 'sayı',
    day: 'tarih',
    time: 'tarih, saatli veya saatsiz',
    choice: '',
    yes: 'evet veya hayır',
    year: 'yıl',
  },
} as const
const REQUIRED = { en: 'yes', tr: 'evet' } as const

const nameIn = (of: Kind | Column, language: Language): string => (language === 'tr' ? of.tr : of.name)

const contentOf = ({ kind, words }: Column, language: Language): string =>
  words
    ? (language === 'tr' ? Object.values(words) : Object.keys(words)).join(', ')
    : CONTENTS[language][kind]

function exampleOf({ example, words }: Column, language: Language): string {
  return language === 'tr' ? (words?.[example] ?? example) : example
}

const textColumn = (title: string): OutColumn => ({
  title,
  kind: 'text',
  width: Math.max(14, title.length + 3),
})

/** The workbook with an empty sheet for each kind, and a sheet that explains all columns. `at`: epoch ms. */
export function makeHistoryTemplate(language: Language, at: number): Promise<Buffer> {
  const sheets: OutSheet[] = KINDS.map((kind) => ({
    name: nameIn(kind, language),
    columns: kind.columns.map((column) => textColumn(nameIn(column, language))),
    rows: [],
  }))
  const guide: OutSheet = {
    name: GUIDE_SHEETS[language],
    columns: GUIDE_HEADS[language].map((title) => ({ title, kind: 'text', width: 28 })),
    rows: KINDS.flatMap((kind) =>
      kind.columns.map((column) => [
        nameIn(kind, language),
        nameIn(column, language),
        column.isRequired ? REQUIRED[language] : null,
        contentOf(column, language),
        exampleOf(column, language),
      ]),
    ),
  }
  return writeXlsxSheets([...sheets, guide], at)
}

export const templateName = (language: Language): string =>
  language === 'tr' ? 'gecmis-sablonu.xlsx' : 'history-template.xlsx'

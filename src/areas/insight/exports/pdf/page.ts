import { createRequire } from 'node:module'
import PDFDocument from 'pdfkit'
import type { Language } from './labels.ts'

export const INK = '#1b2a34'
export const MUTED = '#6b7c88'
export const RULE = '#d5dee4'
export const SHADE = '#f2f6f8'
export const CONSUMPTION = '#2a6f97'
export const PRODUCTION = '#e9a23b'
export const EXPORTED = '#6aa84f'

export const MARGIN = 48
const FOOT = 34
export const FONT = 'body'
export const BOLD = 'bold'

export type Page = PDFKit.PDFDocument

const fonts = createRequire(import.meta.url)
const fontFile = (name: string): string => fonts.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)

/** A document on A4 with a font that has every Turkish letter; the parts of it that are used are embedded. */
export function openDocument(about: { title: string; at: number; language: 'tr' | 'en' }): Page {
  const document = new PDFDocument({
    size: 'A4',
    margins: { top: MARGIN, bottom: MARGIN + FOOT, left: MARGIN, right: MARGIN },
    // Page numbers are written when their count is known.
    bufferPages: true,
    lang: about.language,
    displayTitle: true,
    info: { Title: about.title, Producer: 'Netsaat', Creator: 'Netsaat', CreationDate: new Date(about.at) },
  })
  document.registerFont(FONT, fontFile('DejaVuSans'))
  document.registerFont(BOLD, fontFile('DejaVuSans-Bold'))
  return document.font(FONT).fontSize(9).fillColor(INK)
}

export const widthOf = ({ page }: Page): number => page.width - 2 * MARGIN
const bottomOf = ({ page }: Page): number => page.height - page.margins.bottom

/** Begins a new page where so much does not fit the rest of this one. */
export function makeRoom(document: Page, height: number): boolean {
  if (document.y + height <= bottomOf(document)) return false
  document.addPage()
  document.y = MARGIN
  return true
}

/** The text, or as much of it as fits, with an ellipsis. */
function shorten(document: Page, text: string, width: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (document.widthOfString(line) <= width) return line
  const letters = [...line]
  while (letters.length > 1 && document.widthOfString(`${letters.join('')}…`) > width) letters.pop()
  return `${letters.join('').trimEnd()}…`
}

/** One line of text at a place; the document goes no further by it. */
export function put(
  document: Page,
  text: string,
  {
    x,
    y,
    width,
    align = 'left',
  }: { x: number; y: number; width: number; align?: 'left' | 'right' | 'center' },
): void {
  document.text(shorten(document, text, width), x, y, { width, align, lineBreak: false })
}

/** Writes the foot of every page, now that there are no more. */
export function numberPages(document: Page, language: Language, note: string): void {
  const { start, count } = document.bufferedPageRange()
  for (let place = 0; place < count; place++) {
    document.switchToPage(start + place)
    const y = document.page.height - MARGIN - 6
    // Below the margin a text would begin a new page.
    document.page.margins.bottom = 0
    document
      .moveTo(MARGIN, y - 8)
      .lineTo(document.page.width - MARGIN, y - 8)
      .lineWidth(0.5)
      .stroke(RULE)
    document.font(FONT).fontSize(7.5).fillColor(MUTED)
    put(document, note, { x: MARGIN, y, width: widthOf(document) * 0.7 })
    put(document, language.page(place + 1, count), {
      x: MARGIN + widthOf(document) * 0.7,
      y,
      width: widthOf(document) * 0.3,
      align: 'right',
    })
  }
}

import { createRequire } from 'node:module'
import type PDFDocument from 'pdfkit'
import type { Language } from './language.ts'

export const INK = '#1b2a34'
export const MUTED = '#6b7c88'
export const RULE = '#d5dee4'
export const SHADE = '#f2f6f8'

export const MARGIN = 48
const FOOT = 34
export const FONT = 'body'
export const BOLD = 'bold'

export type Page = PDFKit.PDFDocument

const require = createRequire(import.meta.url)
const fontFile = (name: string): string => require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)
/** The library is loaded with the first document: it decompresses tables for fonts when it is loaded. */
const pdfkit = (): typeof PDFDocument => require('pdfkit') as typeof PDFDocument

/** Opens an A4 document with a font that has every Turkish letter; only the glyphs that are used are embedded. */
export function openDocument(about: {
  title: string
  at: number
  language: 'tr' | 'en'
  isLandscape?: boolean
}): Page {
  const document = new (pdfkit())({
    size: 'A4',
    layout: about.isLandscape ? 'landscape' : 'portrait',
    margins: { top: MARGIN, bottom: MARGIN + FOOT, left: MARGIN, right: MARGIN },
    // The footer is written at the end, when the number of pages is known.
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

/** Begins a new page when `height` does not fit the rest of the current one; true when it did. */
export function makeRoom(document: Page, height: number): boolean {
  if (document.y + height <= bottomOf(document)) return false
  document.addPage()
  document.y = MARGIN
  return true
}

/** The text on one line, shortened with an ellipsis where it is wider than `width`. */
function shorten(document: Page, text: string, width: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (document.widthOfString(line) <= width) return line
  const letters = [...line]
  while (letters.length > 1 && document.widthOfString(`${letters.join('')}…`) > width) letters.pop()
  return `${letters.join('').trimEnd()}…`
}

/** Writes one line of text at a position, shortened to its width. */
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

/** Draws a horizontal line over the width of the page. */
export function drawRule(document: Page, y: number, color: string): void {
  document
    .moveTo(MARGIN, y)
    .lineTo(MARGIN + widthOf(document), y)
    .lineWidth(0.6)
    .stroke(color)
}

/** Writes the footer of every page. Call it once, after the last page. */
export function numberPages(document: Page, language: Language, note: string): void {
  const { start, count } = document.bufferedPageRange()
  for (let index = 0; index < count; index++) {
    document.switchToPage(start + index)
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
    put(document, language.page(index + 1, count), {
      x: MARGIN + widthOf(document) * 0.7,
      y,
      width: widthOf(document) * 0.3,
      align: 'right',
    })
  }
}

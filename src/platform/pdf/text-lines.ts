/** A piece of text on a page, with its horizontal extent in points. */
export interface PdfCell {
  readonly text: string
  readonly from: number
  readonly to: number
}

/** The cells of one line of a page, from left to right. */
export interface PdfLine {
  readonly page: number
  readonly cells: readonly PdfCell[]
}

/** A piece of text as the document contains it: origin and size in points, y from the bottom of the page. */
export interface PdfPiece {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Pieces belong to one line when their baselines are closer than this share of their height. */
const LINE_SHARE = 0.5
/** Pieces that are closer than this share of their height are one cell; the gap of a blank is a third of it. */
const GAP_SHARE = 0.8
/** Pieces that are closer than this are one word. */
const WORD_SHARE = 0.15

/** Puts the pieces of a page into lines from top to bottom, and those of a line into cells. */
export function linesOf(page: number, pieces: readonly PdfPiece[]): PdfLine[] {
  const visible = pieces.filter(({ text }) => text.trim() !== '')
  const sorted = [...visible].sort((a, b) => b.y - a.y || a.x - b.x)
  const lines: PdfPiece[][] = []
  for (const piece of sorted) {
    const line = lines.at(-1)
    const first = line?.[0]
    if (line && first && first.y - piece.y <= LINE_SHARE * Math.max(first.height, piece.height))
      line.push(piece)
    else lines.push([piece])
  }
  return lines.map((line) => ({ page, cells: cellsOf(line) }))
}

function cellsOf(line: readonly PdfPiece[]): PdfCell[] {
  const cells: PdfCell[] = []
  for (const { text, x, width, height } of [...line].sort((a, b) => a.x - b.x)) {
    const last = cells.at(-1)
    const gap = last ? x - last.to : Number.POSITIVE_INFINITY
    if (!last || gap > GAP_SHARE * height) cells.push({ text: text.trim(), from: x, to: x + width })
    else {
      const blank = gap > WORD_SHARE * height ? ' ' : ''
      cells[cells.length - 1] = { text: `${last.text}${blank}${text.trim()}`, from: last.from, to: x + width }
    }
  }
  return cells
}

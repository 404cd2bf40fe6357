import { getDocumentProxy } from 'unpdf'
import type { Message } from '../../kernel/messages.ts'
import { PDF_READ_PAGES_MAX, PDF_READ_PIECES_MAX } from './limits.ts'
import { PDF_TEXTS } from './messages.ts'
import { linesOf, type PdfLine, type PdfPiece } from './text-lines.ts'

/** The text of a PDF, or why it is refused. */
export type ExtractedText = { readonly lines: readonly PdfLine[] } | { readonly refusal: Message }

/** The library's item: a piece of text, or a mark of the structure without these fields. */
interface TextItem {
  readonly str?: string
  /** The last two of the six numbers are the origin. */
  readonly transform?: readonly number[]
  readonly width?: number
  readonly height?: number
}

/** No scripts, fonts of the system, or other files; an error in the document ends the reading. */
const OPTIONS = {
  isEvalSupported: false,
  useSystemFonts: false,
  disableFontFace: true,
  stopAtErrors: true,
  verbosity: 0,
} as const

async function extract(bytes: Uint8Array): Promise<ExtractedText> {
  const document = await getDocumentProxy(bytes, OPTIONS)
  if (document.numPages > PDF_READ_PAGES_MAX) {
    return { refusal: PDF_TEXTS.PDF_TOO_MANY_PAGES({ max: PDF_READ_PAGES_MAX }) }
  }
  const lines: PdfLine[] = []
  let count = 0
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    const pieces = (items as TextItem[]).flatMap(({ str, transform, width, height }): PdfPiece[] => {
      const [, , , , x = 0, y = 0] = transform ?? []
      return str === undefined ? [] : [{ text: str, x, y, width: width ?? 0, height: height ?? 0 }]
    })
    count += pieces.length
    if (count > PDF_READ_PIECES_MAX) return { refusal: PDF_TEXTS.PDF_TOO_MUCH_TEXT() }
    lines.push(...linesOf(number, pieces))
    page.cleanup()
  }
  return lines.length === 0 ? { refusal: PDF_TEXTS.PDF_WITHOUT_TEXT() } : { lines }
}

/**
 * Reads the text of a PDF in the calling thread. Any error is one of the document: the library reads nothing else.
 */
export async function extractText(bytes: Uint8Array): Promise<ExtractedText> {
  try {
    return await extract(bytes)
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException'
    return { refusal: isLocked ? PDF_TEXTS.PDF_ENCRYPTED() : PDF_TEXTS.PDF_DAMAGED() }
  }
}

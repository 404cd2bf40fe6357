import { TABLE_TEXTS } from './messages.ts'
import { damaged, TableFault, type TableLimits } from './table.ts'
import { isTimeFormat, type SheetContext } from './xlsx-cells.ts'
import { type Attributes, readWholeXml, unescapeXml, type XmlSink } from './xml.ts'

/** The parts of a workbook, by their case-insensitive names. */
export interface Parts {
  has(name: string): boolean
  read(name: string): AsyncIterable<Buffer>
}

/**
 * The content that is read before the sheet: the location of the sheet and the data that its cells refer
 * to.
 */
export interface Workbook extends SheetContext {
  /** The part of the chosen sheet. */
  readonly sheetPart: string
  /** The names of all sheets in the order of the tabs. */
  readonly sheetNames: readonly string[]
}

/**
 * Reads the workbook by its relationships from the root of the package, independent of the names and
 * locations of the parts. `sheetIndex` is the position of the tab.
 */
export async function readWorkbook(parts: Parts, limits: TableLimits, sheetIndex = 0): Promise<Workbook> {
  const part = (await relationsOf(parts, '')).find(({ kind }) => kind === 'officeDocument')?.part
  if (part === undefined || !parts.has(part)) throw damaged('the file holds no workbook')
  const relations = await relationsOf(parts, part)
  const { sheets: listed, is1904 } = await readSheets(parts, part)
  const sheets = new Map(
    relations.flatMap(({ kind, id, part: name }) => (kind === 'worksheet' ? [[id, name] as const] : [])),
  )
  const known = listed.filter(({ id }) => sheets.has(id))
  const sheetPart = sheets.get(known[sheetIndex]?.id ?? '')
  if (sheetPart === undefined || !parts.has(sheetPart)) throw damaged('the workbook has no sheet')
  const partOf = (wanted: string): string | undefined => {
    const named = relations.find(({ kind }) => kind === wanted)?.part
    if (named !== undefined && !parts.has(named)) throw damaged('the workbook lacks a part that it names')
    return named
  }
  return {
    sheetPart,
    sheetNames: known.map(({ name }) => name),
    is1904,
    limits,
    texts: await readTexts(parts, partOf('sharedStrings'), limits),
    isTime: await readStyles(parts, partOf('styles')),
  }
}

interface Relation {
  readonly id: string
  /** The last segment of its type, which is the same in both forms of the format. */
  readonly kind: string
  readonly part: string
}

async function relationsOf(parts: Parts, source: string): Promise<Relation[]> {
  const cut = source.lastIndexOf('/') + 1
  const folder = source.slice(0, cut)
  const name = `${folder}_rels/${source.slice(cut)}.rels`
  const relations: Relation[] = []
  if (!parts.has(name)) return relations
  await readWholeXml(
    parts.read(name),
    opened((element, attributes) => {
      if (element !== 'Relationship') return
      const { Id = '', Type = '', Target = '', TargetMode } = attributes()
      if (TargetMode === 'External') return
      const kind = Type.slice(Type.lastIndexOf('/') + 1)
      relations.push({ id: Id, kind, part: resolve(folder, unescapeXml(Target)) })
    }),
  )
  return relations
}

/** Resolves a target relative to the root of the package or to the folder of the part that refers to it. */
function resolve(folder: string, target: string): string {
  const path: string[] = []
  for (const step of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (step === '..') path.pop()
    else if (step !== '' && step !== '.') path.push(step)
  }
  return path.join('/')
}

const opened = (open: (name: string, attributes: () => Attributes, depth: number) => void): XmlSink => ({
  open,
})

interface Sheet {
  readonly id: string
  readonly name: string
}

async function readSheets(parts: Parts, part: string): Promise<{ sheets: Sheet[]; is1904: boolean }> {
  const sheets: Sheet[] = []
  let is1904 = false
  await readWholeXml(
    parts.read(part),
    opened((name, attributes, depth) => {
      if (depth === 2 && name === 'workbookPr') is1904 = /^(1|true)$/.test(attributes()['date1904'] ?? '')
      if (depth !== 3 || name !== 'sheet') return
      const found = attributes()
      const [, id] = Object.entries(found).find(([key]) => key.endsWith(':id')) ?? []
      if (id !== undefined) sheets.push({ id, name: unescapeXml(found['name'] ?? '') })
    }),
  )
  return { sheets, is1904 }
}

/**
 * Reads the shared texts. The runs of one text are concatenated; phonetic hints of East Asian workbooks are
 * omitted.
 */
async function readTexts(parts: Parts, part: string | undefined, limits: TableLimits): Promise<string[]> {
  const texts: string[] = []
  if (part === undefined) return texts
  const textsMax = limits.rowsMax * limits.columnsMax
  let text = ''
  let isInRun = false
  let isTaking = false
  await readWholeXml(parts.read(part), {
    open(name, _attributes, depth) {
      if (depth === 2) text = ''
      else if (depth === 3) {
        isInRun = name === 'r'
        isTaking = name === 't'
      } else if (depth === 4) isTaking = isInRun && name === 't'
    },
    close(name, depth) {
      isTaking = false
      if (depth !== 2 || name !== 'si') return
      if (texts.push(text) > textsMax) throw new TableFault('tooLarge', TABLE_TEXTS.TABLE_TOO_MANY_TEXTS())
    },
    text(more) {
      if (isTaking) text += more
    },
  })
  return texts
}

/** Built-in formats without a code: dates, times and durations. */
const isTimeFormatId = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

async function readStyles(parts: Parts, part: string | undefined): Promise<boolean[]> {
  const own = new Map<number, boolean>()
  const isTime: boolean[] = []
  if (part === undefined) return isTime
  let group = ''
  await readWholeXml(
    parts.read(part),
    opened((name, attributes, depth) => {
      if (depth === 2) group = name
      if (depth !== 3) return
      if (group === 'numFmts' && name === 'numFmt') {
        const { numFmtId, formatCode = '' } = attributes()
        own.set(Number(numFmtId), isTimeFormat(unescapeXml(formatCode)))
      } else if (group === 'cellXfs' && name === 'xf') {
        const id = Number(attributes()['numFmtId'])
        isTime.push(own.get(id) ?? isTimeFormatId(id))
      }
    }),
  )
  return isTime
}

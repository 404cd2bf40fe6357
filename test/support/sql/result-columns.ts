/** The columns of the result of a statement, as far as its text shows them. */
export interface ResultColumns {
  readonly names: ReadonlySet<string>
  /** Whether there are further columns that the text does not name: `*`, or a fragment that is not known. */
  readonly isOpen: boolean
}

/** Stands in a text for a value, and for a fragment that is not known. */
export const UNKNOWN = '\u00bf'

const TOKEN = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|[\p{L}_][\w$]*|\$?\d[\d.]*|::|[^\s]/gu
const WORD = /^[\p{L}_][\w$]*$/u
const STATEMENTS = new Set(['select', 'insert', 'update', 'delete'])
const END_OF_LIST = new Set([
  'from',
  'where',
  'union',
  'except',
  'intersect',
  'order',
  'group',
  'having',
  'limit',
  'offset',
  'for',
])

interface Token {
  readonly text: string
  readonly depth: number
}

/** Words in lower case, as the database folds them; quoted names keep their case and their quotes. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let depth = 0
  for (const [match] of text.matchAll(TOKEN)) {
    if (match.startsWith('--')) continue
    if (match === ')' || match === ']') depth -= 1
    tokens.push({ text: WORD.test(match) ? match.toLowerCase() : match, depth })
    if (match === '(' || match === '[') depth += 1
  }
  return tokens
}

/** The first of the selects that a union, or parentheses around all of it, consists of. */
function firstSelect(tokens: readonly Token[]): readonly Token[] {
  if (tokens[0]?.text !== '(') return tokens
  const end = tokens.findIndex(({ text, depth }, index) => index > 0 && text === ')' && depth === 0)
  return firstSelect(tokens.slice(1, end).map(({ text, depth }) => ({ text, depth: depth - 1 })))
}

/** A word that is a name here and not a keyword: `min(hour) as from`, or no end of the list: `is distinct from`. */
const endsNoList = (before: string | undefined): boolean =>
  before === 'as' || before === 'distinct' || before === 'within' || before === '.'

/** The tokens of the list of the result; undefined for a statement without a result. */
function resultList(statement: readonly Token[]): readonly Token[] | undefined {
  const tokens = firstSelect(statement)
  const isAtTop = (word: string) => (token: Token) => token.depth === 0 && token.text === word
  const returning = tokens.findLastIndex(isAtTop('returning'))
  if (returning >= 0) return tokens.slice(returning + 1)
  const select = tokens.findIndex(({ text, depth }) => depth === 0 && STATEMENTS.has(text))
  if (tokens[select]?.text !== 'select') return undefined
  const list = tokens.slice(select + 1)
  const end = list.findIndex(
    ({ text, depth }, index) => depth === 0 && END_OF_LIST.has(text) && !endsNoList(list[index - 1]?.text),
  )
  return withoutDistinct(end < 0 ? list : list.slice(0, end))
}

/** The list without `distinct` and `distinct on (…)`. */
function withoutDistinct(list: readonly Token[]): readonly Token[] {
  if (list[0]?.text !== 'distinct') return list
  if (list[1]?.text !== 'on') return list.slice(1)
  return list.slice(list.findIndex(({ text, depth }) => text === ')' && depth === 0) + 1)
}

/** The items of a list, which commas separate. */
function itemsOf(list: readonly Token[]): Token[][] {
  const items: Token[][] = [[]]
  for (const token of list) {
    if (token.depth === 0 && token.text === ',') items.push([])
    else items.at(-1)?.push(token)
  }
  return items
}

/** A quoted name as `sql.ref` of several columns makes it: one for each of them. */
const namesOf = (token: string): string[] =>
  token.startsWith('"') ? token.slice(1, -1).split('|') : WORD.test(token) ? [token] : []

/** The names that the database gives to a column: of its alias, its column or its function. */
function columnNames(item: readonly Token[]): string[] {
  const last = item.at(-1)
  if (!last) return []
  if (item.at(-2)?.text === 'as') return namesOf(last.text)
  const cast = item.findIndex(({ text, depth }) => depth === 0 && text === '::')
  if (cast >= 0) return columnNames(item.slice(0, cast))
  if (last.text === 'end') return ['case']
  if (last.text !== ')' && last.text !== ']') return namesOf(last.text)
  const opening = item.findLastIndex(
    ({ text, depth }) => depth === last.depth && (text === '(' || text === '['),
  )
  return namesOf(item[opening - 1]?.text ?? '')
}

/** Undefined for a statement without a result. */
export function resultColumns(text: string): ResultColumns | undefined {
  const list = resultList(tokensOf(text))
  if (!list) return undefined
  const names = new Set<string>()
  let isOpen = false
  for (const item of itemsOf(list)) {
    const last = item.at(-1)?.text
    if (last === '*' || last === UNKNOWN) isOpen = true
    for (const name of columnNames(item)) names.add(name)
  }
  return { names, isOpen }
}

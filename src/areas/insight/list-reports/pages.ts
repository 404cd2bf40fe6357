import assert from 'node:assert/strict'
import type { FastifyRequest } from 'fastify'
import { unprocessable } from '../../../kernel/errors.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { type InnerResponse, readAs } from '../../../platform/http/inner-requests.ts'
import { PAGE_LIMIT_MAX } from '../../../platform/http/limits.ts'
import { LIST_REPORT_ROWS_MAX } from './limits.ts'
import { LIST_REPORT_TEXTS } from './messages.ts'

export type Row = Readonly<Record<string, unknown>>

/** The operation of a list has refused the request: its response is that of the report. */
export class ListRefused extends Error {
  readonly response: InnerResponse
  constructor(response: InnerResponse) {
    super(`the list responded with ${response.status}`)
    this.response = response
  }
}

export interface ListRead {
  /** With the path parameters filled in; several paths are read one after the other. */
  readonly paths: readonly string[]
  readonly query: Readonly<Record<string, string>>
  /** How the list is divided; `none` for one that is returned whole. */
  readonly paging: 'skip' | 'offset' | 'none'
  /** The fields that lead to the rows of a record; undefined for a list. */
  readonly rows: readonly string[] | undefined
  readonly language: string
}

interface ListPage {
  readonly path: string
  readonly rows: readonly Row[]
  readonly total: number
}

interface Caller {
  readonly app: App
  readonly request: FastifyRequest
}

/**
 * Reads a list by its operation, page by page, with the token of the caller. The first page is read at once, so that a
 * refusal is the response; it throws ListRefused then, and 422 for a list that is too long.
 */
export async function openList(caller: Caller, read: ListRead) {
  const firsts: ListPage[] = []
  for (const path of read.paths) firsts.push(await readPage(caller, read, { path, start: 0 }))
  const total = firsts.reduce((sum, first) => sum + first.total, 0)
  if (total > LIST_REPORT_ROWS_MAX) {
    const counts = { rows: total, max: LIST_REPORT_ROWS_MAX }
    throw unprocessable('REPORT_ROWS_TOO_MANY', LIST_REPORT_TEXTS.REPORT_ROWS_TOO_MANY(counts))
  }
  return {
    total,
    async *pages(): AsyncGenerator<readonly Row[]> {
      for (const first of firsts) yield* pagesFrom(caller, read, first)
    },
  }
}

async function* pagesFrom(caller: Caller, read: ListRead, first: ListPage): AsyncGenerator<readonly Row[]> {
  // Records that are added meanwhile shift the pages: one that was on the page before is left out.
  const known = new Set<unknown>()
  const isNew = ({ id }: Row): boolean => {
    if (id === undefined) return true
    if (known.has(id)) return false
    known.add(id)
    return true
  }
  let page = first
  for (let start = 0; ; ) {
    yield page.rows.filter(isNew)
    start += page.rows.length
    if (read.paging === 'none' || page.rows.length === 0 || start >= first.total) return
    page = await readPage(caller, read, { path: first.path, start })
  }
}

async function readPage(
  { app, request }: Caller,
  { query, paging, rows, language }: ListRead,
  { path, start }: { readonly path: string; readonly start: number },
): Promise<ListPage> {
  const page = paging === 'none' ? {} : { [paging]: String(start), limit: String(PAGE_LIMIT_MAX) }
  const parameters = new URLSearchParams({ ...query, ...page })
  const response = await readAs(app, request, { url: `${path}?${parameters}`, language })
  if (response.status !== 200) throw new ListRefused(response)
  const body = JSON.parse(response.text) as unknown
  if (Array.isArray(body)) {
    const total = response.headers['x-total-count']
    return { path, rows: body as Row[], total: total === undefined ? body.length : Number(total) }
  }
  if (rows) {
    const found = rowsAt(body as Row, rows)
    return { path, rows: found, total: found.length }
  }
  const { items, total } = body as { readonly items?: readonly Row[]; readonly total?: number }
  assert(items !== undefined && total !== undefined, `${path} returns a list`)
  return { path, rows: items, total }
}

/** The rows below a field; rows of nested lists have the fields of the records around them too. */
function rowsAt(record: Row, [field, ...rest]: readonly string[]): readonly Row[] {
  if (field === undefined) return [record]
  const { [field]: list, ...around } = record
  const records = (Array.isArray(list) ? list : []) as readonly Row[]
  return rest.length === 0 ? records : records.flatMap((one) => rowsAt({ ...around, ...one }, rest))
}

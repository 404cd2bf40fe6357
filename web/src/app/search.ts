/** What addresses of pages contain after the question mark. Values that are not understood are left out. */

/** A bound for typing errors in an address. */
const isMonth = (value: unknown): value is string =>
  typeof value === 'string' && /^20\d\d-(0[1-9]|1[0-2])$/.test(value)

/** The most scenarios that a comparison has. */
const IDS_MAX = 20

export type Search = Readonly<Record<string, unknown>>

/** The month in an address; the current one by default. */
export const monthSearch = (search: Search): { month?: string } =>
  isMonth(search['month']) ? { month: search['month'] } : {}

export interface ListSearch {
  readonly search?: string | undefined
  readonly page?: number | undefined
}

/** The page of a list, from 1, which is left out. */
export function pageSearch({ page }: Search): { page?: number } {
  const number = Number(page)
  return Number.isInteger(number) && number > 1 ? { page: number } : {}
}

/** The filters of a list in its address, so that they can be shared and survive a reload. */
export function listSearch({ search, page }: Search): ListSearch {
  return {
    ...(typeof search === 'string' && search !== '' && { search: search.slice(0, 100) }),
    ...pageSearch({ page }),
  }
}

/** An instant under the name. */
export function instantSearch<Name extends string>(search: Search, name: Name): { [key in Name]?: string } {
  const value = search[name]
  return typeof value === 'string' && !Number.isNaN(Date.parse(value))
    ? ({ [name]: value } as { [key in Name]?: string })
    : {}
}

/** An identifier under the name. */
export function idSearch<Name extends string>(search: Search, name: Name): { [key in Name]?: string } {
  const value = search[name]
  return typeof value === 'string' && /^[\da-f-]{36}$/.test(value)
    ? ({ [name]: value } as { [key in Name]?: string })
    : {}
}

/** Identifiers, separated by commas, each once. */
export function idsSearch({ ids }: Search): { ids?: string } {
  const list = typeof ids === 'string' ? ids.split(',').filter((id) => /^[\da-f-]{36}$/.test(id)) : []
  return list.length === 0 ? {} : { ids: [...new Set(list)].slice(0, IDS_MAX).join(',') }
}

/** One of the values under the name. */
export function choiceSearch<Name extends string, Value extends string>(
  search: Search,
  name: Name,
  values: readonly Value[],
): { [key in Name]?: Value } {
  const value = values.find((candidate) => candidate === search[name])
  return value === undefined ? {} : ({ [name]: value } as { [key in Name]?: Value })
}

/** The parameters whose values are in a table of the allowed ones. */
export function choices<const Table extends Readonly<Record<string, readonly string[]>>>(
  search: Search,
  table: Table,
): { [Name in keyof Table]?: Table[Name][number] | undefined } {
  const found: Record<string, string> = {}
  for (const [name, values] of Object.entries(table)) {
    const value = search[name]
    if (typeof value === 'string' && values.includes(value)) found[name] = value
  }
  return found as { [Name in keyof Table]?: Table[Name][number] | undefined }
}

import { beforeAll, describe, expect, it } from 'vitest'
import { openapiDocument } from '../../tools/openapi-document.ts'
import { type ListOperation, type ListsDocument, readLists } from '../support/lists.ts'

let lists: ListOperation[]
beforeAll(async () => {
  lists = readLists((await openapiDocument()) as ListsDocument)
})

/** Lists with a name that are not lists of named resources, with the reason. The list may only shrink. */
const WITHOUT_SEARCH: Readonly<Record<string, string>> = {}

describe('lists', () => {
  it('of named resources accept the parameter search', () => {
    expect(lists.length).toBeGreaterThan(50)
    const named = lists.filter(({ nameFields }) => nameFields.length > 0)
    const lacking = named.filter(({ key, query }) => !query.includes('search') && !WITHOUT_SEARCH[key])
    expect(lacking.map(({ key, nameFields }) => `${key} has ${nameFields.join()}`)).toEqual([])
  })

  it('are exempt from it only while they exist and have a name', () => {
    const exempt = new Set(lists.filter(({ query }) => !query.includes('search')).map(({ key }) => key))
    expect(Object.keys(WITHOUT_SEARCH).filter((key) => !exempt.has(key))).toEqual([])
  })
})

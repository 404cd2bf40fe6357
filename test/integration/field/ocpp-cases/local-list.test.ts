import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTag } from '../../../support/charging/charging.ts'
import type { Json } from '../../../support/json.ts'
import { type Operator, type StationFixture, startCases } from './station-fixture.ts'

let operator: Operator
beforeAll(async () => {
  operator = await startCases()
})
afterAll(() => operator.close())

const list = (setup: StationFixture): Promise<Json> => operator.get(`${setup.path}/local-list`)

/** The tags of the tenant that the station has to receive, and no others. */
async function choose(setup: StationFixture, tags: readonly { readonly id: string }[]): Promise<void> {
  const body = { tag_ids: tags.map(({ id }) => id) }
  expect((await operator.call('PUT', `${setup.path}/local-list`, body)).status).toBe(200)
}

/** Sends the list, to which the station responds as given; resolves with the resulting state. */
async function sync(setup: StationFixture, status: string, mode = 'full'): Promise<Json> {
  setup.respondTo('SendLocalList', { status })
  await operator.post(`${setup.path}/local-list/sync`, { mode }, 202)
  return operator.until(`${setup.path}/local-list`, ({ state }: Json) => state !== 'syncing')
}

async function askVersion(setup: StationFixture, listVersion: number): Promise<Json> {
  setup.respondTo('GetLocalListVersion', { listVersion })
  const command = await operator.post(`${setup.path}/local-list/version?wait=30`, undefined, 202)
  expect([command.answer, setup.callsReceived('GetLocalListVersion').at(-1)]).toEqual([{ listVersion }, {}])
  return command
}

const tags = (count: number) =>
  Promise.all(Array.from({ length: count }, () => makeTag(operator.api, operator.tenant)))
const accepted = ({ tag }: { readonly tag: string }) => ({ idTag: tag, idTagInfo: { status: 'Accepted' } })
const byTag = (a: { idTag: string }, b: { idTag: string }) => (a.idTag < b.idTag ? -1 : 1)

describe('version of the local list', () => {
  it('TC_042_1: Get Local List Version, Not Supported', async () => {
    const setup = await operator.openStation()
    expect((await askVersion(setup, -1)).state).toBe('rejected')
    expect(await list(setup)).toMatchObject({ state: 'not_supported', version: null })
  })

  it('TC_042_2: Get Local List Version, Empty', async () => {
    const setup = await operator.openStation()
    await choose(setup, [])
    expect(await sync(setup, 'Accepted')).toMatchObject({ state: 'synced', entries: [] })
    expect(setup.callsReceived('SendLocalList')).toEqual([
      { listVersion: 1, updateType: 'Full', localAuthorizationList: [] },
    ])
    expect((await askVersion(setup, 0)).state).toBe('accepted')
    expect(await list(setup)).toMatchObject({ version: 0, entries: [], is_uncertain: false })
  })
})

describe('sending the local list', () => {
  it('TC_043_1: Send Local Authorization List, Not Supported', async () => {
    const setup = await operator.openStation()
    await choose(setup, await tags(1))
    expect(await sync(setup, 'NotSupported')).toMatchObject({ state: 'not_supported', entries: [] })
  })

  it('TC_043_3: Send Local Authorization List, Failed', async () => {
    const setup = await operator.openStation()
    await choose(setup, await tags(1))
    expect(await sync(setup, 'Failed')).toMatchObject({ state: 'failed', reason: 'failed', entries: [] })
    // The content of the list at the station is unknown, so the full list is sent again.
    expect(await sync(setup, 'Accepted', 'differential')).toMatchObject({ state: 'synced' })
    expect(setup.callsReceived('SendLocalList').map(({ updateType }) => updateType)).toEqual(['Full', 'Full'])
  })

  it('TC_043_4: Send Local Authorization List, Full', async () => {
    const setup = await operator.openStation()
    const chosen = await tags(2)
    await choose(setup, chosen)
    const { state, version, entries } = await sync(setup, 'Accepted')
    expect([state, version, entries.length]).toEqual(['synced', 1, 2])
    const [{ localAuthorizationList, ...sent }] = setup.callsReceived('SendLocalList')
    expect(sent).toEqual({ listVersion: 1, updateType: 'Full' })
    expect(localAuthorizationList.toSorted(byTag)).toEqual(chosen.map(accepted).toSorted(byTag))
    expect((await askVersion(setup, 1)).state).toBe('accepted')
    expect(await list(setup)).toMatchObject({ state: 'synced', version: 1, is_uncertain: false })
  })

  it('TC_043_5: Send Local Authorization List, Differential', async () => {
    const setup = await operator.openStation()
    const chosen = await tags(3)
    const [gone, stored, added] = chosen
    await choose(setup, chosen.slice(0, 2))
    await sync(setup, 'Accepted')
    await choose(setup, chosen.slice(1))
    expect(await sync(setup, 'Accepted', 'differential')).toMatchObject({ state: 'synced', version: 2 })
    expect(setup.callsReceived('SendLocalList').at(-1)).toEqual({
      listVersion: 2,
      updateType: 'Differential',
      localAuthorizationList: [{ idTag: gone?.tag }, added && accepted(added)],
    })
    const { entries } = await list(setup)
    expect(entries.map(({ id_tag }: Json) => id_tag).toSorted()).toEqual([stored?.tag, added?.tag].toSorted())
  })
})

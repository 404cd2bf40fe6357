import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTag } from '../../../support/charging/charging.ts'
import { type Operator, type StationFixture, startCases } from './station-fixture.ts'

let operator: Operator
beforeAll(async () => {
  operator = await startCases()
})
afterAll(() => operator.close())

// biome-ignore lint/suspicious/noExplicitAny: a test asserts what it reads
type Body = any

const list = (world: StationFixture): Promise<Body> => operator.get(`${world.path}/local-list`)

/** The tags of the tenant that the station has to receive, and no others. */
async function choose(world: StationFixture, tags: readonly { readonly id: string }[]): Promise<void> {
  const body = { tag_ids: tags.map(({ id }) => id) }
  expect((await operator.call('PUT', `${world.path}/local-list`, body)).status).toBe(200)
}

/** Sends the list, to which the station responds as given; resolves with the resulting state. */
async function sync(world: StationFixture, status: string, mode = 'full'): Promise<Body> {
  world.respondTo('SendLocalList', { status })
  await operator.post(`${world.path}/local-list/sync`, { mode }, 202)
  return operator.until(`${world.path}/local-list`, ({ state }: Body) => state !== 'syncing')
}

async function askVersion(world: StationFixture, listVersion: number): Promise<Body> {
  world.respondTo('GetLocalListVersion', { listVersion })
  const command = await operator.post(`${world.path}/local-list/version?wait=30`, undefined, 202)
  expect([command.answer, world.callsReceived('GetLocalListVersion').at(-1)]).toEqual([{ listVersion }, {}])
  return command
}

const tags = (count: number) =>
  Promise.all(Array.from({ length: count }, () => makeTag(operator.api, operator.tenant)))
const accepted = ({ tag }: { readonly tag: string }) => ({ idTag: tag, idTagInfo: { status: 'Accepted' } })
const byTag = (a: { idTag: string }, b: { idTag: string }) => (a.idTag < b.idTag ? -1 : 1)

describe('version of the local list', () => {
  it('TC_042_1: Get Local List Version, Not Supported', async () => {
    const world = await operator.openStation()
    expect((await askVersion(world, -1)).state).toBe('rejected')
    expect(await list(world)).toMatchObject({ state: 'not_supported', version: null })
  })

  it('TC_042_2: Get Local List Version, Empty', async () => {
    const world = await operator.openStation()
    await choose(world, [])
    expect(await sync(world, 'Accepted')).toMatchObject({ state: 'synced', entries: [] })
    expect(world.callsReceived('SendLocalList')).toEqual([
      { listVersion: 1, updateType: 'Full', localAuthorizationList: [] },
    ])
    expect((await askVersion(world, 0)).state).toBe('accepted')
    expect(await list(world)).toMatchObject({ version: 0, entries: [], is_uncertain: false })
  })
})

describe('sending the local list', () => {
  it('TC_043_1: Send Local Authorization List, Not Supported', async () => {
    const world = await operator.openStation()
    await choose(world, await tags(1))
    expect(await sync(world, 'NotSupported')).toMatchObject({ state: 'not_supported', entries: [] })
  })

  it('TC_043_3: Send Local Authorization List, Failed', async () => {
    const world = await operator.openStation()
    await choose(world, await tags(1))
    expect(await sync(world, 'Failed')).toMatchObject({ state: 'failed', reason: 'failed', entries: [] })
    // The content of the list at the station is unknown, so the full list is sent again.
    expect(await sync(world, 'Accepted', 'differential')).toMatchObject({ state: 'synced' })
    expect(world.callsReceived('SendLocalList').map(({ updateType }) => updateType)).toEqual(['Full', 'Full'])
  })

  it('TC_043_4: Send Local Authorization List, Full', async () => {
    const world = await operator.openStation()
    const chosen = await tags(2)
    await choose(world, chosen)
    const { state, version, entries } = await sync(world, 'Accepted')
    expect([state, version, entries.length]).toEqual(['synced', 1, 2])
    const [{ localAuthorizationList, ...sent }] = world.callsReceived('SendLocalList')
    expect(sent).toEqual({ listVersion: 1, updateType: 'Full' })
    expect(localAuthorizationList.toSorted(byTag)).toEqual(chosen.map(accepted).toSorted(byTag))
    expect((await askVersion(world, 1)).state).toBe('accepted')
    expect(await list(world)).toMatchObject({ state: 'synced', version: 1, is_uncertain: false })
  })

  it('TC_043_5: Send Local Authorization List, Differential', async () => {
    const world = await operator.openStation()
    const chosen = await tags(3)
    const [gone, kept, added] = chosen
    await choose(world, chosen.slice(0, 2))
    await sync(world, 'Accepted')
    await choose(world, chosen.slice(1))
    expect(await sync(world, 'Accepted', 'differential')).toMatchObject({ state: 'synced', version: 2 })
    expect(world.callsReceived('SendLocalList').at(-1)).toEqual({
      listVersion: 2,
      updateType: 'Differential',
      localAuthorizationList: [{ idTag: gone?.tag }, added && accepted(added)],
    })
    const { entries } = await list(world)
    expect(entries.map(({ id_tag }: Body) => id_tag).toSorted()).toEqual([kept?.tag, added?.tag].toSorted())
  })
})

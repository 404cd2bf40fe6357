import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import { callsOf, smartCalls } from '../../support/charging/smart-charging.ts'
import { type StationOptions, startOcppApi } from '../../support/field/ocpp.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi | undefined
let tenant: TestTenant
let smart: ReturnType<typeof smartCalls>

/** A separate tenant for each test, because a list holds all tags of its tenant. */
beforeEach(async () => {
  api ??= await startOcppApi()
  tenant = await createTenant(api)
  smart = smartCalls(api, tenant)
})
afterAll(() => api?.close())

/** A station that answers lists with these statuses in turn, and repeats the last one. */
async function listening(words: readonly string[] = ['Accepted'], options: StationOptions = {}) {
  const { charger, station } = await smart.connected(options)
  let turn = 0
  station.onCall('SendLocalList', () => {
    const status = words[Math.min(turn, words.length - 1)] ?? ''
    turn += 1
    return { status }
  })
  const path = `/chargers/${charger.id}/local-list`
  const sync = (mode: string) => smart.post(`${path}/sync`, { mode }, 202)
  const settled = () => smart.until(path, ({ state }) => state !== 'syncing')
  return { charger, station, path, sync, settled, sent: () => callsOf(station, 'SendLocalList') }
}

const tagsOf = (piece: { localAuthorizationList: { idTag: string }[] }) =>
  piece.localAuthorizationList.map(({ idTag }) => idTag).toSorted()

describe('local authorization list', () => {
  it('is queried for its version (TC_042_1, TC_042_2)', async () => {
    const { charger, station, path } = await listening()
    const versions = [-1, 0, 7]
    station.onCall('GetLocalListVersion', () => ({ listVersion: versions.shift() ?? 7 }))
    const ask = () => smart.post(`/chargers/${charger.id}/local-list/version?wait=30`, undefined, 202)
    expect(await ask()).toMatchObject({ state: 'rejected', answer: { listVersion: -1 } })
    expect(await smart.get(path)).toMatchObject({ state: 'not_supported', version: null })
    expect(await ask()).toMatchObject({ state: 'accepted', answer: { listVersion: 0 } })
    expect(await smart.get(path)).toMatchObject({ version: 0, entries: [], is_uncertain: false })
    await ask()
    expect(await smart.get(path)).toMatchObject({ version: 7, is_uncertain: true })
    await station.end()
  })

  it('is sent in full with groups, expiry dates and blocked tags (TC_043_4)', async () => {
    const { station, sync, settled, sent } = await listening()
    const group = await smart.tag({ tag: 'GROUP' })
    await smart.tag({ tag: 'Alice', parent_id: group.id, expires_at: '2027-01-01T00:00:00Z' })
    await smart.tag({ tag: 'Bob', status: 'blocked' })
    expect(await sync('full')).toMatchObject({ state: 'syncing', entries: [] })
    const list = await settled()
    expect(list).toMatchObject({ state: 'synced', version: 1, is_uncertain: false })
    expect(sent()).toEqual([
      {
        listVersion: 1,
        updateType: 'Full',
        localAuthorizationList: [
          {
            idTag: 'Alice',
            idTagInfo: { status: 'Accepted', parentIdTag: 'GROUP', expiryDate: '2027-01-01T00:00:00Z' },
          },
          { idTag: 'Bob', idTagInfo: { status: 'Blocked' } },
          { idTag: 'GROUP', idTagInfo: { status: 'Accepted' } },
        ],
      },
    ])
    expect(list.entries).toHaveLength(3)
    await station.end()
  })

  it('is updated differentially (TC_043_5), and not sent when nothing changed', async () => {
    const { station, sync, settled, sent } = await listening()
    const alice = await smart.tag({ tag: 'ALICE' })
    const bob = await smart.tag({ tag: 'BOB' })
    await sync('full')
    await settled()
    await smart.call('PUT', `/id-tags/${alice.id}`, { status: 'blocked' })
    await smart.call('DELETE', `/id-tags/${bob.id}`)
    await smart.tag({ tag: 'CAROL' })
    await sync('differential')
    const list = await settled()
    expect(sent()[1]).toEqual({
      listVersion: 2,
      updateType: 'Differential',
      localAuthorizationList: [
        { idTag: 'BOB' },
        { idTag: 'ALICE', idTagInfo: { status: 'Blocked' } },
        { idTag: 'CAROL', idTagInfo: { status: 'Accepted' } },
      ],
    })
    expect(list).toMatchObject({ state: 'synced', version: 2 })
    expect(await sync('differential')).toMatchObject({ state: 'synced', version: 2 })
    expect(sent()).toHaveLength(2)
    await station.end()
  })

  it('is sent in pieces that fit the station, one after the other', async () => {
    const { charger, station, sync, settled, sent } = await listening()
    station.onCall('GetConfiguration', () => ({
      configurationKey: [{ key: 'SendLocalListMaxLength', readonly: true, value: '2' }],
    }))
    const order = { action: 'get_configuration' }
    await smart.post(`/chargers/${charger.id}/commands?wait=30`, order, 202)
    for (const tag of ['A', 'B', 'C', 'D', 'E']) await smart.tag({ tag })
    await sync('full')
    expect(await settled()).toMatchObject({ state: 'synced', version: 3 })
    expect(sent().map((piece) => [piece.updateType, piece.listVersion, tagsOf(piece)])).toEqual([
      ['Full', 1, ['A', 'B']],
      ['Differential', 2, ['C', 'D']],
      ['Differential', 3, ['E']],
    ])
    await station.end()
  })

  it('contains the chosen tags only, and at most the number that the station can hold', async () => {
    const { charger, station, path, sync, settled, sent } = await listening()
    const alice = await smart.tag({ tag: 'ALICE' })
    const bob = await smart.tag({ tag: 'BOB' })
    const chosen = await smart.call('PUT', path, { tag_ids: [alice.id] })
    expect(chosen.body).toMatchObject({ is_chosen: true, tag_ids: [alice.id] })
    await sync('differential')
    await settled()
    expect(sent().map(tagsOf)).toEqual([['ALICE']])
    expect((await smart.call('PUT', path, { tag_ids: [charger.id] })).body.error_code).toBe(
      'INVALID_REFERENCE',
    )
    station.onCall('GetConfiguration', () => ({
      configurationKey: [{ key: 'LocalAuthListMaxLength', readonly: true, value: '1' }],
    }))
    await smart.post(`/chargers/${charger.id}/commands?wait=30`, { action: 'get_configuration' }, 202)
    await smart.call('PUT', path, { tag_ids: [alice.id, bob.id] })
    const tooLong = await smart.call('POST', `${path}/sync`, { mode: 'full' })
    expect([tooLong.status, tooLong.body.error_code]).toEqual([409, 'LOCAL_LIST_TOO_LONG'])
    await station.end()
  })

  it('is marked as not supported (TC_043_1)', async () => {
    const { station, sync, settled } = await listening(['NotSupported'])
    await sync('full')
    expect(await settled()).toMatchObject({ state: 'not_supported', reason: 'not_supported', entries: [] })
    await station.end()
  })

  it('is sent in full after a failed update (TC_043_3)', async () => {
    const { station, sync, settled, sent } = await listening(['Accepted', 'Failed', 'Accepted'])
    await smart.tag({ tag: 'ALICE' })
    await sync('full')
    await settled()
    await smart.tag({ tag: 'BOB' })
    await sync('differential')
    expect(await settled()).toMatchObject({ state: 'failed', reason: 'failed', is_uncertain: true })
    await sync('differential')
    expect(await settled()).toMatchObject({ state: 'synced', is_uncertain: false, version: 3 })
    expect(sent().map(({ updateType }) => updateType)).toEqual(['Full', 'Differential', 'Full'])
    await station.end()
  })

  it('is sent in full when the station has another version', async () => {
    const { station, sync, settled, sent } = await listening(['Accepted', 'VersionMismatch', 'Accepted'])
    await smart.tag({ tag: 'ALICE' })
    await sync('full')
    await settled()
    await smart.tag({ tag: 'BOB' })
    await sync('differential')
    expect(await settled()).toMatchObject({ state: 'synced', version: 3 })
    expect(sent().map((piece) => [piece.updateType, tagsOf(piece)])).toEqual([
      ['Full', ['ALICE']],
      ['Differential', ['BOB']],
      ['Full', ['ALICE', 'BOB']],
    ])
    await station.end()
  })

  it('waits for its station, and a second sync meanwhile is rejected', async () => {
    const { charger, station } = await smart.connected()
    await station.end()
    await smart.until(`/chargers/${charger.id}`, ({ is_online }) => !is_online)
    await smart.tag({ tag: 'ALICE' })
    const path = `/chargers/${charger.id}/local-list/sync`
    const { command_id } = await smart.post(path, { mode: 'full' }, 202)
    expect((await smart.call('POST', path, { mode: 'full' })).body.error_code).toBe('STATE_CONFLICT')
    await smart.call('POST', `/chargers/${charger.id}/commands/${command_id}/cancel`)
    const list = await smart.get(`/chargers/${charger.id}/local-list`)
    expect(list).toMatchObject({ state: 'failed', reason: 'not_delivered', is_uncertain: false })
  })
})

describe('local authorization list in OCPP 2.0.1', () => {
  it('is sent with the fields of 2.0.1, also when empty', async () => {
    const { station, sync, settled, sent } = await listening(['Accepted'], { version: '2.0.1' })
    await sync('full')
    expect(await settled()).toMatchObject({ state: 'synced', version: 1, entries: [] })
    await smart.tag({ tag: 'a tag of more than twenty letters' })
    await sync('differential')
    await settled()
    expect(sent()).toEqual([
      { versionNumber: 1, updateType: 'Full' },
      {
        versionNumber: 2,
        updateType: 'Differential',
        localAuthorizationList: [
          {
            idToken: { idToken: 'a tag of more than twenty letters', type: 'ISO14443' },
            idTokenInfo: { status: 'Accepted' },
          },
        ],
      },
    ])
    await station.end()
  })
})

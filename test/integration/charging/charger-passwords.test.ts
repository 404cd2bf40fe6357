import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CommandFixture, setUpCommands } from '../../support/charging/charger-commands.ts'
import { connectStation, type TestCharger } from '../../support/field/ocpp.ts'
import { waitFor } from '../../support/wait-for.ts'

let fixture: CommandFixture
beforeAll(async () => {
  fixture = await setUpCommands()
})
afterAll(() => fixture.api.close())

describe('changed password of a station', () => {
  const push = (charger: TestCharger, body: object = {}) =>
    fixture.as('POST', `/${charger.id}/password`, { body: { push: true, ...body } })
  const canConnect = async (charger: TestCharger, password: string | Buffer) => {
    try {
      await (await connectStation(fixture.api, charger, { password })).end()
      return true
    } catch {
      return false
    }
  }

  it('is accepted by the station, which authenticates with its bytes from then on', async () => {
    const { charger, station } = await fixture.connected()
    station.onCall('ChangeConfiguration', () => ({ status: 'Accepted' }))
    const { body } = await push(charger)
    await waitFor(async () => (await fixture.stateOf(charger, body.command.id)) === 'accepted')
    expect(station.called).toEqual([
      { action: 'ChangeConfiguration', payload: { key: 'AuthorizationKey', value: body.password } },
    ])
    expect((await fixture.as('GET', `/${charger.id}`)).body.has_pending_password).toBe(false)
    await station.end()
    expect(await canConnect(charger, Buffer.from(body.password, 'hex'))).toBe(true)
    expect(await canConnect(charger, body.password)).toBe(true)
    expect(await canConnect(charger, charger.password)).toBe(false)
  })

  it('is discarded when the station rejects it', async () => {
    const { charger, station } = await fixture.connected({ version: '2.0.1' })
    station.onCall('SetVariables', ({ setVariableData: [{ component, variable }] }) => ({
      setVariableResult: [{ attributeStatus: 'Rejected', component, variable }],
    }))
    const { body } = await push(charger, { password: 'A-named-passw0rd' })
    await waitFor(async () => (await fixture.stateOf(charger, body.command.id)) === 'rejected')
    expect(station.called[0]?.payload.setVariableData).toEqual([
      {
        component: { name: 'SecurityCtrlr' },
        variable: { name: 'BasicAuthPassword' },
        attributeValue: 'A-named-passw0rd',
      },
    ])
    await station.end()
    expect(await canConnect(charger, 'A-named-passw0rd')).toBe(false)
    expect(await canConnect(charger, charger.password)).toBe(true)
  })

  it('is discarded when the key it was sealed with is lost, and later commands are sent', async () => {
    const charger = await fixture.create()
    const { body } = await push(charger)
    const next = await fixture.order(charger, { action: 'clear_cache' })
    await fixture.api.deps.database.pool.query(
      `update charger_command set request = '{"sealed": "v1.00000000.AAAA"}' where id = $1`,
      [body.command.id],
    )
    const responses = { ClearCache: () => ({ status: 'Accepted' }) }
    const station = await connectStation(fixture.api, charger, { responses })
    await waitFor(async () => (await fixture.stateOf(charger, next.body.id)) === 'accepted')
    const ended = await fixture.as('GET', `/${charger.id}/commands/${body.command.id}`)
    expect(ended.body).toMatchObject({ state: 'cancelled', error: 'encryption_misconfigured' })
    expect((await fixture.as('GET', `/${charger.id}`)).body.has_pending_password).toBe(false)
    await station.end()
  })

  it('leaves both passwords valid after a timeout, until the new one was used', async () => {
    const { charger, station } = await fixture.connected()
    station.onCall('ChangeConfiguration', () => new Promise(() => {}))
    const { body } = await push(charger)
    await waitFor(() => station.called.length === 1)
    const busy = await push(charger)
    expect([busy.status, busy.body.error_code]).toEqual([409, 'STATE_CONFLICT'])
    await station.end()
    await waitFor(async () => (await fixture.stateOf(charger, body.command.id)) === 'timed_out')
    expect(await canConnect(charger, charger.password)).toBe(true)
    expect((await fixture.as('GET', `/${charger.id}`)).body.has_pending_password).toBe(true)
    expect(await canConnect(charger, body.password)).toBe(true)
    expect(await canConnect(charger, charger.password)).toBe(false)
    expect((await fixture.as('GET', `/${charger.id}`)).body.has_pending_password).toBe(false)
  })

  it('that is changed at once closes the socket, as does the deletion of the charger', async () => {
    const { charger, station } = await fixture.connected()
    const { body } = await fixture.as('POST', `/${charger.id}/password`, { body: {} })
    await station.closed()
    expect(await canConnect(charger, charger.password)).toBe(false)
    const again = await connectStation(fixture.api, charger, { password: body.password })
    await waitFor(async () => (await fixture.as('GET', `/${charger.id}`)).body.is_online)
    expect((await fixture.as('DELETE', `/${charger.id}`)).status).toBe(204)
    await again.closed()
    expect(await canConnect(charger, body.password)).toBe(false)
  })
})

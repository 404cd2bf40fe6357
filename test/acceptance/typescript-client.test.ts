import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { ApiError, type WebSocketConstructor } from '../../clients/typescript/src/index.ts'
import { clientOf, createMeter, uniqueName } from './client.ts'

const WAIT_MAX_MS = 60_000

async function until(isTrue: () => boolean): Promise<void> {
  const end = performance.now() + WAIT_MAX_MS
  while (!isTrue()) {
    if (performance.now() > end) throw new Error('the condition did not become true')
    await sleep(50)
  }
}

describe('a program with the TypeScript client', () => {
  it('manages records: create, list, edit, delete', async () => {
    const client = clientOf('admin')
    const name = uniqueName('region')
    const { data: region } = await client.post('/api/regions', { body: { name } })
    const found: string[] = []
    for await (const { id } of client.list('/api/regions', { query: { search: name } })) found.push(id)
    expect(found).toEqual([region.id])
    const path = { id: region.id }
    const edited = await client.edit('/api/regions/{id}', { path }, (current) => ({
      name: `${current.name} 2`,
    }))
    expect(edited.data.name).toBe(`${name} 2`)
    await client.delete('/api/regions/{id}', { path })
    const failure = await client.get('/api/regions/{id}', { path }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ApiError)
    expect(failure).toMatchObject({ status: 404, code: 'RESOURCE_NOT_FOUND' })
  })

  it('receives live values through a ticket', async () => {
    const deviceId = await createMeter()
    const voltages: (number | undefined)[] = []
    let state = ''
    const live = clientOf('viewer').live({
      devices: [deviceId],
      onSample: ({ values }) => voltages.push(values['voltage']),
      onState: (next) => {
        state = next
      },
      WebSocket: WebSocket as unknown as WebSocketConstructor,
    })
    await until(() => state === 'open')
    await clientOf('operator').post('/api/measurements', {
      body: {
        samples: [{ device_id: deviceId, timestamp: new Date().toISOString(), values: { voltage: 230.5 } }],
      },
    })
    await until(() => voltages.length === 1)
    await live.close()
    expect(voltages).toEqual([230.5])
  })
})

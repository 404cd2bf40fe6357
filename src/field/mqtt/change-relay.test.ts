import { expect, it } from 'vitest'
import { makeLocalBroker } from '../../platform/messaging/broker.ts'
import { type Bus, makeBus } from '../../platform/messaging/bus.ts'
import { makeLog } from '../../platform/observability/log.ts'
import { relayChanges } from './change-relay.ts'

const log = makeLog('silent')

/** The events that a process has seen, from itself and from the others. */
function watch(bus: Bus): object[] {
  const seen: object[] = []
  bus.on('gateways_changed', (event) => void seen.push(event))
  bus.on('device_templates_changed', (event) => void seen.push(event))
  return seen
}

it('emits the changes of one process once in each process', async () => {
  const broker = makeLocalBroker()
  const buses = [makeBus(log), makeBus(log), makeBus(log)]
  const stops = await Promise.all(buses.map((bus) => relayChanges({ bus, broker, log })))
  const seen = buses.map(watch)
  const gateway = { tenantId: 7, gatewayId: 'f3b1e4a6-3d4e-4d0e-9d5f-0d7c4a0b8c11' }
  buses[0]?.emit('gateways_changed', gateway)
  buses[1]?.emit('device_templates_changed', { tenantId: 8 })
  const both = [gateway, { tenantId: 8 }]
  await expect.poll(() => seen).toEqual([both, both, both])
  for (const stop of stops) await stop()
  buses[0]?.emit('gateways_changed', gateway)
  expect(seen.map(({ length }) => length)).toEqual([3, 2, 2])
})

it('ignores malformed messages, and a broker that refuses a message', async () => {
  const broker = makeLocalBroker()
  const bus = makeBus(log)
  await relayChanges({ bus, broker, log })
  const seen = watch(bus)
  for (const payload of ['', 'null', '[]', '{"process":"x"}', '{"process":"x","tenantId":1,"gatewayId":2}']) {
    await broker.publish('netsaat/changes', payload)
  }
  expect(seen).toEqual([])
  const refusing = { ...broker, publish: () => Promise.reject(new Error('away')) }
  const other = makeBus(log)
  await relayChanges({ bus: other, broker: refusing, log })
  expect(() => other.emit('device_templates_changed', { tenantId: 1 })).not.toThrow()
})

import { expect, it } from 'vitest'
import { makeLocalBroker } from '../platform/messaging/broker.ts'
import { type Bus, makeBus } from '../platform/messaging/bus.ts'
import { linkOverBroker } from '../platform/messaging/process-link.ts'
import { makeLog } from '../platform/observability/log.ts'
import { relayEvents } from './event-relay.ts'

const log = makeLog('silent')

/** The events that a process has seen, from itself and from the others. */
function watch(bus: Bus): object[] {
  const seen: object[] = []
  bus.on('gateways_changed', (event) => void seen.push(event))
  bus.on('device_templates_changed', (event) => void seen.push(event))
  bus.on('charger_command', (event) => void seen.push(event))
  bus.on('due_work', (event) => void seen.push(event))
  bus.on('job_requested', (event) => void seen.push(event))
  return seen
}

it('emits the changes of one process once in each process', async () => {
  const broker = makeLocalBroker()
  const link = linkOverBroker(broker)
  const buses = [makeBus(log), makeBus(log), makeBus(log)]
  const stops = await Promise.all(buses.map((bus) => relayEvents({ bus, link, log })))
  const seen = buses.map(watch)
  const gateway = { tenantId: 7, gatewayId: 'f3b1e4a6-3d4e-4d0e-9d5f-0d7c4a0b8c11' }
  buses[0]?.emit('gateways_changed', gateway)
  buses[1]?.emit('device_templates_changed', { tenantId: 8 })
  const command = { tenantId: 8, chargerId: 'c1' }
  buses[2]?.emit('charger_command', command)
  buses[2]?.emit('due_work', { kind: 'notifications' })
  const request = { job: 'compute-scenarios', tenantId: 8 }
  buses[1]?.emit('job_requested', request)
  const both = [gateway, { tenantId: 8 }, command, { kind: 'notifications' }, request]
  await expect.poll(() => seen).toEqual([both, both, both])
  for (const stop of stops) await stop()
  buses[0]?.emit('gateways_changed', gateway)
  expect(seen.map(({ length }) => length)).toEqual([6, 5, 5])
})

it('ignores malformed messages, and a broker that refuses a message', async () => {
  const broker = makeLocalBroker()
  const link = linkOverBroker(broker)
  const bus = makeBus(log)
  await relayEvents({ bus, link, log })
  const seen = watch(bus)
  const event = { tenantId: 1, gatewayId: 2 }
  const malformed = [
    ...['', 'null', '[]', '{"process":"x"}', '{"process":"x","name":"gateways_changed"}'],
    JSON.stringify({ process: 'x', name: 'gateways_changed', event }),
    JSON.stringify({ process: 'x', name: 'toString', event }),
    JSON.stringify({ process: 'x', name: 'samples_stored', event }),
    JSON.stringify({ process: 'x', name: 'job_requested', event: { job: 'compute-scenarios' } }),
  ]
  for (const payload of malformed) await broker.publish('netsaat/changes', payload)
  expect(seen).toEqual([])
  const refusing = { ...link, publish: () => Promise.reject(new Error('away')) }
  const other = makeBus(log)
  await relayEvents({ bus: other, link: refusing, log })
  expect(() => other.emit('device_templates_changed', { tenantId: 1 })).not.toThrow()
})

import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { Aedes } from 'aedes'
import { afterEach, describe, expect, it } from 'vitest'
import { linkOutside } from './outside.ts'

const closers: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

describe('link to an external broker', () => {
  it('subscribes when the broker becomes available, and again after its return', async () => {
    const nobody = createServer()
    const port = await listen(nobody, 0)
    await new Promise((resolve) => nobody.close(resolve))
    let isAway = (): void => {}
    const away = new Promise<void>((resolve) => {
      isAway = resolve
    })
    const warnings: unknown[] = []
    const warn = (...words: unknown[]) => {
      warnings.push(words.at(-1))
      isAway()
    }
    const log = { warn, info() {}, debug() {} }
    const link = linkOutside({ url: `mqtt://127.0.0.1:${port}`, log })
    closers.push(() => link.close())
    const got: string[] = []
    await link.subscribe('a/+', ({ topic }) => void got.push(topic))
    await away

    const aedes = await Aedes.createBroker()
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      aedes.handle(socket)
    })
    await listen(server, port)
    closers.push(async () => {
      server.close()
      await new Promise<void>((resolve) => aedes.close(() => resolve()))
    })
    const publish = (topic: string) =>
      aedes.publish({ cmd: 'publish', topic, payload: 'x', qos: 1, dup: false, retain: false }, () => {})
    await once(aedes, 'subscribe')
    publish('a/1')
    await expect.poll(() => got).toEqual(['a/1'])
    expect(warnings).not.toContain('a subscription failed')
    const again = once(aedes, 'subscribe')
    for (const socket of sockets) socket.destroy()
    await again
    publish('a/2')
    await expect.poll(() => got).toEqual(['a/1', 'a/2'])
  })
})

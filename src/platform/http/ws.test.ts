import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import WebSocket from 'ws'
import { encodeTextFrame, routeUpgrades, type UpgradeRouter } from './ws.ts'

let server: Server
let router: UpgradeRouter
let url: string
let isStopping = false
const errors: unknown[] = []
const warnings: unknown[] = []
const log = {
  error: (fields: unknown) => void errors.push(fields),
  warn: (fields: unknown) => void warnings.push(fields),
}

beforeEach(async () => {
  isStopping = false
  errors.length = 0
  server = createServer((_request, response) => response.end('plain'))
  router = routeUpgrades({ server, log: log as never, isStopping: () => isStopping })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  await router.close()
  server.close()
  server.closeAllConnections()
})

/** The HTTP response to a rejected handshake. */
async function responseTo(path: string): Promise<{ status: number; headers: Record<string, unknown> }> {
  const socket = new WebSocket(url + path)
  socket.on('error', () => {})
  const [, response] = await once(socket, 'unexpected-response')
  response.resume()
  return { status: response.statusCode, headers: response.headers }
}

it('web sockets do not affect the server without routes', async () => {
  const response = await fetch(url.replace('ws', 'http'))
  expect(await response.text()).toBe('plain')
  expect(await responseTo('/')).toMatchObject({ status: 200 })
})

it('web sockets pass the parameters to the route, and select the first known subprotocol of the client', async () => {
  router.add({
    path: /^\/charge\/(?<version>[^/]+)\/(?<name>[^/]+)$/,
    messageBytesMax: 100,
    protocols: ['two', 'one'],
    handle: ({ accept, params }) => accept()?.socket.send(JSON.stringify(params)),
  })
  const socket = new WebSocket(`${url}/charge/1.6/cp-1`, ['three', 'one', 'two'])
  const [message] = await once(socket, 'message')
  expect(JSON.parse(String(message))).toEqual({ version: '1.6', name: 'cp-1' })
  expect(socket.protocol).toBe('one')
  socket.send('x'.repeat(101))
  const [code] = await once(socket, 'close')
  expect(code).toBe(1009)
})

it('web sockets receive frames that are encoded once, between messages of the socket', async () => {
  const texts = [
    '',
    'ü',
    'x'.repeat(125),
    'x'.repeat(126),
    'ş'.repeat(32_767),
    'x'.repeat(65_535),
    'x'.repeat(65_536),
  ]
  router.add({
    path: /^\/frames$/,
    messageBytesMax: 100,
    handle({ accept }) {
      const opened = accept()
      for (const text of texts) {
        opened?.socket.send(`before ${text.length}`)
        opened?.raw.write(encodeTextFrame(text))
      }
      opened?.socket.close()
    },
  })
  const socket = new WebSocket(`${url}/frames`)
  const received: unknown[] = []
  socket.on('message', (data, isBinary) => received.push(isBinary ? data : String(data)))
  await once(socket, 'close')
  expect(received).toEqual(texts.flatMap((text) => [`before ${text.length}`, text]))
})

it('web socket route can reject over HTTP', async () => {
  router.add({
    path: /^\/locked$/,
    messageBytesMax: 100,
    handle: ({ refuse }) => refuse(401, { 'WWW-Authenticate': 'Basic realm="x"' }),
  })
  expect(await responseTo('/locked')).toMatchObject({
    status: 401,
    headers: { 'www-authenticate': 'Basic realm="x"', connection: 'close' },
  })
  expect(await responseTo('/other')).toMatchObject({ status: 404 })
  isStopping = true
  expect(await responseTo('/locked')).toMatchObject({ status: 503 })
})

it('web socket that is not decided in time gets 503 with Retry-After, and a later decision has no effect', async () => {
  const own = createServer()
  const short = routeUpgrades({ server: own, log: log as never, isStopping: () => false, decideMs: 20 })
  let decideLate = () => {}
  short.add({
    path: /^\/slow$/,
    messageBytesMax: 100,
    handle: ({ accept, refuse }) =>
      new Promise((resolve) => {
        decideLate = () => {
          refuse(401)
          resolve(void accept())
        }
      }),
  })
  own.listen(0, '127.0.0.1')
  await once(own, 'listening')
  const socket = new WebSocket(`ws://127.0.0.1:${(own.address() as AddressInfo).port}/slow`)
  socket.on('error', () => {})
  const [, response] = await once(socket, 'unexpected-response')
  expect(response.statusCode).toBe(503)
  expect(response.headers).toMatchObject({ 'retry-after': '5', connection: 'close' })
  decideLate()
  await short.close()
  own.closeAllConnections()
  own.close()
  expect(warnings).toEqual([{ path: '/slow' }])
  expect(errors).toEqual([])
})

it('web socket of a failing route is closed, and the error is logged', async () => {
  router.add({ path: /^\/broken$/, messageBytesMax: 100, handle: () => Promise.reject(new Error('broken')) })
  const socket = new WebSocket(`${url}/broken?token=secret`)
  const [error] = await once(socket, 'error')
  expect(error).toBeInstanceOf(Error)
  expect(errors).toMatchObject([{ path: '/broken' }])
})

it('web sockets are closed with 1012 at the stop', async () => {
  router.add({ path: /^\/open$/, messageBytesMax: 100, handle: ({ accept }) => void accept() })
  const socket = new WebSocket(`${url}/open`)
  await once(socket, 'open')
  const closed = once(socket, 'close')
  await router.close()
  expect((await closed)[0]).toBe(1012)
})

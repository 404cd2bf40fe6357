/**
 * Opens many sockets in a separate process. `open` connects them; `count` waits until a number of bytes has arrived
 * over all of them together (bytes instead of messages, so that reading costs little); `times` returns the arrival
 * time of each message that has a number in its values.
 */
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import WebSocket from 'ws'

export type SocketTask =
  | { readonly kind: 'open'; readonly urls: readonly string[] }
  /** `already`: bytes that arrived before are not counted. */
  | { readonly kind: 'count'; readonly bytes: number }
  | { readonly kind: 'watch'; readonly urls: readonly string[] }
  | { readonly kind: 'times'; readonly count: number }
  | { readonly kind: 'close' }

const sockets: (Socket | WebSocket)[] = []
const arrivals: (readonly [no: number, at: number])[] = []
let bytes = 0
let onChange = (): void => {}

/** Epoch milliseconds with decimals, the same on every process of a machine. */
const now = () => performance.timeOrigin + performance.now()

/** Until the greeting: the first output of this service and of the reference is one message each. */
function openRaw(address: string): Promise<void> {
  const url = new URL(address)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname, () => {
      const key = randomBytes(16).toString('base64')
      socket.write(
        `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
      )
    })
    let greeting = ''
    const greet = (data: Buffer) => {
      greeting += data.toString('latin1')
      if (!greeting.includes('"hello"') || !greeting.endsWith('}')) return
      socket.off('data', greet)
      socket.on('data', (more: Buffer) => {
        bytes += more.length
        onChange()
      })
      resolve()
    }
    socket.on('data', greet).on('error', reject)
    socket.on('close', () => reject(new Error(greeting)))
    sockets.push(socket)
  })
}

function openWatching(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address)
    sockets.push(socket)
    socket.on('error', reject)
    socket.on('message', (data) => {
      const at = now()
      const message = JSON.parse(String(data)) as { type: string; values?: { no?: number } }
      if (message.type === 'hello') resolve()
      else if (message.values?.no !== undefined) arrivals.push([message.values.no, at])
      onChange()
    })
  })
}

/** A hundred at a time, because a service limits the pending handshakes. */
async function openAll(urls: readonly string[], open: (url: string) => Promise<void>): Promise<void> {
  for (let from = 0; from < urls.length; from += 100)
    await Promise.all(urls.slice(from, from + 100).map(open))
}

const until = (isDone: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    onChange = () => {
      if (!isDone()) return
      onChange = () => {}
      resolve()
    }
    onChange()
  })

async function runTask(task: SocketTask): Promise<unknown> {
  switch (task.kind) {
    case 'open':
      await openAll(task.urls, openRaw)
      bytes = 0
      return 'open'
    case 'count': {
      await until(() => bytes >= task.bytes)
      const counted = bytes
      bytes = 0
      return counted
    }
    case 'watch':
      return openAll(task.urls, openWatching).then(() => 'open')
    case 'times':
      await until(() => arrivals.length >= task.count)
      return arrivals.splice(0)
    case 'close':
      for (const socket of sockets.splice(0)) {
        if (socket instanceof WebSocket) socket.terminate()
        else socket.removeAllListeners('close').destroy()
      }
      return 'closed'
  }
}

process.on('message', (task: SocketTask) => {
  runTask(task).then(
    (answer) => process.send?.(answer),
    (error: unknown) => {
      process.stderr.write(`${(error as Error).stack}\n`)
      process.exit(1)
    },
  )
})
process.once('disconnect', () => process.exit(0))

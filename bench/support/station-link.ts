/** The socket of a station without a client library, which would cost more than the measured server. */
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

export interface BenchStation {
  readonly cpid: string
  readonly password: string
}

const FINAL_TEXT = 0x81
const FINAL_PONG = 0x8a
const PING = 9
const MASKED = 0x80
/** Lengths up to here are in the second byte, longer ones in the two after it. */
const SHORT_MAX = 125

/** A frame of a client, which is masked. */
function frame(head: number, payload: Buffer): Buffer {
  const isShort = payload.length <= SHORT_MAX
  const from = isShort ? 6 : 8
  const bytes = Buffer.allocUnsafe(from + payload.length)
  bytes[0] = head
  bytes[1] = MASKED | (isShort ? payload.length : 126)
  if (!isShort) bytes.writeUInt16BE(payload.length, 2)
  bytes.writeUInt32BE((Math.random() * 2 ** 32) >>> 0, from - 4)
  for (let index = 0; index < payload.length; index++)
    bytes[from + index] = (payload[index] ?? 0) ^ (bytes[from - 4 + (index & 3)] ?? 0)
  return bytes
}

/** Calls `onText` or `onPing` for each complete message; servers send only short messages here. */
function makeReader(
  onText: (text: string) => void,
  onPing: (payload: Buffer) => void,
): (data: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (data) => {
    rest = rest.length === 0 ? data : Buffer.concat([rest, data])
    while (rest.length >= 2) {
      const short = (rest[1] ?? 0) & 0x7f
      const from = short <= SHORT_MAX ? 2 : 4
      if (rest.length < from) return
      const end = from + (from === 2 ? short : rest.readUInt16BE(2))
      if (rest.length < end) return
      const opcode = (rest[0] ?? 0) & 0x0f
      if (opcode === 1) onText(rest.toString('latin1', from, end))
      else if (opcode === PING) onPing(rest.subarray(from, end))
      rest = rest.subarray(end)
    }
  }
}

export interface Link {
  send(text: string): void
  cut(): void
}

export interface LinkOptions {
  readonly port: number
  readonly station: BenchStation
  readonly onText: (text: string) => void
  /** Called when the socket ends without a close by this side. */
  readonly onLost: () => void
}

/**
 * The HTTP status of the response: 101 with the link, or the reason of the rejection; 0 when the connection
 * broke before it.
 */
export type Opened = { readonly status: 101; readonly link: Link } | { readonly status: number }

const END_OF_HEAD = '\r\n\r\n'

function requestOf({ cpid, password }: BenchStation): string {
  const lines = [
    `GET /ocpp/1.6/${cpid} HTTP/1.1`,
    'Host: bench',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    'Sec-WebSocket-Protocol: ocpp1.6',
    `Authorization: Basic ${Buffer.from(`${cpid}:${password}`).toString('base64')}`,
  ]
  return lines.join('\r\n') + END_OF_HEAD
}

export function openLink({ port, station, onText, onLost }: LinkOptions): Promise<Opened> {
  return new Promise((resolve) => {
    let isCut = false
    let isOpen = false
    let head = ''
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true }, () =>
      socket.write(requestOf(station)),
    )
    const read = makeReader(onText, (payload) => socket.write(frame(FINAL_PONG, payload)))
    const greet = (data: Buffer): void => {
      head += data.toString('latin1')
      if (!head.includes(END_OF_HEAD)) return
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0)
      socket.off('data', greet)
      if (status !== 101) {
        socket.destroy()
        resolve({ status })
        return
      }
      isOpen = true
      socket.on('data', read)
      const rest = head.slice(head.indexOf(END_OF_HEAD) + END_OF_HEAD.length)
      if (rest !== '') read(Buffer.from(rest, 'latin1'))
      resolve({
        status,
        link: {
          send: (text) => socket.write(frame(FINAL_TEXT, Buffer.from(text))),
          cut() {
            isCut = true
            socket.resetAndDestroy()
          },
        },
      })
    }
    socket.on('data', greet)
    // The close event reports the failure.
    socket.on('error', () => {})
    socket.on('close', () => {
      if (!isOpen) resolve({ status: 0 })
      else if (!isCut) onLost()
    })
  })
}

/** What the client uses of a WebSocket: browsers, Node.js from 22 on, and the package ws have it. */
export interface WebSocketLike {
  send(text: string): void
  close(code?: number, reason?: string): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  addEventListener(
    type: 'close',
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void
  addEventListener(type: 'open' | 'error', listener: (event: unknown) => void): void
}
export type WebSocketConstructor = new (url: string) => WebSocketLike

/** Messages of the server that the client uses; others are ignored. */
export type LiveMessage =
  | { readonly type: 'hello' | 'pong'; readonly server_time: string }
  | { readonly type: 'subscribed'; readonly devices: readonly string[]; readonly refused: readonly string[] }
  | { readonly type: 'unsubscribed'; readonly devices: readonly string[] }
  | {
      readonly type: 'sample'
      readonly device_id: string
      readonly timestamp: string
      readonly values: Readonly<Record<string, number>>
      readonly skipped?: number
    }
  | {
      readonly type: 'gap_truncated'
      readonly since: string
      readonly devices: readonly { readonly device_id: string; readonly from: string }[]
    }
  | { readonly type: 'gap_filled' }
  | { readonly type: 'error'; readonly code: string; readonly message: string }

export interface SocketHandlers {
  readonly onMessage: (message: LiveMessage) => void
  /** Called once; code 1006 when the connection was lost or the server was silent. */
  readonly onClose: (code: number, reason: string) => void
}

/** A socket that asks the server for a sign of life and ends when there is none. */
export class LiveSocket {
  private readonly socket: WebSocketLike
  private readonly handlers: SocketHandlers
  private readonly timer: ReturnType<typeof setInterval>
  private hasSignOfLife = true
  private isEnded = false

  constructor(socket: WebSocketLike, pingMs: number, handlers: SocketHandlers) {
    this.socket = socket
    this.handlers = handlers
    this.timer = setInterval(() => this.checkLiveness(), pingMs)
    socket.addEventListener('error', () => {})
    socket.addEventListener('close', ({ code, reason }) => this.end(code, String(reason)))
    socket.addEventListener('message', ({ data }) => {
      this.hasSignOfLife = true
      if (!this.isEnded) handlers.onMessage(JSON.parse(String(data)) as LiveMessage)
    })
  }

  send(message: object): void {
    if (!this.isEnded) this.socket.send(JSON.stringify(message))
  }

  close(): void {
    this.socket.close(1000)
    this.end(1000, '')
  }

  private checkLiveness(): void {
    if (!this.hasSignOfLife) {
      // The close event of a dead connection can take minutes.
      this.socket.close()
      this.end(1006, 'no sign of life')
      return
    }
    this.hasSignOfLife = false
    try {
      this.send({ type: 'ping' })
    } catch {
      // The socket is still connecting or has closed: the next check ends it.
    }
  }

  private end(code: number, reason: string): void {
    if (this.isEnded) return
    this.isEnded = true
    clearInterval(this.timer)
    this.handlers.onClose(code, reason)
  }
}

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { type Notifications, openNotifications } from '../db/notifications.ts'
import { type BrokerMessage, matchesFilter } from './broker.ts'
import {
  LINK_CHECK_MS,
  LINK_RECONNECT_MS,
  LINK_STATEMENT_BYTES_MAX,
  LINK_WAITING_BYTES_MAX,
} from './limits.ts'
import { encodeFrames, makeFrameReader } from './link-frames.ts'
import type { ProcessLink } from './process-link.ts'

const CHANNEL = 'netsaat_link'

export interface PostgresLink extends ProcessLink {
  isConnected(): boolean
  close(): Promise<void>
}

export interface PostgresLinkOptions {
  readonly url: string
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>
}

interface KeptConnection {
  /** Undefined while there is none. */
  current(): Notifications | undefined
  /** Resolves after the first attempt to connect, successful or not. */
  readonly firstAttempt: Promise<void>
  close(): void
}

interface KeepOptions extends PostgresLinkOptions {
  readonly onText: (text: string) => void
  /** Called after each connection but the first attempt's. */
  readonly onReconnected: () => void
}

interface ConnectOptions {
  readonly isFirst: boolean
  readonly onAttempt?: () => void
}

/** Keeps a connection open: opens it again when it has broken, or when the server does not respond. */
function keepConnection({ url, log, onText, onReconnected }: KeepOptions): KeptConnection {
  let connection: Notifications | undefined
  const stopping = new AbortController()
  const { signal } = stopping

  function lose(error: Error | undefined): void {
    connection = undefined
    if (signal.aborted) return
    log.warn({ reason: error?.message }, 'the link between processes broke')
    void connect({ isFirst: false })
  }

  /** `onAttempt` is called after each attempt. */
  async function connect({ isFirst, onAttempt = () => {} }: ConnectOptions): Promise<void> {
    let hasFailed = false
    while (!signal.aborted) {
      try {
        const options = { url, channel: CHANNEL, timeoutMs: LINK_CHECK_MS, onText, onLost: lose }
        const opened = await openNotifications(options)
        if (signal.aborted) return opened.close()
        connection = opened
        onAttempt()
        if (hasFailed) log.info('the link between processes is back')
        if (hasFailed || !isFirst) onReconnected()
        return
      } catch (error) {
        if (!hasFailed) log.warn({ reason: (error as Error).message }, 'no link to the other processes')
        hasFailed = true
        onAttempt()
        await sleep(LINK_RECONNECT_MS, undefined, { signal }).catch(() => {})
      }
    }
  }

  const firstAttempt = new Promise<void>((onAttempt) => void connect({ isFirst: true, onAttempt }))
  const checks = setInterval(() => {
    const checked = connection
    checked?.check().catch((error: Error) => {
      if (connection !== checked) return
      checked.close()
      lose(error)
    })
  }, LINK_CHECK_MS).unref()
  return {
    current: () => connection,
    firstAttempt,
    close() {
      stopping.abort()
      clearInterval(checks)
      connection?.close()
      connection = undefined
    },
  }
}

interface Waiting {
  readonly frames: readonly string[]
  readonly bytes: number
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/** Sends messages one statement after the other; each takes as many as wait, up to LINK_STATEMENT_BYTES_MAX. */
function makeSender(connection: KeptConnection) {
  const waiting: Waiting[] = []
  let waitingBytes = 0
  let sending: Promise<void> | undefined

  function takeBatch(): Waiting[] {
    let bytes = 0
    const end = waiting.findIndex((message) => {
      bytes += message.bytes
      return bytes > LINK_STATEMENT_BYTES_MAX
    })
    const batch = waiting.splice(0, end < 0 ? waiting.length : Math.max(1, end))
    for (const message of batch) waitingBytes -= message.bytes
    return batch
  }

  async function sendWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const batch = takeBatch()
      try {
        const current = connection.current()
        if (!current) throw new Error('the link to the other processes is down')
        await current.notify(batch.flatMap(({ frames }) => frames))
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error as Error)
      }
    }
    sending = undefined
  }

  return {
    send(frames: readonly string[]): Promise<void> {
      const bytes = frames.reduce((sum, frame) => sum + frame.length, 0)
      if (waitingBytes + bytes > LINK_WAITING_BYTES_MAX)
        return Promise.reject(new Error('the link to the other processes takes too little'))
      const sent = new Promise<void>((resolve, reject) => {
        waiting.push({ frames, bytes, resolve, reject })
      })
      waitingBytes += bytes
      sending ??= sendWaiting()
      return sent
    },
    settled: async () => void (await sending),
  }
}

/**
 * The link between the processes of an installation over notifications of their database, for an installation without
 * an outside broker.
 *
 * Purpose. A message reaches the other processes, not the sender, at most once: messages of a time without a
 * connection are lost, and a sender learns from a rejection that its own message was. Every consumer has a slower way
 * that loses nothing: it polls, or its cache expires.
 *
 * Cost. PostgreSQL writes a notification once and gives it to every listening connection; the commits of notifying
 * transactions exclude each other. So waiting messages share a statement, large ones are compressed, and nothing is
 * sent in the transaction that changes data.
 */
export function makePostgresLink({ url, log }: PostgresLinkOptions): PostgresLink {
  const ownId = randomUUID()
  const readFrame = makeFrameReader(ownId)
  const subscriptions = new Set<{ filter: string; handler: (message: BrokerMessage) => void }>()
  let count = 0

  function receive(text: string): void {
    const message = readFrame(text)
    if (!message) return
    for (const { filter, handler } of subscriptions) {
      if (!matchesFilter(filter, message.topic)) continue
      try {
        handler({ ...message, isRetained: false })
      } catch (error) {
        log.warn({ err: error, topic: message.topic }, 'a listener of the link between processes failed')
      }
    }
  }

  const reconnected = new Set<() => void>()
  const onReconnected = (): void => {
    for (const listener of reconnected) listener()
  }
  const connection = keepConnection({ url, log, onText: receive, onReconnected })
  const sender = makeSender(connection)
  return {
    isBroadcast: true,
    isConnected: () => connection.current() !== undefined,
    onReconnected(listener) {
      reconnected.add(listener)
      return () => void reconnected.delete(listener)
    },
    async publish(topic, payload) {
      await connection.firstAttempt
      count += 1
      await sender.send(encodeFrames(ownId, count, { topic, payload: Buffer.from(payload) }))
    },
    async subscribe(filter, handler) {
      await connection.firstAttempt
      const subscription = { filter, handler }
      subscriptions.add(subscription)
      return async () => void subscriptions.delete(subscription)
    },
    async close() {
      await sender.settled()
      connection.close()
    },
  }
}

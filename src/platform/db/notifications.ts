import pg from 'pg'
import { DB_CONNECT_TIMEOUT_MS } from './limits.ts'

export interface Notifications {
  /** Sends the texts, each shorter than 8,000 bytes, in one transaction and in this order. */
  notify(texts: readonly string[]): Promise<void>
  /** Rejects when the server does not respond. */
  check(): Promise<void>
  close(): void
}

export interface NotificationOptions {
  readonly url: string
  readonly channel: string
  /** A statement that takes longer fails, milliseconds. */
  readonly timeoutMs: number
  readonly onText: (text: string) => void
  /** Called once, when the connection has ended for another reason than `close`. */
  readonly onLost: (error: Error | undefined) => void
}

/**
 * Opens a connection that sends and receives notifications of PostgreSQL (LISTEN, NOTIFY). It needs the server itself
 * or a pooler that keeps a session for each connection.
 */
export async function openNotifications(options: NotificationOptions): Promise<Notifications> {
  const { url, channel, timeoutMs, onText, onLost } = options
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: DB_CONNECT_TIMEOUT_MS,
    query_timeout: timeoutMs,
    application_name: 'netsaat-link',
    keepAlive: true,
  })
  let isOver = false
  const lose = (error?: Error): void => {
    if (isOver) return
    isOver = true
    onLost(error)
  }
  const end = (): void => void client.end().catch(() => {})
  await client.connect()
  const listeners = {
    error: lose,
    end: () => lose(),
    notification: ({ payload }: pg.Notification) => onText(payload ?? ''),
  }
  for (const [event, listener] of Object.entries(listeners)) client.addListener(event, listener)
  try {
    await client.query(`listen ${channel}`)
  } catch (error) {
    isOver = true
    end()
    throw error
  }
  return {
    async notify(texts) {
      await client.query(
        'select pg_notify($1, text) from unnest($2::text[]) with ordinality as t (text, n) order by n',
        [channel, texts],
      )
    },
    async check() {
      await client.query('select 1')
    },
    close() {
      isOver = true
      end()
    },
  }
}

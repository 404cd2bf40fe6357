import type pg from 'pg'

export interface RoundTrips {
  /** Statements of the service that the servers answered. */
  readonly service: number
  /** Commands that these servers sent to other nodes for them. */
  readonly nodes: number
}

interface Counted {
  /** The protocol level of the driver. */
  readonly connection: { on(event: 'readyForQuery', listener: () => void): void }
}

/** Counts the round trips of a piece of work over the connections of pools; `citus.log_remote_commands` shows them. */
export function makeRoundTrips(
  pools: readonly pg.Pool[],
): (work: () => Promise<unknown>) => Promise<RoundTrips> {
  const [known, switched] = [new Set<pg.PoolClient>(), new Set<pg.PoolClient>()]
  let isCounting = false
  let service = 0
  let nodes = 0
  const isSent = ({ message }: { message?: string | undefined }) => message?.startsWith('issuing ') === true
  const onAcquire = (client: pg.PoolClient) => {
    if (!known.has(client)) {
      known.add(client)
      ;(client as unknown as Counted).connection.on('readyForQuery', () => {
        service++
      })
      client.on('notice', (notice) => {
        if (isSent(notice)) nodes++
      })
    }
    if (isCounting === switched.has(client)) return
    switched[isCounting ? 'add' : 'delete'](client)
    void client.query(`set citus.log_remote_commands = ${isCounting ? 'on' : 'off'}`)
  }
  for (const pool of pools) pool.on('acquire', onAcquire)
  return async (work) => {
    isCounting = true
    // The first time switches the connections over.
    await work()
    ;[service, nodes] = [0, 0]
    await work()
    const counted = { service, nodes }
    isCounting = false
    await work()
    return counted
  }
}

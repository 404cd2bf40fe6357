import { afterEach, describe, expect, it } from 'vitest'
import { respondWithWords, serveModbus } from '../../../test/support/field/modbus-server.ts'
import { AddressRefusedError, type ConnectGuard } from '../net/connect-guard.ts'
import { type ConnectionOptions, ModbusConnection } from './connection.ts'
import { ModbusError } from './modbus-error.ts'

const open: { stop(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop()
})

/** A guard whose host has these addresses, and counts how often it is asked. */
function guardOf(addresses: string[]): ConnectGuard & { asked: number } {
  return {
    asked: 0,
    async resolve() {
      this.asked += 1
      if (addresses.length === 0) throw new AddressRefusedError('network')
      return addresses.map((address) => ({ address, family: 4 }))
    },
  }
}

async function serve() {
  const server = await serveModbus((asked) => respondWithWords(asked, (address) => address))
  open.push(server)
  return server
}

function connectTo(port: number, guard: ConnectGuard, options: Partial<ConnectionOptions> = {}) {
  const connection = new ModbusConnection({
    ...{ host: 'plc.example.com', port, guard, reconnectFirstMs: 20, connectTimeoutMs: 30_000 },
    ...options,
  })
  open.push(connection)
  return connection
}

const read = (connection: ModbusConnection) =>
  connection.request({ unit: 1, request: { function: 3, address: 5, count: 2 }, timeoutMs: 20_000 }).then(
    (words) => words.join(),
    (error: unknown) => (error instanceof ModbusError ? error.kind : error),
  )

describe('ModbusConnection with a guard', () => {
  it('connects to the checked address and checks again at every attempt', async () => {
    const server = await serve()
    // Nothing listens at the second address; the name itself does not exist.
    const guard = guardOf(['127.0.0.1', '127.0.0.9'])
    const connection = connectTo(server.port, guard)
    expect(await read(connection)).toBe('5,6')
    expect(await read(connection)).toBe('5,6')
    expect(guard.asked).toBe(1)
    connection.release()
    expect(await read(connection)).toBe('5,6')
    expect([guard.asked, server.connections]).toEqual([2, 2])
  })

  it('does not connect to a refused address', async () => {
    const server = await serve()
    const connection = connectTo(server.port, guardOf([]))
    expect(await read(connection)).toBe('connect')
    expect(server.connections).toBe(0)
  })

  it('keeps the proof of an address, and drops it when the host moves or is refused', async () => {
    const server = await serve()
    const addresses = ['127.0.0.1']
    let proofs = 0
    const onProven = () => {
      proofs += 1
    }
    const connection = connectTo(server.port, guardOf(addresses), { onProven })
    expect(connection.provenAddress).toBeUndefined()
    await read(connection)
    expect([connection.provenAddress, proofs]).toEqual(['127.0.0.1', 1])
    connection.release()
    // Another address that comes first does not replace the proven one.
    addresses.unshift('127.0.0.9')
    expect(await read(connection)).toBe('5,6')
    expect([connection.provenAddress, proofs]).toEqual(['127.0.0.1', 1])
    connection.release()
    addresses.pop()
    expect(await read(connection)).toBe('connect')
    expect(connection.provenAddress).toBeUndefined()
  })

  it('takes the whole timeout for a failed attempt until the address has sent a valid response', async () => {
    const server = await serve()
    const { port } = server
    const unproven = connectTo(port, guardOf([]))
    await read(unproven)
    expect(unproven.waitMs).toBeGreaterThan(15_000)
    const closed = connectTo(port, guardOf(['127.0.0.9']))
    await read(closed)
    expect(closed.waitMs).toBeGreaterThan(15_000)
    const proven = connectTo(port, guardOf(['127.0.0.1']))
    await read(proven)
    proven.release()
    await server.stop()
    open.splice(open.indexOf(server), 1)
    expect(await read(proven)).toBe('connect')
    expect(proven.waitMs).toBeLessThan(1_000)
  })
})

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDataFolder } from '../support/folder.ts'
import { hasProgram } from '../support/process/programs.ts'
import { waitFor } from '../support/wait-for.ts'

/** The module of Debian's package libnginx-mod-stream. */
const MODULE = '/usr/lib/nginx/modules/ngx_stream_module.so'

/** A server in the place of a process; it says its name to every connection. */
async function listen(name: string, port = 0): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.end(name)
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}
const portOf = (server: Server): number => (server.address() as AddressInfo).port
const close = (server: Server) => new Promise((closed) => server.close(closed))

describe.skipIf(!hasProgram('nginx') || !existsSync(MODULE))(
  'MQTT behind nginx (needs nginx and libnginx-mod-stream)',
  () => {
    let folder: string
    let proxy: ChildProcess
    let port: number
    let processes: Server[]

    beforeAll(async () => {
      folder = await makeDataFolder('nginx-mqtt')
      processes = [await listen('first'), await listen('second')]
      const own = await listen('free port')
      port = portOf(own)
      await close(own)
      const [first = 0, second = 0] = processes.map(portOf)
      const text = (await readFile('packaging/nginx/netsaat-mqtt.conf', 'utf8'))
        .replace('listen 1883', `listen 127.0.0.1:${port}`)
        .replace('127.0.0.1:18831', `127.0.0.1:${first}`)
        .replace('127.0.0.1:18832', `127.0.0.1:${second}`)
      await writeFile(join(folder, 'netsaat-mqtt.conf'), text)
      const lines = [
        `load_module ${MODULE};`,
        'worker_processes 1;',
        'daemon off;',
        'master_process off;',
        `pid ${join(folder, 'nginx.pid')};`,
        'events {}',
        `stream { include ${join(folder, 'netsaat-mqtt.conf')}; }`,
      ]
      const file = join(folder, 'nginx.conf')
      await writeFile(file, `${lines.join('\n')}\n`)
      const options = ['-c', file, '-e', join(folder, 'nginx.log')]
      const checked = spawnSync('nginx', ['-t', ...options], { encoding: 'utf8' })
      expect([checked.status, checked.stderr]).toEqual([0, expect.stringContaining('is successful')])
      proxy = spawn('nginx', options, { stdio: 'ignore' })
    })
    afterAll(async () => {
      const ended = once(proxy, 'exit')
      proxy.kill('SIGKILL')
      await ended
      await Promise.all(processes.map(close))
      await rm(folder, { recursive: true, force: true })
    })

    /** The process that a connection reaches; empty when it is refused. */
    async function reached(): Promise<string> {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      let name = ''
      socket.on('data', (data) => {
        name += String(data)
      })
      await new Promise<void>((resolve) => socket.once('close', () => resolve()))
      return name
    }

    it('reaches the only process with an open port, whichever it is', async () => {
      await waitFor(async () => (await reached()) !== '')
      for (const [closed, open] of [
        [0, 'second'],
        [1, 'first'],
      ] as const) {
        const before = processes[closed]
        const closedPort = before ? portOf(before) : 0
        if (before) await close(before)
        for (let round = 0; round < 4; round += 1) expect(await reached()).toBe(open)
        processes[closed] = await listen(closed === 0 ? 'first' : 'second', closedPort)
      }
    })
  },
)

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import mqtt, { type MqttClient } from 'mqtt'
import { makeDataFolder } from '../folder.ts'

/** Debian installs it where only root searches. */
const PROGRAM = ['/usr/sbin/mosquitto', '/usr/bin/mosquitto', '/usr/local/sbin/mosquitto'].find((path) =>
  existsSync(path),
)
export const hasMosquitto = PROGRAM !== undefined

export interface Mosquitto {
  readonly url: string
  kill(): Promise<void>
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/** A third-party broker with the queues that docs/integrate/mqtt.md requires. */
export async function startMosquitto(): Promise<Mosquitto> {
  const folder = await makeDataFolder('mosquitto')
  const port = await freePort()
  const config = join(folder, 'mosquitto.conf')
  const lines = [
    `listener ${port} 127.0.0.1`,
    'allow_anonymous true',
    'persistence false',
    'max_queued_messages 0',
    'max_inflight_messages 0',
    'log_type error',
    ...(process.getuid?.() === 0 ? ['user root'] : []),
  ]
  await writeFile(config, `${lines.join('\n')}\n`)
  const child: ChildProcess = spawn(PROGRAM ?? 'mosquitto', ['-c', config], { stdio: 'ignore' })
  const url = `mqtt://127.0.0.1:${port}`
  for (let tries = 0; ; tries++) {
    const client = await connectTo(url).catch(() => undefined)
    await client?.endAsync()
    if (client) break
    if (tries > 100) throw new Error('mosquitto does not answer')
    await sleep(50)
  }
  return {
    url,
    async kill() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        child.kill('SIGKILL')
        await ended
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export function connectTo(url: string): Promise<MqttClient> {
  const client = mqtt.connect(url, { reconnectPeriod: 0 })
  return new Promise((resolve, reject) => {
    client.once('connect', () => resolve(client))
    client.once('error', reject)
    client.once('close', () => reject(new Error('the connection was closed')))
  })
}

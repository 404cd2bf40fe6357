import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { SETTING_NAMES } from '../../src/service/settings.ts'

const read = (path: string): Promise<string> => readFile(path, 'utf8')

/** Variables of the files that are not settings of the service. */
const OTHER_VARIABLES = ['NODE_ENV', 'POSTGRES_PASSWORD']

const assigned = (text: string): string[] =>
  [...text.matchAll(/\b([A-Z][A-Z_]+)=/g)].map(([, name]) => name ?? '')

const unknown = (names: readonly string[]): string[] =>
  names.filter((name) => !SETTING_NAMES.includes(name) && !OTHER_VARIABLES.includes(name))

describe('the files of packaging', () => {
  it('set only settings that the service has', async () => {
    const dockerfile = (await read('Dockerfile')).match(/^ENV .*$/gm)?.join('\n') ?? ''
    const unit =
      (await read('packaging/systemd/netsaat.service')).match(/^Environment=.*$/gm)?.join('\n') ?? ''
    const compose = parse(await read('compose.yaml')) as {
      readonly services: {
        readonly netsaat: {
          readonly env_file: readonly string[]
          readonly environment: Readonly<Record<string, string>>
        }
      }
    }
    const { environment, env_file } = compose.services.netsaat
    // The optional settings: an empty default, such as `NAME: ${NAME:-}`, is not understood by podman-compose 1.0.3.
    expect(env_file).toEqual(['.env'])
    expect(Object.values(environment).filter((value) => value.includes(':-}'))).toEqual([])
    const references = [
      ...Object.values(environment)
        .join(' ')
        .matchAll(/\$\{([A-Z_]+)/g),
    ].map(([, name]) => name ?? '')
    const guide = assigned(
      /cat >\.env <<END\n([\s\S]*?)END/.exec(await read('docs/operate/installation.md'))?.[1] ?? '',
    )
    expect(assigned(dockerfile)).toContain('DATA_DIR')
    expect(assigned(unit.replaceAll('Environment=', ''))).toContain('DATA_DIR')
    expect(unknown([...assigned(dockerfile), ...assigned(unit.replaceAll('Environment=', ''))])).toEqual([])
    expect(unknown([...Object.keys(environment), ...references])).toEqual([])
    // Every secret that compose.yaml demands is in the example of the guide.
    const demanded = [...(await read('compose.yaml')).matchAll(/\$\{([A-Z_]+):\?/g)].map(
      ([, name]) => name ?? '',
    )
    expect([...new Set(demanded)].toSorted()).toEqual(guide.toSorted())
  })

  it('confine each of several processes like the only one', async () => {
    const [one, several] = await Promise.all(
      ['netsaat', 'netsaat@'].map(async (name) =>
        (await read(`packaging/systemd/${name}.service`)).split('\n'),
      ),
    )
    expect(assigned(several?.find((line) => line.startsWith('Environment=')) ?? '')).toContain(
      'DRAIN_SECONDS',
    )
    const common = one?.slice(one.indexOf('Restart=always')) ?? []
    expect(common.length).toBeGreaterThan(10)
    expect(several?.slice(several.indexOf('Restart=always'))).toEqual(common)
  })

  it('name the same processes behind HAProxy, nginx and Compose', async () => {
    const haproxy = await read('packaging/haproxy/haproxy.cfg')
    const served = [...haproxy.matchAll(/server (\w+) 127\.0\.0\.1:(\d+)/g)].map(([, name, port]) => [
      name,
      port,
    ])
    expect(served).toHaveLength(8)
    const nginx =
      (await read('packaging/nginx/netsaat.conf')) + (await read('packaging/nginx/netsaat-mqtt.conf'))
    const upstream = [...nginx.matchAll(/server 127\.0\.0\.1:(\d+)/g)].map(([, port]) => port)
    expect(upstream).toEqual(served.map(([, port]) => port))

    const text = await read('packaging/compose/several-processes.yaml')
    const compose = parse(text, { merge: true }) as {
      readonly services: Readonly<
        Record<
          string,
          { readonly environment?: Readonly<Record<string, string>>; readonly network_mode?: string }
        >
      >
    }
    const processes = Object.entries(compose.services).filter(([, { environment }]) => environment?.['ROLES'])
    const own = new Map(processes.map(([name, { environment = {} }]) => [name, environment]))
    for (const [name = '', port] of served) {
      const environment = own.get(name) ?? {}
      expect([name, environment['MQTT_PORT'] ?? environment['PORT']]).toEqual([name, port])
      expect(name.startsWith(environment['ROLES'] ?? '-')).toBe(true)
    }
    expect(new Set([...own.values()].map((environment) => environment['PORT'])).size).toBe(own.size)
    const names = new Set([...own.values()].flatMap((environment) => Object.keys(environment)))
    expect(unknown([...names])).toEqual([])
    const demanded = [...text.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name]) => name ?? '')
    const ofOne = [...(await read('compose.yaml')).matchAll(/\$\{([A-Z_]+):\?/g)].map(
      ([, name]) => name ?? '',
    )
    expect(new Set(demanded)).toEqual(new Set(ofOne))
  })

  it('copy everything into the image that the npm package contains', async () => {
    const { files } = JSON.parse(await read('package.json')) as { readonly files: readonly string[] }
    const dockerfile = await read('Dockerfile')
    const ignored = await read('.dockerignore')
    const names = new Set(files.map((name) => name.replace(/^dist\/.*/, 'dist')))
    const inImage = [...names].filter((name) => !['npm-shrinkwrap.json', 'packaging'].includes(name))
    expect(inImage.filter((name) => !dockerfile.includes(`--from=build /app/${name} `))).toEqual([])
    const built = inImage.filter((name) => name !== 'dist')
    expect(built.filter((name) => !ignored.includes(`!${name}\n`))).toEqual([])
  })
})

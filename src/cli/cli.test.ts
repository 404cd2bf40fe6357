import { describe, expect, it } from 'vitest'
import { runCli } from './cli.ts'

async function run(argv: readonly string[], input = '') {
  const texts = { out: '', err: '' }
  const code = await runCli(
    argv,
    {},
    {
      out: (line) => {
        texts.out += `${line}\n`
      },
      err: (line) => {
        texts.err += `${line}\n`
      },
      readInput: async () => input,
      now: () => 0,
    },
  )
  return { code, ...texts }
}

describe('command line', () => {
  it.each([
    [['cook'], 'There is no command "cook"'],
    [['serv'], 'There is no command "serv": is "serve" meant?'],
    [['tarifs', 'import'], 'is "tariffs import" meant?'],
    [['help', 'cook'], 'There is no command "cook"'],
    [['user'], 'is followed by create or reset-password or reset-totp'],
    [['backup'], 'takes DIR'],
    [['storage'], 'is followed by list or seal or unseal'],
    [['credentials'], 'is followed by rotate'],
    [['market'], 'is followed by pull'],
    [['market', 'pull', '--from', '2026-13'], '--from: "2026-13" is not a month'],
    [['market', 'pull', '--to', '1969-12'], '--to needs --from'],
    [['market', 'pull', '--from', '1970-02'], 'must not lie after'],
    [['market', 'pull', '--from', '1900-01'], 'at most 240 months'],
    [['tariffs'], 'is followed by import'],
    [['tariffs', 'import'], 'takes FILE'],
    [['credentials', 'rotate'], 'CREDENTIAL_ENCRYPTION_KEY is not set'],
    [['organization'], 'is followed by list or add or deactivate'],
    [['organization', 'add', '--type', 'bakery', '--name', 'x'], '--type is one of'],
    [['organization', 'add', '--type', 'supplier'], '--name is missing'],
    [['organization', 'deactivate', 'x'], '"x" is not an id'],
    [['storage', 'unseal'], 'takes YYYY-MM'],
    [['storage', 'unseal', '2025-13'], '"2025-13" is not a month'],
    [['db'], 'is followed by distribute'],
    [['db', 'distribute', '--shards', '0'], '--shards: "0" is not a number from 1 to 1024'],
    [['db', 'distribute', '--shards', 'many'], 'is not a number'],
    [['tenant', 'place'], 'takes SLUG'],
    [['serve', '--loud'], "Unknown option '--loud'"],
    [['user', 'create', '--email', 'a@b.example'], '--tenant is missing'],
    [['user', 'create', '--tenant', 't', '--email', 'a@b.example', '--role', 'king'], '--role is one of'],
  ])('reports the fault of %j and exits with 2', async (args, message) => {
    const { code, err, out } = await run(args)
    expect(err).toContain(message)
    expect([code, out]).toEqual([2, ''])
  })

  it('shows the usage of a command that was called wrongly, and refers to the help without a command', async () => {
    expect((await run(['user', 'create'])).err).toMatch(
      /is missing\nUsage: netsaat user create --tenant SLUG .*\n$/,
    )
    expect((await run(['cook'])).err).toContain('Try "netsaat help".')
    expect((await run(['help', 'cook'])).err).toContain('Usage: netsaat help [COMMAND]')
  })

  it('rejects a password that violates the policy without repeating it', async () => {
    const args = ['tenant', 'create', '--name', 'N', '--admin-email', 'a@b.example', '--password-stdin']
    const { code, err } = await run(args, 'short1\n')
    expect(code).toBe(2)
    expect(err).not.toContain('short1')
  })

  it('prints help, also without a command, and the version', async () => {
    expect((await run(['--help'])).out).toContain('netsaat COMMAND')
    expect((await run([])).out).toContain('user reset-password')
    const { code, out } = await run(['user', 'create', '--help'])
    expect(code).toBe(0)
    expect(out).toContain('Usage: netsaat user create --tenant SLUG')
    expect(await run(['help', 'user', 'create'])).toEqual({ code, out, err: '' })
    const family = await run(['help', 'user'])
    expect(family.out).toContain(out.trim())
    expect(family.out).toContain('Usage: netsaat user reset-password')
    expect((await run(['version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})

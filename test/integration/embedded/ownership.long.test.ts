import { writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { FolderInUse, takeOwnership } from '../../../src/platform/embedded-postgres/owner-lock.ts'
import {
  clusterName,
  findProcess,
  listWithPs,
  pidScope,
  servesCluster,
} from '../../../src/platform/embedded-postgres/process-table.ts'
import { chooseServerUser } from '../../../src/platform/embedded-postgres/run-as.ts'
import { cleanUp, filesIn, isRoot, temporaryFolder } from './embedded-support.ts'

afterEach(cleanUp)

const dead = async () => ({
  scope: await pidScope(),
  pid: process.pid,
  startMark: 'earlier',
  released: false,
})

describe('lock of a data folder', () => {
  it('is taken over by exactly one of many processes that find a dead owner concurrently', async () => {
    for (let round = 0; round < 20; round++) {
      const base = temporaryFolder()
      writeFileSync(join(base, 'owner.7.json'), JSON.stringify(await dead()))
      const results = await Promise.allSettled(Array.from({ length: 12 }, () => takeOwnership(base)))
      const owners = results.filter((result) => result.status === 'fulfilled')
      expect(owners).toHaveLength(1)
      for (const result of results)
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(FolderInUse)
      await owners[0]?.value.release()
    }
  })

  it('is free again after a release, and after a power cut that emptied its file', async () => {
    const base = temporaryFolder()
    const first = await takeOwnership(base)
    await expect(takeOwnership(base)).rejects.toThrow(FolderInUse)
    await first.release()
    await (await takeOwnership(base)).release()
    writeFileSync(join(base, 'owner.9.json'), '')
    await (await takeOwnership(base)).release()
    expect(filesIn(base)).toEqual(['owner.10.json', 'owner.heartbeat'])
  })

  it('of another container or boot is checked by its heartbeat', async () => {
    const [silent, beating] = [temporaryFolder(), temporaryFolder()]
    const foreign = JSON.stringify({ ...(await dead()), scope: 'another boot' })
    for (const base of [silent, beating]) writeFileSync(join(base, 'owner.1.json'), foreign)
    let beats = 0
    const timer = setInterval(() => writeFileSync(join(beating, 'owner.heartbeat'), String(beats++)), 500)
    const [first, second] = await Promise.allSettled([takeOwnership(silent), takeOwnership(beating)])
    clearInterval(timer)
    expect(first.status).toBe('fulfilled')
    expect(second.status).toBe('rejected')
    if (first.status === 'fulfilled') await first.value.release()
  })
})

describe('owner process of a data folder', () => {
  const cluster = '/srv/data/postgres/cluster'
  const facts = { pid: 1, startMark: '1', title: '' }

  it('is identified by its program and working directory, also after a reinstall of the program', () => {
    const seen = { ...facts, cwd: cluster }
    expect(servesCluster({ ...seen, exe: '/x/bin/postgres' }, cluster)).toBe(true)
    expect(servesCluster({ ...seen, exe: '/x/bin/postgres (deleted)' }, cluster)).toBe(true)
    expect(servesCluster({ ...seen, exe: '/bin/bash' }, cluster)).toBe(false)
    expect(servesCluster({ ...seen, exe: '/x/bin/postgres', cwd: `${cluster}2` }, cluster)).toBe(false)
  })

  it('is identified by its title where the system hides the rest', () => {
    const isServerTitle = (title: string) => servesCluster({ ...facts, title }, cluster)
    expect(isServerTitle(`/x/bin/postgres -D ${cluster} -c jit=off`)).toBe(true)
    expect(isServerTitle(`/x/bin/postgres -D ${cluster}2 -c jit=off`)).toBe(false)
    expect(isServerTitle(`postgres: ${clusterName(cluster)}: checkpointer`)).toBe(true)
    expect(isServerTitle('postgres: checkpointer')).toBe(false)
    expect(isServerTitle(`vi -D ${cluster}`)).toBe(false)
  })

  it('is found in the output of ps too, with a stable start time', async () => {
    const find = async () => (await listWithPs()).find(({ pid }) => pid === process.pid)
    expect(await find()).toMatchObject({
      pid: process.pid,
      startMark: expect.stringMatching(/^\w{3} \w{3} .+ 20\d\d$/),
    })
    expect((await find())?.startMark).toBe((await find())?.startMark)
    expect(await findProcess(process.pid)).toMatchObject({ pid: process.pid, cwd: process.cwd() })
    expect(await pidScope()).not.toBe(hostname())
  })
})

describe('user that runs the server', () => {
  const line = (name: string, uid: number) => `${name}:x:${uid}:${uid}::/:/bin/false`

  it('is an existing unprivileged one for root, and otherwise the same user', () => {
    const passwd = [line('nobody', 65534), line('postgres', 70)].join('\n')
    if (!isRoot)
      return expect(chooseServerUser(passwd)).toMatchObject({ uid: process.getuid?.(), switched: false })
    expect(chooseServerUser(passwd)).toMatchObject({ uid: 70, switched: true })
    expect(chooseServerUser(line('nobody', 65534))).toMatchObject({ uid: 65534, switched: true })
    expect(() => chooseServerUser(line('root', 0))).toThrow('set DATABASE_URL')
  })
})

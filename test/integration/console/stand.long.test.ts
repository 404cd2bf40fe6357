import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { it } from 'vitest'
import { startConsole } from '../../support/console/console.ts'
import { makeConsoleRecords } from '../../support/console/records.ts'
import { makeDataFolder } from '../../support/folder.ts'

it('stands', { timeout: 7_200_000 }, async () => {
  const web = await startConsole({
    mqtt: true,
    config: {
      roles: ['api', 'realtime', 'ocpp'],
      dataDir: await makeDataFolder('console-stand'),
      tenantSignupEnabled: true,
      credentialEncryptionKey: randomBytes(32).toString('base64'),
      marketopEnabled: true,
    },
  })
  const records = await makeConsoleRecords(web)
  writeFileSync('/tmp/b/stand.json', JSON.stringify({ url: web.api.url, emails: web.emails, ids: records.ids }))
  while (!existsSync('/tmp/b/stop')) await new Promise((done) => setTimeout(done, 2000))
  await records.close()
  await web.close()
})

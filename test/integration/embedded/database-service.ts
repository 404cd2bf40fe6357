/**
 * A service that only owns a database, so that a test can kill it. Prints one line of JSON: what it started,
 * or the error. Arguments: DATA_DIR, and optionally the folder to use instead of /var/lib/netsaat.
 */
import { findNative } from '../../../src/platform/embedded-postgres/binaries.ts'
import { SHARED_HOME } from '../../../src/platform/embedded-postgres/database-location.ts'
import { startIn } from '../../../src/platform/embedded-postgres/postgres.ts'

const [dataDir = '', sharedHome = SHARED_HOME] = process.argv.slice(2)
const log = { info: () => undefined, warn: () => undefined }

try {
  const embedded = await startIn({ findNative, sharedHome }, { dataDir, log })
  const { url, ownerUrl, dataFolder, notes } = embedded
  process.stdout.write(`${JSON.stringify({ url, ownerUrl, dataFolder, notes })}\n`)
  process.once('SIGTERM', () => {
    embedded.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  })
  setInterval(() => undefined, 1000)
} catch (error) {
  process.stdout.write(
    `${JSON.stringify({ error: error instanceof Error ? error.message : String(error) })}\n`,
  )
  process.exit(1)
}

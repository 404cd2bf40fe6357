import { readFile, stat } from 'node:fs/promises'
import { type Replay, ReplayError, replayPackage } from '../areas/netting/index.ts'
import type { Command } from './command.ts'
import { AUDIT_PACKAGE_BYTES_MAX, PUBLIC_KEY_BYTES_MAX } from './limits.ts'

async function readLimited(file: string, bytesMax: number, what: string): Promise<Buffer> {
  const { size } = await stat(file).catch(() => ({ size: undefined }))
  if (size === undefined) throw new ReplayError(`${file} cannot be read`)
  if (size > bytesMax) throw new ReplayError(`${file} is larger than any ${what}`)
  return readFile(file).catch(() => {
    throw new ReplayError(`${file} cannot be read`)
  })
}

function reportLines({ manifest, counts, difference, signedBy }: Replay, isKeyGiven: boolean): string[] {
  const origin = isKeyGiven ? '' : ', which the package contains: compare it with the key of the service'
  const head = `group ${JSON.stringify(manifest.group.name)}, ${manifest.billing_period.slice(0, 7)}`
  if (!difference) {
    const { runs, facts, hours, virtual_meters, amounts, usage, movements } = counts
    return [
      `identical: ${head}`,
      `  ${runs} runs from ${facts} facts: ${hours} hours, ${virtual_meters} virtual meter rows, ${amounts} amounts, ` +
        `${usage} uses of limits, ${movements} ledger movements`,
      `  signed by key ${signedBy}${origin}`,
    ]
  }
  const { file, row, field, stored, computed } = difference
  return [
    `different: ${head}`,
    `  file      ${file}`,
    ...(row === undefined ? [] : [`  row       ${row}`]),
    ...(field === undefined ? [] : [`  field     ${field}`]),
    `  stored    ${stored}`,
    `  computed  ${computed}`,
  ]
}

/** Removes control characters, because text of an audit package could otherwise control the terminal. */
const printable = (line: string): string => line.replace(/\p{Cc}/gu, '\uFFFD')

export const auditReplay: Command = {
  options: { 'public-key': { type: 'string' } },
  positionals: 1,
  async run({ positionals: [file = ''], options, io }) {
    const keyFile = options['public-key']
    try {
      const bytes = await readLimited(file, AUDIT_PACKAGE_BYTES_MAX, 'package')
      const key =
        typeof keyFile === 'string'
          ? { publicKey: await readLimited(keyFile, PUBLIC_KEY_BYTES_MAX, 'public key') }
          : {}
      const replay = await replayPackage(bytes, key)
      for (const line of reportLines(replay, key.publicKey !== undefined)) io.out(printable(line))
      return replay.difference ? 1 : 0
    } catch (error) {
      if (!(error instanceof ReplayError)) throw error
      throw new ReplayError(printable(error.message))
    }
  },
}

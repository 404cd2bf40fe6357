import { existsSync } from 'node:fs'

/** CHROMIUM_PATH, or the path of Debian; undefined when there is none. */
export const chromiumPath: string | undefined = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium'].find(
  (path) => path !== undefined && existsSync(path),
)

/** Options for a machine without a desktop, for any user, without network calls of its own. */
export const CHROMIUM_ARGS: readonly string[] = [
  ...['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--mute-audio'],
  ...[
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-extensions',
  ],
  ...[
    '--disable-default-apps',
    '--disable-domain-reliability',
    '--no-default-browser-check',
    '--metrics-recording-only',
  ],
]

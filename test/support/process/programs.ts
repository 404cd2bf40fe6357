import { spawnSync } from 'node:child_process'

/** Whether a program can be started here; tests that need one that is absent are skipped by name. */
export const hasProgram = (name: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' }).status === 0

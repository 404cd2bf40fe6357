/** The path of the built program of the sources, built first where it is missing. */
export function currentBuild(): Promise<string>
/** The folder of the built console of the sources, built first where it is missing. */
export function currentConsole(): Promise<string>

/**
 * Coalesces concurrent reads of the same record. A read that arrives while another one of its key runs does not join
 * that one, which may have missed a change that was committed just before. It waits for the next one, which all that
 * arrive meanwhile share. So every result is as fresh as without coalescing, and of each key at most one read runs and
 * at most one waits.
 */
export function coalesceByKey<Result>(
  read: (key: string) => Promise<Result>,
): (key: string) => Promise<Result> {
  interface Entry {
    readonly running: Promise<Result>
    next: Promise<Result> | undefined
  }
  const entries = new Map<string, Entry>()

  function start(key: string): Promise<Result> {
    const entry: Entry = { running: read(key), next: undefined }
    entries.set(key, entry)
    const forget = () => {
      if (!entry.next) entries.delete(key)
    }
    entry.running.then(forget, forget)
    return entry.running
  }

  return (key) => {
    const entry = entries.get(key)
    if (!entry) return start(key)
    const startNext = () => start(key)
    entry.next ??= entry.running.then(startNext, startNext)
    return entry.next
  }
}

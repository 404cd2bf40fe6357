/**
 * Reports commits of this process that wrote to certain tables, so that it learns of new work without asking for it. It
 * is a hint: a statement that changed no row, or was rolled back to a savepoint, is reported as well; commits of other
 * processes are not.
 */
export interface WriteWatch {
  /**
   * Calls the listener after each commit of a statement that inserts into or updates one of the tables. Returns the
   * function that ends it.
   */
  watch(tables: readonly string[], listener: () => void): () => void
  /** Follows the statements of one connection. */
  follow(): ConnectionWatch
}

export interface ConnectionWatch {
  /** To be called with the text of each statement that succeeded. */
  executed(text: string): void
}

interface Watched {
  readonly pattern: RegExp
  readonly listener: () => void
}

const isRead = (text: string): boolean => text.startsWith('select')

export function makeWriteWatch(): WriteWatch {
  const watched = new Set<Watched>()

  function follow(): ConnectionWatch {
    let isInTransaction = false
    const written = new Set<Watched>()

    function endTransaction(): void {
      isInTransaction = false
      written.clear()
    }

    return {
      executed(text) {
        if (watched.size === 0 || isRead(text)) return
        if (text === 'begin' || text.startsWith('start transaction')) {
          endTransaction()
          isInTransaction = true
        } else if (text === 'commit') {
          const committed = [...written]
          endTransaction()
          for (const { listener } of committed) listener()
        } else if (text === 'rollback') endTransaction()
        else
          for (const one of watched)
            if (one.pattern.test(text)) {
              if (isInTransaction) written.add(one)
              else one.listener()
            }
      },
    }
  }

  return {
    watch(tables, listener) {
      const one = {
        pattern: new RegExp(`\\b(?:insert into|update)\\s+"?(?:${tables.join('|')})\\b`),
        listener,
      }
      watched.add(one)
      return () => void watched.delete(one)
    },
    follow,
  }
}

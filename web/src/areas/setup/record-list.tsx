import { useText } from '../../kernel/text.tsx'
import { Loaded } from '../../ui/page.tsx'
import { SETUP_TEXTS } from './texts.ts'

interface RecordListProps {
  readonly query: {
    readonly data:
      | { readonly items: readonly { readonly id: string; readonly name: string }[]; readonly total: number }
      | undefined
    readonly error: unknown
    readonly refetch: () => unknown
  }
}

/** The names of the records that exist already. */
export function RecordList({ query }: RecordListProps) {
  const t = useText()
  return (
    <Loaded query={query}>
      {({ items, total }) =>
        total === 0 ? null : (
          <p>
            {t(
              SETUP_TEXTS.SETUP_EXISTING({
                count: total,
                names: items
                  .slice(0, NAMES_MAX)
                  .map(({ name }) => name)
                  .join(', '),
              }),
            )}
          </p>
        )
      }
    </Loaded>
  )
}

const NAMES_MAX = 5

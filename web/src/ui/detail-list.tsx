import type { ReactNode } from 'react'
import { Detail, Details } from './details.tsx'

/** Terms with their values, of which some may be absent: an entry without a value is left out. */
export function DetailList({ entries }: { readonly entries: readonly (readonly [string, ReactNode])[] }) {
  return (
    <Details>
      {entries
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([term, value]) => (
          <Detail key={term} term={term}>
            {value}
          </Detail>
        ))}
    </Details>
  )
}

import type { ReactNode } from 'react'

interface DetailsProps {
  readonly children: ReactNode
  /** Whether the values are figures, which are aligned at their ends. */
  readonly areNumbers?: boolean
}

/** Terms with their values, one below the other. */
export const Details = ({ children, areNumbers }: DetailsProps) => (
  <dl className="details" data-numbers={areNumbers || undefined}>
    {children}
  </dl>
)

export function Detail({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </>
  )
}

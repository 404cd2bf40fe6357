import type { KeyboardEvent, ReactNode, RefObject } from 'react'

interface ScrollFrameProps {
  /** The name of the frame for screen readers: that of its table. */
  readonly label: string
  readonly className?: string
  readonly ref?: RefObject<HTMLElement | null>
  readonly onKeyDown?: (event: KeyboardEvent) => void
  readonly children: ReactNode
}

/** The frame of a table, which scrolls when the table is larger and is therefore reached by keyboard. */
export function ScrollFrame({ label, className, ref, onKeyDown, children }: ScrollFrameProps) {
  return (
    <section
      ref={ref}
      className={['table-frame', className].filter(Boolean).join(' ')}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls must be reachable by keyboard
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      {children}
    </section>
  )
}

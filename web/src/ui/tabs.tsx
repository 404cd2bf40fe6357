import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'

interface TabsProps<Name extends string> {
  readonly label: string
  readonly tabs: readonly { readonly name: Name; readonly title: string }[]
  readonly selected: Name
  readonly onSelect: (name: Name) => void
  readonly children: ReactNode
}

/** Parts of a page, one of which is shown. The arrow keys move between the tabs. */
export function Tabs<Name extends string>({ label, tabs, selected, onSelect, children }: TabsProps<Name>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  // On a narrow screen the selected tab may be outside of the row.
  useEffect(() => {
    const tab = list.current?.querySelector(`[data-name="${selected}"]`)
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [selected])
  const press = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const index = tabs.findIndex(({ name }) => name === selected)
    const next = tabs[(index + step + tabs.length) % tabs.length]
    if (step === 0 || !next) return
    event.preventDefault()
    onSelect(next.name)
    list.current?.querySelector<HTMLElement>(`[data-name="${next.name}"]`)?.focus()
  }
  return (
    <>
      <div ref={list} role="tablist" aria-label={label} className="tabs" onKeyDown={press}>
        {tabs.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            data-name={name}
            aria-selected={name === selected}
            aria-controls={`${id}-panel`}
            tabIndex={name === selected ? 0 : -1}
            onClick={() => onSelect(name)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${selected}`} className="stack">
        {children}
      </div>
    </>
  )
}

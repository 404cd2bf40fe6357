/** Colours for canvases, which know no variables of a style sheet. */
import { useEffect, useState } from 'react'

/** The colour of a variable of the style sheet, such as `--border`, where the element is. */
export function resolveColor(element: HTMLElement, name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** The colours in use, as a key: it changes with the system and with the choice of the user. */
export function useColorScheme(): string {
  const [scheme, setScheme] = useState(currentScheme)
  useEffect(() => {
    const update = () => setScheme(currentScheme())
    const query = matchMedia(DARK)
    query.addEventListener('change', update)
    const choice = new MutationObserver(update)
    choice.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      query.removeEventListener('change', update)
      choice.disconnect()
    }
  }, [])
  return scheme
}

const DARK = '(prefers-color-scheme: dark)'
const currentScheme = (): string =>
  document.documentElement.dataset['theme'] ?? (matchMedia(DARK).matches ? 'dark' : 'light')

/** The colour scheme: that of the system, unless the user selected one in this browser. */
export type Theme = 'system' | 'light' | 'dark'

const STORAGE_KEY = 'netsaat-theme'

export function storedTheme(): Theme {
  const stored = localStorage.getItem(STORAGE_KEY)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export function applyTheme(theme: Theme = storedTheme()): void {
  localStorage.setItem(STORAGE_KEY, theme)
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

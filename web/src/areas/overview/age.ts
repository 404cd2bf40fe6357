import { useText } from '../../kernel/text.tsx'
import { OVERVIEW_TEXTS } from './texts.ts'

/** A function that gives the text of an age: seconds up to two minutes, then minutes. */
export function useAgeText(): (ageMs: number) => string {
  const t = useText()
  return (ageMs) => {
    const seconds = Math.max(0, Math.round(ageMs / 1000))
    return seconds < 120
      ? t(OVERVIEW_TEXTS.OVERVIEW_SECONDS({ count: seconds }))
      : t(OVERVIEW_TEXTS.OVERVIEW_MINUTES({ count: Math.floor(seconds / 60) }))
  }
}

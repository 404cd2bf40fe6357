/**
 * Texts in both languages. Tables of texts are declared with `messages` of the service, which checks that each text
 * exists in both languages with the same parameters; `useText` composes them in the language of the reader.
 */
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react'
import { I18nProvider } from 'react-aria-components'
import { type Language, type Message, textOf } from '../../../src/kernel/messages.ts'

interface LanguageValue {
  readonly language: Language
  readonly setLanguage: (language: Language) => void
}

const LanguageContext = createContext<LanguageValue>({ language: 'tr', setLanguage: () => {} })
const STORAGE_KEY = 'netsaat-language'

function firstLanguage(): Language {
  const stored = localStorage.getItem(STORAGE_KEY)
  if (stored === 'tr' || stored === 'en') return stored
  return navigator.languages.some((name) => name.startsWith('tr')) ? 'tr' : 'en'
}

export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState(firstLanguage)
  useEffect(() => {
    document.documentElement.lang = language
    localStorage.setItem(STORAGE_KEY, language)
  }, [language])
  const value = useMemo(() => ({ language, setLanguage }), [language])
  return (
    <LanguageContext value={value}>
      <I18nProvider locale={language === 'tr' ? 'tr-TR' : 'en-GB'}>{children}</I18nProvider>
    </LanguageContext>
  )
}

export const useLanguage = (): LanguageValue => use(LanguageContext)

/** A function that composes the text of a message in the language of the reader. */
export function useText(): (message: Message) => string {
  const { language } = useLanguage()
  return useMemo(() => (message: Message) => textOf(message, language), [language])
}

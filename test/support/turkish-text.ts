const LETTERS: Readonly<Record<string, number>> = { Ğ: 0xd0, İ: 0xdd, Ş: 0xde, ğ: 0xf0, ı: 0xfd, ş: 0xfe }

/** A text in windows-1254, as programs for Windows in Turkey write it. */
export const windows1254 = (text: string): Buffer =>
  Buffer.from([...text].map((letter) => LETTERS[letter] ?? letter.charCodeAt(0)))

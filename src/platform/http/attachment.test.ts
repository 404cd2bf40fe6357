import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { attachment } from './attachment.ts'

const letter = fc.nat(0x10_ff_ff).map((code) => String.fromCodePoint(code))
const anyName = fc.array(letter, { maxLength: 40 }).map((deadLetters) => deadLetters.join(''))

describe('file name of an attachment', () => {
  it('is sent in full and in ASCII', () => {
    expect(attachment('ölçümler İğdır (ı) %1 "x".csv')).toBe(
      'attachment; filename="olcumler Igdir (i) _1 _x_.csv"; ' +
        "filename*=UTF-8''%C3%B6l%C3%A7%C3%BCmler%20%C4%B0%C4%9Fd%C4%B1r%20%28%C4%B1%29%20%251%20%22x%22.csv",
    )
  })

  it('gives a valid header for any name, and can be parsed again', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const header = attachment(name)
        expect(header).toMatch(
          /^attachment; filename="[\x20\x21\x23-\x5B\x5D-\x7E]*"; filename\*=UTF-8''[\w.~%-]*$/,
        )
        expect(decodeURIComponent(header.split("UTF-8''")[1] ?? '')).toBe(Buffer.from(name).toString())
      }),
    )
  })
})

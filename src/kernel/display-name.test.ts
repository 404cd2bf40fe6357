import { describe, expect, it } from 'vitest'
import { displayNameFault } from './display-name.ts'

describe('display names', () => {
  it.each([
    'Güneş Enerji A.Ş.',
    'San.Tic.Ltd.Şti.',
    'Öz-Yıldız Enerji San. ve Tic. Ltd. Şti.',
    'Ayşe Yılmaz',
    "O'Neil & Söhne (İzmir) / 2. Şube",
    'Dr.Ali Can',
    'Şebeke: 34,5 kV – 1.2 MW',
    '株式会社 太陽',
    'علی\u200cرضا',
    'Ece 🌞',
  ])('may be %s', (name) => {
    expect(displayNameFault(name)).toBeUndefined()
  })

  it.each([
    ['a line break', 'Netsaat\nFatura'],
    ['a carriage return', 'Netsaat\rBcc: a'],
    ['a tabulator', 'a\tb'],
    ['an escape', 'a\u001b[31m'],
    ['a next line character', 'a\u0085b'],
    ['a line separator', 'a\u2028b'],
    ['a paragraph separator', 'a\u2029b'],
    ['an override of the text direction', 'a\u202egpj.exe'],
    ['an isolate of the text direction', 'a\u2067b\u2069'],
    ['a zero-width space', 'evil\u200b.com'],
    ['a byte order mark', '\ufeffa'],
    ['a soft hyphen', 'a\u00adb'],
    ['a tag character', 'a\u{e0041}'],
    ['a lone surrogate', 'a\ud800'],
    ['a character of a private area', 'a\ue000'],
  ])('contain not %s', (_name, name) => {
    expect(displayNameFault(name)).toMatchObject({ code: 'NAME_NOT_ONE_LINE' })
  })

  it.each([
    'Ödeme: https://evil.example/x',
    'HTTP://1.2.3.4',
    'javascript:alert(1)',
    'mailto:a@b.example',
    'WWW.evil.example',
    'Giriş evil.com',
    'evil.com.tr',
    'bit.ly/abc',
    'evil.shop',
    'evil.example/login',
    'evil.example:8080',
    'evil.example?x=1',
    'ｅｖｉｌ．ｃｏｍ',
    'evil。com',
    'evil\u200c.com',
    'kötü.com',
    'xn--ktu-sna.com',
    'ece@evil.example',
    '//evil.example',
    '192.168.1.1/login',
  ])('contain no URL such as %s', (name) => {
    expect(displayNameFault(name)).toMatchObject({ code: 'NAME_HAS_LINK' })
  })
})

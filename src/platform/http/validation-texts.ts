import type { ErrorObject } from 'ajv'
import { type Language, type Message, textOf } from '../../kernel/messages.ts'

const TYPES: Readonly<Record<string, string>> = {
  string: 'metin',
  number: 'sayı',
  integer: 'tam sayı',
  boolean: 'true ya da false',
  object: 'nesne',
  array: 'liste',
  null: 'null',
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'bir UUID',
  email: 'bir e-posta adresi',
  'date-time': 'tarih ve saat (ISO 8601)',
  date: 'tarih (YYYY-MM-DD)',
  'billing-period': 'fatura dönemi (YYYY-MM-DD)',
}

type Params = ErrorObject['params']
const typesOf = (type: unknown): string =>
  [type]
    .flat()
    .map((name) => TYPES[String(name)] ?? String(name))
    .join(' ya da ')

/** Turkish texts by the violated keyword. A keyword without one keeps its English text. */
const TURKISH: Readonly<Record<string, (params: Params) => string>> = {
  required: ({ missingProperty }) => `zorunlu alan eksik: ${missingProperty}`,
  type: ({ type }) => `türü şu olmalı: ${typesOf(type)}`,
  format: ({ format }) => `biçimi şu olmalı: ${FORMATS[format] ?? format}`,
  enum: ({ allowedValues }) => `şu değerlerden biri olmalı: ${(allowedValues as unknown[]).join(', ')}`,
  const: ({ allowedValue }) => `değeri ${allowedValue} olmalı`,
  minimum: ({ limit }) => `en az ${limit} olmalı`,
  maximum: ({ limit }) => `en çok ${limit} olmalı`,
  exclusiveMinimum: ({ limit }) => `${limit} değerinden büyük olmalı`,
  exclusiveMaximum: ({ limit }) => `${limit} değerinden küçük olmalı`,
  minLength: ({ limit }) => `en az ${limit} karakter olmalı`,
  maxLength: ({ limit }) => `en çok ${limit} karakter olabilir`,
  minItems: ({ limit }) => `en az ${limit} öğe içermeli`,
  maxItems: ({ limit }) => `en çok ${limit} öğe içerebilir`,
  minProperties: ({ limit }) => `en az ${limit} alan içermeli`,
  uniqueItems: () => 'aynı öğeyi iki kez içermemeli',
  pattern: ({ pattern }) => `şu kalıba uymalı: ${pattern}`,
  multipleOf: ({ multipleOf }) => `${multipleOf} değerinin katı olmalı`,
  additionalProperties: ({ additionalProperty }) => `bilinmeyen alan: ${additionalProperty}`,
  anyOf: () => 'izin verilen biçimlerden birine uymalı',
  oneOf: () => 'izin verilen biçimlerden tam olarak birine uymalı',
  discriminator: () => 'türünü belirleyen alan geçersiz',
  decimal: ({ places }) => `en çok ${places} basamaklı geçerli bir ondalık sayı olmalı`,
}

/** The text of a failure in a language; for an enumeration with its values. */
export function failureText(
  { keyword, message = 'is not valid', params }: ErrorObject,
  language: Language,
): string {
  if (params['fault'] !== undefined) return textOf(params['fault'] as Message, language)
  const turkish = language === 'tr' ? TURKISH[keyword]?.(params) : undefined
  if (turkish !== undefined) return turkish
  return keyword === 'enum' ? `${message}: ${(params['allowedValues'] as unknown[]).join(', ')}` : message
}
